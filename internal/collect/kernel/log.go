package kernel

import (
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"strata/internal/machine"
	"strata/internal/redact"
	"strata/internal/stack"
)

// kernelLogs are the text files that hold kernel messages, the most complete
// last, so that its lines are the ones kept. Only dmesg holds nothing else.
var kernelLogs = []string{"/var/log/messages", "/var/log/syslog", "/var/log/dmesg", "/var/log/kern.log"}

const (
	// maxLogTail is how much of the end of each log is read: some 20,000 lines.
	maxLogTail = 2 << 20
	// maxLogLines is how many lines are kept in all, the newest.
	maxLogLines = 200
	// maxLogText cuts a line; NVRM's assertions are the longest with 300 bytes.
	maxLogText = 500
)

// readLog reads what the kernel said about the GPU. /dev/kmsg and the
// journal's binary files are not opened; where nothing else holds the kernel's
// messages, the fact is Denied and says how to hand them over.
func readLog(m *machine.Machine) stack.Fact[[]stack.LogLine] {
	lines := []stack.LogLine{}
	seen := map[string]bool{} // rsyslog writes the same line to several files
	var sources []stack.Source
	var problem error
	for _, name := range kernelLogs {
		text, from, err := m.ReadTail(name, maxLogTail)
		if err != nil {
			if !errors.Is(err, fs.ErrNotExist) {
				problem = err
			}
			continue
		}
		src := stack.File(name)
		if from > 0 {
			src.Text = fmt.Sprintf("from byte %d", from)
		}
		sources = append(sources, src)
		for _, l := range parseLog(name, text, from == 0) {
			if !seen[l.Text] {
				seen[l.Text] = true
				lines = append(lines, l)
			}
		}
	}
	if len(lines) > maxLogLines {
		lines = lines[len(lines)-maxLogLines:]
	}
	switch {
	case len(sources) > 0:
		f := stack.Know(lines, sources...)
		if problem != nil {
			f.Why = problem.Error()
		}
		return f
	case problem != nil:
		return stack.Refused[[]stack.LogLine](problem.Error(), "run as a member of group adm, or look for NVRM and Xid in `journalctl -k`",
			stack.File(kernelLogs[len(kernelLogs)-1]))
	case m.Exists("/var/log/journal") || procfs(m):
		return stack.Refused[[]stack.LogLine]("the kernel's messages are only in the journal or the kernel's buffer",
			"look for NVRM and Xid in `journalctl -k`", stack.Source{Kind: "directory", Locator: "/var/log"})
	}
	return stack.None[[]stack.LogLine](stack.Source{Kind: "directory", Locator: "/var/log"})
}

// parseLog keeps the kernel's lines about the GPU. Line numbers are only true
// where the text is the whole file.
func parseLog(name, text string, whole bool) []stack.LogLine {
	var lines []stack.LogLine
	n := 0
	for line := range strings.Lines(text) {
		n++
		// In a mixed log the kernel's lines carry its tag; others name nvidia too.
		if !strings.HasSuffix(name, "/dmesg") && !strings.Contains(line, "kernel:") {
			continue
		}
		if !aboutGPU(line) {
			continue
		}
		text := redact.Line(line)
		if len(text) > maxLogText {
			text = strings.ToValidUTF8(text[:maxLogText], "") + "…"
		}
		l := stack.LogLine{Text: text, Xid: parseXid(line), From: stack.File(name)}
		if whole {
			l.From.Line = n
		}
		lines = append(lines, l)
	}
	return lines
}

// logWords mark lines about the GPU, or about a module that was refused.
var logWords = []string{
	"NVRM", "nvidia", "NVIDIA", "nouveau", "nova_core", "NovaCore",
	"module verification failed",      // taints only
	"unsigned module",                 // "Loading of unsigned module is rejected", "Lockdown: modprobe: unsigned module loading is restricted"
	"module with unavailable key",     // a signature by a key that is not enrolled
	"disagrees about version of symb", // a module of another kernel build
}

func aboutGPU(line string) bool {
	for _, w := range logWords {
		if strings.Contains(line, w) {
			return true
		}
	}
	return false
}

// parseXid reads the number of "NVRM: Xid (PCI:0000:65:00): 79, pid=…"; the
// driver's older form has no "PCI:". 0 where the line is no Xid.
func parseXid(line string) int {
	_, rest, ok := strings.Cut(line, "Xid (")
	if !ok {
		return 0
	}
	_, rest, ok = strings.Cut(rest, "): ")
	if !ok {
		return 0
	}
	end := 0
	for end < len(rest) && rest[end] >= '0' && rest[end] <= '9' {
		end++
	}
	n, err := strconv.Atoi(rest[:end])
	if err != nil {
		return 0
	}
	return n
}
