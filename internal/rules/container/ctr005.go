package container

import (
	"fmt"
	"slices"
	"strings"

	"strata/internal/kb"
	"strata/internal/rule"
	"strata/internal/rules/remedy"
	"strata/internal/stack"
	"strata/internal/version"
)

var ctr005 = &rule.Rule{
	ID:       "CTR005",
	Slug:     "image-requirement-not-met",
	Layer:    rule.ContainerRuntime,
	Severity: rule.Broken,
	Title:    "The image asks for a newer CUDA or driver than the host has",
	Scope:    rule.PerMachine,
	Needs:    []rule.Need{rule.NeedEnv, needRequirement, rule.NeedDriver},
	Since:    "0.1",
	Cites: []rule.Cite{
		docsEnv,
		{Title: "dashdot issue 1226: unsatisfied condition cuda>=12.8", URL: "https://github.com/MauriceNino/dashdot/issues/1226", Date: "2026-11-30"},
		{Title: "libnvidia-container: the requirements' grammar", URL: "https://github.com/NVIDIA/libnvidia-container/blob/main/src/cli/dsl.c", Date: "2026-11-30"},
	},
	Doc: `Images based on nvidia/cuda carry NVIDIA_REQUIRE_CUDA, for example
"cuda>=12.8 brand=tesla,driver>=535,driver<536": alternatives separated by blanks, conditions in each separated by commas.
The legacy mode of the container toolkit tries it at start and refuses with "requirement error: unsatisfied condition:
cuda>=12.8". Every NVIDIA_REQUIRE_… variable counts. In CDI mode nobody tries it, and NVIDIA_DISABLE_REQUIRE=1 switches the
check off.

The condition is often stricter than the truth: inside one CUDA major release any driver above that major's floor runs the
programs. There NVIDIA_DISABLE_REQUIRE=1 is an answer; across major releases it only moves the failure into the container.`,
	Check: func(in *rule.Input) rule.Verdict {
		for _, v := range requirements(in) {
			r, err := parseRequirement(v.Value)
			if err != nil {
				return rule.Cannot(err.Error(), "")
			}
			met, failed := r.holds(in)
			switch met {
			case no:
				return rule.Found(unmet(in, v, failed, r))
			case perhaps:
				return rule.Cannot(fmt.Sprintf("whether the host satisfies %s=%q", v.Name, shorten(v.Value)), "say --assume gpu=NAME")
			}
		}
		return rule.Clean()
	},
}

// needRequirement is known where the image has a requirement.
var needRequirement = rule.Need{Name: "the image's requirements", Seen: func(in *rule.Input) stack.Seen {
	if len(requirements(in)) == 0 || in.Stack.Container.Inside.State == stack.Absent {
		return stack.Seen{State: stack.Absent}
	}
	return stack.Seen{State: stack.Known}
}}

func requirements(in *rule.Input) []stack.Variable {
	var out []stack.Variable
	for _, v := range in.Stack.Environment.Value {
		if strings.HasPrefix(v.Name, "NVIDIA_REQUIRE_") && strings.TrimSpace(v.Value) != "" {
			out = append(out, v)
		}
	}
	return out
}

func unmet(in *rule.Input, v stack.Variable, failed condition, r requirement) rule.Finding {
	has := fmt.Sprintf("driver %s", in.Driver.Value)
	if in.DriverCUDA.Known {
		has += fmt.Sprintf(" (CUDA %s)", in.DriverCUDA.Value)
	}
	finding := rule.Finding{
		Summary:  fmt.Sprintf("%s asks for %s, and the host has %s", v.Name, failed.text, has),
		Cause:    fmt.Sprintf(`The container does not start in the toolkit's legacy mode: "requirement error: unsatisfied condition: %s". In CDI mode the requirement is not enforced.`, failed.text),
		Evidence: append([]stack.Source{v.From}, in.Driver.Sources...),
		Refs:     []kb.Ref{in.DriverCUDA.Ref},
	}
	off, disabled := in.Stack.Getenv("NVIDIA_DISABLE_REQUIRE")
	disabled = disabled && slices.Contains([]string{"1", "true"}, strings.ToLower(off.Value))
	switch {
	case disabled:
		finding.Severity = rule.AtRisk
		finding.Cause = fmt.Sprintf("The check is switched off (%s=%s), so the container starts all the same.", off.Name, off.Value)
		finding.Evidence = append(finding.Evidence, off.From)
	case in.Stack.Container.Inside.Known():
		finding.Severity = rule.AtRisk
		finding.Cause = fmt.Sprintf("This container runs, so the requirement was not enforced: CDI mode does not try it. In legacy mode it would not start: \"unsatisfied condition: %s\".", failed.text)
	}
	want, ok := r.lowest()
	if !ok {
		return finding
	}
	floor := in.KB.MinDriverFor(want)
	if finding.Severity == 0 && floor.Known && floor.Value.Basis == kb.MinorVersion && !in.Driver.Value.Less(floor.Value.Linux) {
		finding.Remedies = append(finding.Remedies, rule.Remedy{
			Summary:  fmt.Sprintf("start the container with NVIDIA_DISABLE_REQUIRE=1: driver %s runs CUDA %d.x by minor-version compatibility", in.Driver.Value, want.Major()),
			Layer:    rule.ContainerRuntime,
			Changes:  []stack.Change{stack.SetEnv{Name: "NVIDIA_DISABLE_REQUIRE", Value: "1"}},
			Commands: []rule.Command{{For: "docker", Run: "docker run --gpus all -e NVIDIA_DISABLE_REQUIRE=1 IMAGE"}},
		})
		finding.Refs = append(finding.Refs, floor.Ref)
	}
	if d, ref, ok := driverOf(in, want); ok {
		finding.Remedies = append(finding.Remedies, remedy.NewerDriver(in, d))
		finding.Refs = append(finding.Refs, ref)
	}
	return finding
}

// driverOf is the first driver that reports a CUDA release.
func driverOf(in *rule.Input, want version.CUDA) (version.Driver, kb.Ref, bool) {
	row := in.KB.CUDARelease(want)
	if !row.Known || row.Value.TableLinux.IsZero() {
		return version.Driver{}, kb.Ref{}, false
	}
	return row.Value.TableLinux, row.Ref, true
}

// shorten keeps a requirement of a CUDA image, of some hundred characters, readable.
func shorten(s string) string {
	if len(s) > 60 {
		return s[:57] + "…"
	}
	return s
}
