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

// muslOwn are the libraries that are musl's libc itself, whatever their number: libpthread.so.0 (ldso/dynlink.c, load_library). Of what
// else it holds, libcrypt and libresolv, the files are looked for.
var muslOwn = []string{"libc", "libdl", "libm", "libpthread", "librt", "libutil", "libxnet"}

// findMusl searches as musl does: LD_LIBRARY_PATH, then the paths of the asking object, of what it was loaded for, and so on, then
// the system's. It opens the first file of that name; one that does not fit is an error and not passed over.
func (p *Process) findMusl(name string, by *Object, visit func(Place)) (*file, Place, error) {
	stem, _, _ := strings.Cut(name, ".")
	for _, own := range muslOwn {
		if stem == own {
			return p.tryMusl(Place{Path: p.linker.Path, Via: ViaDefault, plain: true}, visit)
		}
	}
	parts := []dirs{{via: ViaLibraryPath, list: p.env.muslPaths()}}
	for o := by; o != nil; o = o.By {
		list, via := o.File.Runpath, ViaRunPath
		if list == nil {
			list, via = o.File.Rpath, ViaRPath
		}
		parts = append(parts, dirs{via: via, from: o, list: p.muslRPath(list, o.origin)})
	}
	parts = append(parts, dirs{via: ViaDefault, list: p.linker.Defaults})
	for _, d := range parts {
		for _, dir := range d.list {
			f, place, err := p.tryMusl(Place{Path: p.muslJoin(dir, name), Via: d.via, From: d.from, plain: true}, visit)
			if f != nil || err != nil {
				return f, place, err
			}
		}
	}
	return nil, Place{}, nil
}

// tryMusl opens one path. musl takes the first file of a name, whatever it is, and does not look at the machine that it is for; a
// file of another one is told as an error all the same, since nothing good comes of it.
func (p *Process) tryMusl(place Place, visit func(Place)) (*file, Place, error) {
	f, place, err := p.try(place, visit)
	if err != nil || f == nil && place.Why != notThere {
		reason := "Exec format error"
		switch place.Why {
		case cannotRead:
			reason = "Is a directory"
		case tooFar:
			reason = tooFar
		}
		return nil, place, &Failure{Name: path.Base(place.Path), Reason: reason, Fatal: true}
	}
	return f, place, nil
}

// muslPaths splits LD_LIBRARY_PATH at colons and line ends, passing over empty elements.
func (e Environment) muslPaths() []string {
	if e.Secure {
		return nil
	}
	return strings.FieldsFunc(e.LibraryPath, func(r rune) bool { return r == ':' || r == '\n' })
}

// muslRPath replaces $ORIGIN. A search path with any other token is void as a whole.
func (p *Process) muslRPath(elements []string, origin string) []string {
	var list []string
	for _, e := range elements {
		e = strings.ReplaceAll(strings.ReplaceAll(e, "${ORIGIN}", origin), "$ORIGIN", origin)
		if strings.Contains(e, "$") {
			return nil
		}
		if e != "" {
			list = append(list, e)
		}
	}
	return list
}

func (p *Process) muslJoin(dir, name string) string {
	if !path.IsAbs(dir) {
		dir = p.env.Dir + "/" + dir
	}
	return dir + "/" + name
}

// muslName is the path for a name with a slash, in which musl replaces nothing.
func (p *Process) muslName(name string) string {
	if path.IsAbs(name) {
		return name
	}
	return p.env.Dir + "/" + name
}
