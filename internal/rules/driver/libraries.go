package driver

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"strata/internal/derive"
	"strata/internal/rule"
	"strata/internal/rules/remedy"
	"strata/internal/stack"
	"strata/internal/version"
)

// isDriver tells NVIDIA's real user-space driver from what only has its name:
// a stub to link against, or the library of a cuda-compat package.
func isDriver(l *stack.Library) bool {
	return l.Place != "stubs" && l.Place != "compat" && l.Compat == nil
}

// kernelDriver is the version that decides which GPUs are driven: what the user
// vouches for, else the kernel module's, else that of the libraries. A
// forward-compatibility libcuda does not count, it teaches no module a new GPU.
func kernelDriver(in *rule.Input) stack.Fact[version.Driver] {
	if in.Stack.Driver.Assumed.Known() {
		return in.Stack.Driver.Assumed
	}
	if in.Stack.Kernel.Version.Known() {
		return in.Stack.Kernel.Version
	}
	return in.Driver
}

var needKernelDriver = rule.Need{Name: "the driver's version", Seen: func(in *rule.Input) stack.Seen { return kernelDriver(in).Seen() }}

// elsewhere are copies of libcuda that a program does not load, but could if
// the search led there.
func elsewhere(in *rule.Input) []*stack.Library {
	var out []*stack.Library
	for _, l := range in.FindSystem("libcuda.so.1").Elsewhere {
		if isDriver(l) && l.Fault == "" && (in.Stack.OS.WSL.Or(false) || l.Place != "wsl") {
			out = append(out, l)
		}
	}
	return out
}

// aside takes a copy of a library out of the way: by the search path where
// that leads to it, else by its package, else as a file.
func aside(in *rule.Input, l *stack.Library, why string) rule.Remedy {
	dir := path.Dir(l.Path)
	if why == "LD_LIBRARY_PATH" {
		return rule.Remedy{
			Summary: fmt.Sprintf("take %s off LD_LIBRARY_PATH", dir), Layer: rule.Driver,
			Changes:  []stack.Change{stack.DropLibraryPath{Dir: dir}},
			Commands: remedy.Shell(remedy.Without(in, dir)),
		}
	}
	// Not the directories that hold the whole system.
	for _, c := range in.Stack.Loader.Conf.Value {
		if run := remedy.Unlist(dir, c.From.Locator); path.Clean(c.Dir) == dir && l.Place != "system" && run != "" {
			return rule.Remedy{
				Summary: fmt.Sprintf("take %s out of %s", dir, c.From.Locator), Layer: rule.Driver,
				Changes:  []stack.Change{stack.DropLibraryPath{Dir: dir}},
				Commands: remedy.Shell(run),
			}
		}
	}
	if name, _, _ := strings.Cut(l.Owner, " "); name != "" {
		return rule.Remedy{
			Summary: fmt.Sprintf("remove the package %s, which brought %s", name, l.Path), Layer: rule.Driver,
			Changes:  []stack.Change{stack.RemoveOSPackage{Names: []string{name}}},
			Commands: remedy.ForDistribution(in, "sudo apt remove "+name, "sudo dnf remove "+name),
		}
	}
	// With its companions of the same driver: a compiler for PTX that is left
	// behind would not fit.
	var changes []stack.Change
	var files []string
	for _, x := range in.Stack.Driver.Libraries.Value {
		if path.Dir(x.Path) == dir && (x.Version == l.Version || x.Path == l.Path) {
			changes = append(changes, stack.RemoveLibrary{Path: x.Path})
			files = append(files, slices.Compact([]string{x.Path, x.Real})...)
		}
	}
	return rule.Remedy{
		Summary: fmt.Sprintf("remove %s and what came with it, which no package owns", l.Path), Layer: rule.Driver,
		Changes: changes, Commands: remedy.Shell("sudo rm " + remedy.Quote(files...) + " && sudo ldconfig"),
	}
}

// reinstall puts the driver's libraries of one version into place again.
func reinstall(in *rule.Input, v version.Driver, why string) rule.Remedy {
	apt := fmt.Sprintf("sudo apt install --reinstall libnvidia-compute-%d", v.Branch())
	if in.Stack.OS.ID.Or("") == "debian" {
		apt = "sudo apt install --reinstall libcuda1 libnvidia-ml1 libnvidia-ptxjitcompiler1"
	}
	return rule.Remedy{
		Summary: fmt.Sprintf("install the driver's libraries of %s%s", v, why), Layer: rule.Driver,
		Changes:  []stack.Change{stack.SetDriver{Version: v}},
		Commands: remedy.ForDistribution(in, apt, "sudo dnf install nvidia-driver-cuda-libs"),
	}
}

// anew is the remedy inside a container: what the engine mounts comes fresh.
func anew() rule.Remedy {
	return rule.Remedy{
		Summary: "start the container with GPU access, so that the host's driver is mounted", Layer: rule.ContainerRuntime,
		Changes: []stack.Change{stack.GiveGPU{}}, Commands: remedy.Shell("docker run --gpus all IMAGE"),
	}
}

func gpuNames(gpus []derive.GPU) string {
	var out []string
	for _, g := range gpus {
		out = append(out, g.String())
	}
	return strings.Join(out, ", ")
}

// The sources that most rules of this layer rest on.
var (
	citeCompat = rule.Cite{Title: "CUDA Compatibility: forward compatibility", URL: "https://docs.nvidia.com/deploy/cuda-compatibility/forward-compatibility.html", Date: "2026-11-30"}
	citeLoader = rule.Cite{Title: "ld.so(8)", URL: "https://man7.org/linux/man-pages/man8/ld.so.8.html", Date: "2026-11-30"}
	citeMatrix = rule.Cite{Title: "CUDA Toolkit, Driver, and Architecture Matrix", URL: "https://docs.nvidia.com/datacenter/tesla/drivers/cuda-toolkit-driver-and-architecture-matrix.html", Date: "2026-11-30"}
	citeErrors = rule.Cite{Title: "CUDA Runtime API: error handling", URL: "https://docs.nvidia.com/cuda/cuda-runtime-api/group__CUDART__TYPES.html", Date: "2026-11-30"}
	citeWSL    = rule.Cite{Title: "CUDA on WSL User Guide", URL: "https://docs.nvidia.com/cuda/wsl-user-guide/index.html", Date: "2026-11-30"}
)
