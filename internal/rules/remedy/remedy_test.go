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

func TestQuote(t *testing.T) {
	for _, c := range []struct {
		words []string
		want  string
	}{
		{[]string{"/opt/venv/bin/python3", "a+b=c"}, "/opt/venv/bin/python3 a+b=c"},
		{[]string{"/home/a b/venv"}, "'/home/a b/venv'"},
		{[]string{"/x/$(reboot)", "it's"}, `'/x/$(reboot)' 'it'\''s'`},
		{[]string{""}, "''"},
	} {
		if got := Quote(c.words...); got != c.want {
			t.Errorf("Quote(%q) = %s, want %s", c.words, got, c.want)
		}
	}
}

// TestPip_hostilePath: an image may hold any directory name.
func TestPip_hostilePath(t *testing.T) {
	env := &stack.Environment{Prefix: "/opt/$(reboot)"}
	for _, c := range Pip(env, "install torch") {
		if !strings.Contains(c.Run, "'/opt/$(reboot)/bin/python'") {
			t.Errorf("not quoted: %s", c.Run)
		}
	}
	if got := Unlist("/a|d;e reboot", "/etc/ld.so.conf"); got != "" {
		t.Errorf("a directory that would leave the sed script: %s", got)
	}
}
