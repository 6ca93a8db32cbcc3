package dump

import (
	"strings"

	"strata/internal/lazyregexp"
	"strata/internal/transcript"
)

// builtModule reads what is known of the module's file, not of the one that
// runs: modinfo nvidia, dkms status, the logs of dkms.
var builtModule = reader{name: "modinfo", read: readBuiltModule, messages: true, around: modinfoLines, words: []string{
	"filename:", "license:", "vermagic:", "version:", "DKMS make.log", "/dkms/nvidia", "dkms build", "dkms install", "-nvidia-x11-",
}, form: func(l *transcript.Line) bool { return strings.HasPrefix(unindented(l.Message), "nvidia") }}

// modinfoLines is how far behind the command's line its answer is looked for.
const modinfoLines = 4

var (
	// filename: /lib/modules/5.15.0-91-generic/updates/dkms/nvidia.ko
	moduleFile = lazyregexp.New(`^filename:\s+\S*?(?:/modules/([^/]+)/\S*)?\bnvidia(?:-current|_current)?\.ko(?:\.\w+)?$`)
	modinfoKey = lazyregexp.New(`^(version|license|vermagic|srcversion|description):\s+(\S.*)$`)
	// nvidia/535.104.05, 5.15.0-91-generic, x86_64: installed; before dkms 3: nvidia, 535.104.05, …
	dkmsStatus = lazyregexp.New(`^(nvidia(?:-[a-z]+|-legacy-\d+xx|-\d{3})*)(?:/|,\s*)(\d{2,3}\.\d{2,3}(?:\.\d{2})?)(?:,\s*([^,\s]+),\s*\S+)?:\s*(added|built|installed)`)
	dkmsLog    = lazyregexp.New(`DKMS make\.log for (nvidia[a-z-]*?)-(\d{2,3}\.\d{2,3}(?:\.\d{2})?) for kernel (\S+)`)
	// /nix/store/HASH-nvidia-x11-470.57.02-5.13.18-bin/lib/modules/5.13.18/misc/nvidia.ko, …-nvidia-x11-460.73.01/lib/libcuda.so.1
	nixDriver = lazyregexp.New(`/nix/store/[a-z0-9]{32}-nvidia-x11-(\d{3}\.\d{2,3}(?:\.\d{2})?)(?:-\d[\w.]*)?(?:-bin|-lib32)?/(lib/modules|lib|bin)/`)
	// dkms build -m nvidia -v 440.64.00 -k 5.4.0-1010-azure; dkms install --no-depmod nvidia/390.157 -k 6.12.1-arch1-1
	dkmsCommand = lazyregexp.New(`dkms (?:build|install) (?:-\S+ )*nvidia[\w-]*(?:/| -v )(\d{2,3}\.\d{2,3}(?:\.\d{2})?)(?: -k (\d[\w.+-]*\w))?`)
	dkmsBuild   = lazyregexp.New(`/var/lib/dkms/nvidia[a-z-]*/(\d{2,3}\.\d{2,3}(?:\.\d{2})?)/`)
)

func readBuiltModule(t *transcript.Text, f *Facts) {
	inside, kernels := false, map[string]claim{}
	for i, l := range t.Lines {
		line := strings.TrimLeft(l.Text, " \t")
		if line == "" {
			continue
		}
		switch c := line[0]; {
		case c == 'f' && strings.HasPrefix(line, "filename:"):
			m := moduleFile.FindStringSubmatch(line)
			if inside = m != nil; inside {
				f.Format("modinfo", l.N)
				f.note(&f.rec.Kernel, m[1], Prose, l)
			}
		case c == 'v' || c == 'l' || c == 's' || c == 'd':
			m := modinfoKey.FindStringSubmatch(line)
			if m == nil {
				break
			}
			switch {
			case m[1] == "vermagic" && (inside || aboutNVIDIA(t.Lines, i)):
				f.note(&f.rec.Kernel, firstWord(m[2]), Prose, l)
			case m[1] == "license" && m[2] == "NVIDIA":
				f.note(&f.rec.ModuleFlavor, flavor(false), Keyed, l)
			case m[1] == "license" && inside && strings.Contains(m[2], "MIT"):
				f.note(&f.rec.ModuleFlavor, flavor(true), Keyed, l)
			case m[1] == "version" && inside:
				f.note(&f.rec.Module, driverOf(m[2]), Keyed, l)
				f.note(&f.rec.Driver, driverOf(m[2]), Prose, l)
			}
		case c == 'n' && strings.HasPrefix(line, "nvidia"):
			m := dkmsStatus.FindStringSubmatch(line)
			if m == nil {
				break
			}
			f.Format("dkms status", l.N)
			f.note(&f.rec.Driver, m[2], Prose, l)
			if m[4] == "installed" {
				f.note(&f.rec.Module, m[2], Keyed, l)
				kernels[m[3]] = claim{m[3], l}
			}
			if strings.Contains(m[1], "-open") {
				f.note(&f.rec.ModuleFlavor, flavor(true), Keyed, l)
			}
		}
		if strings.Contains(line, "DKMS make.log") {
			if m := dkmsLog.FindStringSubmatch(line); m != nil {
				f.Format("dkms make.log", l.N)
				f.note(&f.rec.Driver, m[2], Prose, l)
				f.note(&f.rec.Kernel, m[3], Keyed, l)
			}
		} else if strings.Contains(line, "-nvidia-x11-") {
			if m := nixDriver.FindStringSubmatch(line); m != nil && m[2] == "lib/modules" {
				f.note(&f.rec.Module, m[1], Keyed, l)
			} else if m != nil {
				f.note(&f.rec.Driver, m[1], Keyed, l)
			}
		} else if strings.Contains(line, "dkms ") {
			if m := dkmsCommand.FindStringSubmatch(line); m != nil {
				f.Format("dkms command", l.N)
				f.note(&f.rec.Driver, m[1], Prose, l)
				f.note(&f.rec.Kernel, m[2], Prose, l)
			}
		} else if strings.Contains(line, "/dkms/nvidia") {
			if m := dkmsBuild.FindStringSubmatch(line); m != nil {
				f.note(&f.rec.Driver, m[1], Prose, l)
			}
		}
	}
	if len(kernels) == 1 { // built for several, the text does not say which one runs
		for _, c := range kernels {
			f.take(&f.rec.Kernel, c, Implied)
		}
	}
}

// aboutNVIDIA tells whether one of the few lines before names modinfo of the module.
func aboutNVIDIA(lines []transcript.Line, i int) bool {
	for j := max(0, i-modinfoLines); j < i; j++ {
		if strings.Contains(lines[j].Text, "modinfo nvidia") {
			return true
		}
	}
	return false
}

func firstWord(s string) string {
	w, _, _ := strings.Cut(strings.TrimSpace(s), " ")
	return w
}
