package dump

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"strata/internal/transcript"
)

// TestWordsLeaveNothingOut reads every text of testdata with readers that see all lines, and with those that see
// the lines that have one of their words.
func TestWordsLeaveNothingOut(t *testing.T) {
	for name, text := range texts(t) {
		sameOfAllLines(t, name, text)
	}
}

// TestWordsLeaveNoFormOut reads lines that the package's own expressions match, as no text of testdata has them: each
// alone, and many together.
func TestWordsLeaveNoFormOut(t *testing.T) {
	var together []string
	for at, expr := range expressions(t) {
		line := rapid.StringMatching(strings.ReplaceAll(expr, `\b`, "")) // what stands beside a word is up to chance
		for seed := range 4 {
			s := line.Example(seed)
			if len(s) > 300 || strings.ContainsAny(s, "\n\r\x1bſ\u212a") { // the last two are s and k to (?i), and to nobody else
				continue
			}
			sameOfAllLines(t, at, s)
			together = append(together, s)
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 100 {
		var b strings.Builder
		for range 40 {
			b.WriteString(together[r.IntN(len(together))] + "\n")
		}
		sameOfAllLines(t, "several", b.String())
	}
}

// sameOfAllLines compares what readers find with their words to what they find in all lines.
func sameOfAllLines(t *testing.T, name, text string) {
	t.Helper()
	worded := readers
	defer func() { readers = worded }()
	some := recordOf(t, name, text)
	readers = slices.Clone(worded)
	for i := range readers {
		readers[i].words, readers[i].form = nil, nil
	}
	if every := recordOf(t, name, text); some != every {
		t.Errorf("%s: in %q\nof the lines with words\n%s\nof all lines\n%s", name, text, some, every)
	}
}

// unworded are the readers that see every line, each with the reason.
var unworded = map[string]string{
	"key and value": "any line may have a key; its own quick looks are at the keys",
}

// TestReadersHaveWords holds that a reader sees every line of a text by decision alone.
func TestReadersHaveWords(t *testing.T) {
	if len(readers) > 64 {
		t.Errorf("%d readers, and a line's mask has 64 bits", len(readers))
	}
	for _, r := range readers {
		if all := r.words == nil && r.form == nil; all != (unworded[r.name] != "") {
			t.Errorf("%s: sees every line %v; it needs words, or a reason in unworded", r.name, all)
		}
		if r.whole && r.around > 0 {
			t.Errorf("%s: who sees the whole text sees what is around", r.name)
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
