package witness

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"strata/internal/opentrace"
)

// Opens is what was seen of the files that all processes opened or tried to; see opentrace.
type Opens struct {
	// Asked tells that it was asked for; Why, where not "", why there is nothing all the same.
	Asked bool
	Why   string
	opentrace.Result
	// Mute are the processes, of those in Names, of which the dynamic linker said nothing.
	Mute map[int]bool
	// Brief are the GPUs' device files that were there and that nobody was seen to have open: closed at once, or refused by the driver.
	Brief []string
}

// launch starts the command, with its opens seen where that was asked for and is possible.
func (w *run) launch() error {
	if !w.o.Opens {
		return w.cmd.Start()
	}
	w.rec.Opens.Asked = true
	t, err := opentrace.Start(opentrace.Options{Sort: w.o.sort, Reached: w.reached}, w.cmd.Start)
	var no *opentrace.Unavailable
	if errors.As(err, &no) {
		w.rec.Opens.Why = no.Error()
		return w.cmd.Start()
	}
	w.opens = t
	return err
}

// sort says what an open is to us: a library, a device of the driver, or one of its files.
func (o *Options) sort(p string) opentrace.Kind {
	base := path.Base(p)
	i := strings.Index(base, ".so")
	switch {
	case i > 0 && (len(base) == i+3 || base[i+3] == '.') && !strings.HasPrefix(base, "ld.so."): // the linker's own files
		if o.Known != nil && o.Known(base) {
			return opentrace.Library
		}
		return opentrace.Plain
	case IsGPUNode(path.Clean(p)):
		return opentrace.Node
	case strings.HasPrefix(p, "/proc/driver/nvidia"), strings.HasPrefix(p, "/usr/share/") && strings.Contains(p, "nvidia"):
		return opentrace.File
	}
	return opentrace.Ignored
}

// maxConfirms bounds how many processes are looked at beside each other for a device that they just opened.
const maxConfirms = 8

// reached has a process looked at that may have opened a device: that it asked is no proof, the driver can refuse it.
func (w *run) reached(pid int, device string, at time.Time) {
	select {
	case w.confirming <- struct{}{}:
	default:
		return
	}
	w.confirms.Add(1)
	go func() {
		defer w.confirms.Done()
		defer func() { <-w.confirming }()
		for _, wait := range []time.Duration{0, time.Millisecond, 10 * time.Millisecond, 100 * time.Millisecond} {
			time.Sleep(wait)
			if w.watcher.lookAt(pid, device, at) {
				return
			}
		}
	}()
}

// lookAt looks whether a process has a device open that it asked for at a certain time.
func (w *watcher) lookAt(pid int, device string, at time.Time) (open bool) {
	nodes := openNodes(pid)
	var news []Seen
	w.mu.Lock()
	for _, to := range nodes {
		if !w.devices[to] {
			w.devices[to] = true
			news = append(news, Seen{"opened", to})
		}
		if to != device {
			continue
		}
		open = true
		if since := max(at.Sub(w.began), time.Millisecond); IsGPU(to) && (w.touched == 0 || w.touched > since) {
			w.touched = since
		}
	}
	w.mu.Unlock()
	for _, s := range news {
		if w.saw != nil {
			w.saw(s)
		}
	}
	return open
}

// seen ends the watching of opens.
func (w *run) seen() {
	if w.opens == nil {
		return
	}
	o := &w.rec.Opens
	o.Result, o.Mute = w.opens.Stop(), map[int]bool{}
	w.confirms.Wait()
	for _, n := range o.Names {
		if !w.tracer.heard(n.PID) {
			o.Mute[n.PID] = true
		}
	}
}

// brief are the devices that were there and not seen open.
func (o *Opens) brief(devices []string) {
	for _, n := range o.Names {
		if n.Kind != opentrace.Node || n.Found == "" || !IsGPU(n.Name) {
			continue
		}
		if !slices.Contains(devices, n.Name) {
			o.Brief = append(o.Brief, n.Name)
		}
	}
}

// heard tells whether the linker of a process said something.
func (t *tracer) heard(pid int) bool {
	if t == nil {
		return false
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.files[fmt.Sprintf("ld.%d", pid)] != nil
}
