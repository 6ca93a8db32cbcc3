package plan

import (
	"path"
	"slices"
	"strings"

	"strata/internal/stack"
	"strata/internal/version"
)

// reboot starts the newest installed kernel, which is what boot loaders do
// unless told otherwise, with the module that is installed for it.
func reboot(s *stack.Stack) {
	if n := len(s.Kernel.Installed.Value); n > 0 && s.Kernel.Release.Known() {
		s.Kernel.Release.Value = s.Kernel.Installed.Value[n-1]
	}
	v, flavor, ok := bootVersion(s)
	if !ok {
		if s.Kernel.Files.Known() && s.Kernel.Loaded.Known() {
			s.Kernel.Loaded.Value = slices.DeleteFunc(s.Kernel.Loaded.Value, func(m stack.LoadedModule) bool { return strings.HasPrefix(m.Name, "nvidia") })
			s.Kernel.Version, s.Kernel.Flavor = stack.None[version.Driver](plannedSource), stack.None[string](plannedSource)
		}
		return
	}
	s.Kernel.Version = planned(v)
	if flavor != "" {
		s.Kernel.Flavor = planned(flavor)
	}
	loadModule(s, "nvidia")
	loadModule(s, "nvidia_uvm")
	for i := range s.Kernel.Loaded.Value {
		if m := &s.Kernel.Loaded.Value[i]; strings.HasPrefix(m.Name, "nvidia") {
			m.Version = v
		}
	}
	makeNodes(s)
}

// bootVersion is what a restart would load: the module file of the kernel, or,
// where module files were found for no kernel at all, the version of the
// libraries, which the same package brought.
func bootVersion(s *stack.Stack) (v version.Driver, flavor string, ok bool) {
	any := false
	for _, f := range s.Kernel.Files.Value {
		if !isModule(f) {
			continue
		}
		any = true
		if f.Release == s.Kernel.Release.Or(f.Release) && !f.Version.IsZero() {
			return f.Version, f.Flavor, true
		}
	}
	if any && s.Kernel.Release.Known() && !slices.ContainsFunc(s.Kernel.Files.Value, func(f stack.ModuleFile) bool {
		return isModule(f) && f.Release == s.Kernel.Release.Value // of unknown version
	}) {
		return version.Driver{}, "", false
	}
	for _, l := range s.Driver.Libraries.Value {
		if l.Place != "system" || l.Version == "" {
			continue
		}
		if v, err := version.ParseDriver(l.Version); err == nil {
			return v, "", true
		}
	}
	return version.Driver{}, "", false
}

// isModule tells nvidia.ko from its companions.
func isModule(f stack.ModuleFile) bool {
	name, _, _ := strings.Cut(path.Base(f.Path), ".")
	return name == "nvidia" && f.Fault == ""
}

// buildModule adds the module for one kernel, unless it is there already in
// that version.
func buildModule(s *stack.Stack, release string, v version.Driver) {
	if v.IsZero() {
		v, _, _ = bootVersion(s)
	}
	if release == "" || v.IsZero() {
		return
	}
	s.Kernel.Files.State = stack.Known
	for i := range s.Kernel.Files.Value {
		if f := &s.Kernel.Files.Value[i]; f.Release == release && isModule(*f) {
			f.Version = v
			return
		}
	}
	s.Kernel.Files.Value = append(s.Kernel.Files.Value, stack.ModuleFile{
		Path: "/lib/modules/" + release + "/updates/dkms/nvidia.ko", Release: release, Version: v,
		Flavor: s.Kernel.Flavor.Value, From: plannedSource,
	})
}

// installCompat adds the libraries of a cuda-compat package and the variable
// without which no program finds them.
func installCompat(s *stack.Stack, c stack.InstallCompat) {
	dir := "/usr/local/cuda-" + c.CUDA.String() + "/compat"
	for _, name := range []string{"libcuda.so", "libnvidia-ptxjitcompiler.so"} {
		l := stack.Library{
			Path: path.Join(dir, name+".1"), Real: path.Join(dir, name+"."+c.Driver.String()), Soname: name + ".1",
			Version: c.Driver.String(), Size: 1, Place: "compat", From: plannedSource,
		}
		if name == "libcuda.so" {
			l.Compat = &stack.CompatNote{CUDA: c.CUDA.String(), Branches: c.Branches}
		}
		s.Driver.Libraries.Value = append(s.Driver.Libraries.Value, l)
	}
	old, _ := s.Getenv("LD_LIBRARY_PATH")
	setEnv(s, "LD_LIBRARY_PATH", strings.TrimSuffix(dir+":"+old.Value, ":"))
}
