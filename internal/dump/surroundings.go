package dump

import (
	"strings"

	"strata/internal/lazyregexp"
	"strata/internal/transcript"
)

// surroundings reads what tells where a text comes from: WSL, Windows, a
// container, a virtual machine, Conda. Only what cannot stand in the text of
// another machine counts: a kernel's name, a path, a prompt.
var surroundings = reader{name: "surroundings", read: readSurroundings, messages: true, form: mayBePlace, words: []string{
	"-microsoft", "microsoft-standard", "/usr/lib/wsl/", "WSL version: ", "/dev/dxg", "dxgkrnl", "dxgkio_",
	"Windows-1", "Windows [Version", "MSC v.19", "[WinError ", "_windows.go:", "win32",
	"/.dockerenv", "Running in ", "conda", "mamba", "forge", "packages in environment at ", "active environment : ",
	"Hypervisor detected: ", "Hypervisor vendor:", "Virtualization: ", "DMI: ", "nvidia-gridd", "nvidia-vgpu-mgr", "GRID ", "vGPU",
}}

// mayBePlace tells quickly whether a line can have a path of Windows, or the prompt of a container, whose host's name is 12 digits.
func mayBePlace(l *transcript.Line) bool {
	line := l.Message
	i := strings.IndexByte(line, '@')
	for i >= 0 && (i+13 >= len(line) || line[i+13] != ':') {
		next := strings.IndexByte(line[i+1:], '@')
		if next < 0 {
			i = -1
			break
		}
		i += 1 + next
	}
	return i >= 0 || strings.Contains(line, `:\`)
}

var (
	wslKernel   = lazyregexp.New(`(?i)\d-microsoft(?:-standard)?(?:-WSL2)?\b|microsoft-standard-WSL2|/usr/lib/wsl/(?:lib|drivers)|\bWSL version: \d|/dev/dxg\b|\bdxgkrnl\b|\bdxgkio_`)
	windowsPath = lazyregexp.New(`(?i)\b[A-Z]:\\{1,2}(?:Users|Program Files|Windows|ProgramData|Python3\d+|msys64|Tools|dev|AI|ComfyUI\S*|Anaconda3|miniconda3)\b|\bPS [A-Z]:\\|\bWindows-1[01]-10\.0\.|Microsoft Windows \[Version|\bMSC v\.19\d\d|\[WinError \d+\]|_windows\.go:\d|\bwin32\b.*\bpython\b`)
	insidePlace = lazyregexp.New(`\b\w+@[0-9a-f]{12}:[/~]|/\.dockerenv\b|^\s*(?:Running|Is running) in (?:a )?(?:docker|container):\s*(?:yes|true)`)
	condaPlace  = lazyregexp.New(`[/\\](?:mini|ana|mini|micro)?(?:conda|mamba|forge)\d?[/\\](?:envs|lib|bin|pkgs|Lib|site-packages)\b|[/\\](?:miniconda|anaconda|miniforge|mambaforge)3?[/\\]|^# packages in environment at |^\s*active environment : `)
	hypervisor  = lazyregexp.New(`Hypervisor detected: (\w[\w -]*)|Hypervisor vendor:\s+(\w+)|^\s*Virtualization: (kvm|vmware|microsoft|xen|oracle|amazon|qemu|parallels|wsl|docker|lxc)\b|DMI: (QEMU|VMware|Amazon EC2|Google|Microsoft Corporation Virtual|Xen|OpenStack)`)
	vgpu        = lazyregexp.New(`\bnvidia-gridd\b|\bnvidia-vgpu-mgr\b|\bGRID [A-Z]\w+-\d+[A-Z]\b|\b(?:A|L|T|V|H|RTX)\w*-\d+[QCAB]\b.*vGPU|vGPU (?:Software|Device)`)
)

func readSurroundings(t *transcript.Text, f *Facts) {
	var windows claim
	for _, l := range t.Lines {
		line := l.Text
		if len(line) < 6 || len(line) > 4000 {
			continue
		}
		if !f.rec.WSL.Known() && (strings.Contains(line, "icrosoft") || strings.Contains(line, "wsl") || strings.Contains(line, "WSL") || strings.Contains(line, "dxg")) && wslKernel.MatchString(line) {
			f.note(&f.rec.WSL, "yes", Stated, l)
		}
		if !windows.known() && (strings.Contains(line, `:\`) || strings.Contains(line, "Win") || strings.Contains(line, "win") || strings.Contains(line, "MSC v.")) && windowsPath.MatchString(line) {
			windows = claim{"yes", l}
		}
		if !f.rec.Container.Known() && (strings.Contains(line, "@") || strings.Contains(line, "docker") || strings.Contains(line, "unning in")) && insidePlace.MatchString(line) {
			f.note(&f.rec.Container, "docker", Keyed, l)
		}
		if !f.rec.Conda.Known() && (strings.Contains(line, "conda") || strings.Contains(line, "mamba") || strings.Contains(line, "forge") || strings.Contains(line, "environment ")) && condaPlace.MatchString(line) {
			f.note(&f.rec.Conda, "yes", Keyed, l)
		}
		if !f.rec.Virtual.Known() {
			readVirtual(f, l)
		}
	}
	// A text of WSL has paths of Windows, too; there the driver is that of Windows, the rest is Linux.
	if !f.rec.WSL.Known() {
		f.take(&f.rec.Windows, windows, Stated)
	}
}

func readVirtual(f *Facts, l transcript.Line) {
	line := l.Text
	switch {
	case strings.Contains(line, "ypervisor"), strings.Contains(line, "Virtualization: "), strings.Contains(line, "DMI: "):
		if m := hypervisor.FindStringSubmatch(line); m != nil {
			f.note(&f.rec.Virtual, lowerASCII(strings.TrimSpace(m[1]+m[2]+m[3]+m[4])), Keyed, l)
		}
	case strings.Contains(line, "GRID"), strings.Contains(line, "gridd"), strings.Contains(line, "vgpu"), strings.Contains(line, "vGPU"):
		if vgpu.MatchString(line) {
			f.note(&f.rec.Virtual, "vgpu", Keyed, l)
		}
	}
}
