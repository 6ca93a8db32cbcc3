package stack

import (
	"encoding/json"
	"io/fs"
	"os"
	"strings"
	"testing"
)

func TestZeroFactIsNotCollected(t *testing.T) {
	var f Fact[string]
	if f.State != NotCollected || f.Known() {
		t.Fatalf("the zero fact is %s", f.State)
	}
}

func TestMiss(t *testing.T) {
	for _, c := range []struct {
		err  error
		want State
	}{
		{&fs.PathError{Op: "open", Path: "/x", Err: fs.ErrNotExist}, Absent},
		{&fs.PathError{Op: "open", Path: "/x", Err: os.ErrPermission}, Denied},
		{&fs.PathError{Op: "open", Path: "/x", Err: os.ErrDeadlineExceeded}, Failed},
	} {
		f := Miss[int](c.err, "/x")
		if f.State != c.want {
			t.Errorf("Miss(%v) is %s, want %s", c.err, f.State, c.want)
		}
		if c.want == Denied && f.Allow == "" {
			t.Error("a denied fact does not say how to allow it")
		}
	}
}

func TestStateRoundTrip(t *testing.T) {
	for s := NotCollected; s <= Failed; s++ {
		text, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		var back State
		if err := json.Unmarshal(text, &back); err != nil || back != s {
			t.Errorf("%s came back as %s (%v)", s, back, err)
		}
	}
	var s State
	if err := s.UnmarshalText([]byte("fine")); err == nil {
		t.Error("an unknown state was accepted")
	}
}

func TestFromShortens(t *testing.T) {
	s := From("file", "/x", 1, strings.Repeat("é", 5000)+"\x1b[31m")
	if n := len([]rune(s.Text)); n != maxSourceText {
		t.Errorf("%d runes kept, want %d", n, maxSourceText)
	}
}

// TestCloneIsDeep changes every kind of field of a copy and looks at the original.
func TestCloneIsDeep(t *testing.T) {
	s := &Stack{
		Hardware: Hardware{PCI: Know([]PCIDevice{{Address: "a", Driver: "nvidia"}})},
		Devices:  Devices{User: Know(User{GIDs: []int{1}, Groups: map[int]string{1: "video"}})},
		Python: Know([]Environment{{
			Prefix:     "/opt/venv",
			Packages:   Know([]Package{{Name: "torch", Version: "2.7.1"}}),
			Frameworks: []Framework{{Name: "pytorch", Code: Know([]DeviceCode{{Arch: "sm_80"}})}},
			Libraries:  Know([]Library{{Path: "/x", Needed: []string{"a"}, Compat: &CompatNote{Branches: []int{535}}}}),
		}}),
	}
	before, _ := json.Marshal(s)
	c := s.Clone()
	if after, _ := json.Marshal(c); string(after) != string(before) {
		t.Fatal("the copy differs")
	}
	c.Hardware.PCI.Value[0].Driver = "nouveau"
	c.Devices.User.Value.GIDs[0] = 2
	c.Devices.User.Value.Groups[1] = "x"
	e := &c.Python.Value[0]
	e.Packages.Value[0].Version = "0"
	e.Frameworks[0].Code.Value[0].Arch = "sm_00"
	e.Libraries.Value[0].Needed[0] = "b"
	e.Libraries.Value[0].Compat.Branches[0] = 0
	if after, _ := json.Marshal(s); string(after) != string(before) {
		t.Errorf("a change to the copy reached the original:\n%s\n%s", before, after)
	}
}

func TestKnownValuesAreWritten(t *testing.T) {
	for _, c := range []struct {
		fact any
		want string
	}{
		{Know(false), `{"state":"known","value":false}`},
		{Know(0), `{"state":"known","value":0}`},
		{Know([]string(nil)), `{"state":"known","value":[]}`},
		{Fact[bool]{}, `{"state":"not_collected"}`},
		{None[[]string](), `{"state":"absent"}`},
		{Know("x"), `{"state":"known","value":"x"}`},
	} {
		got, err := json.Marshal(c.fact)
		if err != nil || string(got) != c.want {
			t.Errorf("%s, %v; want %s", got, err, c.want)
		}
	}
	var back Fact[bool]
	if err := json.Unmarshal([]byte(`{"state":"known","value":false,"why":"w"}`), &back); err != nil || !back.Known() || back.Why != "w" {
		t.Errorf("read back %+v, %v", back, err)
	}
}
