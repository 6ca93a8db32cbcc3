package program

import (
	"path"
	"slices"
	"strings"

	"strata/internal/collect/library"
	"strata/internal/stack"
)

// onnxruntime reports each directory that holds the native library, as the
// tarballs, the distribution's packages and applications install it.
func onnxruntime(f *finding) {
	var dirs []string
	for _, k := range f.named(starts("libonnxruntime.so")) {
		if !slices.Contains(dirs, k.dir) {
			dirs = append(dirs, k.dir)
		}
	}
	for _, dir := range dirs {
		fw, lib := f.onnxruntimeIn(dir)
		f.programs = append(f.programs, stack.Program{
			Name: "onnxruntime", Path: lib.Path, Version: fw.Version, Framework: fw, Directories: []string{dir}, From: lib.From,
		})
	}
}

// onnxruntimeIn reads the ONNX Runtime of a directory: the core library and the
// execution providers beside it, where it looks for them.
func (f *finding) onnxruntimeIn(dir string) (stack.Framework, stack.Library) {
	var core stack.Library
	for _, k := range f.within(dir, starts("libonnxruntime.so")) {
		if k.dir != dir {
			continue
		}
		l := library.Read(f.m, k.path(), "framework")
		// Of libonnxruntime.so, .so.1 and .so.1.22.0 the loader asks for the soname.
		if core.Path == "" || k.name == l.Soname {
			core = l
		}
	}
	fw := stack.Framework{Name: "onnxruntime", Package: "libonnxruntime", Version: ortVersion(f, dir, core), From: core.From}
	for _, provider := range []string{"cuda", "tensorrt", "rocm", "migraphx", "shared"} {
		p := path.Join(dir, "libonnxruntime_providers_"+provider+".so")
		if _, err := f.m.Lstat(p); err == nil {
			fw.Libraries = append(fw.Libraries, library.Read(f.m, p, "framework"))
			switch provider {
			case "cuda":
				fw.Variant = stack.Know("cuda", stack.File(p))
				fw.Code = library.Code(f.m, p)
			case "rocm", "migraphx":
				if !fw.Variant.Known() {
					fw.Variant = stack.Know("rocm", stack.File(p))
				}
			}
		}
	}
	switch {
	case fw.Variant.Known():
	case core.Fault != "":
		fw.Variant = stack.Broken[string](core.Path+": "+core.Fault, core.From)
	default:
		fw.Variant = stack.Know("cpu", stack.From("directory", dir, 0, "no libonnxruntime_providers_cuda.so"))
	}
	if core.Path != "" {
		fw.Libraries = append(fw.Libraries, core)
	}
	return fw, core
}

// ortVersion reads the version out of a name such as libonnxruntime.so.1.22.0,
// or a VERSION_NUMBER file, as the release archives have one.
func ortVersion(f *finding, dir string, core stack.Library) string {
	names := []string{path.Base(core.Real)}
	for _, k := range f.within(dir, starts("libonnxruntime.so.")) {
		if k.dir == dir {
			names = append(names, k.name)
		}
	}
	for _, name := range names {
		if v, ok := strings.CutPrefix(name, "libonnxruntime.so."); ok && strings.Contains(v, ".") && strings.Trim(v, "0123456789.") == "" {
			return v
		}
	}
	if data, err := f.m.ReadFile(path.Join(path.Dir(dir), "VERSION_NUMBER"), 256); err == nil {
		if v := strings.TrimSpace(string(data)); v != "" && strings.Trim(v, "0123456789.") == "" {
			return v
		}
	}
	return ""
}
