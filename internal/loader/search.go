package loader

import (
	"path"
	"slices"
	"strings"
)

// Place is one path that the linker tried, or would have.
type Place struct {
	Path string
	Via  Via
	// From is the object whose RPATH or RUNPATH it is; nil for the others.
	From *Object
	// Why is why the file there is not taken: "not there", "for aarch64"; "" for the one that is.
	Why string

	plain bool // not a subdirectory for the processor, of which only those that hold the file are worth a word
}

// find looks for a name without a slash. It returns nil where nothing is found, and an error where the linker would stop.
// visit, where it is not nil, is told every place in order.
func (p *Process) find(name string, by *Object, visit func(Place)) (*file, Place, error) {
	if p.linker.Libc == "musl" {
		return p.findMusl(name, by, visit)
	}
	for _, part := range p.parts(by) {
		f, place, err := p.tryDirs(part, name, visit)
		if f != nil || err != nil {
			return f, place, err
		}
		if part.last {
			f, place, err := p.tryCache(name, by, visit)
			if f != nil || err != nil {
				return f, place, err
			}
		}
	}
	return nil, Place{}, nil
}

// dirs are the directories of one part of the search.
type dirs struct {
	via  Via
	from *Object
	list []string
	last bool // before the cache
}

// parts are the directories that are searched for a library that by asks for, in order (elf/dl-load.c, _dl_map_object).
func (p *Process) parts(by *Object) []dirs {
	var list []dirs
	program := p.program
	if by == nil || by.File.Runpath == nil {
		atProgram := false
		for o := by; o != nil; o = o.By {
			list = append(list, dirs{via: ViaRPath, from: o, list: p.rpath(o)})
			atProgram = atProgram || o == program
		}
		if program != nil && !atProgram && program.File.Runpath == nil {
			list = append(list, dirs{via: ViaRPath, from: program, list: p.rpath(program)})
		}
	}
	list = append(list, dirs{via: ViaLibraryPath, list: p.libraryPath()})
	last := dirs{via: ViaRunPath, from: by, last: true}
	if by != nil {
		last.list = p.runpath(by)
	}
	list = append(list, last)
	asking := by
	if asking == nil {
		asking = program
	}
	if asking == nil || !asking.File.NoDefaultLib {
		list = append(list, dirs{via: ViaDefault, list: p.linker.Defaults})
	}
	return list
}

// tryDirs looks into directories and their subdirectories for the processor.
func (p *Process) tryDirs(d dirs, name string, visit func(Place)) (*file, Place, error) {
	if p.spend(1) {
		return nil, Place{}, &Failure{Name: name, Reason: tooFar, Fatal: true}
	}
	for _, dir := range d.list {
		if p.spend(1) {
			return nil, Place{}, &Failure{Name: name, Reason: tooFar, Fatal: true}
		}
		if !p.linker.isDir(dir) {
			if visit != nil {
				visit(Place{Path: path.Join(dir, name), Via: d.via, From: d.from, Why: "no such directory"})
			}
			continue
		}
		for _, sub := range append(p.linker.Hwcaps[:len(p.linker.Hwcaps):len(p.linker.Hwcaps)], "") {
			if sub != "" && !p.linker.isDir(join(dir, "", sub)) {
				continue // the linker remembers the same, and few directories have one
			}
			f, place, err := p.try(Place{Path: join(dir, sub, name), Via: d.via, From: d.from, plain: sub == ""}, visit)
			if f != nil || err != nil {
				return f, place, err
			}
		}
	}
	return nil, Place{}, nil
}

// join is path.Join without its cleaning: the linker keeps what it was given, and "a/../b" is not "b" where a is a link.
func join(dir, sub, name string) string {
	dir = strings.TrimRight(dir, "/")
	if sub != "" {
		dir += "/" + sub
	}
	return dir + "/" + name
}

// try opens one path. A nil file with no error means: look further.
func (p *Process) try(place Place, visit func(Place)) (*file, Place, error) {
	if p.spend(1) {
		place.Why = tooFar
		return nil, place, &Failure{Name: place.Path, Reason: tooFar, Fatal: true}
	}
	f := p.linker.file(place.Path)
	why, err := p.linker.verdict(f)
	place.Why = why
	if visit != nil && (why != notThere || place.plain) {
		visit(place)
	}
	if err != nil {
		return nil, place, &Failure{Name: place.Path, Reason: why, Fatal: true}
	}
	if why != "" {
		return nil, place, nil
	}
	return f, place, nil
}

const notThere = "not there"

// tryCache looks a name up in ld.so.cache and opens what it says (elf/dl-cache.c, _dl_load_cache_lookup).
func (p *Process) tryCache(name string, by *Object, visit func(Place)) (*file, Place, error) {
	entry, ok := p.linker.lookup(name)
	if !ok {
		if visit != nil {
			visit(Place{Path: cachePath, Via: ViaCache, Why: "has no " + name})
		}
		return nil, Place{}, nil
	}
	if by == nil {
		by = p.program
	}
	if by != nil && by.File.NoDefaultLib && slices.ContainsFunc(p.linker.Defaults, func(d string) bool { return strings.HasPrefix(entry.Path, d+"/") }) {
		return nil, Place{}, nil
	}
	return p.try(Place{Path: entry.Path, Via: ViaCache, plain: true}, visit)
}

// The kinds of library in the cache: the low byte says ELF with glibc (3), or ELF (1), the next what processor.
const (
	cacheELF     = 0x0001
	cacheLibc6   = 0x0003
	cacheX86_64  = 0x0303
	cacheAArch64 = 0x0a03
)

// lookup chooses among the cache's entries for a name. Those for better processors stand before the plain one.
func (l *Linker) lookup(name string) (best CacheEntry, ok bool) {
	own := map[string]uint32{"x86_64": cacheX86_64, "aarch64": cacheAArch64}[l.Machine]
	rank := len(l.Hwcaps)
	for _, e := range l.cached[name] {
		if e.Flags != own && e.Flags != cacheELF && e.Flags != cacheLibc6 {
			continue
		}
		if e.Hwcap != "" {
			if i := slices.Index(l.Hwcaps, "glibc-hwcaps/"+e.Hwcap); i >= 0 && i < rank {
				best, ok, rank = e, true, i
			}
			continue
		}
		if ok && best.Hwcap != "" {
			break
		}
		if e.LegacyHwcap&^l.legacy != 0 {
			continue
		}
		best, ok = e, true
		if e.Flags == own {
			break
		}
	}
	return best, ok
}

// isDir reports whether a directory is there, remembered since each name asks again.
func (l *Linker) isDir(dir string) bool {
	if is, ok := l.dirs.Load(dir); ok {
		return is.(bool)
	}
	info, err := l.m.Stat(dir)
	is := err == nil && info.IsDir()
	l.dirs.Store(dir, is)
	return is
}
