package lddebug

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// words are lines as glibc 2.36 writes them, shortened to what counts.
const words = `
     41:	file=libc.so.6 [0];  needed by /usr/bin/python3 [0]
     41:	find library=libc.so.6 [0]; searching
     41:	 search cache=/etc/ld.so.cache
     41:	  trying file=/lib/libc.so.6
     41:	file=libc.so.6 [0];  generating link map
     41:	calling init: /lib/libc.so.6
     41:	file=/p/provider.so [0];  dynamically loaded by /p/state.so [0]
     41:	file=/p/provider.so [0];  generating link map
     41:	file=libcublas.so.12 [0];  needed by /p/provider.so [0]
     41:	find library=libcublas.so.12 [0]; searching
     41:	 search path=/a:/b		(LD_LIBRARY_PATH)
     41:	  trying file=/a/libcublas.so.12
     41:	  trying file=/b/libcublas.so.12
     41:	file=libcublas.so.12 [0];  generating link map
     41:	file=libcudnn.so.9 [0];  needed by /p/provider.so [0]
     41:	find library=libcudnn.so.9 [0]; searching
     41:	  trying file=/a/libcudnn.so.9
     41:	file=/p/provider.so [0];  destroying link map
     41:	file=/b/libcublas.so.12 [0];  destroying link map
what the program itself says
     42:	find library=libother.so [0]; searching
     41:	file=libcuda.so.1 [0];  dynamically loaded by /lib/libcudart.so.12 [0]
     41:	find library=libcuda.so.1 [0]; searching
     41:	  trying file=/stubs/libcuda.so.1
     41:	file=libcuda.so.1 [0];  generating link map
     41:	opening file=/stubs/libcuda.so.1 [0]; direct_opencount=1
     41:	file=/stubs/libcuda.so.1 [0];  destroying link map
     41:	file=libalias.so [0];  dynamically loaded by /p/state.so [0]
     41:	find library=libalias.so [0]; searching
     41:	  trying file=/lib/libc.so.6
     41:	file=/p/gone.so [0];  dynamically loaded by /p/state.so [0]
`

func TestParse(t *testing.T) {
	got, err := Parse(strings.NewReader(words), nil)
	if err != nil {
		t.Fatal(err)
	}
	want := &Trace{
		Loads: []Load{
			{Name: "libc.so.6", Path: "/lib/libc.so.6", By: "/usr/bin/python3"},
			// The provider and its cuBLAS went with the cuDNN that was missing. The stub was opened and closed again.
			{Name: "libcuda.so.1", Path: "/stubs/libcuda.so.1", By: "/lib/libcudart.so.12", Opened: true, Closed: true},
		},
		Misses: []Miss{{Name: "libcudnn.so.9", By: "/p/provider.so", Tried: "/a/libcudnn.so.9", Places: []string{"/a/libcudnn.so.9"}}},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

func FuzzParse(f *testing.F) {
	f.Add(words)
	f.Add("  1:\tfind library=a [0]; searching\n  1:\tfile=a [0];  destroying link map")
	f.Fuzz(func(t *testing.T, text string) {
		trace, err := Parse(strings.NewReader(text), nil)
		if err == nil && len(trace.Loads)+len(trace.Misses) > strings.Count(text, "\n")+1 {
			t.Errorf("%d loads and %d misses of %d lines", len(trace.Loads), len(trace.Misses), strings.Count(text, "\n"))
		}
	})
}
