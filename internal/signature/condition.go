package signature

import (
	"strconv"
	"strings"

	"strata/internal/lazyregexp"
)

// Condition is one thing that must hold for a cause. Name says it in words, for
// a signature's page.
type Condition struct {
	Name string
	// Words are literals that the scan must look out for.
	Words []string
	Holds func(*Case) bool
}

// Says holds where the text has one of the words anywhere, case aside. Words
// have at least five bytes.
func Says(words ...string) Condition {
	return Condition{"the text says " + strings.Join(words, " or "), words, func(c *Case) bool {
		for _, w := range words {
			if c.Said(w) {
				return true
			}
		}
		return false
	}}
}

// Seen holds where another signature was found in the text.
func Seen(ids ...string) Condition {
	return Condition{"the text also has " + strings.Join(ids, " or "), nil, func(c *Case) bool {
		for _, id := range ids {
			if c.Seen(id) {
				return true
			}
		}
		return false
	}}
}

// Not turns a condition around.
func Not(x Condition) Condition {
	return Condition{"not: " + x.Name, x.Words, func(c *Case) bool { return !x.Holds(c) }}
}

// Any holds where one of several does.
func Any(list ...Condition) Condition {
	var names, words []string
	for _, x := range list {
		names, words = append(names, x.Name), append(words, x.Words...)
	}
	return Condition{strings.Join(names, ", or "), words, func(c *Case) bool {
		for _, x := range list {
			if x.Holds(c) {
				return true
			}
		}
		return false
	}}
}

// Is holds where a variable matches an RE2 expression. Variables are those of templates.
func Is(variable, pattern string) Condition {
	return Condition{variable + " matches " + pattern, nil, func(c *Case) bool {
		v, ok := c.Variable(variable)
		return ok && compile(pattern).MatchString(v)
	}}
}

// Has holds where a variable is known.
func Has(variable string) Condition {
	return Condition{variable + " is known", nil, func(c *Case) bool {
		_, ok := c.Variable(variable)
		return ok
	}}
}

// Below holds where a variable is a version that is known to be below a limit.
func Below(variable, limit string) Condition {
	return Condition{variable + " is below " + limit, nil, func(c *Case) bool {
		v, ok := c.Variable(variable)
		return ok && compareVersions(v, expandLimit(c, limit)) < 0
	}}
}

// AtLeast holds where a variable is a version that is known to be a limit or above.
func AtLeast(variable, limit string) Condition {
	return Condition{variable + " is at least " + limit, nil, func(c *Case) bool {
		v, ok := c.Variable(variable)
		return ok && compareVersions(v, expandLimit(c, limit)) >= 0
	}}
}

// expandLimit lets a limit be another variable: Below("have", "{need}").
func expandLimit(c *Case, limit string) string {
	if name, ok := strings.CutPrefix(limit, "{"); ok {
		v, _ := c.Variable(strings.TrimSuffix(name, "}"))
		return v
	}
	return limit
}

var numbers = lazyregexp.New(`\d+`)

// compareVersions compares two versions number by number, as far as both go.
func compareVersions(a, b string) int {
	x, y := numbers.FindAllString(a, -1), numbers.FindAllString(b, -1)
	for i := range min(len(x), len(y)) {
		m, _ := strconv.Atoi(x[i])
		n, _ := strconv.Atoi(y[i])
		if m != n {
			return m - n
		}
	}
	return 0
}

// Places that a text can come from.
var (
	InContainer  = Condition{"the text comes from a container", containerWords, func(c *Case) bool { return c.Record.Container.Known() || c.saidAny(containerWords) }}
	OnWSL        = Condition{"the text comes from WSL", wslWords, func(c *Case) bool { return c.Record.WSL.Known() || c.saidAny(wslWords) }}
	OnWindows    = Condition{"the text comes from Windows", windowsWords, func(c *Case) bool { return c.Record.Windows.Known() || c.saidAny(windowsWords) }}
	OnJetson     = Condition{"the text comes from a Jetson", jetsonWords, func(c *Case) bool { return c.Record.Jetson.Known() || c.saidAny(jetsonWords) }}
	InKubernetes = Condition{"the text comes from Kubernetes", kubernetesWords, func(c *Case) bool { return c.Record.Kubernetes.Known() || c.saidAny(kubernetesWords) }}
	InConda      = Condition{"the text comes from a Conda environment", condaWords, func(c *Case) bool { return c.Record.Conda.Known() || c.saidAny(condaWords) }}
)

var (
	containerWords  = []string{"docker", "podman", "container", "singularity", "apptainer", "/.dockerenv", "containerd"}
	wslWords        = []string{"/usr/lib/wsl", "microsoft-standard", "/dev/dxg", "WSL2 ", " WSL2", "(WSL)", " WSL ", "WSL: ", "WSL2:", "Subsystem for Linux", "on WSL", "in WSL"}
	windowsWords    = []string{`C:\Users`, `C:\Prog`, `D:\Prog`, ".dll\"", ".dll ", "Windows 10", "Windows 11", "Windows Server", "win-amd64", "WinError", "win_amd64", "WindowsPath", `\site-packages`, `\Scripts\`, `\envs\`, `venv\`}
	jetsonWords     = []string{"Jetson", "JetPack", "/tegra", " tegra", "-tegra", "tegra-", "tegra1", "tegra2", "L4T r", "L4T 3", "l4t-p", "l4t-b", "l4t-m", "l4t-t", "nvgpu", "Orin "}
	kubernetesWords = []string{"kubectl", "kubelet", "kubernetes", "device-plugin", "gpu-operator", "RuntimeClass", "nodeSelector", "device plugin", "daemonset", " pods ", " pod ", " pods,", "microk8s", "minikube", "openshift", "k8s", "k3s", "rke2", " EKS ", " GKE ", " AKS "}
	condaWords      = []string{"conda", "miniforge", "mamba"}
)

// Words gives all literals that the conditions of a signature look out for, as often as they stand there.
func (s *Signature) Words(yield func(string) bool) {
	each := func(conditions []Condition) bool {
		for _, x := range conditions {
			for _, w := range x.Words {
				if !yield(w) {
					return false
				}
			}
		}
		return true
	}
	if !each(s.Where) {
		return
	}
	for _, c := range s.Causes {
		if !each(c.When) {
			return
		}
		for _, r := range c.Remedies {
			if !each(r.When) {
				return
			}
		}
	}
}
