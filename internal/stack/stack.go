// Package stack is the typed model of everything Strata can know about one
// machine's GPU software stack, by layer. Its leaves are observed values, so
// this tree is also the list of what can be known. It holds no judgement.
package stack

import "strings"

// Stack is what was read from one machine.
type Stack struct {
	Subject     Subject             `json:"subject"`
	OS          OS                  `json:"os"`
	Hardware    Hardware            `json:"hardware"`
	Kernel      Kernel              `json:"kernel"`
	Driver      Driver              `json:"driver"`
	Devices     Devices             `json:"devices"`
	Container   Container           `json:"container"`
	CUDA        CUDA                `json:"cuda"`
	Loader      Loader              `json:"loader"`
	Packages    Fact[[]OSPackage]   `json:"packages"`
	Python      Fact[[]Environment] `json:"python"`
	Programs    Fact[[]Program]     `json:"programs"`
	Environment Fact[[]Variable]    `json:"environment"`
	Collection  []Collection        `json:"collection"`
}

// Subject is what was read.
type Subject struct {
	Kind string `json:"kind"` // host, root, archive, image, text
	Name string `json:"name"`
	// Live is true where kernel, devices and environment are those of a
	// running system (a host, or a root that captured /proc).
	Live bool `json:"live"`
}

// Collection is how one collector fared.
type Collection struct {
	Name string `json:"name"`
	// State is Known (all read), Failed (gave up or partly) or Denied.
	State  State  `json:"state"`
	Why    string `json:"why,omitempty"`
	Micros int64  `json:"micros"` // wall time in microseconds
}

// OS is the operating system of the machine.
type OS struct {
	ID      Fact[string] `json:"id"`      // ubuntu, debian, rhel, …
	Version Fact[string] `json:"version"` // 22.04
	Name    Fact[string] `json:"name"`    // Ubuntu 22.04.4 LTS
	Arch    Fact[string] `json:"arch"`    // x86_64, aarch64 (of libc or the shell, in uname's words)
	Libc    Fact[string] `json:"libc"`    // glibc or musl
	Glibc   Fact[string] `json:"glibc"`   // 2.35
	// Libstdcxx is the newest GLIBCXX symbol version of the system's libstdc++.so.6,
	// without the prefix: 3.4.30.
	Libstdcxx Fact[string] `json:"libstdcxx"`
	WSL       Fact[bool]   `json:"wsl"`
	Jetson    Fact[string] `json:"jetson"` // device-tree model of a Tegra board
	L4T       Fact[string] `json:"l4t"`    // R35.4.1, from /etc/nv_tegra_release
}

// Variable is one environment variable that decides what the stack does.
type Variable struct {
	Name  string `json:"name"`
	Value string `json:"value"`
	From  Source `json:"from"`
}

// Getenv finds a variable among the collected ones.
func (s *Stack) Getenv(name string) (Variable, bool) {
	for _, v := range s.Environment.Value {
		if v.Name == name {
			return v, true
		}
	}
	return Variable{}, false
}

// SplitLibraryPath is LD_LIBRARY_PATH as ld.so reads it: its elements stand
// between colons or semicolons. Empty ones, which mean the working directory, are left out.
func SplitLibraryPath(value string) []string {
	return strings.FieldsFunc(value, func(r rune) bool { return r == ':' || r == ';' })
}

// OSPackage is a package of the distribution that matters to the GPU stack.
type OSPackage struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	Manager string `json:"manager"` // dpkg, rpm or pacman
	// Status is the manager's own word: "install ok installed", "half-configured".
	Status string `json:"status,omitempty"`
	From   Source `json:"from"`
}
