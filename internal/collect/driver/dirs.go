package driver

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"time"

	"strata/internal/collect"
	"strata/internal/collect/environment"
	"strata/internal/collect/loader"
	"strata/internal/machine"
)

// dir is a directory to look into, and what kind of place it is (stack.Library.Place).
type dir struct{ path, place string }

// knownDirs are where the driver's libraries are installed, as patterns. The
// kind is only the pattern's; placeOf refines it by the path that matched.
var knownDirs = []dir{
	{"/usr/lib/x86_64-linux-gnu", "system"},
	{"/usr/lib/aarch64-linux-gnu", "system"},
	{"/usr/lib64", "system"},
	{"/usr/lib", "system"},
	{"/lib/x86_64-linux-gnu", "system"},
	{"/lib/aarch64-linux-gnu", "system"},
	{"/lib64", "system"},
	{"/lib", "system"},
	{"/usr/lib/*-linux-gnu/nvidia", "system"},   // Jetson since JetPack 6
	{"/usr/lib/*-linux-gnu/nvidia/*", "system"}, // Debian (current, tesla-470), behind update-alternatives
	{"/usr/lib/*-linux-gnu/tegra", "system"},    // Jetson until JetPack 5
	{"/usr/lib/nvidia*", "system"},              // Ubuntu until 16.04, SUSE
	{"/usr/lib64/nvidia*", "system"},
	{"/usr/lib/nvidia/tesla", "system"}, // Bottlerocket; once in a directory per version
	{"/usr/lib/nvidia/tesla/*", "system"},
	{"/usr/lib64/tls", "system"},
	{"/usr/local/lib", "system"},
	{"/usr/local/lib64", "system"},
	{"/usr/local/lib/*-linux-gnu", "system"},
	{"/usr/local/nvidia/lib", "other"}, // mounted by nvidia-docker 1 and by GKE
	{"/usr/local/nvidia/lib64", "other"},
	{"/home/kubernetes/bin/nvidia/lib64", "other"}, // GKE's nodes
	{"/var/lib/nvidia/lib64", "other"},             // Container-Optimized OS
	{"/opt/nvidia/current/usr/lib64", "other"},     // Flatcar
	{"/opt/nvidia/current/lib64", "other"},
	{"/usr/local/glibc/usr/lib", "other"}, // Talos
	{"/run/nvidia/driver/usr/lib/*-linux-gnu", "other"},
	{"/run/nvidia/driver/usr/lib64", "other"}, // the GPU operator's driver container
	{"/run/opengl-driver/lib", "other"},       // NixOS
	{"/usr/lib/wsl/lib", "wsl"},
	{"/usr/lib/wsl/drivers/*", "wsl"},
	{"/usr/local/cuda*/compat", "compat"},
	{"/usr/local/cuda*/compat_orin", "compat"},
	{"/opt/cuda*/compat", "compat"},
	{"/opt/cuda-compat*", "compat"},
	{"/opt/nvidia/cuda-compat*", "compat"},
	{"/opt/nvidia/hpc_sdk/Linux_*/*/cuda/*/compat", "compat"},
	{"/opt/conda/cuda-compat", "compat"},
	{"/usr/local/cuda*/lib64/stubs", "stubs"},
	{"/usr/local/cuda*/targets/*/lib/stubs", "stubs"},
	{"/opt/cuda*/lib64/stubs", "stubs"},
	{"/opt/cuda*/targets/*/lib/stubs", "stubs"},
	{"/opt/nvidia/hpc_sdk/Linux_*/*/cuda/*/targets/*/lib/stubs", "stubs"},
	{"/usr/lib/*-linux-gnu/stubs", "stubs"}, // nvidia-cuda-dev of Debian and Ubuntu
	{"/opt/conda/lib/stubs", "stubs"},
}

// maxDirs bounds the directories looked into.
const maxDirs = 2000

// eachDir is how long one directory may take. A dead network mount on
// LD_LIBRARY_PATH then costs its own directory only.
const eachDir = 2 * time.Second

// searchDirs lists the directories that exist, each real one once. The error
// says which could not be looked at.
func searchDirs(ctx context.Context, m *machine.Machine) ([]dir, error) {
	candidates, problem := candidateDirs(ctx, m)
	type resolved struct {
		real string
		err  error
	}
	reals := collect.Each(ctx, candidates, eachDir,
		func(_ context.Context, d dir) resolved {
			real, err := m.Real(d.path)
			return resolved{real, err}
		},
		func(d dir) resolved { return resolved{"", lateError(d)} })
	var dirs []dir
	seen := map[string]bool{}
	for i, r := range reals {
		switch {
		case errors.Is(r.err, fs.ErrNotExist):
		case r.err != nil:
			problem = errors.Join(problem, r.err)
		case !seen[r.real]:
			seen[r.real] = true
			dirs = append(dirs, candidates[i])
		}
	}
	return dirs, problem
}

func lateError(d dir) error { return fmt.Errorf("%q did not answer within %s", d.path, eachDir) }

// candidateDirs lists places to look into. The system's own come first, so
// that one which is also on LD_LIBRARY_PATH or in ld.so.conf keeps its kind.
func candidateDirs(ctx context.Context, m *machine.Machine) (dirs []dir, problem error) {
	add := func(p, place string) {
		if len(dirs) < maxDirs {
			dirs = append(dirs, dir{p, placeOf(p, place)})
		}
	}
	known := func(system bool) {
		for _, k := range knownDirs {
			if (k.place == "system") != system {
				continue
			}
			if !strings.Contains(k.path, "*") {
				add(k.path, k.place)
				continue
			}
			paths, err := m.Glob(k.path)
			if err != nil {
				problem = errors.Join(problem, err)
			}
			for _, p := range paths {
				// /usr/local/cuda matches too and is a link to one of the others.
				if real, err := m.Real(p); err == nil {
					p = real
				}
				add(p, k.place)
			}
		}
	}
	known(true)
	for _, v := range environment.Variables(m).Value {
		if v.Name != "LD_LIBRARY_PATH" {
			continue
		}
		for p := range strings.FieldsFuncSeq(v.Value, func(r rune) bool { return r == ':' || r == ';' }) {
			if path.IsAbs(p) { // ld.so takes others relative to a directory nobody knows here
				add(path.Clean(p), "ldpath")
			}
		}
	}
	conf, err := loader.Conf(ctx, m)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		problem = errors.Join(problem, err)
	}
	for _, c := range conf {
		add(c.Dir, "system")
	}
	known(false)
	return dirs, problem
}

// placeOf tells the kind of a directory by its path, whoever named it.
func placeOf(p, otherwise string) string {
	switch {
	case strings.HasSuffix(p, "/stubs") || strings.Contains(p, "/stubs/"):
		return "stubs"
	case strings.Contains(p, "/compat") || strings.Contains(p, "/cuda-compat"):
		return "compat"
	case strings.HasPrefix(p, "/usr/lib/wsl/"):
		return "wsl"
	case otherwise == "system" && (strings.HasPrefix(p, "/usr/local/cuda") || strings.HasPrefix(p, "/opt/cuda")):
		return "toolkit" // named by ld.so.conf.d
	}
	return otherwise
}
