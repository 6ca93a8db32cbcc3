package pythonenv

import (
	"testing"

	"strata/internal/stack"
	"strata/internal/version"
)

func TestTags(t *testing.T) {
	tests := []struct {
		tag, python    string
		runs           bool
		glibc, machine string
	}{
		{"cp311-cp311-manylinux_2_28_x86_64", "3.11.9", true, "2.28", "x86_64"},
		{"cp310-cp310-manylinux_2_28_x86_64", "3.11.9", false, "2.28", "x86_64"},
		{"cp311-cp311-manylinux_2_28_aarch64", "3.1.1", false, "2.28", "aarch64"},
		{"cp39-abi3-manylinux2014_x86_64", "3.13.0", true, "2.17", "x86_64"},
		{"cp39-abi3-manylinux1_x86_64", "3.8.18", false, "2.5", "x86_64"},
		{"py3-none-any", "3.15.0", true, "", ""},
		{"py3-none-manylinux_2_27_x86_64", "3.8.0", true, "2.27", "x86_64"},
		{"cp311-cp311-linux_x86_64", "3.11.0", true, "", "x86_64"},
		{"cp311-cp311-musllinux_1_2_x86_64", "3.11.0", true, "", "x86_64"},
	}
	for _, tt := range tests {
		list := tags(stack.Package{Tags: []string{tt.tag}})
		if len(list) != 1 {
			t.Fatalf("%s: read as %v", tt.tag, list)
		}
		py, err := version.ParsePEP440(tt.python)
		if err != nil {
			t.Fatal(err)
		}
		got := list[0]
		if got.runsOn(py) != tt.runs || got.glibc() != tt.glibc || got.machine() != tt.machine {
			t.Errorf("%s on Python %s: runs %t, glibc %q, machine %q; want %t, %q, %q",
				tt.tag, tt.python, got.runsOn(py), got.glibc(), got.machine(), tt.runs, tt.glibc, tt.machine)
		}
	}
	for _, broken := range []string{"", "cp311", "cp311-cp311"} {
		if list := tags(stack.Package{Tags: []string{broken}}); len(list) != 0 {
			t.Errorf("%q: read as %v", broken, list)
		}
	}
}
