package kernel

import (
	"errors"
	"io/fs"
	"path"
	"strings"

	"strata/internal/machine"
	"strata/internal/stack"
	"strata/internal/version"
)

const (
	dkmsTree = "/var/lib/dkms"
	// The states of stack.DKMSBuild. The first three are what `dkms status`
	// prints; the last is read from the build's log.
	dkmsAdded     = "added"
	dkmsBuilt     = "built"
	dkmsInstalled = "installed"
	dkmsFailed    = "failed"
)

// readDKMS reads DKMS's tree (dkms(8), "FILES"):
//
//	nvidia/VERSION/source                     link to /usr/src/nvidia-VERSION
//	nvidia/VERSION/build/make.log             of a build under way or failed
//	nvidia/VERSION/RELEASE/ARCH/module/*.ko   what was built
//	nvidia/VERSION/RELEASE/ARCH/log/make.log
//	nvidia/kernel-RELEASE-ARCH                link to what was installed
//
// Debian calls the module nvidia-current, nvidia-tesla-470 and the like.
func readDKMS(m *machine.Machine, files []stack.ModuleFile) stack.Fact[[]stack.DKMSBuild] {
	entries, err := m.ReadDir(dkmsTree)
	if err != nil && len(entries) == 0 {
		return stack.Miss[[]stack.DKMSBuild](err, dkmsTree)
	}
	builds := []stack.DKMSBuild{}
	var problem error
	for _, e := range entries {
		// nvidia-fs is GPUDirect Storage; its versions are no driver's.
		if !strings.HasPrefix(e.Name(), "nvidia") || strings.HasPrefix(e.Name(), "nvidia-fs") {
			continue
		}
		more, err := dkmsModule(m, path.Join(dkmsTree, e.Name()), files)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			problem = err
		}
		builds = append(builds, more...)
	}
	f := stack.Know(builds, stack.Source{Kind: "directory", Locator: dkmsTree})
	if problem != nil {
		f.Why = "not all of it could be read: " + problem.Error()
	}
	return f
}

func dkmsModule(m *machine.Machine, dir string, files []stack.ModuleFile) (builds []stack.DKMSBuild, err error) {
	versions, err := m.ReadDir(dir)
	links := map[string]string{} // kernel-RELEASE-ARCH -> VERSION/RELEASE/ARCH
	for _, e := range versions {
		if strings.HasPrefix(e.Name(), "kernel-") {
			if target, err := m.ReadLink(path.Join(dir, e.Name())); err == nil {
				links[e.Name()] = strings.TrimSuffix(target, "/")
			}
		}
	}
	for _, e := range versions {
		v, parseErr := version.ParseDriver(e.Name())
		if parseErr != nil {
			continue // a link, or something that is no version
		}
		more, err2 := dkmsVersion(m, path.Join(dir, e.Name()), v, links, files)
		if err2 != nil {
			err = err2
		}
		builds = append(builds, more...)
	}
	return builds, err
}

func dkmsVersion(m *machine.Machine, dir string, v version.Driver, links map[string]string, files []stack.ModuleFile) (builds []stack.DKMSBuild, err error) {
	arches, err := m.Glob(path.Join(dir, "*", "*"))
	for _, arch := range arches {
		release := path.Base(path.Dir(arch))
		if release == "build" || release == "source" {
			continue
		}
		b := stack.DKMSBuild{Version: v, Release: release, State: dkmsAdded, From: stack.Source{Kind: "directory", Locator: arch}}
		if m.Exists(arch + "/module") {
			b.State = dkmsBuilt
			link, ok := links["kernel-"+release+"-"+path.Base(arch)]
			if ok && strings.HasSuffix(link, path.Join(path.Base(dir), release, path.Base(arch))) && hasFile(files, release) {
				b.State = dkmsInstalled
			}
		} else if failure, src := buildFailure(m, arch+"/log/make.log"); failure != nil {
			b.State, b.From, b.KernelCompiler, b.Compiler = dkmsFailed, src, failure.kernelCompiler, failure.compiler
		} else if !m.Exists(arch + "/log") {
			continue // no build's directory
		}
		builds = append(builds, b)
	}
	if failure, src := buildFailure(m, dir+"/build/make.log"); failure != nil {
		// A later build may have succeeded and left the old log.
		for _, b := range builds {
			if b.Release == failure.release && (b.State == dkmsBuilt || b.State == dkmsInstalled) {
				return builds, err
			}
		}
		builds = append(builds, stack.DKMSBuild{Version: v, Release: failure.release, State: dkmsFailed, From: src,
			KernelCompiler: failure.kernelCompiler, Compiler: failure.compiler})
	}
	if len(builds) == 0 {
		builds = append(builds, stack.DKMSBuild{Version: v, State: dkmsAdded, From: stack.Source{Kind: "directory", Locator: dir}})
	}
	return builds, err
}

// hasFile tells whether DKMS's module is really there: the link stays when
// somebody removes the file or a kernel package takes its tree along.
func hasFile(files []stack.ModuleFile, release string) bool {
	for _, f := range files {
		if f.Release == release && f.Fault == "" {
			return true
		}
	}
	return false
}
