package dump

import (
	"strings"

	"strata/internal/lazyregexp"
	"strata/internal/transcript"
)

// kernelModule reads what the kernel and the driver's own files say of the
// module: /proc/driver/nvidia/version, the lines of NVRM and nvidia-modeset in
// the kernel's log, and the mismatch of a module and a library, which names both.
var kernelModule = reader{name: "kernel module", read: readKernelModule, messages: true, words: []string{
	"Kernel Mod", "has the version", "has version", "NVML library version", "NVRM version:", "version magic '", "module license '",
}}

var (
	// NVIDIA UNIX x86_64 Kernel Module  535.104.05 …, NVIDIA UNIX Open Kernel Module for x86_64  560.35.03 …
	unixModule = lazyregexp.New(`NVIDIA UNIX (Open )?(?:\S+ )?Kernel Module(?: for \S+)?\s+(\d{2,3}\.\d{2,3}(?:\.\d{2})?)\b`)
	modeset    = lazyregexp.New(`Loading NVIDIA (?:UNIX )?(Open )?Kernel Mode Setting Driver for .*?(\d{2,3}\.\d{2,3}(?:\.\d{2})?)\s`)
	// nvidia-container-cli info prints the bare version behind the same words.
	nvrmPlain = lazyregexp.New(`NVRM version:\s*(\d{2,3}\.\d{2,3}(?:\.\d{2})?)\s*$`)
	// API mismatch: the client has the version 535.161.07, but this kernel module has the version 535.154.05.
	clientHas = lazyregexp.New(`(?:client|driver component) has (?:the )?version:?\s*(\d{2,3}\.\d{2,3}(?:\.\d{2})?)`)
	moduleHas = lazyregexp.New(`kernel module has (?:the )?version:?\s*(\d{2,3}\.\d{2,3}(?:\.\d{2})?)`)
	nvmlHas   = lazyregexp.New(`NVML library version:?\s*(\d{2,3}\.\d{2,3}(?:\.\d{2})?)`)
	magicBoth = lazyregexp.New(`version magic '\S+ .*' should be '(\S+) `)
	taints    = lazyregexp.New(`nvidia: module license '(NVIDIA|Dual MIT/GPL)' taints kernel`)
)

func readKernelModule(t *transcript.Text, f *Facts) {
	// A log holds several boots and loads; the last one is the state of the report.
	var loaded, client, module claim
	var flavour claim
	for _, l := range t.Lines {
		line := l.Text
		if m := unixModule.FindStringSubmatch(line); m != nil {
			flavour = claim{flavor(m[1] != ""), l}
			if strings.Contains(line, "NVRM version") {
				f.Format("/proc/driver/nvidia/version", l.N)
				f.note(&f.rec.Module, m[2], Proper, l)
				f.take(&f.rec.ModuleFlavor, flavour, Proper)
				f.note(&f.rec.Driver, m[2], Keyed, l)
				continue
			}
			f.Format("kernel log", l.N)
			loaded = claim{m[2], l}
			continue
		}
		switch m := modeset.FindStringSubmatch(line + " "); {
		case m != nil:
			if !loaded.known() {
				loaded = claim{m[2], l}
			}
			if m[1] != "" && !flavour.known() {
				flavour = claim{flavor(true), l}
			}
			continue
		}
		if m := nvrmPlain.FindStringSubmatch(line); m != nil {
			from := f.At(l.N, line)
			f.Set(&f.rec.Module, m[1], Proper, from)
			f.Set(&f.rec.Driver, m[1], Stated, from)
		}
		if m := clientHas.FindStringSubmatch(line); m != nil {
			client = claim{m[1], l}
		}
		if m := moduleHas.FindStringSubmatch(line); m != nil {
			module = claim{m[1], l}
		}
		if m := nvmlHas.FindStringSubmatch(line); m != nil {
			client = claim{m[1], l}
		}
		if m := magicBoth.FindStringSubmatch(line); m != nil {
			f.note(&f.rec.Kernel, m[1], Keyed, l)
		}
		if m := taints.FindStringSubmatch(line); m != nil && !flavour.known() {
			flavour = claim{flavor(m[1] != "NVIDIA"), l}
		}
	}
	f.take(&f.rec.Module, module, Stated)
	f.take(&f.rec.Module, loaded, Stated)
	f.take(&f.rec.ModuleFlavor, flavour, Stated)
	f.take(&f.rec.Driver, client, Stated)
	f.take(&f.rec.Driver, loaded, Keyed)
}

// flavor is the word for the module's kind.
func flavor(open bool) string {
	if open {
		return "open"
	}
	return "proprietary"
}

// claim is a value that is kept until the whole text is read.
type claim struct {
	text string
	line transcript.Line
}

func (c claim) known() bool { return c.text != "" }

// take keeps a claim, if it is one.
func (f *Facts) take(dst *Value, c claim, rank Rank) { f.note(dst, c.text, rank, c.line) }

// note is Set for a line. It makes a source, which is costly, only of what is kept.
func (f *Facts) note(dst *Value, text string, rank Rank, l transcript.Line) {
	if Nothing(text) || dst.Known() && dst.Rank >= rank {
		return
	}
	f.Set(dst, text, rank, f.At(l.N, l.Text))
}
