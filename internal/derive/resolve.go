package derive

import (
	"path"
	"slices"
	"strings"

	"strata/internal/stack"
)

// SearchDir is one place where the dynamic linker looks.
type SearchDir struct {
	Dir string
	// Why is the linker's reason: RPATH, LD_LIBRARY_PATH, RUNPATH, ld.so.cache,
	// default, preload for a framework that loads by path before, or program for
	// the directories that a native program brings.
	Why string
}

// Resolution is what the dynamic linker would do for one name.
type Resolution struct {
	Name string
	// Winner is the copy that is loaded; nil where none is found.
	Winner *stack.Library
	// Why is the reason the winner's directory was searched.
	Why string
	// Searched are the directories in order, up to and including the winner's.
	Searched []SearchDir
	// Elsewhere are copies that exist but are not what is loaded.
	Elsewhere []*stack.Library
	// Exact is true where the machine's own dynamic linker was followed, and this is no approximation.
	Exact bool
	// Need is what hangs on a name that is not found: must, gpu, part or optional; "" where that is not known.
	Need string
}

// usualDirs stand in where the root's own ld.so could not be read. They are
// glibc's defaults on the distributions NVIDIA supports.
var usualDirs = []string{
	"/lib/x86_64-linux-gnu", "/usr/lib/x86_64-linux-gnu", "/lib/aarch64-linux-gnu", "/usr/lib/aarch64-linux-gnu",
	"/lib64", "/usr/lib64", "/lib", "/usr/lib",
}

// wslDir is where Windows puts the driver's libraries into WSL.
const wslDir = "/usr/lib/wsl/lib"

// systemSearch is the search of a program that has no paths of its own.
func systemSearch(s *stack.Stack, cache linkerCache) []SearchDir {
	var dirs []SearchDir
	if v, ok := s.Getenv("LD_LIBRARY_PATH"); ok {
		for _, d := range stack.SplitLibraryPath(v.Value) {
			dirs = append(dirs, SearchDir{path.Clean(d), "LD_LIBRARY_PATH"})
		}
	}
	return append(dirs, tailSearch(s, cache)...)
}

// tailSearch is what comes last for every object: the cache, then the defaults.
func tailSearch(s *stack.Stack, cache linkerCache) []SearchDir {
	var dirs []SearchDir
	for _, d := range cache.dirs {
		dirs = append(dirs, SearchDir{d, "ld.so.cache"})
	}
	if !cache.known { // then ldconfig is taken to have run
		for _, c := range s.Loader.Conf.Value {
			dirs = append(dirs, SearchDir{path.Clean(c.Dir), "ld.so.cache"})
		}
	}
	if s.OS.WSL.Or(false) {
		// WSL's init adds this directory to ld.so.conf.d at every start.
		dirs = append(dirs, SearchDir{wslDir, "ld.so.cache"})
	}
	defaults := s.Loader.Defaults.Value
	if len(defaults) == 0 {
		defaults = usualDirs
	}
	for _, d := range defaults {
		dirs = append(dirs, SearchDir{path.Clean(d), "default"})
	}
	return dirs
}

// findSystem is the copy of a system-wide library that a plain program loads.
func (v *View) findSystem(name string) *stack.Library {
	r := v.search(name, v.Search, v.systemLibraries())
	return r.Winner
}

// FindSystem resolves a name for a program without paths of its own.
func (v *View) FindSystem(name string) Resolution {
	return v.search(name, v.Search, v.systemLibraries())
}

func (v *View) systemLibraries() []*stack.Library {
	var libs []*stack.Library
	for i := range v.Stack.Driver.Libraries.Value {
		libs = append(libs, &v.Stack.Driver.Libraries.Value[i])
	}
	for i := range v.Stack.CUDA.Libraries.Value {
		libs = append(libs, &v.Stack.CUDA.Libraries.Value[i])
	}
	return libs
}

// Resolve says which copy of a library a workload loads when one of its
// libraries asks for it. by is the asking library; nil stands for a dlopen
// from the interpreter. above are the libraries that by was loaded for, the
// nearest first.
func (v *View) Resolve(w *Workload, by *stack.Library, name string, above ...*stack.Library) Resolution {
	dirs := v.SearchFor(w, by, above...)
	if skips(w, name) {
		dirs = slices.DeleteFunc(dirs, func(d SearchDir) bool { return d.Why == "preload" })
	}
	if dir := preloadedAlone(w, name); dir != "" {
		dirs = slices.Insert(dirs, 0, SearchDir{dir, "preload"})
	}
	r := v.search(name, dirs, v.known(w))
	if f := v.followed(w); f != nil {
		f.correct(&r)
		r.Elsewhere = elsewhere(name, r.Winner, v.known(w))
	}
	return r
}

// known are all libraries that a workload could load: its own first, since
// what was read of a file inside an environment names its package too.
func (v *View) known(w *Workload) []*stack.Library {
	var libs []*stack.Library
	own := w.Libraries()
	for i := range own {
		libs = append(libs, &own[i])
	}
	for i := range w.Framework.Libraries {
		libs = append(libs, &w.Framework.Libraries[i])
	}
	return append(libs, v.systemLibraries()...)
}

// SearchFor is the directories for one asking library, in glibc's order: the
// RPATH of the asking library, of what it was loaded for and of the program,
// unless the asking library has a RUNPATH; LD_LIBRARY_PATH; its RUNPATH; the
// cache; the defaults (elf/dl-load.c, _dl_map_object).
func (v *View) SearchFor(w *Workload, by *stack.Library, above ...*stack.Library) []SearchDir {
	var dirs []SearchDir
	if w.Program != nil {
		for _, d := range w.Program.Directories {
			dirs = append(dirs, SearchDir{path.Clean(d), "program"})
		}
	}
	first, last := preloads(w)
	for _, d := range first {
		dirs = append(dirs, SearchDir{d, "preload"})
	}
	if by == nil || len(by.RunPath) == 0 {
		for _, l := range append([]*stack.Library{by}, above...) {
			if l != nil && len(l.RunPath) == 0 {
				dirs = append(dirs, expand(l, l.RPath, "RPATH")...)
			}
		}
		if w.Env != nil && w.Env.Kind == "conda" {
			// conda's interpreter has DT_RPATH $ORIGIN/../lib, and the program's holds for everything it loads.
			dirs = append(dirs, SearchDir{path.Join(w.Env.Prefix, "lib"), "RPATH"})
		}
	}
	for _, d := range v.Search {
		if d.Why == "LD_LIBRARY_PATH" {
			dirs = append(dirs, d)
		}
	}
	if by != nil {
		dirs = append(dirs, expand(by, by.RunPath, "RUNPATH")...)
	}
	for _, d := range v.Search {
		if d.Why != "LD_LIBRARY_PATH" {
			dirs = append(dirs, d)
		}
	}
	for _, d := range last {
		dirs = append(dirs, SearchDir{d, "preload"})
	}
	return dirs
}

// expand are the directories of a library's RPATH or RUNPATH.
func expand(l *stack.Library, list []string, why string) []SearchDir {
	var dirs []SearchDir
	for _, d := range list {
		if d == "" {
			continue
		}
		d = strings.NewReplacer("${ORIGIN}", origin(l), "$ORIGIN", origin(l)).Replace(d)
		dirs = append(dirs, SearchDir{path.Clean(d), why})
	}
	return dirs
}

// better is the same file under the name of whoever knows its version: a
// directory of wheels that ld.so.conf names is read twice, and only the
// environment knows which package owns it.
func better(l *stack.Library, libs []*stack.Library) *stack.Library {
	if l.Version != "" || l.Real == "" {
		return l
	}
	for _, twin := range libs {
		if twin.Real == l.Real && twin.Version != "" {
			return twin
		}
	}
	return l
}

func (v *View) search(name string, dirs []SearchDir, libs []*stack.Library) Resolution {
	r := Resolution{Name: name}
	wrongArch := func(l *stack.Library) bool {
		want := v.Stack.OS.Arch.Or("")
		return want != "" && l.Machine != "" && l.Machine != want
	}
	// By file name everywhere, and in the cache by soname, too: ldconfig indexes
	// what a file calls itself, the directories are searched for what it is called.
	byName, cached := map[string]*stack.Library{}, map[string]*stack.Library{}
	for _, l := range libs {
		// The linker passes over another machine's file and a link to nothing without a word.
		if wrongArch(l) || l.Real == "" {
			continue
		}
		if path.Base(l.Path) == name {
			byName[path.Dir(l.Path)] = l
			if path.Base(l.Real) == name {
				byName[path.Dir(l.Real)] = l
			}
			cached[merged(path.Dir(l.Path))] = l
		} else if l.Soname == name {
			if d := merged(path.Dir(l.Path)); cached[d] == nil {
				cached[d] = l
			}
		}
	}
	if l := v.preloaded(name, libs); l != nil {
		r.Winner, r.Why = l, "LD_PRELOAD"
		dirs = nil
	}
	for _, d := range v.cache.order(name, dirs) {
		r.Searched = append(r.Searched, d)
		l, ok := byName[d.Dir]
		if d.Why == "ld.so.cache" {
			l, ok = cached[merged(d.Dir)]
			ok = ok && (v.cache.lists(name, d.Dir) || d.Dir == wslDir)
		}
		if ok {
			r.Winner, r.Why = better(l, libs), d.Why
			break
		}
	}
	r.Elsewhere = elsewhere(name, r.Winner, libs)
	return r
}

// preloaded is the library that LD_PRELOAD or ld.so.preload puts before all
// others under a name; nil where none does. One that nobody collected is known by its path alone.
func (v *View) preloaded(name string, libs []*stack.Library) *stack.Library {
	env, _ := v.Stack.Getenv("LD_PRELOAD")
	files := strings.FieldsFunc(env.Value, func(r rune) bool { return r == ' ' || r == ':' })
	for _, file := range append(files, v.Stack.Loader.Preload.Value...) {
		if !strings.HasPrefix(file, "/") {
			continue
		}
		for _, l := range libs {
			if (l.Path == file || l.Real == file) && (l.Soname == name || path.Base(file) == name) && l.Fault == "" {
				return l
			}
		}
		if path.Base(file) == name {
			return &stack.Library{Path: file, Real: file, Soname: name, Place: "other", From: stack.From("env", "LD_PRELOAD", 0, file)}
		}
	}
	return nil
}

// elsewhere are the copies of a library beside the winner, each file once.
func elsewhere(name string, winner *stack.Library, libs []*stack.Library) (list []*stack.Library) {
	seen := map[string]bool{}
	for _, l := range libs {
		if path.Base(l.Path) != name && l.Soname != name || winner != nil && l.Real == winner.Real || seen[l.Real] {
			continue
		}
		seen[l.Real] = true
		list = append(list, l)
	}
	return list
}

// Uncached is a copy of a library that ld.so.conf's directories hold and
// ld.so.cache does not list: ldconfig was not run since it came. It is nil
// where there is none.
func (v *View) Uncached(name string) *stack.Library {
	if !v.cache.known {
		return nil
	}
	for _, l := range v.systemLibraries() {
		if l.Soname != name && path.Base(l.Path) != name || l.Real == "" || l.Fault != "" {
			continue
		}
		for _, c := range v.Stack.Loader.Conf.Value {
			if merged(path.Clean(c.Dir)) == merged(path.Dir(l.Path)) {
				return l
			}
		}
	}
	return nil
}
