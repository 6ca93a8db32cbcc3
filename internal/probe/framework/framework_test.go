package framework

import (
	"encoding/json"
	"os"
	"testing"
)

func TestTry(t *testing.T) {
	py := os.Getenv("TRY_PY")
	runs := Climb(t.Context(), []Workload{{ID: "x", Framework: os.Getenv("TRY_FW"), Python: py}}, Options{})
	b, _ := json.MarshalIndent(runs, "", " ")
	t.Log(string(b))
}
