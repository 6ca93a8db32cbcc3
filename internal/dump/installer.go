package dump

import (
	"strings"

	"strata/internal/lazyregexp"
	"strata/internal/transcript"
)

// installer reads the log of NVIDIA's installer. The version is that of the
// driver on the machine where the log says that the installation is complete,
// else only the one that was tried.
var installer = reader{name: "nvidia-installer", read: readInstaller, messages: true, whole: true, words: []string{
	"nvidia-installer log file", "installer version:", "Installing NVIDIA driver version", "NVIDIA Accelerated Graphics Driver",
}}

var (
	installing  = lazyregexp.New(`(?:installer version:|Installing NVIDIA driver version)\s+(\d{2,3}\.\d{2,3}(?:\.\d{2})?)`)
	installed   = lazyregexp.New(`Installation of the NVIDIA Accelerated Graphics Driver for \S+ \(version: (\d{2,3}\.\d{2,3}(?:\.\d{2})?)\) is now complete`)
	kernelTree  = lazyregexp.New(`Kernel (?:source|output) path: '/lib/modules/([^/']+)/`)
	moduleBuild = lazyregexp.New(`/NVIDIA-Linux-\S+?/kernel(-open)?/nvidia`)
	openAnswer  = lazyregexp.New(`kernel module type.*\(Answer: (NVIDIA Proprietary|MIT/GPL)\)`)
)

func readInstaller(t *transcript.Text, f *Facts) {
	var tried, done, kernel, flavour claim
	inside := false
	for _, l := range t.Lines {
		line := l.Text
		if !inside {
			inside = strings.Contains(line, "nvidia-installer log file") || strings.Contains(line, "installer version:") || strings.Contains(line, "Installing NVIDIA driver version")
			if !inside && !strings.Contains(line, "NVIDIA Accelerated Graphics Driver") {
				continue
			}
			f.Format("nvidia-installer", l.N)
		}
		switch {
		case strings.Contains(line, "nstall"):
			if m := installing.FindStringSubmatch(line); m != nil {
				tried = claim{m[1], l}
			} else if m := installed.FindStringSubmatch(line); m != nil {
				done = claim{m[1], l}
			}
		case strings.Contains(line, "Kernel "):
			if m := kernelTree.FindStringSubmatch(line); m != nil {
				kernel = claim{m[1], l}
			}
		case strings.Contains(line, "kernel module type"):
			if m := openAnswer.FindStringSubmatch(line); m != nil {
				flavour = claim{flavor(m[1] == "MIT/GPL"), l}
			}
		case !flavour.known() && strings.Contains(line, "NVIDIA-Linux-"):
			if m := moduleBuild.FindStringSubmatch(line); m != nil {
				flavour = claim{flavor(m[1] != ""), l}
			}
		}
	}
	f.take(&f.rec.Kernel, kernel, Keyed)
	f.take(&f.rec.Driver, tried, Prose)
	if done.known() {
		f.take(&f.rec.Driver, done, Stated)
		f.take(&f.rec.Module, done, Keyed)
		f.take(&f.rec.ModuleFlavor, flavour, Keyed)
	}
}
