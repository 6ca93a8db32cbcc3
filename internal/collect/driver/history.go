package driver

import (
	"errors"
	"io/fs"
	"slices"
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
			text, from, err := m.ReadTail(name, maxLog)
			if err != nil {
				if !errors.Is(err, fs.ErrNotExist) {
					problem = err
				}
				continue
			}
			sources = append(sources, stack.File(name))
			events = append(events, parseLog(name, text, from == 0, l.parse)...)
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
		found := parse(line, &state)
		if len(found) == 0 {
			continue
		}
		from := stack.Line(name, n, line)
		if !whole {
			from.Line = 0
		}
		for _, e := range found {
			e.From = from
			events = append(events, e)
		}
		if len(events) > 2*maxEvents { // only the newest are kept, and one line may name many
			events = slices.Clone(events[len(events)-maxEvents:])
		}
	}
	return events
}
