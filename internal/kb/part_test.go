package kb

import (
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"strata/internal/version"
)

// TestPart asks a base that decodes what a question needs, and one that has decoded everything, for each thing that the tables know.
func TestPart(t *testing.T) {
	whole := &Base{fsys: Default().fsys}
	fresh := func() *Base { return &Base{fsys: whole.fsys} }
	rows := gpus.in(whole).Rows
	for i := 0; i < len(rows); i += 7 { // a part is made for each name, and a seventh are enough of them
		g := rows[i]
		if some, all := fresh().GPUsByName(g.Name), whole.GPUsByName(g.Name); !reflect.DeepEqual(some, all) {
			t.Errorf("GPUsByName(%q) = %+v of a part, %+v of the table", g.Name, some, all)
		}
		if some, all := fresh().GPUByPCI(g.Device, g.Subsystem), whole.GPUByPCI(g.Device, g.Subsystem); !reflect.DeepEqual(some, all) {
			t.Errorf("GPUByPCI(%q, %q) = %+v of a part, %+v of the table", g.Device, g.Subsystem, some, all)
		}
	}
	for _, a := range advisories.in(whole).Rows {
		some, all := fresh().Advisories(a.Package), whole.Advisories(a.Package)
		if len(all) == 0 || !reflect.DeepEqual(some, all) {
			t.Errorf("Advisories(%q) = %+v of a part, %+v of the table", a.Package, some, all)
		}
		if some, all := fresh().Cite(a), whole.Cite(a); !reflect.DeepEqual(some, all) {
			t.Errorf("Cite(%s) = %+v of a part, %+v of the table", a.ID, some, all)
		}
	}
	for _, r := range torchBuilds.in(whole).Rows {
		if some, all := fresh().Torch(r.Version, r.Variant), whole.Torch(r.Version, r.Variant); !some.Known || !reflect.DeepEqual(some, all) {
			t.Errorf("Torch(%s, %s) = %+v of a part, %+v of the table", r.Version, r.Variant, some, all)
		}
	}
	for _, r := range companions.in(whole).Rows {
		if some, all := fresh().TorchCompanion(r.Torch, r.Package), whole.TorchCompanion(r.Torch, r.Package); !some.Known || !reflect.DeepEqual(some, all) {
			t.Errorf("TorchCompanion(%s, %s) = %+v of a part, %+v of the table", r.Torch, r.Package, some, all)
		}
	}
	for _, name := range whole.ConsumerNames() {
		if some, all := fresh().ConsumerReleases(name), whole.ConsumerReleases(name); len(all) == 0 || !reflect.DeepEqual(some, all) {
			t.Errorf("ConsumerReleases(%q) = %+v of a part, %+v of the table", name, some, all)
		}
	}
	for _, name := range whole.MeasuredPackages() {
		some, all := fresh().Artefacts(name, version.PEP440{}), whole.Artefacts(name, version.PEP440{})
		if len(all) == 0 || !reflect.DeepEqual(some, all) {
			t.Errorf("Artefacts(%q) = %+v of a part, %+v of the table", name, some, all)
		}
	}
	for i, r := range releasesOf.in(whole).Rows {
		if i > 0 && r.Package == releasesOf.in(whole).Rows[i-1].Package {
			continue
		}
		if some, all := fresh().Releases(r.Package), whole.Releases(r.Package); len(all) == 0 || !reflect.DeepEqual(some, all) {
			t.Errorf("Releases(%q) = %+v of a part, %+v of the table", r.Package, some, all)
		}
	}
	for _, r := range componentReleases.in(whole).Rows {
		if some, all := fresh().CUDAOfComponent(r.Package, r.Version), whole.CUDAOfComponent(r.Package, r.Version); !reflect.DeepEqual(some, all) {
			t.Errorf("CUDAOfComponent(%q, %s) = %+v of a part, %+v of the table", r.Package, r.Version, some, all)
		}
	}
	for _, a := range artefacts.in(whole).Rows {
		if some, all := fresh().MeasuredLibraries(a.File), whole.MeasuredLibraries(a.File); !reflect.DeepEqual(some, all) {
			t.Errorf("MeasuredLibraries(%q) = %+v of a part, %+v of the table", a.File, some, all)
		}
	}
}

// TestPartsEnd holds that a few questions decode no table whole, and that many decode it once.
func TestPartsEnd(t *testing.T) {
	b := &Base{fsys: Default().fsys}
	whole := func() bool { _, ok := b.memo.Load(releasesOf); return ok }
	names := []string{"torch", "torch", "vllm", "cupy-cuda12x"}
	for _, name := range names {
		b.Releases(name)
	}
	if whole() {
		t.Errorf("%d questions decoded the whole table", len(names))
	}
	for i := range maxParts + 1 {
		b.Releases("package-" + strconv.Itoa(i))
	}
	if !whole() {
		t.Errorf("%d questions did not decode the whole table", len(names)+maxParts+1)
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
