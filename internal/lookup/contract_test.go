package lookup

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"strata/internal/kb"
)

// TestContractIsDocumented holds docs/output.md to every name of a field, a table and a column that a card has: a name in the output is a contract.
func TestContractIsDocumented(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "output.md"))
	if err != nil {
		t.Fatal(err)
	}
	lines := map[string]string{} // of the table of subjects
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(line, "|")
		if len(cells) < 4 {
			continue
		}
		for subject := range strings.SplitSeq(cells[1], ",") {
			lines[strings.Trim(subject, " `")] += line
		}
	}
	base := kb.Default()
	for _, s := range Subjects(base) {
		documented := lines[s.Name]
		switch {
		case s.Name == tableSubject.Name:
			continue // its columns are those of the tables
		case documented == "":
			documented = lines["packages"]
		case strings.Contains(documented, "those of packages"):
			documented += lines["packages"]
		case strings.Contains(documented, "as `cudnn`"):
			documented += lines["cudnn"]
		}
		missing := func(name string) bool { return !strings.Contains(documented, "`"+name+"`") }
		reported := map[string]bool{}
		report := func(query, what, name string) {
			if missing(name) && !reported[name] {
				reported[name] = true
				t.Errorf("%s: docs/output.md does not name %s %q", query, what, name)
			}
		}
		names := append(s.names(base), s.Examples...)
		for i := 0; i < len(names); i += max(1, len(names)/100) {
			c, err := Find(base, []string{s.Name, names[i]})
			if err != nil {
				continue // for TestEveryName
			}
			query := s.Name + " " + names[i]
			for _, f := range c.Fields {
				report(query, "field", f.Name)
			}
			for _, table := range c.Tables {
				report(query, "table", table.Name)
				for _, column := range table.Columns {
					switch {
					case table.Name == "advisories": // the same everywhere
					case table.Name == "components" && column.Name != "package": // a release
					default:
						report(query, "column", column.Name)
					}
				}
			}
		}
	}
}

// TestPageNamesSubjects holds docs/kb.md to an example of every subject that has code of its own.
func TestPageNamesSubjects(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "kb.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range static() {
		if !strings.Contains(string(text), "kb show "+s.Name+" ") {
			t.Errorf("docs/kb.md has no example of kb show %s", s.Name)
		}
	}
}
