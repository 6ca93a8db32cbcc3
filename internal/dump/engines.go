package dump

import (
	"slices"
	"strings"

	"strata/internal/lazyregexp"
	"strata/internal/stack"
	"strata/internal/transcript"
)

// engineConfig reads what a text says of the runtimes that a container engine
// knows: docker info, Docker's daemon.json, and the tables of containerd and CRI-O.
var engineConfig = reader{name: "container engines", read: readEngines, messages: true, words: []string{
	"Runtimes: ", "Default Runtime: ", `default-runtime"`, "nvidia-container-runtime", ".runtimes.", "default_runtime", `"cdi"`, "enable_cdi", "Cgroup Driver: ", "native.cgroupdriver=",
}}

var (
	// docker info lists all of them, so that a list without nvidia says something too.
	runtimesAre    = lazyregexp.New(`^\s*Runtimes: (\w\S*(?: \S+)*)$`)
	defaultIs      = lazyregexp.New(`^\s*Default Runtime: (\w\S*)$`)
	daemonDefault  = lazyregexp.New(`"default-runtime"\s*:\s*"([\w.-]+)"`)
	daemonPath     = lazyregexp.New(`"(?:path|runtimeType)"\s*:\s*"(?:[\w./-]*/)?nvidia-container-runtime(?:\.\w+)?"`)
	runtimeTable   = lazyregexp.New(`^\s*\[[^\]]*\b(containerd|crio)\b.*\.runtimes\.['"]?nvidia['"]?(?:\.options)?\]`)
	runtimeDefault = lazyregexp.New(`^\s*default_runtime(_name)?\s*=\s*["'](\w[\w.-]*)["']`)
	cdiFeature     = lazyregexp.New(`"cdi"\s*:\s*true|^\s*enable_cdi\s*=\s*true`)
	cgroupIs       = lazyregexp.New(`^\s*Cgroup Driver: (systemd|cgroupfs)$|native\.cgroupdriver=(systemd|cgroupfs)`)
)

func readEngines(t *transcript.Text, f *Facts) {
	listed := map[string]bool{}
	for _, e := range f.rec.Engines { // by what was read before
		listed[e.Name] = true
	}
	for _, l := range t.Lines {
		line := l.Text
		if len(line) < 8 || len(line) > maxLine {
			continue
		}
		switch {
		case strings.Contains(line, "untime"):
			if m := runtimesAre.FindStringSubmatch(line); m != nil {
				listed["docker"] = true
				f.engine("docker", l).NVIDIA = slices.Contains(strings.Fields(m[1]), "nvidia")
				continue
			}
			readRuntime(f, line, l)
		case strings.Contains(line, "cdi"):
			if cdiFeature.MatchString(line) && len(f.rec.Engines) == 1 { // of the engine that the text is about
				f.rec.Engines[0].CDI = true
			}
		case strings.Contains(line, "group"):
			if m := cgroupIs.FindStringSubmatch(line); m != nil {
				f.engine("docker", l).CgroupDriver = m[1] + m[2]
			}
		}
	}
	// What a text does not show may still be registered.
	f.rec.Engines = slices.DeleteFunc(f.rec.Engines, func(e stack.Engine) bool { return !e.NVIDIA && !listed[e.Name] })
}

func readRuntime(f *Facts, line string, l transcript.Line) {
	chosen := func(name, runtime string) {
		e := f.engine(name, l)
		e.Default, e.NVIDIA = runtime, e.NVIDIA || runtime == "nvidia"
	}
	if m := defaultIs.FindStringSubmatch(line); m != nil {
		chosen("docker", m[1])
	} else if m := daemonDefault.FindStringSubmatch(line); m != nil {
		chosen("docker", m[1])
	} else if daemonPath.MatchString(line) {
		f.engine("docker", l).NVIDIA = true
	} else if m := runtimeTable.FindStringSubmatch(line); m != nil {
		f.engine(map[string]string{"containerd": "containerd", "crio": "cri-o"}[m[1]], l).NVIDIA = true
	} else if m := runtimeDefault.FindStringSubmatch(line); m != nil {
		name := "cri-o"
		if m[1] != "" {
			name = "containerd"
		}
		chosen(name, m[2])
	}
}

// engine is the engine with this name in the record.
func (f *Facts) engine(name string, l transcript.Line) *stack.Engine {
	i := slices.IndexFunc(f.rec.Engines, func(e stack.Engine) bool { return e.Name == name })
	if i < 0 {
		i = len(f.rec.Engines)
		f.rec.Engines = append(f.rec.Engines, stack.Engine{Name: name, From: f.At(l.N, l.Text)})
	}
	return &f.rec.Engines[i]
}
