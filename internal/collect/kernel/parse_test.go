package kernel

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestParseBanner(t *testing.T) {
	tests := []struct{ text, version, flavor, problem string }{
		{"NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.129.03  Thu Oct 19 18:56:32 UTC 2023\nGCC version:  gcc version 11.4.0", "535.129.03", "proprietary", ""},
		{"NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  560.35.03  Release Build  (builder)  Fri Aug 16", "560.35.03", "open", ""},
		{"NVRM version: NVIDIA UNIX Open Kernel Module for aarch64  540.3.0  Release Build", "540.3.0", "open", ""},
		{"NVRM version: NVIDIA UNIX aarch64 Kernel Module  470.199.02  Thu May 11 11:48:17 UTC 2023", "470.199.02", "proprietary", ""},
		{"NVRM version: NVIDIA UNIX Open Kernel Module for aarch64  35.3.1  Release Build  (builder)  Sun Mar 19", "", "open", "no driver branch is below"},
		{"GCC version: gcc 9\nNVRM version: NVIDIA UNIX x86_64 Kernel Module  390.25  Wed Jan 24", "390.25", "proprietary", ""},
		{"NVRM version: NVIDIA UNIX x86_64 Kernel Module  ", "", "", "ends before the version"},
		{"NVRM version: 537.13", "", "", "names no kernel module"},
		{"NVRM version: NVIDIA UNIX x86_64 Kernel Module  tomorrow", "", "", "is not a number"},
		{"", "", "", "no line starts with"},
	}
	for _, tt := range tests {
		b, err := parseBanner(tt.text)
		if tt.problem != "" {
			if err == nil || !strings.Contains(err.Error(), tt.problem) {
				t.Errorf("%q: error %v, want %q", tt.text, err, tt.problem)
			}
			if tt.flavor != "" && b.flavor != tt.flavor {
				t.Errorf("%q: flavour %q, want %q", tt.text, b.flavor, tt.flavor)
			}
			continue
		}
		if err != nil || b.version.String() != tt.version || b.flavor != tt.flavor {
			t.Errorf("%q: %s %s %v, want %s %s", tt.text, b.version, b.flavor, err, tt.version, tt.flavor)
		}
	}
}

func TestParseModprobe_continued(t *testing.T) {
	list := parseModprobe("x.conf", "# none\nblacklist \\\n  nvidia-drm\ninstall nouveau \\\n\\\n/bin/false\n")
	if len(list) != 2 || list[0].Module != "nvidia_drm" || list[0].From.Line != 2 || list[1].Module != "nouveau" || list[1].From.Line != 4 {
		t.Errorf("%+v", list)
	}
	start := time.Now()
	parseModprobe("x.conf", strings.Repeat("\\\n", maxModprobeConf/2))
	if d := time.Since(start); d > 20*time.Second {
		t.Errorf("half a million continued lines take %s", d)
	}
}

func TestParseXid(t *testing.T) {
	tests := map[string]int{
		"[  10.5] NVRM: Xid (PCI:0000:65:00): 79, pid='<unknown>', name=<unknown>, GPU has fallen off the bus.": 79,
		"NVRM: Xid (0000:05:00): 13, 0001 00000000 000090c0":                                                    13,
		"NVRM: Xid (PCI:0000:65:00): 119":                                                                       119,
		"NVRM: Xid (PCI:0000:65:00)":                                                                            0,
		"NVRM: Xid (PCI:0000:65:00): none":                                                                      0,
		"NVRM: GPU at 0000:65:00.0 has fallen off the bus.":                                                     0,
	}
	for line, want := range tests {
		if got := parseXid(line); got != want {
			t.Errorf("%q: %d, want %d", line, got, want)
		}
	}
}

func TestParseModprobe(t *testing.T) {
	tests := map[string][]string{
		"blacklist nouveau":                            {"nouveau"},
		"  blacklist nvidia-uvm # kept away":           {"nvidia_uvm"},
		"#blacklist nouveau":                           nil,
		"blacklist pcspkr":                             nil,
		"install nouveau /bin/false":                   {"nouveau"},
		"install nvidia /usr/bin/true":                 {"nvidia"},
		"install nvidia /sbin/modprobe nvidia-current": nil,
		"alias nouveau off":                            {"nouveau"},
		"alias nvidia nvidia-current":                  nil,
		"options nouveau modeset=0":                    nil,
		"install nvidia":                               nil,
	}
	for text, want := range tests {
		var got []string
		for _, b := range parseModprobe("x.conf", text) {
			got = append(got, b.Module)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
}

func TestParseMakeLog(t *testing.T) {
	tests := []struct {
		text, release string
		line          int
	}{
		{"DKMS make.log for nvidia-535.129.03 for kernel 6.5.0-14-generic (x86_64)\nCC ok\n", "", 0},
		{"DKMS (dkms-3.0.11) make.log for nvidia/1 for kernel 6.5.0 (x86_64)\nmake[1]: *** [x.o] Error 1\nnv.c:3:1: error: no member\n", "6.5.0", 3},
		{"make: *** [all] Error 2\nError! Bad return status for module build\n", "", 1},
	}
	for _, tt := range tests {
		f := parseMakeLog(tt.text)
		if f == nil {
			f = &failedBuild{}
		}
		if f.release != tt.release || f.line != tt.line {
			t.Errorf("%q: %+v, want release %q, line %d", tt.text, *f, tt.release, tt.line)
		}
	}
}

// FuzzText runs every text parser of the package over the same input.
func FuzzText(f *testing.F) {
	for _, s := range []string{
		"NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  560.35.03  Release",
		"nvidia 1 0 - Live 0x0 (POE)\n", "version=1\x00license=NVIDIA\x00", "blacklist nouveau\\\n",
		"DKMS make.log for nvidia for kernel 1\nmake: *** \n", "kernel: NVRM: Xid (PCI:0): 1", "modprobe.blacklist=nouveau,,nvidia",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if b, err := parseBanner(text); err == nil && b.version.IsZero() {
			t.Error("a banner without a version and without an error")
		}
		for _, mod := range parseModules(text) {
			if !isGPUModule(mod.Name) {
				t.Errorf("kept module %q", mod.Name)
			}
		}
		parseModinfo(text)
		parseModprobe("x.conf", text)
		parseBootBlacklist(text)
		if l := parseMakeLog(text); l != nil && l.line < 1 {
			t.Errorf("failure on line %d", l.line)
		}
		for _, l := range parseLog("/var/log/dmesg", text, true) {
			if len(l.Text) > maxLogText+len("…") {
				t.Errorf("line of %d bytes", len(l.Text))
			}
		}
	})
}
