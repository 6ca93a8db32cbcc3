package loader

import (
	"path"
	"strings"

	"strata/internal/machine"
)

// muslPath is the search path of a musl root: the lines of /etc/ld-musl-ARCH.path, or the one built in (ldso/dynlink.c).
func muslPath(m *machine.Machine, arch string) []string {
	data, err := m.ReadFile("/etc/ld-musl-"+arch+".path", 64<<10)
	if err != nil {
		return []string{"/lib", "/usr/local/lib", "/usr/lib"}
	}
	return strings.FieldsFunc(string(data), func(r rune) bool { return r == '\n' || r == ':' })
}

// muslOwn are the libraries that are musl's libc itself, whatever their number: libpthread.so.0.
var muslOwn = []string{"libc", "libcrypt", "libdl", "libm", "libpthread", "libresolv", "librt", "libutil", "libxnet"}

// findMusl searches as musl does: LD_LIBRARY_PATH, then the paths of the asking object, of what it was loaded for, and so on, then
// the system's. It opens the first file of that name; one that does not fit is an error and not passed over.
func (p *Process) findMusl(name string, by *Object, visit func(Place)) (*file, Place, error) {
	stem, _, _ := strings.Cut(name, ".")
	for _, own := range muslOwn {
		if stem == own {
			return p.tryMusl(Place{Path: p.linker.Path, Via: ViaDefault, plain: true}, visit)
		}
	}
	parts := []dirs{{via: ViaLibraryPath, list: p.libraryPath()}}
	for o := by; o != nil; o = o.By {
		list, via := o.File.Runpath, ViaRunPath
		if list == nil {
			list, via = o.File.Rpath, ViaRPath
		}
		parts = append(parts, dirs{via: via, from: o, list: p.expandAll(list, o.origin)})
	}
	parts = append(parts, dirs{via: ViaDefault, list: p.linker.Defaults})
	for _, d := range parts {
		for _, dir := range d.list {
			f, place, err := p.tryMusl(Place{Path: path.Join(dir, name), Via: d.via, From: d.from, plain: true}, visit)
			if f != nil || err != nil {
				return f, place, err
			}
		}
	}
	return nil, Place{}, nil
}

func (p *Process) tryMusl(place Place, visit func(Place)) (*file, Place, error) {
	f, place, err := p.try(place, visit)
	if f == nil && err == nil && place.Why != notThere {
		return nil, place, &Failure{Name: place.Path, Reason: "Exec format error", Fatal: true}
	}
	return f, place, err
}
