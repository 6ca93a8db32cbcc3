package hardware

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strconv"
	"strings"

	"strata/internal/machine"
	"strata/internal/stack"
)

const (
	procNVIDIA = "/proc/driver/nvidia"
	procGPUs   = procNVIDIA + "/gpus"
	// maxInformation bounds one information file; real ones are below 1 KiB.
	maxInformation = 64 << 10
)

func readProc(m *machine.Machine) stack.Fact[[]stack.ProcGPU] {
	entries, err := m.ReadDir(procGPUs)
	if errors.Is(err, fs.ErrNotExist) {
		if m.Exists("/proc/version") || m.Exists("/proc/modules") || m.Exists(procNVIDIA) {
			return stack.None[[]stack.ProcGPU](stack.Source{Kind: "directory", Locator: procGPUs})
		}
		return stack.Fact[[]stack.ProcGPU]{} // no procfs: nobody could look
	}
	if err != nil && len(entries) == 0 {
		return stack.Miss[[]stack.ProcGPU](err, procGPUs)
	}
	gpus := []stack.ProcGPU{}
	var lost error
	for _, e := range entries {
		name := path.Join(procGPUs, e.Name(), "information")
		data, err := m.ReadFile(name, maxInformation)
		if err != nil {
			lost = err
			continue
		}
		g := parseInformation(string(data))
		// The directory is the address; "Bus Location" repeats it.
		g.Address, g.From = e.Name(), stack.From("file", name, 0, g.Model)
		gpus = append(gpus, g)
	}
	if lost != nil && len(gpus) == 0 {
		return stack.Miss[[]stack.ProcGPU](lost, procGPUs)
	}
	f := stack.Know(gpus, stack.Source{Kind: "directory", Locator: procGPUs})
	if lost != nil {
		f.Why = fmt.Sprintf("not every GPU could be read: %v", lost)
	}
	return f
}

// parseInformation reads lines of "Key: \t value". A module that could not
// initialise the GPU writes "Unknown" for the model and question marks for
// UUID and VBIOS; they are kept, because they are the symptom.
func parseInformation(text string) stack.ProcGPU {
	g := stack.ProcGPU{Minor: -1}
	for line := range strings.Lines(text) {
		key, value, ok := strings.Cut(line, ":")
		if !ok {
			continue
		}
		value = strings.TrimSpace(value)
		switch strings.TrimSpace(key) {
		case "Model":
			g.Model = value
		case "GPU UUID":
			g.UUID = value
		case "Video BIOS":
			g.VBIOS = value
		case "Device Minor":
			if n, err := strconv.Atoi(value); err == nil {
				g.Minor = n
			}
		case "GPU Excluded", "Blacklisted": // the second is the word of older drivers
			g.Excluded = value == "Yes"
		}
	}
	return g
}
