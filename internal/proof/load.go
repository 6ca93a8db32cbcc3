package proof

import (
	"fmt"
	"path"
	"regexp"
	"strings"

	"strata/internal/probe"
	"strata/internal/rule"
)

// judgeNoGPU knows failures of the driver where there is no GPU for it.
func judgeNoGPU(b *builder, f *failure) (said, bool) {
	if !f.ofDriver() || !b.noGPU() || b.anyDevice() {
		return said{}, false
	}
	switch {
	case f.step == nil || f.step.State == probe.Begin:
		return said{}, false // a crash is one, with or without a GPU
	case f.step.Name == "load" && !absent(f.step):
		return said{}, false // a damaged library is one, too
	}
	s := said{kind: kindNoGPU, layer: rule.Hardware, severity: rule.Note, summary: "this machine has no NVIDIA GPU"}
	s.cause = "No function of the PCI bus is an NVIDIA GPU. "
	switch {
	case f.step.Name == "load":
		s.cause += fmt.Sprintf("There is no %s either, and nothing for it to do.", f.step.Subject)
	default:
		s.cause += fmt.Sprintf("%s says the same: %s.", f.call(), f.said())
	}
	return s, true
}

// anyDevice tells whether the driver showed a GPU, whatever the bus said.
func (b *builder) anyDevice() bool { return len(b.devices) > 0 }

var (
	notFound = regexp.MustCompile(`^([^\s:]+): cannot open shared object file: No such file or directory`)
	symbol   = regexp.MustCompile("undefined symbol: (\\S+)|version [`'](\\S+?)' not found")
)

// absent tells whether loading failed because there is no such library.
func absent(s *probe.Step) bool {
	m := notFound.FindStringSubmatch(s.Detail)
	return m != nil && path.Base(m[1]) == path.Base(s.Subject)
}

// judgeLoad knows libraries that cannot be loaded.
func judgeLoad(b *builder, f *failure) (said, bool) {
	if f.step == nil || f.step.Name != "load" {
		return said{}, false
	}
	name, layer := f.step.Subject, layerOf(f.run)
	if other := f.step.Values["passed_over"]; absent(f.step) && other != "" {
		s := said{kind: kindDamaged, layer: layer, summary: fmt.Sprintf("%s is only found for another kind of machine: %s", name, other)}
		s.cause = "The dynamic linker passes over a library of another processor or word size as if it were not there, and then says that there is none."
		s.remedies = append(s.remedies, remedy(layer, "install the driver's libraries for this machine; an image for another architecture is the usual reason", "uname -m", "file -L "+strings.Fields(other)[0]))
		return s, true
	}
	if absent(f.step) {
		s := said{kind: kindMissing, layer: layer, summary: fmt.Sprintf("%s is not found by the dynamic linker", name)}
		s.cause = "None of the directories that it searches has the file. "
		switch {
		case b.container():
			s.layer, s.confidence = rule.ContainerRuntime, rule.Likely
			s.cause += "In a container the NVIDIA container toolkit mounts it, where the container was started with a GPU; an image does not bring it."
			s.remedies = append(s.remedies, remedy(s.layer, "start the container with GPU access, and see that the runtime is configured for it", "docker run --gpus all …", "strata check"))
		default:
			s.cause += "It comes with the driver; pip and conda never bring it."
			s.remedies = append(s.remedies, remedy(s.layer, "see where a copy is, and which package it is from", "strata check", "ldconfig -p | grep "+name))
		}
		return s, true
	}
	s := said{kind: kindDamaged, layer: layer, summary: fmt.Sprintf("%s cannot be loaded: %s", name, strings.TrimPrefix(f.step.Detail, name+": "))}
	if m := notFound.FindStringSubmatch(f.step.Detail); m != nil {
		s.cause = fmt.Sprintf("It was found, and needs %s, which is not.", m[1])
		if c := b.Base.Component(path.Base(m[1])); c.Known {
			s.layer = rule.Layer(c.Value.Layer)
		}
		s.remedies = append(s.remedies, remedy(s.layer, "see who needs it and where it was looked for", "strata libs"))
		return s, true
	}
	switch m := symbol.FindStringSubmatch(f.step.Detail); {
	case m != nil && strings.HasPrefix(m[2], "GLIBC"):
		s.layer = rule.PythonEnv
		s.cause = "The library was built for a newer C library than this system has."
	case m != nil:
		s.cause = "The library was found, and one that it needs is of a release that does not have " + m[1] + m[2] + "."
	case strings.Contains(f.step.Detail, "Permission denied"):
		s.layer = rule.DeviceExposure
		s.cause = "The file is there and this user may not read it."
	case strings.Contains(f.step.Detail, "file too short"):
		s.cause = "The file is empty or cut off. Empty files of this name are what a container runtime leaves in an image that was made of a running container."
	default:
		s.cause = "The dynamic linker takes the first file of this name, and this one is no library for this machine. It does not look for another."
	}
	s.remedies = append(s.remedies, remedy(s.layer, "remove the file that is found first, and install the driver's library again where none remains", "strata check", "ldconfig -p | grep "+path.Base(name)))
	return s, true
}
