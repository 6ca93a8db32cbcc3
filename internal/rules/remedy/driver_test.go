package remedy

import (
	"strings"
	"testing"

	"strata/internal/derive"
	"strata/internal/rule"
	"strata/internal/stack"
)

func TestDriverPackages(t *testing.T) {
	tests := []struct {
		id, version, flavor string
		inside              bool
		want                []string // parts of the commands, in order; one for each
	}{
		{"ubuntu", "22.04", "open", false, []string{"apt install nvidia-driver-580-open "}},
		{"ubuntu", "22.04", "proprietary", false, []string{"apt install nvidia-driver-580 "}},
		{"debian", "12", "open", false, []string{"apt install nvidia-open-580 "}},
		{"rocky", "9.4", "open", false, []string{"module reset -y nvidia-driver && sudo dnf module install nvidia-driver:580-open "}},
		{"rhel", "8.10", "proprietary", false, []string{"nvidia-driver:580-dkms "}},
		{"amzn", "2023", "open", false, []string{"nvidia-driver:580-open "}},
		{"rhel", "10.0", "open", false, []string{"versionlock add '*nvidia*580*' && sudo dnf install nvidia-open "}},
		{"fedora", "42", "proprietary", false, []string{"dnf install cuda-drivers "}},
		{"arch", "", "open", false, nil}, // neither apt nor dnf
		{"", "", "open", false, []string{"apt install", "dnf module"}},
		{"ubuntu", "22.04", "open", true, []string{"apt install", "dnf module"}}, // of a container; its host may be another
	}
	for _, tt := range tests {
		s := &stack.Stack{}
		if tt.id != "" {
			s.OS.ID, s.OS.Version = stack.Know(tt.id), stack.Know(tt.version)
		}
		if tt.inside {
			s.Container.Inside = stack.Know("docker")
		}
		got := DriverPackages(&rule.Input{View: &derive.View{Stack: s}}, 580, tt.flavor)
		if len(got) != len(tt.want) {
			t.Errorf("%s %s: %d commands, want %d: %v", tt.id, tt.version, len(got), len(tt.want), got)
			continue
		}
		for i, c := range got {
			if !strings.Contains(c.Run, tt.want[i]) {
				t.Errorf("%s %s %s: %q, want %q in it", tt.id, tt.version, tt.flavor, c.Run, tt.want[i])
			}
		}
	}
}
