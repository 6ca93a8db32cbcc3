package kb

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// TestPart asks a base that decodes what a question needs, and one that has decoded everything, for each thing that the tables know.
func TestPart(t *testing.T) {
	fresh, whole := &Base{fsys: Default().fsys}, &Base{fsys: Default().fsys}
	rows := gpus.in(whole).Rows
	for i := 0; i < len(rows); i += 7 { // a part is made for each name, and a seventh are enough of them
		g := rows[i]
		if some, all := fresh.GPUsByName(g.Name), whole.GPUsByName(g.Name); !reflect.DeepEqual(some, all) {
			t.Errorf("GPUsByName(%q) = %+v of a part, %+v of the table", g.Name, some, all)
		}
		if some, all := fresh.GPUByPCI(g.Device, g.Subsystem), whole.GPUByPCI(g.Device, g.Subsystem); !reflect.DeepEqual(some, all) {
			t.Errorf("GPUByPCI(%q, %q) = %+v of a part, %+v of the table", g.Device, g.Subsystem, some, all)
		}
	}
	for _, a := range advisories.in(whole).Rows {
		some, all := fresh.Advisories(a.Package), whole.Advisories(a.Package)
		if len(all) == 0 || !reflect.DeepEqual(some, all) {
			t.Errorf("Advisories(%q) = %+v of a part, %+v of the table", a.Package, some, all)
		}
		if some, all := fresh.Cite(a), whole.Cite(a); !reflect.DeepEqual(some, all) {
			t.Errorf("Cite(%s) = %+v of a part, %+v of the table", a.ID, some, all)
		}
	}
	if _, ok := fresh.memo.Load(gpus); ok {
		t.Error("the base that decodes parts has decoded the whole table")
	}
}

// TestPartOfQuotedCells holds that a cell with line breaks is no row of its own.
func TestPartOfQuotedCells(t *testing.T) {
	type row struct {
		Row
		Name string `kb:"name,required,key"`
		Text string `kb:"text"`
	}
	fsys := fstest.MapFS{"t.csv": {Data: []byte("# as_of: 2026-01-01\n# horizon: date 2026-01-01\nname,text,src,confidence\n" +
		"one,\"a\nb,word,s,high\",s,high\ntwo,word,s,high\n")}}
	table, problems := decode[row](fsys, "t.csv", func(line string) bool { return strings.Contains(line, "word") })
	names := make([]string, len(table.Rows))
	for i, r := range table.Rows {
		names[i] = r.Name
	}
	if want := []string{"one", "two"}; problems != nil || !slices.Equal(names, want) {
		t.Errorf("rows %q, problems %v; want %q: what is quoted makes the whole file be read", names, problems, want)
	}
}
