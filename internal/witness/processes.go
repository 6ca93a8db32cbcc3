package witness

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Processes is what was seen of the command's processes from outside.
type Processes struct {
	// Count is how many processes were seen.
	Count int `json:"processes"`
	// Devices are the device files of GPUs that a process had open: /dev/nvidia0, /dev/nvidia-uvm, /dev/dxg.
	Devices []string `json:"devices"`
	// Mapped are the files of shared libraries that a process had mapped.
	Mapped []string `json:"mapped"`
	// NoGPU is true where there is no device file of a GPU that anybody could open.
	NoGPU bool `json:"no_gpu"`
	// Contained is true where this process sees only a part of the host's processes, under other numbers.
	Contained bool `json:"contained"`
	// Touched is when a GPU's own node was first seen open, since the start; 0 where it never was.
	Touched time.Duration `json:"touched,omitempty"`
}

// watcher looks at a process and what it started.
type watcher struct {
	root    int
	mu      sync.Mutex
	began   time.Time
	seen    map[int]bool
	devices map[string]bool
	mapped  map[string]bool
	touched time.Duration
	// saw, where not nil, is told each new thing once.
	saw func(Seen)
}

func newWatcher(root int, began time.Time, saw func(Seen)) *watcher {
	return &watcher{root: root, began: began, saw: saw, seen: map[int]bool{}, devices: map[string]bool{}, mapped: map[string]bool{}}
}

// look goes through the tree once. Processes that are gone, or not ours, are passed over.
func (w *watcher) look() {
	for _, s := range w.lookOnce() {
		if w.saw != nil {
			w.saw(s)
		}
	}
}

func (w *watcher) lookOnce() (news []Seen) {
	w.mu.Lock()
	defer w.mu.Unlock()
	mapped, devices := maps.Clone(w.mapped), maps.Clone(w.devices)
	defer func() { news = append(added("mapped", mapped, w.mapped), added("opened", devices, w.devices)...) }()
	for _, pid := range Tree(w.root) {
		w.seen[pid] = true
		w.files(pid)
		w.maps(pid)
	}
	return nil
}

// added are what a later look has and an earlier one has not, in order.
func added(kind string, before, now map[string]bool) (out []Seen) {
	for _, path := range slices.Sorted(maps.Keys(now)) {
		if !before[path] {
			out = append(out, Seen{kind, path})
		}
	}
	return out
}

// Tree are a process and its descendants, by the lists that the kernel keeps.
func Tree(root int) []int {
	out := []int{root}
	for i := 0; i < len(out) && len(out) < maxProcesses; i++ {
		tasks, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", out[i]))
		if err != nil {
			continue
		}
		for _, t := range tasks {
			data, err := os.ReadFile(t)
			if err != nil {
				continue
			}
			for _, f := range strings.Fields(string(data)) {
				if pid, err := strconv.Atoi(f); err == nil && !slices.Contains(out, pid) {
					out = append(out, pid)
				}
			}
		}
	}
	return out
}

func (w *watcher) files(pid int) {
	for _, to := range openNodes(pid) {
		w.devices[to] = true
		if w.touched == 0 && IsGPU(to) {
			w.touched = max(time.Since(w.began), time.Millisecond)
		}
	}
}

// openNodes are the device files of the driver that a process has open.
func openNodes(pid int) (out []string) {
	dir := fmt.Sprintf("/proc/%d/fd", pid)
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	for _, e := range entries {
		if to, err := os.Readlink(filepath.Join(dir, e.Name())); err == nil && IsGPUNode(to) {
			out = append(out, to)
		}
	}
	return out
}

// IsGPUNode tells whether a path is a device file of NVIDIA's driver, or WSL's.
func IsGPUNode(p string) bool { return strings.HasPrefix(p, "/dev/nvidia") || p == "/dev/dxg" }

// IsGPU tells whether a device file is that of one GPU, which only a program
// that uses it opens; nvidiactl and nvidia-uvm are opened to ask whether there is one.
func IsGPU(p string) bool {
	n, ok := strings.CutPrefix(p, "/dev/nvidia")
	_, err := strconv.Atoi(n)
	return ok && err == nil || p == "/dev/dxg"
}

func (w *watcher) maps(pid int) {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/maps", pid))
	if err != nil {
		return
	}
	for line := range bytes.Lines(data) {
		i := bytes.IndexByte(line, '/')
		if i < 0 || !bytes.Contains(line[i:], []byte(".so")) || bytes.Contains(line[:i], []byte(" r--p")) {
			continue // of each library the part with its code is enough
		}
		w.mapped[strings.TrimSpace(string(line[i:]))] = true
	}
}

func (w *watcher) result() Processes {
	w.mu.Lock()
	defer w.mu.Unlock()
	out := Processes{Count: len(w.seen), NoGPU: noGPU(), Contained: Contained(), Touched: w.touched, Devices: slices.Sorted(maps.Keys(w.devices)), Mapped: slices.Sorted(maps.Keys(w.mapped))}
	if out.Devices == nil {
		out.Devices = []string{}
	}
	if out.Mapped == nil {
		out.Mapped = []string{}
	}
	return out
}

// noGPU tells that /dev has no GPU's own node. A directory that cannot be read proves nothing.
func noGPU() bool {
	entries, err := os.ReadDir("/dev")
	return err == nil && !slices.ContainsFunc(entries, func(e os.DirEntry) bool { return IsGPU("/dev/" + e.Name()) })
}
