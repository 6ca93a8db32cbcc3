package dump

import (
	"strconv"
	"strings"

	"strata/internal/lazyregexp"
	"strata/internal/transcript"
)

// nvidiaSMI reads the table of plain nvidia-smi, of every age: the banner with
// the driver and, since driver 410, its CUDA, and two lines for each GPU. R610
// words the banner "KMD Version" and "CUDA UMD Version". A terminal or a mail
// may have broken the lines.
var nvidiaSMI = reader{name: "nvidia-smi", read: readSMI, whole: true, words: []string{"NVIDIA-SMI", "NVITOP", "CUDA Version:", "CUDA UMD Version:"}, form: mayBeSMIRow}

var (
	smiBanner = lazyregexp.New(`NVIDIA-SMI\s+(\d\S*)`)
	smiDriver = lazyregexp.New(`(?:Driver|KMD) Version:\s*(\d[\d.]*)`)
	smiKMD    = lazyregexp.New(`KMD Version:\s*(\d[\d.]*)`)
	smiCUDA   = lazyregexp.New(`CUDA (?:UMD |Driver )?Version:\s*(\d+\.\d+)`)
	smiRest   = lazyregexp.New(`^\s*[|│]?\s*Version:\s*(\d{1,2}\.\d)`) // of a broken banner
	// The first line of a GPU: | 0  Tesla T4    Off | 00000000:00:1E.0 Off |
	smiGPU    = lazyregexp.New(`^[|│]\s*(\d{1,2})\s+([A-Za-z]\S*(?: \S+)*?)(?:\s+(?:On|Off|N/A|WDDM|TCC|MCDM|ERR!|[A-Z]?DM))?\s*[|│]\s*(?:[0-9A-Fa-f]{4,8}:)?[0-9A-Fa-f]{1,2}:[0-9A-Fa-f]{2}\.[0-9A-Fa-f]`)
	smiBroken = lazyregexp.New(`^[|│]\s*(\d{1,2})\s+((?:NVIDIA|GeForce|Tesla|Quadro|TITAN|GRID|RTX|[ABHLTPV]\d)\S*(?: \S+)*?)\s+(?:On|Off|N/A|WDDM|TCC)\s*[|│]?\s*$`)
	smiMemory = lazyregexp.New(`\d+\s*MiB\s*/\s*(\d+)\s*MiB`)
)

// smi is one run of nvidia-smi that is being read.
type smi struct {
	f    *Facts
	gpus []GPU
	// mig is true in the part of the table that lists MIG devices, whose memory is theirs.
	mig bool
}

func readSMI(t *transcript.Text, f *Facts) {
	s := &smi{f: f}
	for i, l := range t.Lines {
		if strings.Contains(l.Text, "ersion:") {
			s.banner(t, i)
		}
		bar := barOf(l.Text)
		if bar < 0 {
			continue
		}
		line := strings.TrimLeft(l.Text[bar:], " ")
		switch {
		case strings.Contains(line, "NVIDIA-SMI") && smiBanner.MatchString(line):
			s.end()
		case strings.Contains(line, "MIG devices") || strings.Contains(line, "Processes:"):
			s.mig = true
		case s.gpu(line, l):
		default:
			s.memory(line)
		}
	}
	s.end()
}

// mayBeSMIRow tells quickly whether a line can be the first one of a GPU: behind the first bar stands a number.
func mayBeSMIRow(l *transcript.Line) bool {
	bar := barOf(l.Text)
	if bar < 0 {
		return false
	}
	cell := unindented(strings.TrimLeft(l.Text[bar:], "|│"))
	return cell != "" && isDigit(cell[0])
}

// barOf is where the first bar of a table stands in a line; -1 where none does.
func barOf(line string) int {
	ascii, drawn := strings.IndexByte(line, '|'), strings.Index(line, "│")
	if ascii < 0 || drawn >= 0 && drawn < ascii {
		return drawn
	}
	return ascii
}

// banner takes the versions; a broken banner has them on the lines behind it.
func (s *smi) banner(t *transcript.Text, i int) {
	l := t.Lines[i]
	own := strings.Contains(l.Text, "NVIDIA-SMI") || strings.Contains(l.Text, "NVITOP")
	for k := i - 1; k >= 0 && k >= i-2 && !own; k-- {
		own = smiBanner.MatchString(t.Lines[k].Text)
	}
	d, c := smiDriver.FindStringSubmatch(l.Text), smiCUDA.FindStringSubmatch(l.Text)
	if !own && (d == nil || c == nil || strings.Contains(c[0], "Driver")) {
		return
	}
	s.f.Format("nvidia-smi", l.N)
	from := s.f.At(l.N, l.Text)
	if d != nil {
		s.f.Set(&s.f.rec.Driver, driverOf(d[1]), Proper, from)
	}
	if c != nil {
		s.f.Set(&s.f.rec.DriverCUDA, cudaRelease(c[1]), Proper, from)
	}
	if c == nil && d != nil && i+1 < len(t.Lines) && strings.HasSuffix(l.Text, "CUDA") {
		if m := smiRest.FindStringSubmatch(t.Lines[i+1].Text); m != nil {
			s.f.Set(&s.f.rec.DriverCUDA, m[1], Proper, s.f.At(l.N+1, t.Lines[i+1].Text))
		}
	}
	if m := smiKMD.FindStringSubmatch(l.Text); m != nil {
		s.f.Set(&s.f.rec.Module, driverOf(m[1]), Proper, from)
	}
}

func (s *smi) gpu(line string, l transcript.Line) bool {
	m := smiGPU.FindStringSubmatch(line)
	if m == nil {
		m = smiBroken.FindStringSubmatch(line)
	}
	if m == nil || otherVendor.MatchString(m[2]) {
		return false
	}
	if n := atoi(m[1]); len(s.gpus) > 0 && n <= s.last() {
		s.end() // a second table begins
	}
	s.mig = false
	s.gpus = append(s.gpus, GPU{Name: m[2], From: s.f.At(l.N, line), Index: m[1]})
	return true
}

func (s *smi) last() int { return atoi(s.gpus[len(s.gpus)-1].Index) }

func (s *smi) memory(line string) {
	if len(s.gpus) == 0 || s.mig || !strings.Contains(line, "MiB") {
		return
	}
	if m := smiMemory.FindStringSubmatch(line); m != nil {
		if g := &s.gpus[len(s.gpus)-1]; g.MemoryMiB == 0 {
			g.MemoryMiB, _ = strconv.Atoi(m[1])
		}
	}
}

func (s *smi) end() {
	s.f.GPUs(s.gpus, Proper)
	s.gpus, s.mig = nil, false
}
