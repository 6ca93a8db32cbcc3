package loader

import (
	"path"
	"strings"
)

// rpath are the directories of an object's DT_RPATH, which DT_RUNPATH makes void.
func (p *Process) rpath(o *Object) []string {
	p.expandPaths(o)
	return o.rpath
}

func (p *Process) runpath(o *Object) []string {
	p.expandPaths(o)
	return o.run
}

func (p *Process) expandPaths(o *Object) {
	if o.asked {
		return
	}
	o.asked = true
	if o.File.Runpath == nil {
		o.rpath = p.expandAll(o.File.Rpath, o.origin)
	}
	o.run = p.expandAll(o.File.Runpath, o.origin)
}

// libraryPath are the directories of LD_LIBRARY_PATH. $ORIGIN in it is the program's.
func (p *Process) libraryPath() []string {
	if p.envPath == nil {
		origin := ""
		if p.program != nil {
			origin = p.program.origin
		}
		p.envPath = append([]string{}, p.expandAll(p.env.paths(), origin)...)
	}
	return p.envPath
}

// expandAll replaces the tokens in a search path and leaves out what is there already. What it makes counts as places that are searched: the
// longest real paths, of Nix and Spack, have some hundred elements, and a path that is too long ends the search instead of being cut.
func (p *Process) expandAll(elements []string, origin string) []string {
	var list []string
	seen := map[string]bool{}
	for _, e := range elements {
		e, ok := p.expand(e, origin)
		if p.spend(1 + len(e)/64) {
			return list
		}
		if !ok || seen[e] {
			continue
		}
		seen[e] = true
		list = append(list, e)
	}
	return list
}

// expand replaces the tokens of one element, an empty one by the working directory. It returns false where $ORIGIN is not known.
func (p *Process) expand(e, origin string) (string, bool) {
	if strings.Contains(e, "$") {
		if origin == "" && (strings.Contains(e, "$ORIGIN") || strings.Contains(e, "${ORIGIN}")) {
			return "", false
		}
		e = replaceToken(e, "ORIGIN", origin)
		if p.linker.Libc == "glibc" {
			e = replaceToken(e, "LIB", p.linker.lib)
			e = replaceToken(e, "PLATFORM", p.linker.platform)
		}
	}
	if e == "" {
		e = p.env.Dir
	}
	if !path.IsAbs(e) {
		e = join(p.env.Dir, "", e)
	}
	if len(e) > 1 {
		e = strings.TrimRight(e, "/")
	}
	if e == "" {
		e = "/"
	}
	return e, true
}

// replaceToken replaces ${NAME}, and $NAME where no letter, digit or underscore follows.
func replaceToken(s, name, value string) string {
	s = strings.ReplaceAll(s, "${"+name+"}", value)
	token := "$" + name
	var b strings.Builder
	for {
		i := strings.Index(s, token)
		if i < 0 {
			return b.String() + s
		}
		rest := s[i+len(token):]
		b.WriteString(s[:i])
		if rest != "" && (rest[0] == '_' || rest[0] >= '0' && rest[0] <= '9' || rest[0] >= 'A' && rest[0] <= 'Z' || rest[0] >= 'a' && rest[0] <= 'z') {
			b.WriteString(token)
		} else {
			b.WriteString(value)
		}
		s = rest
	}
}
