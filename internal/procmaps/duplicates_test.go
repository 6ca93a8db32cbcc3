package procmaps

import "testing"

func TestDuplicates_modules(t *testing.T) {
	files := []File{
		{Path: "/s/torch/_C.cpython-311-x86_64-linux-gnu.so", Code: true}, {Path: "/s/functorch/_C.cpython-311-x86_64-linux-gnu.so", Code: true},
		{Path: "/s/pandas/lib.cpython-311-x86_64-linux-gnu.so", Code: true}, {Path: "/s/x/lib.cpython-311-x86_64-linux-gnu.so", Code: true},
		{Path: "/s/a/_rust.abi3.so", Code: true}, {Path: "/s/b/_rust.abi3.so", Code: true},
		{Path: "/s/a/libcudnn.so.9", Code: true}, {Path: "/usr/lib/libcudnn.so.9", Code: true},
	}
	if d := Duplicates(files); len(d) != 1 || len(d["libcudnn.so.9"]) != 2 {
		t.Errorf("duplicates: %v; only libcudnn.so.9 is", d)
	}
}
