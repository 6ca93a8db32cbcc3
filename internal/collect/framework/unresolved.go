package framework

import (
	"io"
	"maps"
	"path"
	"slices"
	"strings"

	"strata/internal/elfx"
	"strata/internal/stack"
)

// unresolved measures whether the libraries of an extension find in PyTorch
// what they ask of it: it takes the functions of PyTorch's namespaces that they
// leave open, and looks for them in torch/lib. It says nothing where a library
// of PyTorch that might have them cannot be read.
func (in *install) unresolved(rels ...string) {
	open := map[string]string{}
	for _, rel := range rels {
		for _, s := range in.symbols(in.path(rel), elfx.UndefinedSymbols) {
			if !s.Weak && ofTorch(s.Name) {
				open[s.Name] = in.path(rel)
			}
		}
	}
	if len(open) == 0 || len(in.byName["torch"]) == 0 {
		return
	}
	lib := path.Join(in.dirOf(in.env.Packages.Value[in.byName["torch"][0]]), "torch/lib")
	core := path.Join(lib, "libc10.so")
	if in.symbols(core, elfx.DefinedSymbols) == nil {
		return
	}
	for _, name := range torchLibraries(in.list(lib)) {
		if len(open) == 0 || in.ctx.Err() != nil {
			break
		}
		symbols := in.symbols(path.Join(lib, name), elfx.DefinedSymbols)
		if symbols == nil {
			return
		}
		for _, s := range symbols {
			delete(open, s.Name)
		}
	}
	if in.ctx.Err() != nil {
		return
	}
	names := slices.Sorted(maps.Keys(open))
	sources := []stack.Source{stack.From("directory", lib, 0, "")}
	if len(names) > 0 {
		sources = append(sources, stack.From("elf", open[names[0]], 0, names[0]))
	}
	in.fw.Unresolved = stack.Know(names[:min(len(names), maxUnresolved)], sources...)
}

// maxUnresolved bounds the names kept: one is a finding, the rest is illustration.
const maxUnresolved = 10

// symbols reads one side of a symbol table; nil where it cannot be read.
func (in *install) symbols(name string, side func(r io.ReaderAt, size int64) ([]elfx.Symbol, error)) []elfx.Symbol {
	f, err := in.m.Open(name)
	if err != nil {
		return nil
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil
	}
	list, err := side(f, info.Size())
	if err != nil {
		return nil
	}
	return append([]elfx.Symbol{}, list...)
}

// torchLibraries orders PyTorch's own libraries so that the small ones, which
// have most of what extensions use, are read first.
func torchLibraries(names []string) []string {
	var list []string
	for _, n := range names {
		if strings.HasSuffix(n, ".so") && (strings.HasPrefix(n, "libtorch") || strings.HasPrefix(n, "libc10")) {
			list = append(list, n)
		}
	}
	rank := func(n string) int {
		return slices.Index([]string{"libtorch_cuda.so", "libtorch_cpu.so", "libtorch_python.so", "libc10_cuda.so", "libc10.so"}, n)
	}
	slices.SortFunc(list, func(a, b string) int { return rank(b) - rank(a) })
	return list
}

// ofTorch tells whether a function is of one of PyTorch's C++ namespaces c10,
// at, torch and caffe2 (Itanium C++ ABI, nested names).
func ofTorch(symbol string) bool {
	rest, ok := strings.CutPrefix(symbol, "_ZN")
	if !ok {
		return false
	}
	rest = strings.TrimPrefix(rest, "K")
	for _, ns := range []string{"3c10", "2at", "5torch", "6caffe2"} {
		if strings.HasPrefix(rest, ns) {
			return true
		}
	}
	return false
}
