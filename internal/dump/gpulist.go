package dump

import (
	"strings"

	"strata/internal/lazyregexp"
	"strata/internal/transcript"
)

var (
	// GPU 0: NVIDIA A100-SXM4-40GB (UUID: GPU-5f…)
	smiL = lazyregexp.New(`^\s*GPU (\d{1,2}):\s+(\S.*?)\s*(?:\(UUID: .*|\(?)$`)
	// [0] NVIDIA A100-SXM4-80GB | 33'C,   0 % |     4 / 81920 MB | of gpustat
	gpustat = lazyregexp.New(`^\s*\[(\d{1,2})\] (\S.*?)\s*\|.*?\d+ / +(\d+) MB`)
	// Device 0: NVIDIA GeForce RTX 3090, compute capability 8.6, VMM: yes
	ggml = lazyregexp.New(`Device (\d{1,2}): ([^,]+), compute capability (\d{1,2}\.\d)(?:.*VRAM: (\d+) MiB)?`)
	// Device 0: "NVIDIA GeForce RTX 3090" of deviceQuery
	quotedDevice = lazyregexp.New(`^\s*Device (\d{1,2}): "([^"]+)"`)
	// 0: Tesla V100-PCIE-32GB (sm_70, 31.729 GiB / 32.000 GiB available) of Julia
	juliaDevice = lazyregexp.New(`^\s*(\d{1,2}): (\S.*?) \(sm_(\d{2,3}),`)
	// id 0    b'Tesla T4'     [SUPPORTED] of numba
	numbaDevice = lazyregexp.New(`^\s*id (\d{1,2})\s+b?'([^']+)'(?:\s+\[(SUPPORTED|[A-Z ]+)|\s*$)`)
	// NVIDIA A100-SXM4-80GB, 535.129.03, 81920 MiB of --query-gpu without a header
	headless = lazyregexp.New(`^\s*(?:[Gg][Pp][Uu]:? )?(?:[0-9A-Fa-f]{4,8}:[0-9A-Fa-f]{2}:[0-9A-Fa-f]{2}\.\d, )?(?:(\d{1,2}), )?((?:NVIDIA|GeForce|Tesla|Quadro|TITAN|GRID|RTX|GTX|[ABHLTPV]\d{1,3}) ?[^,|:=]*), (.+)$`)
)

// gpuLists reads the lists of other programs, and the shorter ones of nvidia-smi. Some have a line above the first GPU.
var gpuLists = reader{name: "lists of GPUs", read: readList, around: 1, words: []string{"UUID", "compute capability", "(sm_"}, form: mayBeListed}

// mayBeListed tells quickly whether a line can be one of gpustat, quotedDevice, numbaDevice and headless, which have no
// word that others do not have.
func mayBeListed(l *transcript.Line) bool {
	s := unindented(l.Message)
	switch {
	case s == "":
		return false
	case s[0] == '[':
		return len(s) > 1 && isDigit(s[1])
	case strings.HasPrefix(s, "Device "), strings.HasPrefix(s, "id "):
		return true
	}
	return isUpperOrDigit(strings.TrimPrefix(s, "gpu ")) && strings.Contains(s, ", ")
}

// readList reads the lists that print each GPU on a line of its own.
func readList(t *transcript.Text, f *Facts) {
	numba := &gpuForm{form: numbaDevice, rank: Stated, usable: true}
	forms := []*gpuForm{
		{form: smiL, rank: Proper}, {form: gpustat, rank: Stated, memory: 3}, {form: ggml, rank: Stated, capability: 3, memory: 4},
		{form: quotedDevice, rank: Stated}, {form: juliaDevice, rank: Stated, capability: 3, usable: true}, numba,
		{form: headless, rank: Stated},
	}
	for i, l := range t.Lines {
		if len(l.Text) > maxLine || len(l.Text) < 8 {
			continue
		}
		body := l.Message
		if key, value, ok := strings.Cut(body, ":"); ok && numba.near(l.N) && strings.EqualFold(strings.TrimSpace(key), "compute capability") {
			numba.gpus[len(numba.gpus)-1].ComputeCapability = capabilityOf(value)
		}
		for _, g := range forms {
			if g.line(f, body, l) && g.form == gpustat && i > 0 && len(g.gpus) == 1 {
				// The line above the first GPU: host, time, driver.
				above := t.Lines[i-1]
				if w := strings.Fields(above.Text); len(w) > 5 && driverOnly.MatchString(w[len(w)-1]) {
					f.Set(&f.rec.Driver, w[len(w)-1], Stated, f.At(above.N, above.Text))
				}
			}
		}
	}
	for _, g := range forms {
		g.end(f)
	}
}

// gpuForm is one such list, with the groups of its pattern: number, name, and what else it tells.
type gpuForm struct {
	form               *lazyregexp.Regexp
	rank               Rank
	memory, capability int
	usable             bool // a program that prints this uses the GPU
	gpus               []GPU
}

// near tells whether a line stands right behind the last GPU of a list, which has more about it on lines of their own.
func (g *gpuForm) near(line int) bool {
	return len(g.gpus) > 0 && line-g.gpus[len(g.gpus)-1].From.Line <= 2
}

func (g *gpuForm) line(f *Facts, body string, l transcript.Line) bool {
	if !g.may(body) {
		return false
	}
	m := g.form.FindStringSubmatch(body)
	if m == nil {
		return false
	}
	name, _ := modelName(m[2], g.form != smiL)
	if name == "" {
		return false
	}
	gpu := GPU{Name: name, From: f.At(l.N, l.Text), Index: m[1]}
	if g.form == smiL && !strings.Contains(body, "UUID") {
		return false // of other programs; read as a key and a value
	}
	if g.form == headless && !g.fields(f, &gpu, m[3], l) {
		return false
	}
	if g.memory > 0 {
		gpu.MemoryMiB = atoi(m[g.memory])
	}
	if g.capability > 0 {
		gpu.ComputeCapability = capabilityOf(m[g.capability])
	}
	if n := len(g.gpus); n > 0 && m[1] != "" && atoi(m[1]) <= atoi(g.gpus[n-1].Index) {
		if g.has(m[1], name) {
			return false // the program says it again, as each worker of a server does
		}
		g.end(f)
	}
	if len(g.gpus) < maxGPUs {
		g.gpus = append(g.gpus, gpu)
	}
	if g.usable && (g.form != numbaDevice || strings.Contains(body, "[SUPPORTED")) {
		f.Set(&f.rec.GPUAvailable, "true", g.rank, gpu.From)
	}
	return true
}

func (g *gpuForm) has(index, name string) bool {
	for _, o := range g.gpus {
		if o.Index == index && o.Name == name {
			return true
		}
	}
	return false
}

// may is a quick look before the pattern.
func (g *gpuForm) may(body string) bool {
	switch g.form {
	case smiL:
		return strings.Contains(body, "GPU ")
	case gpustat:
		return strings.Contains(body, " MB") && strings.Contains(body, "[")
	case ggml:
		return strings.Contains(body, ", compute capability ")
	case quotedDevice:
		return strings.Contains(body, `: "`)
	case juliaDevice:
		return strings.Contains(body, "(sm_")
	case numbaDevice:
		return strings.Contains(body, "id ") && strings.Contains(body, "'")
	}
	return strings.Contains(body, ", ") && isUpperOrDigit(strings.TrimPrefix(strings.TrimLeft(body, " "), "gpu "))
}

func isUpperOrDigit(s string) bool { return s != "" && (isDigit(s[0]) || 'A' <= s[0] && s[0] <= 'Z') }

// fields takes the fields behind a name by their form. It gives false where one
// has no form of nvidia-smi's: then the line is prose.
func (g *gpuForm) fields(f *Facts, gpu *GPU, rest string, l transcript.Line) bool {
	drv, told := "", false
	for field := range strings.SplitSeq(rest, ",") {
		field = strings.TrimSpace(field)
		cc := ccOnly.MatchString(field)
		switch {
		case cc && atoi(field[:strings.IndexByte(field, '.')]) <= 12:
			gpu.ComputeCapability, told = field, true
		case driverOnly.MatchString(field):
			drv, told = field, true
		case strings.HasSuffix(field, " MiB"):
			if m := memoryOf(field); m > gpu.MemoryMiB {
				gpu.MemoryMiB = m // the total is more than what is used or free
			}
			told = true
		case queryValue.MatchString(field):
		default:
			return false
		}
	}
	if told {
		f.Set(&f.rec.Driver, driverOf(drv), Stated, gpu.From)
	}
	return told
}

var (
	ccOnly     = lazyregexp.New(`^\d{1,2}\.\d$`)
	driverOnly = lazyregexp.New(`^\d{3}\.\d{2,3}(?:\.\d{1,2})?$`)
	queryValue = lazyregexp.New(`^(?:GPU-[0-9a-fA-F-]+|[0-9A-F]{8}:[0-9A-F]{2}:[0-9A-F]{2}\.\d|\d+|\d+ %|\d+(?:\.\d+)? [WC]|\d+ MHz|P\d+|\[?N/A\]?|\[?Not Supported\]?|Enabled|Disabled|Default|[\d.A-Z]{8,20})$`)
)

func (g *gpuForm) end(f *Facts) {
	f.GPUs(g.gpus, g.rank)
	g.gpus = nil
}
