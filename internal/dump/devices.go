package dump

import (
	"slices"
	"strings"

	"strata/internal/lazyregexp"
	"strata/internal/stack"
)

// devices puts GPUs together whose name, memory and compute capability stand
// under different keys. What stands under one key is one list, so that a report
// that names its GPU under two keys has one GPU.
type devices struct {
	lists   []*deviceList
	current *deviceList
	// pending is what was said before any name: xFormers sorts its keys.
	pending GPU
	line    int // of pending
	// count is how many GPUs there are, where the text has a number for it.
	count int
}

type deviceList struct {
	key   string
	rank  Rank
	gpus  []GPU
	index []int // of each; -1 where not said
	last  int   // the line of the last name
	at    int   // the GPU that comes next to it belongs to
}

// pendingLines is how far behind its memory or capability a name may stand.
const pendingLines = 6

func (d *devices) list(key string, rank Rank) *deviceList {
	for _, l := range d.lists {
		if l.key == key {
			return l
		}
	}
	l := &deviceList{key: key, rank: rank, last: -10}
	d.lists = append(d.lists, l)
	return l
}

// name notes a GPU's name. index is its number, -1 where none is said; more
// says that the same name again is another GPU, since another bus address came before.
func (d *devices) name(key, name string, index int, more bool, rank Rank, line int, from stack.Source) {
	l := d.list(key, rank)
	d.current = l
	near := line-l.last == 1
	l.last = line
	if i := slices.Index(l.index, index); i >= 0 && index >= 0 {
		l.at = i
		if l.gpus[i].Name == "" {
			l.gpus[i].Name, l.gpus[i].From = name, from
		}
		return
	}
	if index < 0 && !more && !near {
		if i := slices.IndexFunc(l.gpus, func(g GPU) bool { return g.Name == name }); i >= 0 {
			l.at = i
			return
		}
	}
	if len(l.gpus) >= maxGPUs {
		return
	}
	g := GPU{Name: name, From: from}
	if d.pending.From.Kind != "" && line-d.line <= pendingLines {
		g.ComputeCapability, g.MemoryMiB = d.pending.ComputeCapability, d.pending.MemoryMiB
		d.pending = GPU{}
	}
	l.gpus, l.index, l.at = append(l.gpus, g), append(l.index, index), len(l.gpus)
}

// maxGPUs bounds a list; the largest systems of one driver have 16 and their MIG devices.
const maxGPUs = 64

// attribute notes a memory or a capability of the GPU that was named last, or
// of the one with this number.
func (d *devices) attribute(index, memory int, capability string, line int, from stack.Source) {
	l := d.current
	if l == nil || len(l.gpus) == 0 || index >= 0 && !slices.Contains(l.index, index) && !slices.Contains(l.index, -1) {
		if index > 0 {
			return
		}
		if d.pending.From.Kind == "" || line-d.line > pendingLines {
			d.pending, d.line = GPU{From: from}, line
		}
		fill(&d.pending, memory, capability)
		return
	}
	at := l.at
	if i := slices.Index(l.index, index); i >= 0 && index >= 0 {
		at = i
	}
	fill(&l.gpus[at], memory, capability)
}

func fill(g *GPU, memory int, capability string) {
	if g.MemoryMiB == 0 {
		g.MemoryMiB = memory
	}
	if g.ComputeCapability == "" {
		g.ComputeCapability = capability
	}
}

// give hands the lists over.
func (d *devices) give(f *Facts) {
	for _, l := range d.lists {
		for len(l.gpus) > 0 && len(l.gpus) < d.count && len(d.lists) == 1 && len(l.index) == 1 && l.index[0] < 0 {
			l.gpus = append(l.gpus, l.gpus[0])
		}
		f.GPUs(l.gpus, l.rank)
	}
	if d.pending.ComputeCapability != "" {
		f.GPUs([]GPU{d.pending}, Prose)
	}
}

// numbers are those of a GPU's key: "GPU 0", "Device 1 Name", "GPU 0,1,2,3",
// "GPU 0-7", "gpu:0", "cuda:0"; nil where there are none.
func numbers(key string) []int {
	m := gpuNumbers.FindStringSubmatch(key)
	if m == nil {
		return nil
	}
	var out []int
	for part := range strings.SplitSeq(m[1], ",") {
		from, to, _ := strings.Cut(strings.TrimSpace(part), "-")
		a, b := atoi(from), atoi(from)
		if to != "" {
			b = atoi(to)
		}
		for n := a; n <= b && len(out) < maxGPUs; n++ {
			out = append(out, n)
		}
	}
	return out
}

var gpuNumbers = lazyregexp.New(`(?i)(?:gpu|device|cuda|card)s?(?: id)?[ #:_.\[(]{0,2}(\d{1,2}(?:\s*[,-]\s*\d{1,2}){0,31})(?:\D|$)`)
