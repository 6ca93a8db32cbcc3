package triage

import (
	"strings"
	"testing"
)

// TestUnfit holds that a text from WSL gets no command that loads, builds or installs a Linux driver.
func TestUnfit(t *testing.T) {
	for _, c := range []struct {
		name, text string
		module     bool
	}{
		{"on Linux", "Ubuntu 22.04, kernel 5.15.0-91-generic\nnvidia-container-cli: initialization error: nvml error: driver not loaded: unknown\n", true},
		{"in WSL", "Ubuntu 22.04 in WSL2\nnvidia-container-cli: initialization error: nvml error: driver not loaded: unknown\n", false},
		{"a package in WSL", "I am on Windows 11 with WSL2 \ndpkg: error processing package nvidia-dkms-545 (--configure):\n", false},
		{"WSL mentioned beside a kernel", "On WSL2 it works. Here the kernel is 6.8.0-45-generic, Ubuntu 24.04\nuname -r\n6.8.0-45-generic\nnvidia-container-cli: initialization error: nvml error: driver not loaded: unknown\n", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			doc, err := Text(c.name, c.text, options())
			if err != nil {
				t.Fatal(err)
			}
			module := false
			for _, f := range doc.Findings {
				for _, r := range f.Remedies {
					for _, cmd := range r.Commands {
						module = module || strings.Contains(cmd.Run, "modprobe") || strings.Contains(cmd.Run, "dkms autoinstall") || strings.Contains(cmd.Run, "linux-headers")
					}
				}
			}
			if module != c.module {
				t.Errorf("commands for a module: %v, want %v: %s", module, c.module, doc.Verdict.Summary)
			}
		})
	}
}
