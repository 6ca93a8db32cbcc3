package signatures

import (
	"strings"
	"testing"
)

// TestAll holds every signature against what package signature asks of one.
func TestAll(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range All() {
		if err := s.Validate(); err != nil {
			t.Errorf("%v", err)
		}
		if seen[s.ID] {
			t.Errorf("signature %q: the ID appears twice", s.ID)
		}
		seen[s.ID] = true
		if len(s.Misses) == 0 {
			t.Errorf("signature %q: no near miss", s.ID)
		}
		if got, ok := Find(s.ID); !ok || got != s {
			t.Errorf("Find(%q) gives another signature", s.ID)
		}
	}
}

// rareShort are literals below eight bytes that are rare in logs all the same.
var rareShort = map[string]bool{"akmods": true, "(swarm)": true, "libdcgm": true, "sbatch ": true, "pyxis:": true, "sarus: ": true, "crun:": true, ":r32.": true, ":r34.": true, ":r35.": true, ":r36.": true, "code 43": true, "code43": true, "error43": true, "dxgkrnl": true, "nvgpu: ": true, "vfio: ": true, "wayland": true, "nvlsm": true, ":i386": true, "vainfo": true, "32-bit": true, "32 bit": true, "pci-10de": true, "mokutil": true, "eksctl": true, "nvkind": true, "optirun": true, "optimus": true, "glxinfo": true, "nvitop": true, "nvtop": true, "gpustat": true, "topo -m": true, "-mllvm": true, "linux6.": true, "-1-lts": true, "-1-zen": true, "wlroots": true}

// TestLiteralsAreRare keeps words out of the scan that nearly every log has:
// each costs a try of the pattern on its line.
func TestLiteralsAreRare(t *testing.T) {
	for _, s := range All() {
		for _, l := range s.Literals {
			if len(l) < 8 && !rareShort[l] && strings.ToLower(l) == l {
				t.Errorf("signature %q: the literal %q is short and common", s.ID, l)
			}
		}
	}
}

// TestSeenExists keeps conditions from asking for signatures that are not there.
func TestSeenExists(t *testing.T) {
	for _, s := range All() {
		for _, c := range s.Causes {
			for _, x := range c.When {
				ids, ok := strings.CutPrefix(x.Name, "the text also has ")
				if !ok {
					continue
				}
				for _, id := range strings.Split(ids, " or ") {
					if _, ok := Find(id); !ok {
						t.Errorf("signature %q asks for %q, which does not exist", s.ID, id)
					}
				}
			}
		}
	}
}
