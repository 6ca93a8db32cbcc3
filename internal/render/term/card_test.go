package term

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"strata/internal/kb"
	"strata/internal/lookup"
	"strata/internal/report"
)

func drawn(t *testing.T, c *lookup.Card, opts Options) string {
	t.Helper()
	var b bytes.Buffer
	if err := Card(&b, c, report.Tool{KB: "2026.11.30"}, opts); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestCardsKeepTheWidth draws cards of every subject on a narrow, a usual and a wide terminal. Only a word that is longer than the line by itself (an
// address, a file) and a command may stand out.
func TestCardsKeepTheWidth(t *testing.T) {
	base := kb.Default()
	cards := []*lookup.Card{lookup.Overview(base), lookup.Index(base)}
	for _, s := range lookup.Subjects(base) {
		names := lookup.Names(base, s.Name)
		for i := 0; i < len(names); i += max(1, len(names)/8) {
			c, err := lookup.Find(base, []string{s.Name, names[i]})
			if err != nil {
				t.Fatalf("%s %s: %v", s.Name, names[i], err)
			}
			cards = append(cards, c)
		}
	}
	for _, c := range cards {
		var commands []string
		for _, command := range c.Commands {
			commands = append(commands, command.Run, "then "+command.Check)
		}
		for _, columns := range []int{40, 80, 100} {
			for line := range strings.Lines(drawn(t, c, Options{Width: columns})) {
				line = strings.TrimRight(line, "\n")
				rest := strings.TrimLeft(line, " ")
				words := strings.Fields(rest)
				long := len(words) > 0 && width(words[len(words)-1]) > columns/4
				if width(line) > columns && !long && !slices.Contains(commands, rest) {
					t.Errorf("%s %s at %d columns: %d in %q", c.Subject, c.Name, columns, width(line), line)
				}
				if columns == 80 && width(line) > columns && len(words) > 1 && !slices.Contains(commands, rest) && width(words[len(words)-1]) < 60 {
					t.Errorf("%s %s: %d columns in %q", c.Subject, c.Name, width(line), line)
				}
				if strings.HasSuffix(line, " ") {
					t.Errorf("%s %s: blanks at the end of %q", c.Subject, c.Name, line)
				}
			}
		}
	}
}

var sample = &lookup.Card{
	Subject: "driver", Name: "535", Title: "A driver", Status: lookup.Known,
	Fields: []lookup.Field{
		{Name: "type", Label: "Type", Value: "lts", Text: "long-term support"},
		{Name: "day", Value: "2026-11-30"}, // no label: not for people
		{Name: "list", Label: "A longer label", Value: []string{"one", "two"}},
	},
	Tables: []*lookup.Table{
		{Title: "Beside each other", Columns: []lookup.Column{{Name: "a", Label: "Name"}, {Name: "b", Label: "Count"}, {Name: "c", Label: "Text"}}, Rows: [][]any{
			{"x", 7, "words that are folded in the last column since it is the widest of all"}, {"long name", 1234, nil},
		}},
		{Title: "Below each other", Columns: []lookup.Column{{Name: "a", Label: "File"}, {Name: "b", Label: "Other"}}, Rows: [][]any{
			{strings.Repeat("f", 50), strings.Repeat("o", 30)}, {"short", nil},
		}, Omitted: 3},
	},
	Commands: []lookup.Command{{For: "pip", Variant: "cu126", OS: []string{"linux"}, Run: "pip install " + strings.Repeat("x", 80), Check: "python -c 1"}},
	Notes:    []string{"a note \x1b[31mwith an escape"},
	Rows:     []kb.Ref{{Table: "nvidia/a.csv", Line: 3}, {Table: "nvidia/a.csv", Line: 4}},
	Sources:  []kb.Source{{Title: "A page", Publisher: "NVIDIA", URL: "https://example.org/page", Retrieved: "2026-11-30"}}, Confidence: kb.Medium, AsOf: "2026-11-30",
}

func TestCard(t *testing.T) {
	want := `A driver · knowledge of 2026-11-30

  Type            long-term support
  A longer label  one two

  Beside each other
    Name       Count  Text
    x              7  words that are folded in the last column since it is the
                      widest of all
    long name   1234

  Below each other
    File   ` + strings.Repeat("f", 50) + `
    Other  ` + strings.Repeat("o", 30) + `

    File  short
    and 3 more: say more of the name

  Install
    pip · cu126 · linux
      pip install ` + strings.Repeat("x", 80) + `
      then python -c 1

  · a note [31mwith an escape

  Sources
    A page, NVIDIA, read 2026-11-30
      https://example.org/page
  Confidence medium, the lowest of 2 rows of nvidia/a.csv, as of 2026-11-30
`
	if got := drawn(t, sample, Options{Width: 80}); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := drawn(t, sample, Options{Width: 80, ASCII: true}); strings.ContainsFunc(got, func(r rune) bool { return r > 126 }) {
		t.Errorf("not ASCII:\n%s", got)
	}
	var b bytes.Buffer
	if err := Card(&b, sample, report.Tool{KB: "2025.01.02", KBDir: "./kb", KBOlderThan: "2026.11.30"}, Options{Width: 100}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"not built in, from ./kb", "older than the built-in one of 2026-11-30", "knowledge of 2025-01-02"} {
		if head, _, _ := strings.Cut(b.String(), "\n\n"); !strings.Contains(head, want) {
			t.Errorf("the heading does not say %q: %s", want, head)
		}
	}
}

func TestColumnWidths(t *testing.T) {
	cells := [][]string{{"A", "B"}, {"one two three four", "five six"}}
	for _, tt := range []struct {
		room int
		want []int
		fits bool
	}{
		{40, []int{18, 8}, true},
		{28, []int{18, 8}, true},
		{20, []int{10, 8}, true},
		{11, []int{5, 4}, true},
		{10, []int{5, 4}, false},
	} {
		got, fits := columnWidths(cells, tt.room)
		if !slices.Equal(got, tt.want) || fits != tt.fits {
			t.Errorf("in %d columns: got %v and %v, want %v and %v", tt.room, got, fits, tt.want, tt.fits)
		}
	}
}
