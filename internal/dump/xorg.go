package dump

import (
	"strings"

	"strata/internal/lazyregexp"
	"strata/internal/transcript"
)

// graphics reads what the display's side says: the log of the X server, glxinfo
// and vulkaninfo. What they name is the driver's user space.
var graphics = reader{name: "X server and OpenGL", read: readGraphics, messages: true, words: []string{
	"NVIDIA dlloader X Driver", "NVIDIA GLX Module", "at PCI:", "): Memory:", "renderer string:", "version string:", "ideo memory:", "deviceName", "driverInfo",
}}

var (
	// NVIDIA dlloader X Driver  510.73.08  Wed May 18 …; NVIDIA GLX Module  340.108  …
	xDriver  = lazyregexp.New(`NVIDIA (?:dlloader X Driver|GLX Module)\s+(\d{2,3}\.\d{2,3}(?:\.\d{2})?)\b`)
	xGPU     = lazyregexp.New(`NVIDIA GPU (\S.*?) \([^()]*\) at PCI:`)
	xMemory  = lazyregexp.New(`NVIDIA\((?:\d+|GPU-\d+)\): Memory: (\d+) (kBytes)`)
	glGPU    = lazyregexp.New(`OpenGL renderer string:\s+((?:NVIDIA|GeForce|Quadro|Tesla|TITAN|RTX|NVS)[^/]*)`)
	glDriver = lazyregexp.New(`OpenGL (?:core profile |ES profile )?version string:\s+.*NVIDIA (\d{2,3}\.\d{2,3}(?:\.\d{2})?)`)
	glMemory = lazyregexp.New(`(?:Dedicated video memory|Video memory):\s+(\d+) ?(MB)`)
	vkName   = lazyregexp.New(`^\s*deviceName\s*=\s*((?:NVIDIA|GeForce|Quadro|Tesla|TITAN|Orin|Xavier).*)$`)
	vkDriver = lazyregexp.New(`^\s*driverInfo\s*=\s*(\d{3}\.\d{2,3}(?:\.\d{2})?)\s*$`)
)

func readGraphics(t *transcript.Text, f *Facts) {
	var x, gl, vk []GPU
	for _, l := range t.Lines {
		line := l.Text
		switch {
		case strings.Contains(line, "NVIDIA") && (strings.Contains(line, "Driver") || strings.Contains(line, "GLX") || strings.Contains(line, "at PCI") || strings.Contains(line, "Memory:") || strings.Contains(line, "version string")):
			if m := xDriver.FindStringSubmatch(line); m != nil {
				f.Format("Xorg log", l.N)
				f.note(&f.rec.Driver, m[1], Stated, l)
			} else if m := xGPU.FindStringSubmatch(line); m != nil && len(x) < maxGPUs {
				x = append(x, GPU{Name: m[1], From: f.At(l.N, line)})
			} else if m := xMemory.FindStringSubmatch(line); m != nil && len(x) > 0 {
				x[len(x)-1].MemoryMiB = mebibytes(m[1], m[2])
			} else if m := glDriver.FindStringSubmatch(line); m != nil {
				f.Format("glxinfo", l.N)
				f.note(&f.rec.Driver, m[1], Stated, l)
			}
			fallthrough
		case strings.Contains(line, "renderer string"), strings.Contains(line, "ideo memory"), strings.Contains(line, "deviceName"):
			if m := glGPU.FindStringSubmatch(line); m != nil {
				gl = []GPU{{Name: strings.TrimSpace(m[1]), From: f.At(l.N, line)}}
			} else if m := glMemory.FindStringSubmatch(line); m != nil && len(gl) == 1 {
				gl[0].MemoryMiB = mebibytes(m[1], m[2])
			} else if m := vkName.FindStringSubmatch(line); m != nil && len(vk) < maxGPUs {
				f.Format("vulkaninfo", l.N)
				vk = append(vk, GPU{Name: strings.TrimSpace(m[1]), From: f.At(l.N, line)})
			}
		case strings.Contains(line, "driverInfo"):
			if m := vkDriver.FindStringSubmatch(line); m != nil && len(vk) > 0 {
				f.note(&f.rec.Driver, m[1], Keyed, l)
			}
		}
	}
	f.GPUs(distinct(x), Stated)
	f.GPUs(gl, Keyed)
	f.GPUs(vk, Prose) // the program lists each GPU several times over
}

// distinct drops what a log says again: the same line of the source text, as X prints it for each screen.
func distinct(list []GPU) []GPU {
	seen := map[string]bool{}
	out := list[:0]
	for _, g := range list {
		key := g.From.Text
		if i := strings.Index(key, "at PCI:"); i >= 0 {
			key = key[i:]
		}
		if !seen[key] {
			seen[key] = true
			out = append(out, g)
		}
	}
	return out
}
