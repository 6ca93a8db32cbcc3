package derive

import (
	"slices"
	"testing"

	"strata/internal/kb"
	"strata/internal/stack"
)

// library is a library that lies where it is called.
func library(p, soname, place string) stack.Library {
	return stack.Library{Path: p, Real: p, Soname: soname, Place: place, Size: 1}
}

// searched names the directories and why, in order.
func searched(dirs []SearchDir) []string {
	var out []string
	for _, d := range dirs {
		out = append(out, d.Why+" "+d.Dir)
	}
	return out
}

// TestSearchOrder holds the order to glibc's (elf/dl-load.c, _dl_map_object).
func TestSearchOrder(t *testing.T) {
	s := &stack.Stack{}
	s.Environment = stack.Know([]stack.Variable{{Name: "LD_LIBRARY_PATH", Value: "/one::/two/"}})
	s.Loader.Conf = stack.Know([]stack.ConfDir{{Dir: "/conf"}})
	s.Loader.Defaults = stack.Know([]string{"/lib"})
	v := New(s, kb.Default())
	plain := &Workload{Name: "onnxruntime", Framework: &stack.Framework{}, Env: &stack.Environment{Prefix: "/env", Kind: "venv"}}
	conda := &Workload{Name: "onnxruntime", Framework: &stack.Framework{}, Env: &stack.Environment{Prefix: "/env", Kind: "conda"}}

	rpath := &stack.Library{Path: "/a/librpath.so", Real: "/a/librpath.so", RPath: []string{"$ORIGIN/r"}}
	runpath := &stack.Library{Path: "/b/librunpath.so", Real: "/b/librunpath.so", RPath: []string{"/ignored"}, RunPath: []string{"${ORIGIN}/u"}}
	bare := &stack.Library{Path: "/c/libbare.so", Real: "/c/libbare.so"}

	tail := []string{"ld.so.cache /conf", "default /lib"}
	env := []string{"LD_LIBRARY_PATH /one", "LD_LIBRARY_PATH /two"}
	tests := []struct {
		name  string
		w     *Workload
		by    *stack.Library
		above []*stack.Library
		want  []string
	}{
		{"RPATH comes before LD_LIBRARY_PATH", plain, rpath, nil, slices.Concat([]string{"RPATH /a/r"}, env, tail)},
		{"RUNPATH after it, and RPATH is then void", plain, runpath, nil, slices.Concat(env, []string{"RUNPATH /b/u"}, tail)},
		{"a library with neither inherits the RPATH of what it was loaded for", plain, bare, []*stack.Library{rpath}, slices.Concat([]string{"RPATH /a/r"}, env, tail)},
		{"nobody inherits a RUNPATH, nor the RPATH beside one", plain, bare, []*stack.Library{runpath}, slices.Concat(env, tail)},
		{"RUNPATH shuts out what is inherited", plain, runpath, []*stack.Library{rpath}, slices.Concat(env, []string{"RUNPATH /b/u"}, tail)},
		{"conda's interpreter has an RPATH", conda, bare, nil, slices.Concat([]string{"RPATH /env/lib"}, env, tail)},
		{"which does not hold for a library with RUNPATH", conda, runpath, nil, slices.Concat(env, []string{"RUNPATH /b/u"}, tail)},
		{"dlopen by name", conda, nil, nil, slices.Concat([]string{"RPATH /env/lib"}, env, tail)},
	}
	for _, tt := range tests {
		if got := searched(v.SearchFor(tt.w, tt.by, tt.above...)); !slices.Equal(got, tt.want) {
			t.Errorf("%s:\n got %q\nwant %q", tt.name, got, tt.want)
		}
	}
}

// TestPreload holds what each framework loads by path, and since when, to what
// was measured on its wheels.
func TestPreload(t *testing.T) {
	const wheels = "/env/lib/python3.11/site-packages/nvidia/"
	env := &stack.Environment{Prefix: "/env", Kind: "venv"}
	env.Libraries = stack.Know([]stack.Library{
		library(wheels+"nvjitlink/lib/libnvJitLink.so.12", "libnvJitLink.so.12", "wheel"),
		library(wheels+"cublas/lib/libcublas.so.12", "libcublas.so.12", "wheel"),
	})
	s := &stack.Stack{}
	s.Environment = stack.Know([]stack.Variable{{Name: "LD_LIBRARY_PATH", Value: "/cuda/lib64"}})
	s.CUDA.Libraries = stack.Know([]stack.Library{
		library("/cuda/lib64/libnvJitLink.so.12", "libnvJitLink.so.12", "toolkit"),
		library("/cuda/lib64/libcublas.so.12", "libcublas.so.12", "toolkit"),
	})
	v := New(s, kb.Default())
	tests := []struct {
		framework, version, soname, want string
	}{
		{"pytorch", "2.5.1+cu124", "libnvJitLink.so.12", "LD_LIBRARY_PATH"},
		{"pytorch", "2.6.0+cu124", "libnvJitLink.so.12", "preload"},
		{"pytorch", "2.6.0+cu124", "libcublas.so.12", "LD_LIBRARY_PATH"},
		{"pytorch", "2.15.0+cu132", "libcublas.so.12", "preload"},
		{"jax", "0.5.0", "libcublas.so.12", "preload"},
		{"onnxruntime", "1.22.0", "libcublas.so.12", "LD_LIBRARY_PATH"},
		{"cupy", "13.6.0", "libcublas.so.12", "LD_LIBRARY_PATH"},
		{"cupy", "14.0.0", "libcublas.so.12", "preload"},
	}
	for _, tt := range tests {
		w := &Workload{Name: tt.framework, Env: env, Framework: &stack.Framework{Name: tt.framework, Version: tt.version}}
		if r := v.Resolve(w, nil, tt.soname); r.Winner == nil || r.Why != tt.want {
			t.Errorf("%s %s gets %s by %q, want %q", tt.framework, tt.version, tt.soname, r.Why, tt.want)
		}
	}
	// What extends PyTorch imports it first.
	torch := &Workload{Name: "pytorch", Env: env, Framework: &stack.Framework{Name: "pytorch", Version: "2.6.0"}}
	audio := &Workload{Name: "torchaudio", Env: env, Framework: &stack.Framework{Name: "torchaudio", Version: "2.6.0"}, On: torch}
	if r := v.Resolve(audio, nil, "libnvJitLink.so.12"); r.Why != "preload" {
		t.Errorf("torchaudio gets nvJitLink by %q, want what torch loaded", r.Why)
	}
}

// TestWinner holds which file of a name is taken to the dynamic linker's ways.
func TestWinner(t *testing.T) {
	s := &stack.Stack{}
	s.OS.Arch = stack.Know("x86_64")
	s.Loader.Conf = stack.Know([]stack.ConfDir{{Dir: "/a"}, {Dir: "/b"}})
	other := library("/a/libcudart.so.12", "libcudart.so.12", "other")
	other.Machine = "aarch64"
	empty := library("/a/libcublas.so.12", "", "other")
	empty.Fault = "empty file"
	gone := library("/a/libcufft.so.11", "", "other")
	gone.Real = ""
	s.CUDA.Libraries = stack.Know([]stack.Library{
		other, library("/b/libcudart.so.12", "libcudart.so.12", "other"),
		empty, library("/b/libcublas.so.12", "libcublas.so.12", "other"),
		gone, library("/b/libcufft.so.11", "libcufft.so.11", "other"),
		library("/b/libcudnn.so.9.1.0", "libcudnn.so.9", "other"),
	})
	v := New(s, kb.Default())
	for name, want := range map[string]string{
		"libcudart.so.12": "/b/libcudart.so.12",   // another machine's file is passed over
		"libcublas.so.12": "/a/libcublas.so.12",   // an empty one ends the search
		"libcufft.so.11":  "/b/libcufft.so.11",    // a link to nothing is passed over
		"libcudnn.so.9":   "/b/libcudnn.so.9.1.0", // the cache goes by soname
		"libnccl.so.2":    "",
	} {
		got := ""
		if r := v.FindSystem(name); r.Winner != nil {
			got = r.Winner.Path
		}
		if got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}
