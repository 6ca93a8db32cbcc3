package report

import (
	"fmt"
	"path"
	"strings"

	"strata/internal/derive"
	"strata/internal/diagnose"
	"strata/internal/rule"
	"strata/internal/stack"
	"strata/internal/version"
)

type answer = diagnose.Answer

// describe is the fact that a layer shows when nothing is wrong with it.
func (b *builder) describe(id rule.Layer, w *derive.Workload) said {
	v := b.r.View
	switch id {
	case rule.Hardware:
		return describeGPUs(v)
	case rule.KernelModule:
		return describeModule(v.Stack)
	case rule.Driver:
		return describeDriver(v)
	case rule.DeviceExposure:
		return describeNodes(v.Stack)
	case rule.ContainerRuntime:
		return describeContainer(v.Stack)
	case rule.Toolkit:
		return describeToolkit(v.Stack)
	case rule.FrameworkBuild:
		return describeBuild(w)
	case rule.GPUArch:
		return describeCode(v, w)
	case rule.PackageConflict:
		return describePackages(w)
	case rule.PythonEnv:
		return describePython(w)
	}
	return describeLibraries(v, id, w)
}

func describeGPUs(v *derive.View) said {
	if v.GPUsSeen.State != stack.Known {
		return unknown(v.GPUsSeen, "GPU")
	}
	if len(v.GPUs) == 0 {
		return absent("no NVIDIA GPU on the bus")
	}
	var kinds []string
	count := map[string]int{}
	text := map[string]string{}
	for _, g := range v.GPUs {
		if count[g.Name] == 0 {
			kinds = append(kinds, g.Name)
			text[g.Name] = g.Name
			if !g.Capability.IsZero() && !strings.Contains(g.Name, "compute capability") {
				text[g.Name] += " · compute capability " + g.Capability.String()
			}
		}
		count[g.Name]++
	}
	var parts []string
	for _, k := range kinds {
		if count[k] > 1 {
			parts = append(parts, fmt.Sprintf("%d × %s", count[k], text[k]))
		} else {
			parts = append(parts, text[k])
		}
	}
	if len(parts) > 1 {
		// Of several kinds each has its number behind it; the words would not fit.
		for i, p := range parts {
			if name, number, ok := strings.Cut(p, " · compute capability "); ok {
				parts[i] = name + " (" + number + ")"
			}
		}
	}
	return ok(strings.Join(parts, ", "), v.GPUs[0].From)
}

func describeModule(s *stack.Stack) said {
	k := s.Kernel
	if !k.Version.Known() {
		if s.OS.WSL.Or(false) {
			return absent("none in WSL; Windows has the driver")
		}
		if s.Driver.Assumed.Known() {
			return said{status: LayerUnknown, summary: "not read; the driver is assumed"}
		}
		if k.Version.State == stack.Absent {
			return absent("nvidia is not loaded")
		}
		return unknown(k.Version.Seen(), "module")
	}
	text := k.Version.Value.String()
	if k.Flavor.Known() {
		text += " · " + k.Flavor.Value
	}
	return ok(text, k.Version.Sources...)
}

func describeDriver(v *derive.View) said {
	if !v.Driver.Known() {
		return unknown(v.Driver.Seen(), "driver")
	}
	d := v.Driver.Value.String()
	switch {
	case !v.DriverCUDA.Known:
		d += " · CUDA unknown: " + v.DriverCUDA.Why
	case v.DriverCUDA.Value.Major() >= 11:
		d += fmt.Sprintf(" · CUDA %s, all %d.x by minor-version rules", v.DriverCUDA.Value, v.DriverCUDA.Value.Major())
	default:
		d += " · CUDA " + v.DriverCUDA.Value.String()
	}
	return ok(d, v.Driver.Sources...)
}

func describeNodes(s *stack.Stack) said {
	d := s.Devices.Nodes
	if !d.Known() {
		return unknown(d.Seen(), "device nodes")
	}
	var names []string
	for _, n := range d.Value {
		if strings.HasPrefix(n.Path, "/dev/nvidia-caps/") || strings.Contains(n.Path, "modeset") || strings.HasSuffix(n.Path, "uvm-tools") {
			continue
		}
		names = append(names, path.Base(n.Path))
	}
	if len(names) == 0 {
		return absent("no device nodes")
	}
	if len(names) > 6 {
		names = append(names[:5], fmt.Sprintf("and %d more", len(names)-5))
	}
	return ok(strings.Join(names, " "), d.Value[0].From)
}

func describeContainer(s *stack.Stack) said {
	c := s.Container
	if c.Inside.Known() {
		text := "inside " + c.Inside.Value
		if c.Kubernetes.Or(false) {
			text += " · Kubernetes pod"
		}
		return ok(text, c.Inside.Sources...)
	}
	if c.Toolkit.Known() {
		return ok(strings.TrimSpace("not in one · NVIDIA container toolkit "+c.Toolkit.Value.Version), c.Toolkit.Sources...)
	}
	if c.Inside.State == stack.Absent {
		return absent("not in one")
	}
	return unknown(c.Inside.Seen(), "container")
}

// toolkitRoom is what a line of 80 columns has for the fact.
const toolkitRoom = 60

func describeToolkit(s *stack.Stack) said {
	t := s.CUDA.Toolkits
	if !t.Known() || len(t.Value) == 0 {
		if t.State == stack.NotCollected || t.State == stack.Absent || t.Known() {
			return absent("none · needed only to build")
		}
		return unknown(t.Seen(), "toolkit")
	}
	var parts []string
	for _, k := range t.Value {
		v := k.Version.String()
		if v == "" {
			v = "of unknown version"
		}
		p := fmt.Sprintf("%s in %s", v, k.Root)
		if k.NVCC == "" {
			p += " without nvcc"
		}
		parts = append(parts, p)
	}
	text := strings.Join(parts, ", ")
	// That it is needed only to build is said where it fits in the line.
	if note := " · needed only to build"; len(text)+len(note) <= toolkitRoom {
		text += note
	}
	return ok(text, t.Value[0].From)
}

func describeBuild(w *derive.Workload) said {
	f := w.Framework
	if !f.Variant.Known() {
		return unknown(f.Variant.Seen(), "variant")
	}
	text := variantName(f.Variant.Value) + " build"
	if f.Variant.Value == "cuda" {
		text = "built with CUDA"
		if f.CUDA.Known() {
			text += " " + f.CUDA.Value.String()
		}
		if f.CUDNN.Known() {
			text += " · cuDNN " + f.CUDNN.Value.String()
		}
	}
	return ok(text, append(f.CUDA.Sources, f.Variant.Sources...)...)
}

// variantName is how a person writes what a build is for.
func variantName(v string) string {
	switch v {
	case "cpu":
		return "CPU"
	case "rocm":
		return "ROCm"
	case "xpu":
		return "XPU"
	}
	return v
}

func describeCode(v *derive.View, w *derive.Workload) said {
	code := v.Code(w)
	if !code.Known() {
		return unknown(code.Seen(), "machine code")
	}
	if len(code.Value) == 0 {
		return absent("no GPU code of its own")
	}
	var parts []string
	for _, g := range v.GPUs {
		if g.Capability.IsZero() {
			parts = append(parts, g.Name+": "+g.Unknown)
			continue
		}
		p := fmt.Sprintf("%s %s", g.Capability.SM(), derive.Cover(code.Value, g.Capability, v.DriverPTX.Value))
		if len(parts) == 0 || parts[len(parts)-1] != p {
			parts = append(parts, p)
		}
	}
	if len(parts) == 0 {
		return ok(archList(code.Value), code.Sources...)
	}
	return ok(strings.Join(parts, ", "), code.Sources...)
}

func archList(code []stack.DeviceCode) string {
	var names []string
	for _, c := range code {
		names = append(names, c.Arch)
	}
	return strings.Join(names, " ")
}

func describePackages(w *derive.Workload) said {
	if w.Env == nil {
		return absent("no Python packages")
	}
	if !w.Env.Packages.Known() {
		return unknown(w.Env.Packages.Seen(), "packages")
	}
	return ok(fmt.Sprintf("%d installed", len(w.Env.Packages.Value)), w.Env.Packages.Sources...)
}

func describePython(w *derive.Workload) said {
	if w.Env == nil {
		return absent("no Python")
	}
	if !w.Env.Python.Known() {
		return unknown(w.Env.Python.Seen(), "Python")
	}
	return ok(w.Env.Python.Value+" · "+w.Env.Kind, w.Env.Python.Sources...)
}

// describeLibraries shows the copies that win for the layers made of libraries.
func describeLibraries(v *derive.View, id rule.Layer, w *derive.Workload) said {
	wants, known := v.Wants(w)
	if variant := w.Framework.Variant; !known && variant.Known() && variant.Value != "cuda" {
		return absent("not needed by a " + variantName(variant.Value) + " build")
	}
	if !known {
		return said{status: LayerUnknown, summary: "the framework's native libraries were not read"}
	}
	var parts []string
	var from []stack.Source
	for _, want := range wants {
		if want.Layer != string(id) || want.Winner == nil {
			continue
		}
		name := want.Soname
		if want.Winner.Version != "" {
			if _, err := version.ParseLib(want.Winner.Version); err == nil {
				name, _, _ = strings.Cut(want.Soname, ".so")
				name += " " + want.Winner.Version
			}
		}
		parts = append(parts, name)
		from = append(from, want.Winner.From)
	}
	if len(parts) == 0 {
		return absent("not needed")
	}
	if len(parts) > 3 {
		parts = append(parts[:2], fmt.Sprintf("and %d more", len(parts)-2))
	}
	return ok(strings.Join(parts, " · "), from...)
}
