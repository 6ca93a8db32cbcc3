package plan

import (
	"path"
	"slices"
	"strings"

	"strata/internal/derive"
	"strata/internal/kb"
	"strata/internal/stack"
	"strata/internal/version"
)

func eachEnv(s *stack.Stack, prefix string, do func(*stack.Environment)) {
	for i := range s.Python.Value {
		if e := &s.Python.Value[i]; e.Prefix == prefix {
			do(e)
		}
	}
}

// install puts a package into an environment: its record, the libraries that
// the knowledge base says it carries, and, for a framework, the build it is.
func install(e *stack.Environment, name, ver string, base *kb.Base) {
	pkg := stack.Package{Name: name, Version: ver, Manager: "pip", From: plannedSource}
	i := slices.IndexFunc(e.Packages.Value, func(p stack.Package) bool { return p.Name == name })
	if i >= 0 {
		dropReplaced(e, e.Packages.Value[i], ver, base)
		// What other packages require of it stays to be checked; its own
		// requirements are those of another release and unknown.
		e.Packages.Value[i] = pkg
	} else {
		e.Packages.Value = append(e.Packages.Value, pkg)
	}
	installLibraries(e, name, ver, base)
	if fw, plugin := frameworkOf(name); fw != "" {
		replaceFramework(frameworkIn(e, fw, name), name, ver, plugin, base)
		for i := range e.Frameworks {
			// What was looked for in another torch is to be looked for again.
			if fw == "pytorch" {
				e.Frameworks[i].Unresolved = stack.Fact[[]string]{}
			}
		}
	}
	// The last writer owns a file that several claim.
	for i := range e.Overlaps.Value {
		if o := &e.Overlaps.Value[i]; slices.Contains(o.Packages, name) {
			o.Winner = name
		}
	}
}

// dropReplaced takes out the libraries of the release that is replaced where
// the new one has others under other names: cuDNN 8 in place of cuDNN 9.
func dropReplaced(e *stack.Environment, old stack.Package, ver string, base *kb.Base) {
	before, _, _ := strings.Cut(old.Version, ".")
	after, _, _ := strings.Cut(ver, ".")
	if ver == "" || before == after || len(base.SonamesOfPip(old.Name)) == 0 {
		return
	}
	e.Libraries.Value = slices.DeleteFunc(e.Libraries.Value, func(l stack.Library) bool {
		owner, _, _ := strings.Cut(l.Owner, " ")
		return owner == old.Name
	})
}

func installLibraries(e *stack.Environment, name, ver string, base *kb.Base) {
	if len(e.Site) == 0 {
		return
	}
	for _, row := range base.SonamesOfPip(name) {
		if strings.Contains(row.Soname, "x") && !strings.Contains(row.Soname, ".so.") {
			continue
		}
		major := strings.Split(ver, ".")[0]
		if want := strings.TrimSuffix(strings.TrimPrefix(row.PipSpec, "=="), ".*"); row.PipSpec != "" && ver != "" && want != major && !strings.HasPrefix(ver, want) {
			continue
		}
		dir := derive.WheelDir(e.Site[0], name, row.CUDA)
		lib := stack.Library{Path: path.Join(dir, row.Soname), Real: path.Join(dir, row.Soname), Soname: row.Soname,
			Version: libraryVersion(ver), Size: 1, Place: "wheel", Owner: strings.TrimSpace(name + " " + ver), From: plannedSource}
		e.Libraries.State = stack.Known
		i := slices.IndexFunc(e.Libraries.Value, func(l stack.Library) bool {
			return l.Place == "wheel" && (path.Base(l.Path) == row.Soname || l.Soname == row.Soname)
		})
		if i >= 0 {
			lib.Path, lib.Real = e.Libraries.Value[i].Path, e.Libraries.Value[i].Path
			e.Libraries.Value[i] = lib
			continue
		}
		e.Libraries.Value = append(e.Libraries.Value, lib)
	}
}

// libraryVersion is the version of a library in a wheel. Of "any 9" only the
// major is known, and that is no version to compare with.
func libraryVersion(ver string) string {
	if !strings.Contains(ver, ".") {
		return ""
	}
	return ver
}

// frameworkIn finds a framework of the environment by its name, or adds it.
func frameworkIn(e *stack.Environment, fw, pkg string) *stack.Framework {
	if f, ok := e.Framework(fw); ok {
		return f
	}
	e.Frameworks = append(e.Frameworks, stack.Framework{Name: fw, Package: pkg, From: plannedSource})
	return &e.Frameworks[len(e.Frameworks)-1]
}

// replaceFramework turns a framework into another release or variant. What
// only its files could tell becomes unknown, except what the knowledge base holds.
func replaceFramework(f *stack.Framework, name, ver string, plugin bool, base *kb.Base) {
	next := stack.Framework{Name: f.Name, Package: name, Version: ver, From: plannedSource}
	if plugin {
		next.Package, next.Version = f.Package, f.Version
		next.Plugin = planned(stack.Package{Name: name, Version: ver, Manager: "pip", From: plannedSource})
	}
	build := buildOf(f.Name, name, ver, base)
	next.Variant, next.CUDA, next.CUDNN, next.Code, next.ABI = build.variant, build.cuda, build.cudnn, build.code, build.abi
	if plugin && !next.Variant.Known() {
		next.Variant = planned("cuda")
	}
	if f.Name == "bitsandbytes" {
		next.Libraries = bitsandbytesLibraries(path.Dir(path.Dir(f.From.Locator)), ver, base)
	}
	*f = next
}

// bitsandbytesLibraries are the libraries in a wheel of bitsandbytes: one for
// each CUDA release that the knowledge base has for it.
func bitsandbytesLibraries(site, ver string, base *kb.Base) []stack.Library {
	v, err := version.ParsePEP440(ver)
	if err != nil {
		return nil
	}
	var libs []stack.Library
	for _, row := range base.ConsumerRows("bitsandbytes", v).Value {
		for _, c := range row.CUDA {
			name := "libbitsandbytes_" + strings.Replace(derive.CUDATag(c), "cu", "cuda", 1) + ".so"
			p := path.Join(site, "bitsandbytes", name)
			libs = append(libs, stack.Library{Path: p, Real: p, Soname: name, Size: 1, Place: "framework", From: plannedSource})
		}
	}
	return libs
}

func uninstall(e *stack.Environment, name string) {
	e.Packages.Value = slices.DeleteFunc(e.Packages.Value, func(p stack.Package) bool { return p.Name == name })
	e.Frameworks = slices.DeleteFunc(e.Frameworks, func(f stack.Framework) bool { return f.Package == name })
	e.Libraries.Value = slices.DeleteFunc(e.Libraries.Value, func(l stack.Library) bool {
		owner, _, _ := strings.Cut(l.Owner, " ")
		return owner == name
	})
	for i := range e.Overlaps.Value {
		o := &e.Overlaps.Value[i]
		o.Packages = slices.DeleteFunc(o.Packages, func(p string) bool { return p == name })
	}
	e.Overlaps.Value = slices.DeleteFunc(e.Overlaps.Value, func(o stack.Overlap) bool { return len(o.Packages) < 2 })
}
