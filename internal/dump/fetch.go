package dump

import (
	"strings"

	"strata/internal/lazyregexp"
	"strata/internal/transcript"
)

// fetch reads the tools that print a system's profile beside a picture
// (neofetch, fastfetch, screenfetch), whose keys stand anywhere in a line. None of them leaves the kernel out.
var fetch = reader{name: "system profile", read: readFetch, messages: true, whole: true, words: []string{"Kernel: ", "Kernel ("}}

// cards reads Windows' tools for display adapters.
var cards = reader{name: "display adapters", read: readCards, messages: true, words: []string{"NVIDIA", "ard name", "Dedicated"}, form: func(l *transcript.Line) bool { return numbered(l.Message) }}

var (
	fetchKey = lazyregexp.New(`(?:^|[^A-Za-z])(OS|Kernel|GPU(?: ?\d+)?|Host|Shell|Uptime|Packages|WM|DE|Terminal)(?: \(\w[^)]*\))?: (\S.*)$`)
	fetchGPU = lazyregexp.New(`^(?:NVIDIA Corporation )?(?:[A-Z]{2}\d{3}\w* )?\[?((?:NVIDIA )?(?:GeForce|Quadro|Tesla|TITAN|RTX|GTX|[AHLBV]\d{1,3}\b)[^\[\]@(/]*?)\]?(?:\s*[@\[(/].*)?$`)
	arch     = lazyregexp.New(`\s+(?:x86_64|aarch64|arm64|amd64|i686)$`)
	// 31.0.15.3623 is driver 536.23: the last five digits
	windowsDriver = lazyregexp.New(`\b(?:(?:2[2-9]|3\d)\.\d{1,2}|8\.17|9\.18|21\.21)\.1([1-9])\.(\d{2})(\d{2})\b`)
	cardName      = lazyregexp.New(`^\s*(?:Card name|Chip type|Name|Caption|VideoProcessor|AdapterCompatibility|Description)\s*[:=]\s*(NVIDIA \S.*?)\s*$`)
	cardMemory    = lazyregexp.New(`^\s*(?:Dedicated Memory|Display Memory)(?: \(VRAM\))?:\s*(\d+) (MB)`)
)

func readFetch(t *transcript.Text, f *Facts) {
	type found struct {
		key, value string
		line       transcript.Line
	}
	var list []found
	keys := map[string]bool{}
	for _, l := range t.Lines {
		if len(l.Text) > 300 || !strings.Contains(l.Text, ": ") || !fetchWord(l.Text) {
			continue
		}
		if m := fetchKey.FindStringSubmatch(l.Text); m != nil {
			key, _, _ := strings.Cut(m[1], " ")
			key = strings.TrimRight(key, "0123456789")
			keys[key] = true
			if key == "OS" || key == "Kernel" || key == "GPU" {
				list = append(list, found{key, strings.TrimSpace(m[2]), l})
			}
		}
	}
	if !keys["OS"] || !keys["Kernel"] || !keys["Uptime"] && !keys["Packages"] && !keys["Shell"] {
		return
	}
	var gpus []GPU
	for _, x := range list {
		from := f.At(x.line.N, x.line.Text)
		switch x.key {
		case "OS":
			f.Format("neofetch", x.line.N)
			f.Set(&f.rec.OS, arch.ReplaceAllString(x.value, ""), Stated, from)
		case "Kernel":
			f.Set(&f.rec.Kernel, kernelOf(strings.TrimPrefix(x.value, "Linux ")), Stated, from)
		case "GPU":
			if m := fetchGPU.FindStringSubmatch(x.value); m != nil && len(gpus) < maxGPUs {
				gpus = append(gpus, GPU{Name: strings.TrimSpace(m[1]), From: from})
			}
		}
	}
	f.GPUs(gpus, Stated)
}

// fetchWord tells whether a line may have a key of fetchKey.
func fetchWord(s string) bool {
	for _, w := range []string{"OS", "Kernel", "GPU", "Shell", "Uptime", "Packages"} {
		if strings.Contains(s, w) {
			return true
		}
	}
	return false
}

// numbered tells whether a line may have a version of windowsDriver, whose third number is 10 to 19.
func numbered(s string) bool {
	i := strings.Index(s, ".1")
	for i >= 0 {
		if i+4 < len(s) && s[i+3] == '.' {
			return true
		}
		j := strings.Index(s[i+1:], ".1")
		if j < 0 {
			return false
		}
		i += 1 + j
	}
	return false
}

// readCards reads dxdiag and wmic: adapters, their memory, and their driver's
// version in the numbering of Windows.
func readCards(t *transcript.Text, f *Facts) {
	var cards []GPU
	near := -100 // the line that named NVIDIA last
	for _, l := range t.Lines {
		line := l.Text
		if len(line) > 600 {
			continue
		}
		if strings.Contains(line, "NVIDIA") {
			near = l.N
			if m := cardName.FindStringSubmatch(line); m != nil && strings.Contains(line, "ard name") && len(cards) < maxGPUs {
				f.Format("dxdiag", l.N)
				cards = append(cards, GPU{Name: m[1], From: f.At(l.N, line)})
			}
		} else if strings.Contains(line, "ard name:") {
			near = -100
		}
		if l.N-near > 30 {
			continue
		}
		if numbered(line) {
			if m := windowsDriver.FindStringSubmatch(line); m != nil {
				f.note(&f.rec.Driver, m[1]+m[2]+"."+m[3], Stated, l)
			}
		}
		if len(cards) == 0 || !strings.Contains(line, "emory") {
			continue
		}
		if m := cardMemory.FindStringSubmatch(line); m != nil && cards[len(cards)-1].MemoryMiB == 0 && strings.Contains(line, "Dedicated") {
			cards[len(cards)-1].MemoryMiB = mebibytes(m[1], m[2])
		}
	}
	f.GPUs(cards, Stated)
}
