package outcome

import (
	"fmt"
	"strings"
)

// GPU is what NVML showed of one GPU, or of one instance of MIG, while the command ran and was looked at.
type GPU struct {
	Index    int    `json:"index"`
	Instance *int   `json:"instance,omitempty"` // of MIG
	Name     string `json:"name"`
	// Processes counts those of the command and of what it started that were seen on it, Others those of anybody else, at most at one look.
	Processes int `json:"processes"`
	Others    int `json:"others"`
	// PeakMemory is the most that the command's processes held at one look, in bytes; nil where NVML did not tell.
	PeakMemory *uint64 `json:"peak_memory"`
	// BusyMean and BusyMax are percent of the time in which the GPU computed, for whomever, from the command's first look there on; nil where NVML did not tell.
	BusyMean *int `json:"busy_mean"`
	BusyMax  *int `json:"busy_max"`
	// OwnBusyMax is the most that NVML says of the command's processes alone.
	OwnBusyMax *int `json:"own_busy_max,omitempty"`
	// Samples counts the looks behind BusyMean, FirstSeenMillis is when the first process of the command was seen, since the start.
	Samples         int   `json:"samples"`
	FirstSeenMillis int64 `json:"first_seen_ms,omitempty"`
	// MemoryTotal, MemoryFirst and MemoryMax are bytes of the GPU: all, and what everybody held at the first look and at most.
	MemoryTotal uint64 `json:"memory_total,omitempty"`
	MemoryFirst uint64 `json:"memory_first,omitempty"`
	MemoryMax   uint64 `json:"memory_max,omitempty"`
	// Why is what NVML answered where it does not tell the processes.
	Why string `json:"why,omitempty"`
}

// Sampling is how the GPUs were looked at.
type Sampling struct {
	State string `json:"state"` // off, not-needed, ok, failed
	// Why is the reason of off, not-needed and failed; looks before a failure count.
	Why            string `json:"why,omitempty"`
	IntervalMillis int64  `json:"interval_ms,omitempty"`
	Samples        int    `json:"samples"`
	// PIDs tells whose numbers of processes NVML's are: ours; others, where those that it lists do not exist
	// here, as in a container; unknown, where it lists none and this is a container.
	PIDs   string `json:"pids,omitempty"`
	Driver string `json:"driver,omitempty"`
	CUDA   string `json:"cuda,omitempty"`
}

// The states of Sampling, and whose numbers of processes NVML gives.
const (
	SamplingOff       = "off"
	SamplingNotNeeded = "not-needed"
	SamplingOK        = "ok"
	SamplingFailed    = "failed"

	pidsOurs    = "ours"
	pidsOthers  = "others"
	pidsUnknown = "unknown"
)

// enough is how many looks make "never": a program may take a second from the driver's start to its context.
const enough = 3

// On tells whether a process of the command was seen on a GPU: only one with a context is listed there.
func (d *Document) on() []GPU {
	var out []GPU
	for _, g := range d.GPUs {
		if g.Processes > 0 {
			out = append(out, g)
		}
	}
	return out
}

// idle tells whether the GPUs were looked at often enough, whose processes they have is known, and they neither had one of the command nor computed at all.
func (d *Document) idle() bool {
	if d.Sampling.Samples < enough || d.Sampling.PIDs != pidsOurs || len(d.GPUs) == 0 {
		return false
	}
	for _, g := range d.GPUs {
		if g.Processes > 0 || g.Why != "" || g.BusyMax == nil || *g.BusyMax > 0 {
			return false
		}
	}
	return true
}

// label is a GPU in words.
func (g *GPU) label() string {
	s := fmt.Sprintf("GPU %d", g.Index)
	if g.Instance != nil {
		s += fmt.Sprintf(", MIG instance %d", *g.Instance)
	}
	return s
}

// did is what the command did on a GPU, as far as NVML tells.
func (g *GPU) did() string {
	var parts []string
	switch {
	case g.PeakMemory != nil:
		parts = append(parts, "peak "+bytesText(*g.PeakMemory))
	case g.MemoryMax > 0:
		parts = append(parts, fmt.Sprintf("NVML does not tell its memory (%s of the GPU in use)", bytesText(g.MemoryMax)))
	}
	switch {
	case g.BusyMean == nil:
		parts = append(parts, "NVML does not tell how busy it was")
	case *g.BusyMax == 0:
		parts = append(parts, "0 % busy at every look, so that it held memory and computed nothing")
	default:
		parts = append(parts, fmt.Sprintf("%d %% busy", *g.BusyMean))
	}
	if g.Others > 0 {
		shared := fmt.Sprintf("shared with %d other %s", g.Others, plural(g.Others, "process", "processes"))
		if g.OwnBusyMax != nil {
			shared += fmt.Sprintf(", own share %d %% at most", *g.OwnBusyMax)
		}
		parts = append(parts, shared)
	}
	return strings.Join(parts, ", ")
}

func plural(n int, one, more string) string {
	if n == 1 {
		return one
	}
	return more
}

// bytesText is an amount of memory as nvidia-smi counts, in powers of 1024.
func bytesText(n uint64) string {
	if n < 1<<30 {
		return fmt.Sprintf("%d MiB", n>>20)
	}
	return fmt.Sprintf("%.1f GiB", float64(n)/(1<<30))
}

// maxNamed is how many GPUs a sentence can bear.
const maxNamed = 3

// ranOn is the answer where the command's processes were seen on GPUs.
func ranOn(list []GPU) string {
	if len(list) == 1 {
		g := &list[0]
		name := ""
		if g.Name != "" {
			name = " (" + g.Name + ")"
		}
		return fmt.Sprintf("ran on %s%s: %s, first seen %.1f s after the start", g.label(), name, g.did(), float64(g.FirstSeenMillis)/1000)
	}
	var parts []string
	for i := range list {
		if i == maxNamed {
			parts = append(parts, fmt.Sprintf("and %d more", len(list)-i))
			break
		}
		parts = append(parts, list[i].label()+" "+list[i].did())
	}
	return fmt.Sprintf("ran on %d GPUs: %s", len(list), strings.Join(parts, "; "))
}

// told is what can be said of the GPUs where their processes cannot be told apart.
func (d *Document) told() string {
	var parts []string
	for i := range d.GPUs {
		g := &d.GPUs[i]
		if g.MemoryMax == 0 && g.BusyMax == nil {
			continue
		}
		text := g.label()
		if g.MemoryMax > 0 {
			text += fmt.Sprintf(" went from %s to %s in use", bytesText(g.MemoryFirst), bytesText(g.MemoryMax))
		}
		if g.BusyMean != nil {
			text += fmt.Sprintf(", %d %% busy", *g.BusyMean)
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, "; ")
}

// unlisted is what the looks add to "never touched".
func (d *Document) unlisted() string {
	if d.Sampling.Samples >= enough && d.Sampling.PIDs == pidsOurs && len(d.GPUs) > 0 {
		return fmt.Sprintf(", and no process of the command was on a GPU at any of %d looks", d.Sampling.Samples)
	}
	return ""
}

// sampled are the notes about the looks at the GPUs: why there were none, and what they cannot tell.
func (d *Document) sampled() []string {
	var out []string
	s := d.Sampling
	if s.State == SamplingFailed {
		text := "utilisation was not sampled: "
		if s.Samples > 0 {
			text = fmt.Sprintf("utilisation was sampled %d %s and then no more: ", s.Samples, plural(s.Samples, "time", "times"))
		}
		out = append(out, text+s.Why)
	}
	on := d.on()
	told := d.told()
	switch {
	case len(on) > 0 && d.FellBack:
		out = append(out, "a part of it ran on the GPU all the same: it "+ranOn(on))
	case s.PIDs == pidsOthers && told != "":
		out = append(out, "NVML names processes by numbers that do not exist here (a container sees its own), so that nobody can tell which are the command's; in all, "+told)
	case s.PIDs == pidsUnknown && told != "":
		out = append(out, "NVML lists no process in this container, so that nobody can tell what the command holds; in all, "+told)
	case len(on) == 0:
		for i := range d.GPUs {
			if g := &d.GPUs[i]; g.Why != "" {
				out = append(out, fmt.Sprintf("NVML does not tell who is on %s (%s); in all, %s", g.label(), g.Why, told))
				break
			}
		}
	}
	return out
}
