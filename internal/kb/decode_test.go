package kb

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"strata/internal/version"
)

// sample has one column of each kind.
type sample struct {
	Row
	Name    string           `kb:"name,key"`
	Count   int              `kb:"count"`
	Flag    bool             `kb:"flag"`
	List    []string         `kb:"list"`
	Driver  version.Driver   `kb:"driver"`
	Drivers []version.Driver `kb:"drivers"`
}

type record struct {
	Row  `yaml:",inline"`
	Name string `yaml:"name"`
}

func TestDecode(t *testing.T) {
	got, problems := decode[sample](os.DirFS("testdata/strict"), "good.csv", nil)
	for _, p := range problems {
		t.Error(p)
	}
	want := &Table[sample]{
		Name: "good.csv", AsOf: "2026-11-30", Horizon: "driver 620",
		Rows: []sample{
			{
				Row: Row{Line: 5, Src: []string{"one"}, Confidence: High}, Name: "a", Count: 1, Flag: true, List: []string{"x", "y"},
				Driver: driver("535.129.03"), Drivers: []version.Driver{driver("470.82.01"), driver("550")},
			},
			{Row: Row{Line: 6, Src: []string{"one", "two"}, Confidence: Low}, Name: "b"},
		},
	}
	sameDriver := cmp.Comparer(func(a, b version.Driver) bool { return a.String() == b.String() })
	if diff := cmp.Diff(want, got, sameDriver); diff != "" {
		t.Errorf("good.csv (-want +got):\n%s", diff)
	}
}

// TestDecodeReportsAll holds the decoder to reporting every problem of a file in one go, each with its line.
func TestDecodeReportsAll(t *testing.T) {
	dir := os.DirFS("testdata/strict")
	csvProblems := func(name string) []Problem { _, p := decode[sample](dir, name, nil); return p }
	tests := []struct {
		name string
		got  []Problem
		want []string // what each problem starts with
	}{
		{"cells.csv", csvProblems("cells.csv"), []string{
			`cells.csv:4: column "count": want a whole number, not "one"`,
			`cells.csv:5: column "flag": want yes or no, not "true"`,
			`cells.csv:5: column "list": empty element in "x;;y"`,
			`cells.csv:6: column "driver": `,
			`cells.csv:6: column "drivers": `,
			`cells.csv:7: column "list": blanks around " x"`,
			`cells.csv:7: column "confidence": want one of ["high" "medium" "low"], not "certain"`,
			`cells.csv:8: column "src": is empty`,
			`cells.csv:10: same key "f" as line 9`,
			`cells.csv:11: 3 cells for 8 columns`,
			`cells.csv:12: extraneous or missing " in quoted-field`,
		}},
		{"header.csv", csvProblems("header.csv"), []string{
			`header.csv:3: column "count" twice`,
			`header.csv:3: unknown column "colour"`,
			`header.csv:3: missing column "flag"`,
		}},
		{"preamble.csv", csvProblems("preamble.csv"), []string{
			`preamble.csv:1: want a day such as "2006-01-02" after as_of, not "yesterday"`,
			`preamble.csv:1: missing comment line "# horizon: ..."`,
		}},
		{"no file", csvProblems("absent.csv"), []string{`absent.csv: opening: `}},
		{"records.yaml", func() []Problem { _, p := decodeYAML[record](dir, "records.yaml", nil); return p }(), []string{
			`records.yaml:8: want one of ["high" "medium" "low"], not "certain"`,
			`records.yaml:12: field colour not found`,
			`records.yaml:6: field "src" is empty`,
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for i, p := range tt.got {
				if i >= len(tt.want) {
					t.Errorf("unexpected problem: %s", p.Error())
				} else if !strings.HasPrefix(p.Error(), tt.want[i]) {
					t.Errorf("problem %d: got  %s\nwant %s…", i, p.Error(), tt.want[i])
				}
			}
			if len(tt.got) < len(tt.want) {
				t.Errorf("not reported: %q", tt.want[len(tt.got):])
			}
		})
	}
}

func TestOpenChecksWhole(t *testing.T) {
	fsys := fstest.MapFS{}
	if err := copyData(fsys); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(fsys); err != nil {
		t.Fatalf("opening a copy of the embedded data: %v", err)
	}

	fsys["VERSION"] = &fstest.MapFile{Data: []byte("next\n")}
	fsys["nvidia/extra.csv"] = &fstest.MapFile{Data: []byte("a\n1\n")}
	fsys["nvidia/ptx_isa.csv"] = &fstest.MapFile{Data: []byte("# as_of: 2026-11-30\n# horizon: later\n" +
		"ptx,cuda,branch,note,src,confidence\n8.4,12.4,550,,ptx-isa,high\n8.3,12.3,545,,nobody,high\n")}
	_, err := Open(fsys)
	if err == nil {
		t.Fatal("opening a broken copy: no error")
	}
	for _, want := range []string{
		`VERSION: want a version such as "2006.01.02", not "next"`,
		`nvidia/extra.csv: belongs to no table`,
		`nvidia/ptx_isa.csv:1: horizon gives no version for "driver"`,
		`nvidia/ptx_isa.csv:5: unknown source "nobody"`,
		`nvidia/ptx_isa.csv:5: not newer than the row before in every column`,
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("error lacks %q:\n%v", want, err)
		}
	}
}

// copyData fills fsys with the embedded files.
func copyData(fsys fstest.MapFS) error {
	return filepath.WalkDir("data", func(name string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(name)
		fsys[strings.TrimPrefix(filepath.ToSlash(name), "data/")] = &fstest.MapFile{Data: text}
		return err
	})
}

func FuzzDecode(f *testing.F) {
	for _, name := range []string{"good.csv", "cells.csv", "header.csv", "preamble.csv", "records.yaml"} {
		text, err := os.ReadFile(filepath.Join("testdata/strict", name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		fsys := fstest.MapFS{"x": {Data: text}}
		table, problems := decode[sample](fsys, "x", nil)
		lines := strings.Count(string(text), "\n") + 1
		for _, row := range table.Rows {
			if row.Line < 2 || row.Line > lines || row.Name == "" && len(row.Src) == 0 {
				t.Errorf("row %+v has no line or no source", row)
			}
		}
		for _, p := range problems {
			if p.Line > lines {
				t.Errorf("problem %v is behind the last line %d", p, lines)
			}
		}
		decodeYAML[record](fsys, "x", nil)
	})
}
