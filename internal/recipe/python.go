package recipe

import (
	"cmp"
	"path"
	"regexp"
	"slices"
	"strings"

	"strata/internal/loader"
)

// maxSource bounds a Python source file that is read: torch/__init__.py has some 110 KB.
const maxSource = 2 << 20

// maxListed bounds how many libraries a source may list. cuda.pathfinder's catalogue, the longest, has some 70.
const maxListed = 512

// module returns the directory of a package, "" where no place of sys.path has it.
func (r *run) module(name string) string {
	for _, site := range r.w.Site {
		if dir := path.Join(site, name); r.m.Exists(dir) {
			return dir
		}
	}
	return ""
}

// source reads a Python file; "" where it is not there.
func (r *run) source(name string) string {
	data, _, err := r.m.ReadHead(name, maxSource)
	if err != nil {
		return ""
	}
	return string(data)
}

// stdlib finds a module of Python's own that is a shared library, as _ctypes mostly is.
func (r *run) stdlib(name string) string {
	prefix := path.Dir(path.Dir(r.p.Objects[0].Path))
	found, _ := r.m.Glob(path.Join(prefix, "lib*", "python3*", "lib-dynload", name+".*.so"))
	if minor := r.minor(); minor != "" {
		found = slices.DeleteFunc(found, func(p string) bool { return !strings.Contains(p, "/python"+minor+"/") })
	}
	if len(found) == 0 {
		return ""
	}
	return found[0]
}

var minorRelease = regexp.MustCompile(`python(3\.\d+)`)

// minor is the interpreter's release, 3.11; "" where neither its name nor its directories tell.
func (r *run) minor() string {
	for _, p := range append([]string{path.Base(r.p.Objects[0].Path)}, r.w.Site...) {
		if m := minorRelease.FindStringSubmatch(p); m != nil {
			return m[1]
		}
	}
	return ""
}

// cdll is ctypes.CDLL: dlopen by _ctypes.
func (r *run) cdll(need Need, name, why string) *loader.Failure {
	if failure := r.cdllObject(); failure != nil {
		return failure
	}
	return r.open(need, r.ctypes, name, why)
}

// cdllObject imports _ctypes, whose code opens. Where the interpreter has it inside, that does.
func (r *run) cdllObject() *loader.Failure {
	if r.ctypes != nil {
		return nil
	}
	r.ctypes = r.python
	if file := r.stdlib("_ctypes"); file != "" {
		if failure := r.open(Must, r.python, file, "import ctypes"); failure != nil {
			return failure
		}
		r.ctypes = r.opened
	}
	return nil
}

// extension finds an extension module in a directory, "" where there is none: the one for this interpreter first, then one for the
// stable ABI, then one without a tag (importlib.machinery.EXTENSION_SUFFIXES).
func (r *run) extension(dir, name string) string {
	found, _ := r.m.Glob(path.Join(dir, name+".*so"))
	tag := "cpython-" + strings.ReplaceAll(r.minor(), ".", "") + "-"
	rank := func(p string) int {
		middle := strings.TrimPrefix(path.Base(p), name+".")
		switch {
		case r.minor() == "" && strings.HasPrefix(middle, "cpython-") || strings.HasPrefix(middle, tag):
			return 0
		case strings.HasPrefix(middle, "abi3."):
			return 1
		case middle == "so":
			return 2
		}
		return 3
	}
	found = slices.DeleteFunc(found, func(p string) bool { return rank(p) == 3 })
	slices.SortStableFunc(found, func(a, b string) int { return cmp.Compare(rank(a), rank(b)) })
	if len(found) == 0 {
		return ""
	}
	return found[0]
}

// imports imports an extension module by its file; an empty name, of a module that is not there, is passed over.
func (r *run) imports(need Need, file, why string) *loader.Failure {
	if file == "" {
		return nil
	}
	return r.open(need, r.python, file, why)
}

// glob is the first of Python's glob.glob, which gives files in the order of the directory: mostly there is but one.
func (r *run) glob(pattern string) string {
	found, _ := r.m.Glob(pattern)
	if len(found) == 0 {
		return ""
	}
	return found[0]
}
