package pythonenv

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"strata/internal/rule"
	"strata/internal/stack"
	"strata/internal/version"
)

// tag is a wheel tag, such as cp311-cp311-manylinux_2_28_x86_64
// (https://packaging.python.org/en/latest/specifications/platform-compatibility-tags/).
type tag struct {
	python, abi, platform string
}

// tags reads the WHEEL tags of a package; tags that do not parse are left out.
func tags(p stack.Package) []tag {
	var list []tag
	for _, t := range p.Tags {
		parts := strings.SplitN(t, "-", 3)
		if len(parts) != 3 {
			continue
		}
		for _, platform := range strings.Split(parts[2], ".") {
			list = append(list, tag{parts[0], parts[1], platform})
		}
	}
	return list
}

var cpython = regexp.MustCompile(`^cp(\d)(\d{1,2})$`)

// minor is the Python a tag names, 3 and 11 of cp311.
func (t tag) minor() (major, minor int, ok bool) {
	g := cpython.FindStringSubmatch(t.python)
	if g == nil {
		return 0, 0, false
	}
	major, _ = strconv.Atoi(g[1]) // digits, so it cannot fail
	minor, _ = strconv.Atoi(g[2])
	return major, minor, true
}

// runsOn tells whether extension modules of the tag load into a Python.
func (t tag) runsOn(py version.PEP440) bool {
	major, minor, ok := t.minor()
	r := py.Release()
	if !ok || t.abi == "none" || len(r) < 2 {
		return true // pure Python, or PyPy and the like
	}
	if t.abi == "abi3" {
		return r[0] == major && r[1] >= minor
	}
	return r[0] == major && r[1] == minor
}

var manylinux = regexp.MustCompile(`^manylinux_(\d+)_(\d+)_(\w+)$`)

// legacy are the names that came before manylinux_X_Y (PEP 600).
var legacy = map[string]string{"manylinux1": "2.5", "manylinux2010": "2.12", "manylinux2014": "2.17"}

// glibc is the oldest glibc of the tag's platform; empty where it names none.
func (t tag) glibc() string {
	if g := manylinux.FindStringSubmatch(t.platform); g != nil {
		return g[1] + "." + g[2]
	}
	name, _, _ := strings.Cut(t.platform, "_")
	return legacy[name]
}

// machine is the architecture of the tag's platform in uname's words; empty for "any".
func (t tag) machine() string {
	for _, m := range []string{"x86_64", "aarch64", "ppc64le", "s390x", "i686", "armv7l"} {
		if strings.HasSuffix(t.platform, m) {
			return m
		}
	}
	return ""
}

// distribution is the package that a workload's framework was installed as.
func distribution(in *rule.Input) (stack.Package, bool) {
	if in.Workload.Env == nil {
		return stack.Package{}, false
	}
	return in.Workload.Env.Find(in.Framework().Package)
}

// needPython is the Python of the environment.
var needPython = rule.Need{Name: "the environment's Python", Seen: func(in *rule.Input) stack.Seen {
	if in.Workload.Env == nil {
		return stack.Seen{State: stack.Absent}
	}
	seen := in.Workload.Env.Python.Seen()
	if seen.State == stack.Absent {
		seen.State = stack.NotCollected // there is an environment, so there is a Python
		seen.Why = "its version is written nowhere"
	}
	return seen
}}

func short(v version.PEP440) string {
	r := v.Release()
	if len(r) < 2 {
		return v.String()
	}
	return fmt.Sprintf("%d.%d", r[0], r[1])
}
