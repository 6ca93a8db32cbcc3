package elfx_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"strata/internal/elfx"
	"strata/internal/elfx/elftest"
)

func TestCompatNote(t *testing.T) {
	for _, tc := range []struct {
		name, json string
		want       *elfx.FwdCompat
	}{
		{"data centre", `{"format":1,"CUDA version":"13.0","driver":[535,580],"device":[1,2]}`,
			&elfx.FwdCompat{Format: 1, CUDAVersion: "13.0", Drivers: []int{535, 580}, Devices: []int{1, 2}}},
		{"no lists, as for Orin", `{"format":1,"CUDA version":"13.2"}`, &elfx.FwdCompat{Format: 1, CUDAVersion: "13.2"}},
		{"key not known yet", `{"format":2,"CUDA version":"14.0","board":["x"]}`, &elfx.FwdCompat{Format: 2, CUDAVersion: "14.0"}},
		{"not JSON", `{"format":1,}`, &elfx.FwdCompat{Problem: "JSON"}},
		{"too long a list", `{"driver":[` + strings.Repeat("1,", 300) + `1]}`, &elfx.FwdCompat{Problem: "plausible"}},
		{"another note of the owner", `binary`, nil},
	} {
		got, err := read(elftest.Build(elftest.Spec{Compat: tc.json}))
		if err != nil {
			t.Fatalf("%s: %v", tc.name, err)
		}
		note := got.CompatNote
		if tc.want != nil && tc.want.Problem != "" {
			if note == nil || !strings.Contains(note.Problem, tc.want.Problem) {
				t.Errorf("%s: %+v, want a problem about %q", tc.name, note, tc.want.Problem)
			}
			continue
		}
		if d := cmp.Diff(tc.want, note); d != "" {
			t.Errorf("%s: (-want +got)\n%s", tc.name, d)
		}
	}
}

// TestCompatNoteOverrun is the note for Orin: it states more bytes than it has.
func TestCompatNoteOverrun(t *testing.T) {
	s := elftest.Spec{Compat: `{"format":1,"CUDA version":"13.2"}`}
	b := elftest.Build(s)
	i := bytes.Index(b, []byte("NVIDIA Corporation"))
	b[i-8] += 6 // the length of the contents
	got, err := read(b)
	if err != nil {
		t.Fatal(err)
	}
	if got.CompatNote == nil || got.CompatNote.CUDAVersion != "13.2" {
		t.Errorf("note %+v", got.CompatNote)
	}
}
