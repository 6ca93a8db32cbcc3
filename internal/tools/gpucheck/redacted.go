package main

import (
	"os"
	"os/user"
	"regexp"
	"strings"
	"sync"

	"strata/internal/redact"
)

// redacted takes out of a text what tells machines and people apart.
func redacted(text string) string {
	lines := strings.SplitAfter(text, "\n")
	for i, line := range lines {
		body := strings.TrimRight(line, "\r\n")
		indent := body[:len(body)-len(strings.TrimLeft(body, " \t"))]
		body = redact.Foreign(body)
		body = uuid.ReplaceAllString(body, "UUID")
		for _, n := range names() {
			body = n.find.ReplaceAllString(body, n.with)
		}
		lines[i] = indent + body
		if strings.HasSuffix(line, "\n") {
			lines[i] += "\n"
		}
	}
	return strings.Join(lines, "")
}

// uuid is any that redact does not know by its prefix: of disks, boots and machines.
var uuid = regexp.MustCompile(`\b[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}\b|\b[0-9a-f]{32}\b`)

type name struct {
	find *regexp.Regexp
	with string
}

// names are those of this machine and of who runs it. Names that are words everywhere stay.
var names = sync.OnceValue(func() (list []name) {
	add := func(text, with string) {
		if len(text) >= 3 && text != "root" && text != "localhost" {
			list = append(list, name{regexp.MustCompile(`\b` + regexp.QuoteMeta(text) + `\b`), with})
		}
	}
	if host, err := os.Hostname(); err == nil {
		add(host, "HOST")
		short, _, _ := strings.Cut(host, ".")
		add(short, "HOST")
	}
	if u, err := user.Current(); err == nil {
		add(u.Username, "USER")
	}
	return list
})
