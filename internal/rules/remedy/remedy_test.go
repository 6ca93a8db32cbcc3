package remedy

import (
	"strings"
	"testing"

	"strata/internal/stack"
)

// TestPip_managed: without the flag pip refuses to touch a distribution's own Python.
func TestPip_managed(t *testing.T) {
	env := &stack.Environment{Prefix: "/usr", Interpreter: "/usr/bin/python3"}
	for _, managed := range []bool{false, true} {
		env.Managed = managed
		for _, verb := range []string{"install torch==2.7.1", "uninstall -y torch"} {
			for _, c := range Pip(env, verb) {
				if strings.Contains(c.Run, "--break-system-packages") != managed {
					t.Errorf("managed %v: %s", managed, c.Run)
				}
			}
		}
	}
}
