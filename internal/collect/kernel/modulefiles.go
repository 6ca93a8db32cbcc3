package kernel

import (
	"context"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"strata/internal/machine"
	"strata/internal/stack"
	"strata/internal/version"
)

// moduleDirs are where NVIDIA's modules lie below /lib/modules/RELEASE, and how
// deep to look. A whole module tree has 6,000 files; these have a few dozen.
var moduleDirs = []struct {
	pattern string
	depth   int
}{
	{"updates", 3},              // DKMS on Debian and Ubuntu (updates/dkms), kernel module packages on SUSE
	{"extra", 3},                // DKMS and akmods on Fedora and RHEL, kmod packages
	{"extramodules", 1},         // Arch before 2024
	{"misc", 1},                 // the oldest installers
	{"weak-updates", 3},         // links to another kernel's modules, RHEL and SUSE
	{"kernel/drivers/video", 0}, // NVIDIA's .run installer
	{"kernel/nvidia-*", 2},      // Ubuntu's linux-modules-nvidia-BRANCH-RELEASE
}

const (
	maxModuleEntries = 4000 // looked at per kernel
	maxModuleFiles   = 500  // read in all: 60 kernels with each five modules in both places
)

func readFiles(ctx context.Context, m *machine.Machine, trees []tree, err error) stack.Fact[[]stack.ModuleFile] {
	if err != nil && len(trees) == 0 {
		return stack.Miss[[]stack.ModuleFile](err, "/lib/modules")
	}
	files := []stack.ModuleFile{}
	var problem error
	// From the newest kernel down, so that a limit costs the least.
	for i := len(trees) - 1; i >= 0; i-- {
		w := moduleWalk{m: m, left: maxModuleEntries}
		for _, d := range moduleDirs {
			roots, err := m.Glob(path.Join(trees[i].dir, d.pattern))
			if err != nil {
				w.err = err
			}
			for _, root := range roots {
				w.walk(root, d.depth)
			}
		}
		if w.err != nil {
			problem = w.err
		}
		for _, name := range w.found {
			if len(files) == maxModuleFiles || ctx.Err() != nil {
				problem = fmt.Errorf("only the first %d module files were read", len(files))
				break
			}
			files = append(files, readModuleFile(m, name, trees[i].release))
		}
	}
	f := stack.Know(files, stack.Source{Kind: "directory", Locator: "/lib/modules"})
	if problem != nil {
		f.Why = problem.Error()
	}
	return f
}

// moduleWalk lists nvidia*.ko files below directories.
type moduleWalk struct {
	m     *machine.Machine
	left  int
	found []string
	err   error
}

func (w *moduleWalk) walk(dir string, depth int) {
	entries, err := w.m.ReadDir(dir)
	if err != nil {
		w.err = err
	}
	for _, e := range entries {
		if w.left--; w.left < 0 {
			w.err = fmt.Errorf("%q: more than %d entries beside nvidia modules", dir, maxModuleEntries)
			return
		}
		name := path.Join(dir, e.Name())
		if stem, _, ok := moduleName(e.Name()); ok && strings.HasPrefix(stem, "nvidia") && stem != "nvidiafb" {
			w.found = append(w.found, name)
			continue
		}
		// Links to directories are not followed: they only lead to the same files.
		if e.Type()&fs.ModeDir != 0 && depth > 0 {
			w.walk(name, depth-1)
		}
	}
}

// moduleName splits "nvidia-uvm.ko.zst" into "nvidia-uvm" and "zst".
func moduleName(base string) (stem, compression string, ok bool) {
	if stem, ok = strings.CutSuffix(base, ".ko"); ok {
		return stem, "", true
	}
	i := strings.LastIndexByte(base, '.')
	if i < 0 {
		return "", "", false
	}
	stem, ok = strings.CutSuffix(base[:i], ".ko")
	return stem, base[i+1:], ok
}

func readModuleFile(m *machine.Machine, name, release string) stack.ModuleFile {
	f := stack.ModuleFile{Path: name, Release: release, From: stack.File(name)}
	_, f.Compression, _ = moduleName(path.Base(name))
	if f.Compression != "" {
		return f // nothing inside can be read without unpacking all of it
	}
	info, err := readModinfo(m, name)
	f.Signed = info.signed
	if err != nil {
		f.Fault = err.Error()
		return f
	}
	f.Version, _ = version.ParseDriver(info.fields["version"])
	f.Flavor = flavorOfLicense(info.fields["license"])
	f.From = stack.From("elf", name, 0, "version="+info.fields["version"]+" license="+info.fields["license"])
	return f
}

// flavorOfLicense reads MODULE_LICENSE: NVIDIA's proprietary module says
// "NVIDIA", the open one "Dual MIT/GPL" (kernel-open/nvidia/nv.c).
func flavorOfLicense(license string) string {
	switch license {
	case "NVIDIA":
		return "proprietary"
	case "Dual MIT/GPL", "MIT/GPL":
		return "open"
	}
	return ""
}

// versionsFromDKMS gives compressed module files the version that DKMS built
// for their kernel, where they lie where DKMS puts them and it built only one.
func versionsFromDKMS(files []stack.ModuleFile, builds []stack.DKMSBuild) {
	for i := range files {
		f := &files[i]
		if f.Compression == "" || !isDKMSPath(f.Path) {
			continue
		}
		if b, ok := onlyBuild(builds, f.Release); ok {
			f.Version = b.Version
			f.From = stack.From("derived", f.Path, 0, "version as built by DKMS: "+b.From.Locator)
		}
	}
}

func isDKMSPath(name string) bool {
	return strings.Contains(name, "/updates/dkms/") || strings.Contains(name, "/extra/")
}

// onlyBuild returns the version that DKMS installed for a kernel, or else the
// only one that it built.
func onlyBuild(builds []stack.DKMSBuild, release string) (stack.DKMSBuild, bool) {
	var only stack.DKMSBuild
	n := 0
	for _, b := range builds {
		switch {
		case b.Release != release:
		case b.State == dkmsInstalled:
			return b, true
		case b.State == dkmsBuilt:
			only = b
			n++
		}
	}
	return only, n == 1
}
