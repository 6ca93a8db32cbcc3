package dump

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"strata/internal/transcript"
)

// TestWordsLeaveNothingOut reads every text of testdata with readers that see all lines, and with those that see
// the lines that have one of their words.
func TestWordsLeaveNothingOut(t *testing.T) {
	worded := readers
	defer func() { readers = worded }()
	all := slices.Clone(readers)
	for i := range all {
		all[i].words = nil
	}
	for name, text := range texts(t) {
		readers = worded
		some := recordOf(t, name, text)
		readers = all
		if every := recordOf(t, name, text); some != every {
			t.Errorf("%s: of the lines with words\n%s\nof all lines\n%s", name, some, every)
		}
	}
}

func recordOf(t *testing.T, name, text string) string {
	out, err := json.Marshal(Read(transcript.Of(name, text)))
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// texts are those of testdata, by name.
func texts(t *testing.T) map[string]string {
	out := map[string]string{}
	for _, s := range samples(t) {
		out[s.name] = s.text
	}
	healthy, err := filepath.Glob("testdata/healthy-*.txt")
	if err != nil || len(healthy) == 0 {
		t.Fatalf("no healthy texts: %v", err)
	}
	for _, f := range healthy {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		out[f] = string(data)
	}
	return out
}
