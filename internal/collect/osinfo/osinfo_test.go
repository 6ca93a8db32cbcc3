package osinfo

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"strata/internal/collect/collecttest"
	"strata/internal/stack"
)

// show writes a fact as one short text: its value, or its state.
func show[T any](f stack.Fact[T]) any {
	if f.Known() {
		return f.Value
	}
	return f.State.String()
}

func TestMachines(t *testing.T) {
	tests := map[string]map[string]any{
		"ubuntu.txtar": {"ID": "ubuntu", "Version": "22.04", "Name": "Ubuntu 22.04.4 LTS", "Arch": "x86_64", "Libc": "glibc",
			"Glibc": "2.35", "Libstdcxx": "3.4.30", "WSL": false, "Jetson": "absent", "L4T": "absent"},
		"focal.txtar": {"ID": "ubuntu", "Version": "20.04", "Name": "absent", "Arch": "aarch64", "Libc": "glibc",
			"Glibc": "2.31", "Libstdcxx": "absent", "WSL": "not_collected", "Jetson": "NVIDIA Orin NX Developer Kit", "L4T": "R35.4.1"},
		"alpine.txtar": {"ID": "alpine", "Version": "3.20.3", "Name": "Alpine Linux v3.20", "Arch": "x86_64", "Libc": "musl",
			"Glibc": "absent", "Libstdcxx": "absent", "WSL": "not_collected", "Jetson": "not_collected", "L4T": "absent"},
		"wsl.txtar": {"ID": "absent", "Version": "absent", "Name": "absent", "Arch": "x86_64", "Libc": "absent",
			"Glibc": "absent", "Libstdcxx": "absent", "WSL": true, "Jetson": "absent", "L4T": "failed"},
		"denied.txtar": {"ID": "denied", "Version": "denied", "Name": "denied", "Arch": "denied", "Libc": "denied",
			"Glibc": "denied", "Libstdcxx": "denied", "WSL": "denied", "Jetson": "denied", "L4T": "denied"},
		"banner.txtar": {"ID": "debian", "Version": "absent", "Name": "absent", "Arch": "aarch64", "Libc": "glibc",
			"Glibc": "2.36", "Libstdcxx": "failed", "WSL": "not_collected", "Jetson": "not_collected", "L4T": "absent"},
		"masked.txtar": {"ID": "absent", "Version": "absent", "Name": "absent", "Arch": "failed", "Libc": "glibc",
			"Glibc": "failed", "Libstdcxx": "absent", "WSL": false, "Jetson": "denied", "L4T": "absent"},
		"nixos.txtar": {"ID": "nixos", "Version": "25.05", "Name": "NixOS 25.05 (Warbler)", "Arch": "x86_64", "Libc": "glibc",
			"Glibc": "2.40", "Libstdcxx": "absent", "WSL": "not_collected", "Jetson": "not_collected", "L4T": "absent"},
	}
	for name, want := range tests {
		t.Run(name, func(t *testing.T) {
			o := collecttest.Read(t, Collector, collecttest.Open(t, name)).OS
			got := map[string]any{"ID": show(o.ID), "Version": show(o.Version), "Name": show(o.Name), "Arch": show(o.Arch),
				"Libc": show(o.Libc), "Glibc": show(o.Glibc), "Libstdcxx": show(o.Libstdcxx), "WSL": show(o.WSL),
				"Jetson": show(o.Jetson), "L4T": show(o.L4T)}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// The library is scanned in blocks; the banner must be found wherever it lies.
func TestBannerAcrossBlocks(t *testing.T) {
	const banner = "GNU C Library (GNU libc) stable release version 2.17, by Roland McGrath et al.\n"
	for _, at := range []int{0, scanBlock - maxBanner, scanBlock - 20, scanBlock, 3 * scanBlock} {
		archive := "-- rootfs/libc.so.6 --\n" + strings.Repeat("x", at) + banner
		m := collecttest.OpenText(t, archive)
		text, err := scanBanner(m, "/libc.so.6")
		if err != nil || parseBanner(text) != "2.17" {
			t.Errorf("banner at %d: %q, %v", at, text, err)
		}
	}
}

func TestParseBanner(t *testing.T) {
	tests := map[string]string{
		"GNU C Library (Debian GLIBC 2.36-9+deb12u4) stable release version 2.36.":       "2.36",
		"GNU C Library (GNU libc) stable release version 2.17, by Roland McGrath et al.": "2.17",
		"GNU C Library (GNU libc) development release version 2.42.9000.":                "2.42.9000",
		"GNU C Library (Ubuntu GLIBC 2.35-0ubuntu3.8)":                                   "",
		"GNU C Library stable release version ":                                          "",
	}
	for text, want := range tests {
		if got := parseBanner(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestParseL4T(t *testing.T) {
	tests := map[string]string{
		"# R35 (release), REVISION: 4.1, GCID: 33958178, BOARD: t186ref, EABI: aarch64": "R35.4.1",
		"# R36 (release), REVISION: 3.0, GCID: 36191598":                                "R36.3.0",
		"# R35 (release)":                      "",
		"# Rx (release), REVISION: 1, GCID: 1": "",
		"":                                     "",
	}
	for text, want := range tests {
		if got := parseL4T(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func FuzzText(f *testing.F) {
	f.Add("ID=ubuntu\nVERSION_ID=\"22.04\"\nNAME='a\\'\nX=\"\\\"")
	f.Add("# R35 (release), REVISION: 4.1, GCID")
	f.Add("GNU C Library stable release version 2.36.")
	f.Fuzz(func(t *testing.T, text string) {
		for _, v := range parseRelease(text) {
			if v.line < 1 {
				t.Errorf("line %d", v.line)
			}
		}
		if v := parseL4T(text); v != "" && v[0] != 'R' {
			t.Errorf("L4T release %q", v)
		}
		parseBanner(text)
	})
}
