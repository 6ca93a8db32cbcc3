package report

import (
	"flag"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"strata/internal/rule"
)

var update = flag.Bool("update", false, "write testdata/contract.txt")

// TestContract compares every JSON field of a report, with its type, with the
// published list. Fields may be added (run with -update); a field that
// vanishes or changes its type needs a new schema version.
func TestContract(t *testing.T) {
	var got []string
	fields(reflect.TypeFor[Document](), "", &got)
	for _, l := range rule.Layers() {
		got = append(got, "layer "+string(l))
	}
	for _, s := range []Status{OK, Broken, AtRisk, NotStack, Unsure} {
		got = append(got, "status "+string(s))
	}
	for _, s := range []LayerStatus{LayerOK, LayerBroken, LayerAtRisk, LayerBlocked, LayerUnknown, LayerAbsent} {
		got = append(got, "layer-status "+string(s))
	}
	text := Schema + "\n" + strings.Join(got, "\n") + "\n"
	const file = "testdata/contract.txt"
	want, err := os.ReadFile(file)
	if err != nil && !*update {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(want)) {
		if line = strings.TrimSpace(line); line != Schema && !slices.Contains(got, line) && strings.HasPrefix(string(want), Schema) {
			t.Errorf("%q is published in %s and gone: give the schema a new version", line, Schema)
		}
	}
	if string(want) == text || t.Failed() {
		return
	}
	if !*update {
		t.Fatalf("fields were added; run: go test ./internal/report -update")
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// fields lists JSON paths and kinds; the stack has a contract of its own, its
// field names, and is left to its types.
func fields(typ reflect.Type, path string, out *[]string) {
	switch typ.Kind() {
	case reflect.Pointer:
		fields(typ.Elem(), path, out)
	case reflect.Slice:
		fields(typ.Elem(), path+"[]", out)
	case reflect.Map:
		fields(typ.Elem(), path+"{}", out)
	case reflect.Struct:
		for i := range typ.NumField() {
			name, _, _ := strings.Cut(typ.Field(i).Tag.Get("json"), ",")
			sub := strings.TrimPrefix(path+"."+name, ".")
			if sub == "stack" {
				*out = append(*out, "stack object")
				continue
			}
			fields(typ.Field(i).Type, sub, out)
		}
	default:
		*out = append(*out, path+" "+typ.Kind().String())
	}
}
