// Package framework reads the GPU frameworks of a Python environment in depth:
// what they were built with, from the files they ship, and which native
// libraries carry their GPU part. Python files are read as text, line by line;
// nothing is imported or executed.
package framework

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"path"
	"strings"

	"strata/internal/collect/library"
	"strata/internal/machine"
	"strata/internal/stack"
	"strata/internal/version"
)

// Read fills Frameworks and Libraries of an environment whose Site and
// Packages are known. listings are the names in directories that were listed
// already, so that a large site-packages is not listed again; nil is fine. It
// stops early when ctx ends, and then says so in Libraries.
func Read(ctx context.Context, m *machine.Machine, env *stack.Environment, listings map[string][]string) {
	if !env.Packages.Known() {
		env.Libraries = stack.Fact[[]stack.Library]{State: env.Packages.State, Why: env.Packages.Why, Allow: env.Packages.Allow}
		return
	}
	s := &site{ctx: ctx, m: m, env: env, listings: map[string][]string{}}
	maps.Copy(s.listings, listings)
	s.indexPackages()
	for _, r := range readers {
		if ctx.Err() != nil {
			break
		}
		pkg, dir, ok := s.pick(r.packages)
		if !ok {
			continue
		}
		in := &install{site: s, pkg: pkg, dir: dir}
		in.fw = stack.Framework{Name: r.name, Package: pkg.Name, Version: pkg.Version, From: pkg.From}
		r.read(in)
		in.settle()
		in.fw.Version = version.Token(in.fw.Version)
		env.Frameworks = append(env.Frameworks, in.fw)
	}
	env.Libraries = s.libraries()
}

// reader reads one framework.
type reader struct {
	name string // Strata's name, see stack.Framework
	// packages are distributions that install it, the telling one first; a
	// trailing * stands for any rest.
	packages []string
	read     func(*install)
}

// readers are all frameworks Strata knows, in the order of reports. To add
// one: a file with its reader, and a line here.
var readers = []reader{
	torch, torchvision, torchaudio, triton, xformers, flashAttn, bitsandbytes, deepspeed, transformerEngine, vllm, sglang,
	tensorflow, jax, onnxruntime, onnxruntimeGenAI, cupy, numbaCUDA, ctranslate2, fasterWhisper, paddle, tensorrt, rapids, llamaCpp,
}

// site is one environment while it is read.
type site struct {
	ctx      context.Context
	m        *machine.Machine
	env      *stack.Environment
	byName   map[string][]int
	listings map[string][]string
	unlisted []error // of directories that could not be listed
}

// maxUnlisted keeps an environment without rights from filling the report.
const maxUnlisted = 5

func (s *site) indexPackages() {
	s.byName = make(map[string][]int, len(s.env.Packages.Value))
	for i, p := range s.env.Packages.Value {
		s.byName[p.Name] = append(s.byName[p.Name], i)
	}
}

// pick finds the first of some distributions that is installed, and the
// directory its modules lie in.
func (s *site) pick(names []string) (stack.Package, string, bool) {
	for _, want := range names {
		prefix, any := strings.CutSuffix(want, "*")
		if !any {
			if at := s.byName[want]; len(at) > 0 {
				p := s.env.Packages.Value[at[0]]
				if dir := s.dirOf(p); dir != "" {
					return p, dir, true
				}
			}
			continue
		}
		for _, p := range s.env.Packages.Value {
			if strings.HasPrefix(p.Name, prefix) {
				if dir := s.dirOf(p); dir != "" {
					return p, dir, true
				}
			}
		}
	}
	return stack.Package{}, "", false
}

// dirOf is the directory that holds a package's modules: mostly the site
// directory, but the sources of a development install, and the egg itself of
// what old setuptools installed. In a user's own site, what the system's
// directories hold is another environment's and reported there.
func (s *site) dirOf(p stack.Package) string {
	dir := path.Dir(strings.TrimSuffix(p.From.Locator, "/METADATA"))
	if p.Manager == "conda" && strings.HasSuffix(p.From.Locator, ".json") {
		dir = ""
		if len(s.env.Site) > 0 {
			dir = s.env.Site[0]
		}
	}
	if s.env.Kind == "user" && len(s.env.Site) > 0 && dir != s.env.Site[0] {
		return ""
	}
	switch {
	case p.SourceTree != "":
		return p.SourceTree
	case strings.HasSuffix(p.From.Locator, ".egg"):
		return p.From.Locator
	}
	return dir
}

// list returns the names in a directory; none where it cannot be listed, which
// Libraries then says.
func (s *site) list(dir string) []string {
	if names, ok := s.listings[dir]; ok {
		return names
	}
	entries, err := s.m.ReadDir(dir)
	if err != nil && !machine.IsMissing(err) && len(s.unlisted) < maxUnlisted {
		s.unlisted = append(s.unlisted, err)
	}
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = e.Name()
	}
	s.listings[dir] = names
	return names
}

// install is one framework while it is read.
type install struct {
	*site
	pkg stack.Package
	dir string // the site directory it lies in
	fw  stack.Framework
	// gone is set where the package is registered but its files are not there:
	// then labels say what was, not what is.
	gone bool
}

// path makes a path out of one inside the site directory.
func (in *install) path(rel string) string { return path.Join(in.dir, rel) }

// exists tells whether a path inside the site directory is there, link or not.
func (in *install) exists(rel string) bool {
	_, err := in.m.Lstat(in.path(rel))
	return err == nil
}

// text reads a small text file inside the site directory.
func (in *install) text(rel string) (string, bool) {
	data, err := in.m.ReadFile(in.path(rel), maxText)
	return strings.ToValidUTF8(string(data), "\uFFFD"), err == nil
}

// maxText is far above the build files read here, of 1 to 20 KB.
const maxText = 256 << 10

// require is text for the file that says what was built: when a framework is
// installed and it cannot be read, its variant is not merely unknown.
func (in *install) require(rel string) (string, bool) {
	data, err := in.m.ReadFile(in.path(rel), maxText)
	if err == nil {
		return strings.ToValidUTF8(string(data), "\uFFFD"), true
	}
	in.fw.Variant = stack.Miss[string](err, in.path(rel))
	if errors.Is(err, fs.ErrNotExist) {
		top, _, _ := strings.Cut(rel, "/")
		if !in.exists(top) {
			in.gone = true
			in.fw.Variant = stack.Broken[string](in.pkg.Name+" is registered as installed, but its directory "+in.path(top)+" does not exist", in.pkg.From)
		}
	}
	return "", false
}

// library adds a native library of the framework, if it is there.
func (in *install) library(rel string) bool {
	if !in.exists(rel) {
		return false
	}
	l := library.Read(in.m, in.path(rel), "framework")
	l.Owner = in.pkg.Name + " " + in.pkg.Version
	in.fw.Libraries = append(in.fw.Libraries, l)
	return true
}

// maxLibraries bounds the libraries read for one framework.
const maxLibraries = 64

// match adds the libraries of a directory whose names fit a pattern, and
// returns their paths inside the site directory.
func (in *install) match(dir, pattern string) []string {
	var found []string
	for _, name := range in.list(in.path(dir)) {
		if ok, _ := path.Match(pattern, name); ok && len(in.fw.Libraries) < maxLibraries && in.library(path.Join(dir, name)) {
			found = append(found, path.Join(dir, name))
		}
	}
	return found
}

// pythonTag is the interpreter tag of a package's wheel: cp311.
func pythonTag(p stack.Package) string {
	for _, tag := range p.Tags {
		if parts := strings.Split(tag, "-"); len(parts) == 3 && strings.HasPrefix(parts[0], "cp") {
			return parts[0]
		}
	}
	return ""
}
