package outcome

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// TestContractIsDocumented holds docs/run.md to every field of the report that is not of strata.report/1: a name in the output is a contract.
func TestContractIsDocumented(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "run.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []any{GPU{}, Sampling{}, Opened{}, Missing{}, Record{}, Line{}, Variable{}, Load{}, Miss{}, Comparison{}} {
		typ := reflect.TypeOf(x)
		for i := range typ.NumField() {
			name, _, _ := strings.Cut(typ.Field(i).Tag.Get("json"), ",")
			if name != "schema" && !strings.Contains(string(text), "`"+name+"`") {
				t.Errorf("docs/run.md does not name %s of %s", name, typ.Name())
			}
		}
	}
	for _, name := range []string{"gpus", "sampling", "record", "devices", "libraries", "missing", "fell_back", "fell_back_ms", "limited"} {
		if !strings.Contains(string(text), "`"+name+"`") {
			t.Errorf("docs/run.md does not name %s", name)
		}
	}
}
