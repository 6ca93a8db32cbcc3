package driver

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"strata/internal/machine"
	"strata/internal/stack"
)

const (
	// maxEvents is how many events are kept, the newest: some five upgrades of
	// a driver that Ubuntu cuts into ten packages.
	maxEvents = 50
	// maxLog is how much of the end of each log is read.
	maxLog = 4 << 20
)

// log is one package manager's log and the parser of one line of it.
type log struct {
	paths []string // oldest first
	parse func(line string, state *string) []stack.PackageEvent
}

// logs are tried in order; apt's history repeats what dpkg's log says, so it
// only counts where that has nothing.
var logs = []log{
	{[]string{"/var/log/dpkg.log.1", "/var/log/dpkg.log"}, dpkgLine},
	{[]string{"/var/log/apt/history.log"}, aptLine},
	{[]string{"/var/log/yum.log"}, yumLine},
	{[]string{"/var/log/dnf.rpm.log.1", "/var/log/dnf.rpm.log"}, dnfLine},
	{[]string{"/var/log/zypp/history"}, zyppLine},
	{[]string{"/var/log/pacman.log"}, pacmanLine},
	{[]string{"/var/log/nvidia-installer.log"}, installerLine},
}

func readHistory(m *machine.Machine) stack.Fact[[]stack.PackageEvent] {
	events := []stack.PackageEvent{}
	var sources []stack.Source
	var problem error
	for i, l := range logs {
		if i == 1 && len(events) > 0 {
			continue
		}
		for _, name := range l.paths {
			text, whole, err := readTail(m, name)
			if err != nil {
				if !errors.Is(err, fs.ErrNotExist) {
					problem = err
				}
				continue
			}
			sources = append(sources, stack.File(name))
			events = append(events, parseLog(name, text, whole, l.parse)...)
		}
	}
	if len(events) > maxEvents {
		events = events[len(events)-maxEvents:]
	}
	if len(sources) == 0 {
		if problem != nil {
			return stack.Miss[[]stack.PackageEvent](problem, "/var/log")
		}
		return stack.None[[]stack.PackageEvent](stack.Source{Kind: "directory", Locator: "/var/log"})
	}
	f := stack.Know(events, sources...)
	if problem != nil {
		f.Why = "not every log could be read: " + problem.Error()
	}
	return f
}

func parseLog(name, text string, whole bool, parse func(string, *string) []stack.PackageEvent) []stack.PackageEvent {
	var events []stack.PackageEvent
	state := "" // what a line leaves for the next: a date that stands on its own
	n := 0
	for line := range strings.Lines(text) {
		n++
		line = strings.TrimRight(line, "\r\n")
		for _, e := range parse(line, &state) {
			e.From = stack.Line(name, n, line)
			if !whole {
				e.From.Line = 0
			}
			events = append(events, e)
		}
	}
	return events
}

// readTail reads the end of a log; a cut first line is dropped.
func readTail(m *machine.Machine, name string) (text string, whole bool, err error) {
	f, err := m.Open(name)
	if err != nil {
		return "", false, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return "", false, fmt.Errorf("reading %q: %w", name, err)
	}
	from := max(0, info.Size()-maxLog)
	data := make([]byte, info.Size()-from)
	n, err := f.ReadAt(data, from)
	if err != nil && !errors.Is(err, io.EOF) {
		return "", false, fmt.Errorf("reading %q: %w", name, err)
	}
	text = string(data[:n])
	if from > 0 {
		_, text, _ = strings.Cut(text, "\n")
	}
	return text, from == 0, nil
}
