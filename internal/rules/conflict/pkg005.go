package conflict

import (
	"fmt"
	"strings"

	"strata/internal/rule"
	"strata/internal/rules/remedy"
	"strata/internal/stack"
)

var pkg005 = &rule.Rule{
	ID:       "PKG005",
	Slug:     "image-brings-a-driver",
	Layer:    rule.PackageConflict,
	Severity: rule.AtRisk,
	Title:    "The image brings NVIDIA driver libraries of its own",
	Scope:    rule.PerMachine,
	Needs:    []rule.Need{needImage, rule.NeedDriverLib},
	Since:    "0.1",
	Cites: []rule.Cite{
		{Title: "NVIDIA Container Toolkit: troubleshooting", URL: "https://docs.nvidia.com/datacenter/cloud-native/container-toolkit/latest/troubleshooting.html", Date: "2026-11-30"},
	},
	Doc: `libcuda, NVML and the PTX compiler of a container must be those of the host: they talk to the host's kernel
module and must be of exactly its version. The NVIDIA Container Toolkit mounts them when the container starts. An
image that has its own, from nvidia-driver or libnvidia-compute packages or from a driver installer, works only
where the host happens to have the same version: elsewhere it finds its own copy first and fails with
"Driver/library version mismatch" or error 803, or the mount is refused because the file exists.

Remove the driver packages from the image. What an image needs is the CUDA libraries; packages such as
cuda-toolkit bring them without the driver, cuda or cuda-drivers with it.`,
	Check: func(in *rule.Input) rule.Verdict {
		var names, files []string
		var evidence []stack.Source
		for _, p := range in.Stack.Packages.Value {
			if isDriverPackage(p.Name) && !strings.Contains(p.Status, "deinstall") {
				names = append(names, p.Name)
				evidence = append(evidence, p.From)
			}
		}
		live := in.Stack.Subject.Live
		for _, l := range in.Stack.Driver.Libraries.Value {
			// Inside a running container unowned files are the toolkit's mounts. Empty
			// ones are mount points that were left when an image was committed.
			if l.Place != "system" || l.Fault != "" || l.Version == "" || live && l.Owner == "" {
				continue
			}
			files = append(files, l.Real)
			evidence = append(evidence, l.From)
		}
		if len(names) == 0 && len(files) == 0 {
			return rule.Clean()
		}
		f := rule.Finding{
			Cause:    "In a container the driver's libraries must be the host's. With its own copy the image works only where the host has exactly that driver; elsewhere: \"Failed to initialize NVML: Driver/library version mismatch\", or error 803.",
			Evidence: evidence,
		}
		if len(names) > 0 {
			f.Summary = "the image brings a driver of its own: " + strings.Join(names, ", ")
			f.Remedies = []rule.Remedy{{
				Summary: "remove the driver packages where the image is built",
				Layer:   rule.PackageConflict,
				Changes: []stack.Change{stack.RemoveOSPackage{Names: names}},
				Commands: []rule.Command{
					{For: "apt", Run: "apt-get purge -y " + strings.Join(names, " ") + " && apt-get autoremove -y"},
					{For: "dnf", Run: "dnf remove -y " + strings.Join(names, " ")},
				},
			}}
			return rule.Found(f)
		}
		f.Summary = fmt.Sprintf("the image has driver libraries that belong to no package, such as %s", files[0])
		f.Confidence = rule.Likely
		r := rule.Remedy{Summary: "remove these files where the image is built", Layer: rule.PackageConflict,
			Commands: []rule.Command{{For: "shell", Run: "rm -f " + remedy.Quote(files...)}}}
		for _, name := range files {
			r.Changes = append(r.Changes, stack.RemoveLibrary{Path: name})
		}
		f.Remedies = []rule.Remedy{r}
		return rule.Found(f)
	},
}

// isDriverPackage knows the packages of Ubuntu, Debian and NVIDIA's own
// repositories that hold libcuda or NVML.
func isDriverPackage(name string) bool {
	for _, p := range []string{"libnvidia-compute", "nvidia-driver", "libcuda1", "libnvidia-ml1", "cuda-drivers", "nvidia-utils-"} {
		if strings.HasPrefix(name, p) {
			return true
		}
	}
	return false
}

// needImage: an image, or the inside of a container. A root directory with
// kernel modules is a machine's disk.
var needImage = rule.Need{Name: "whether this is an image or a container", Seen: func(in *rule.Input) stack.Seen {
	s := in.Stack
	switch {
	case s.Subject.Kind == "":
		return stack.Seen{State: stack.NotCollected, Why: "nothing was read"}
	case s.Container.Inside.Known(), s.Subject.Kind == "image":
		return stack.Seen{State: stack.Known}
	case s.Subject.Live, len(s.Kernel.Files.Value) > 0, len(s.Kernel.Installed.Value) > 0:
		return stack.Seen{State: stack.Absent}
	}
	return stack.Seen{State: stack.Known}
}}
