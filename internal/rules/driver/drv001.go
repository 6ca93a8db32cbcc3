package driver

import (
	"fmt"
	"path"
	"strings"

	"strata/internal/rule"
	"strata/internal/rules/remedy"
	"strata/internal/stack"
)

var drv001 = &rule.Rule{
	ID:       "DRV001",
	Slug:     "libcuda-not-found",
	Layer:    rule.Driver,
	Severity: rule.Broken,
	Title:    "libcuda.so.1 is not found, although the driver is loaded",
	Scope:    rule.PerMachine,
	Needs:    []rule.Need{rule.NeedDriverLib.OrAbsent()},
	After:    []string{"CTR001", "CTR006", "CTR007", "CTR010", "DEV006"},
	Since:    "0.1",
	Cites:    []rule.Cite{citeCompat, citeLoader},
	Doc: `Every CUDA program opens libcuda.so.1, the user-space half of the driver. It comes with the driver, or is mounted
into a container by the NVIDIA container toolkit; pip and conda never bring it. Where the kernel module is loaded and
this library is not on the search path, CUDA reports that there is no driver: error 35, "CUDA driver version is
insufficient for CUDA runtime version", or "Found no NVIDIA driver on your system" from PyTorch.

Distributions cut the driver into packages, and a display-only selection can lack libcuda (libnvidia-compute-NNN on
Ubuntu, libcuda1 on Debian, nvidia-driver-cuda-libs on RHEL and Fedora). Where a copy lies in a directory that nobody
searches, such as /usr/local/nvidia/lib64 on managed Kubernetes nodes, name the directory in LD_LIBRARY_PATH or in
/etc/ld.so.conf.d.`,
	Check: func(in *rule.Input) rule.Verdict {
		if in.Libcuda != nil {
			return rule.Clean()
		}
		module := in.Stack.Kernel.Version
		wsl := in.Stack.OS.WSL.Or(false) && hasNode(in, "/dev/dxg")
		if !wsl && !module.Known() {
			if module.State == stack.Absent {
				return rule.NA() // no driver at all: KRN002, or no GPU: HWR001
			}
			return rule.Cannot("no libcuda.so.1 was found, and whether a driver is loaded is not known", module.Allow)
		}
		if in.Unasked() {
			return rule.NA()
		}
		f := rule.Finding{Evidence: append(append([]stack.Source{}, module.Sources...), in.Stack.Driver.Libraries.Sources...)}
		if wsl {
			f.Summary = "no libcuda.so.1 in WSL, although there is the GPU's device /dev/dxg"
			f.Cause = "Windows mounts its libcuda at /usr/lib/wsl/lib. It is not there, so no NVIDIA driver with WSL support is installed in Windows, or it is too old."
			f.Remedies = []rule.Remedy{{Summary: "install the current NVIDIA driver in Windows, then restart WSL", Layer: rule.Driver, Commands: remedy.Shell("wsl.exe --shutdown")}}
			return rule.Found(f)
		}
		f.Summary = fmt.Sprintf("no libcuda.so.1 is on the search path, although kernel module %s is loaded", module.Value)
		f.Cause = fmt.Sprintf("%d directories were searched. CUDA reports error 35 or 100, PyTorch \"Found no NVIDIA driver on your system\".", len(in.Search))
		for _, l := range elsewhere(in) {
			dir := path.Dir(l.Path)
			f.Cause += fmt.Sprintf(" A copy lies in %s, which is not searched.", dir)
			f.Evidence = append(f.Evidence, l.From)
			old, _ := in.Stack.Getenv("LD_LIBRARY_PATH")
			f.Remedies = append(f.Remedies, rule.Remedy{
				Summary: fmt.Sprintf("let programs search %s", dir), Layer: rule.Driver,
				Changes:  []stack.Change{stack.SetEnv{Name: "LD_LIBRARY_PATH", Value: strings.TrimSuffix(dir+":"+old.Value, ":")}},
				Commands: remedy.Shell(remedy.Prepend(dir)),
			})
		}
		switch {
		case in.Stack.Container.Inside.Known():
			f.Remedies = append(f.Remedies, anew())
		case in.ContainerDriver() == nil:
			f.Remedies = append(f.Remedies, reinstall(in, module.Value, ""))
		case in.ExpectsGPU() == stack.Source{}:
			f.Severity = rule.Note // it is mounted into containers, and nothing on the host asks for it
		}
		return rule.Found(f)
	},
}

func hasNode(in *rule.Input, name string) bool {
	for _, n := range in.Stack.Devices.Nodes.Value {
		if n.Path == name {
			return true
		}
	}
	return false
}
