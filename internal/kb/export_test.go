package kb

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

func export(t *testing.T) []byte {
	t.Helper()
	x, err := (&Base{fsys: Default().fsys}).Export()
	if err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(x)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestExport holds the export to every table and every row, the same each time.
func TestExport(t *testing.T) {
	first, second := export(t), export(t)
	if !bytes.Equal(first, second) {
		t.Error("two exports of one base differ")
	}
	var x struct {
		Version string
		Tables  []struct {
			Name    string
			AsOf    string `json:"as_of"`
			Horizon string
			Columns []string
			Key     []string
			Rows    []map[string]any
		}
		Sources []map[string]any
	}
	if err := json.Unmarshal(first, &x); err != nil {
		t.Fatal(err)
	}
	infos := Default().Tables()
	if len(x.Tables) != len(infos) || x.Version != Default().Version() || len(x.Sources) != len(Default().Sources()) {
		t.Fatalf("%d tables of %d, version %q, %d sources", len(x.Tables), len(infos), x.Version, len(x.Sources))
	}
	known := map[string]bool{}
	for _, s := range x.Sources {
		id, _ := s["id"].(string)
		known[id] = true
	}
	for i, table := range x.Tables {
		info := infos[i]
		if table.Name != info.Name || table.AsOf != info.AsOf || table.Horizon != info.Horizon || len(table.Rows) != info.Rows || info.Rows == 0 {
			t.Errorf("%s: %d rows as of %s, want %+v", table.Name, len(table.Rows), table.AsOf, info)
		}
		for _, row := range table.Rows {
			if len(row) != len(table.Columns) {
				t.Fatalf("%s: a row of %d values for %d columns", table.Name, len(row), len(table.Columns))
			}
			src, ok := row["src"].([]any)
			if !ok || len(src) == 0 {
				t.Fatalf("%s: src is %v, want a list", table.Name, row["src"])
			}
			for _, id := range src {
				if !known[id.(string)] {
					t.Errorf("%s: source %v is not exported", table.Name, id)
				}
			}
		}
	}
}

func TestExportValues(t *testing.T) {
	table, err := Default().ExportTable("frameworks/pytorch.csv")
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(table.Rows, func(r Record) bool { return r.Text(0) == "2.7.1" && r.Text(1) == "cu126" })
	if i < 0 {
		t.Fatal("no row for torch 2.7.1+cu126")
	}
	data, err := json.Marshal(table.Rows[i])
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`{"torch":"2.7.1","variant":"cu126","pypi":true,"channel":"stable","cuda":"12.6",`, // in the order of the columns
		`"archs":["sm_50","sm_60","sm_70","sm_75","sm_80","sm_86","sm_90"],"ptx":[],`,      // none is an empty list
		`"nvshmem":null,`, // nothing is null
	} {
		if !strings.Contains(string(data), want) {
			t.Errorf("row lacks %s:\n%s", want, data)
		}
	}
	if table.Name != "frameworks/pytorch.csv" || !slices.Equal(table.Key, []string{"torch", "variant"}) {
		t.Errorf("%s has key %q", table.Name, table.Key)
	}
	if _, err := Default().ExportTable("nvidia/none.csv"); err == nil {
		t.Error("a table that is not there was exported")
	}
}

// TestCellsAreTheText holds the values of CSV tables to the cells that they were read from.
func TestCellsAreTheText(t *testing.T) {
	for _, cell := range []string{"", "12.4", "none", "a;b", "7", "yes", "x"} {
		for _, v := range []any{"", 0, true, []string(nil), []int(nil), Targets{}, driver("535.54.03"), High} {
			r := Record{values: []any{cellValue(cell, reflect.TypeOf(v))}}
			got := r.Text(0)
			if v == true && cell != "yes" && cell != "" { // the decoder lets nothing but yes and no in
				continue
			}
			if _, targets := v.(Targets); targets && cell == "none" {
				if list, ok := r.values[0].([]any); !ok || len(list) != 0 {
					t.Errorf("no targets are %v, want an empty list", r.values[0])
				}
				continue
			}
			if got != cell {
				t.Errorf("cell %q as %T reads %q", cell, v, got)
			}
		}
	}
}

func diffOf(t *testing.T, change func(fstest.MapFS)) *Difference {
	t.Helper()
	changed := embeddedFiles(t)
	change(changed)
	d, err := Diff(Default(), &Base{fsys: changed})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestDiff(t *testing.T) {
	if d := diffOf(t, func(fstest.MapFS) {}); !d.Same() {
		t.Errorf("a copy differs in %d files, the first is %s", len(d.Tables), d.Tables[0].Name)
	}
	replace := func(files fstest.MapFS, name, old, new string) {
		text := strings.Replace(string(files[name].Data), old, new, 1)
		if text == string(files[name].Data) {
			t.Fatalf("%s does not hold %q", name, old)
		}
		files[name] = &fstest.MapFile{Data: []byte(text)}
	}
	d := diffOf(t, func(files fstest.MapFS) {
		replace(files, "nvidia/ptx_isa.csv", "# horizon: driver 620", "# horizon: driver 625")
		replace(files, "nvidia/ptx_isa.csv", "8.4,12.4,550,", "8.4,12.4,551,")
		replace(files, "nvidia/ptx_isa.csv", "\n8.3,12.3,545,", "\n8.31,12.3,545,")
		replace(files, "advisories.yaml", "title: JAX refuses cuDNN 9.10.0", "title: JAX does not like it")
		delete(files, "nvidia/xid.csv")
		files["nvidia/later.csv"] = &fstest.MapFile{Data: []byte("# as_of: 2027-01-01\n# horizon: date 2027-01-01\na,b\n1,2\n")}
	})
	byName := map[string]TableDiff{}
	for _, table := range d.Tables {
		byName[table.Name] = table
	}
	if len(byName) != 4 {
		t.Fatalf("%d files differ, want 4", len(byName))
	}
	ptx := byName["nvidia/ptx_isa.csv"]
	if len(ptx.Head) != 1 || ptx.Head[0].Column != "horizon" || len(ptx.Added) != 1 || ptx.Added[0].Key[0] != "8.31" || ptx.Added[0].Line == 0 ||
		len(ptx.Removed) != 1 || ptx.Removed[0].Key[0] != "8.3" || len(ptx.Changed) != 1 {
		t.Errorf("ptx_isa.csv: %+v", ptx)
	} else if c := ptx.Changed[0]; c.Key[0] != "8.4" || len(c.Cells) != 1 || c.Cells[0] != (Cell{"branch", "550", "551"}) {
		t.Errorf("changed row: %+v", c)
	}
	if a := byName["advisories.yaml"]; len(a.Changed) != 1 || a.Changed[0].Key[0] != "jax-cudnn-9.10.0" || a.Changed[0].Cells[0].Column != "title" {
		t.Errorf("advisories.yaml: %+v", a)
	}
	if x := byName["nvidia/xid.csv"]; x.State != "removed" || len(x.Removed) != len(Rows[Xid](Default())) {
		t.Errorf("xid.csv: %s, %d rows", x.State, len(x.Removed))
	}
	if x := byName["nvidia/later.csv"]; x.State != "added" || len(x.Added) != 1 {
		t.Errorf("later.csv, which this program does not know: %+v", x)
	}
}

func TestDiffUnreadable(t *testing.T) {
	for name, data := range map[string]string{
		"nvidia/ptx_isa.csv": "# as_of: 2026-11-30\n# horizon: x\na,b\n1\n", "nvidia/xid.csv": "no preamble\n", "advisories.yaml": "# as_of: 2026-11-30\n# horizon: x\n- a: [\n",
	} {
		files := embeddedFiles(t)
		files[name] = &fstest.MapFile{Data: []byte(data)}
		if _, err := Diff(Default(), &Base{fsys: files}); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: got %v, want an error that names it", name, err)
		}
	}
}

// FuzzReadCells reads any bytes as a table of no known type.
func FuzzReadCells(f *testing.F) {
	f.Add("x.csv", "# as_of: 2026-11-30\n# horizon: x\na,b\n1,\"2\n3\"\n")
	f.Add("x.yaml", "# as_of: 2026-11-30\n# horizon: x\n- id: a\n  when: {b: [c, {d: e}]}\n")
	f.Fuzz(func(t *testing.T, name, text string) {
		if name != "x.csv" {
			name = "x.yaml"
		}
		for _, row := range []reflect.Type{nil, reflect.TypeFor[Advisory](), reflect.TypeFor[DriverBranch]()} {
			if name == "x.csv" && row == reflect.TypeFor[Advisory]() || name == "x.yaml" && row == reflect.TypeFor[DriverBranch]() {
				continue
			}
			c, err := readCells(fstest.MapFS{name: {Data: []byte(text)}}, name, row)
			if err != nil {
				continue
			}
			for _, r := range c.rows {
				if len(r.values) != len(c.columns) {
					t.Fatalf("a row of %d values for %d columns", len(r.values), len(c.columns))
				}
				if _, err := json.Marshal(r); err != nil {
					t.Fatal(err)
				}
				c.keyOf(r)
			}
		}
	})
}
