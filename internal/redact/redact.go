// Package redact takes out of quoted text what must not be passed on: control
// characters that would reach a terminal, and secrets. It never changes a path
// or a version, so evidence stays usable.
package redact

import (
	"regexp"
	"strings"
	"unicode"
)

// Line returns one line of foreign text safe to store and show: control
// characters become spaces, invalid UTF-8 the replacement character, and
// secrets the word REDACTED.
func Line(text string) string {
	if text == "" {
		return ""
	}
	text = strings.ToValidUTF8(text, "\uFFFD")
	text = strings.Map(func(r rune) rune {
		// Cf holds the bidirectional controls, which can make a line read as another.
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) {
			return ' '
		}
		return r
	}, text)
	text = strings.TrimSpace(text)
	for _, p := range patterns {
		text = p.find.ReplaceAllString(text, p.with)
	}
	return text
}

// patterns are tried in order; each names what it was written against.
var patterns = []struct {
	find *regexp.Regexp
	with string
}{
	// https://user:password@host/
	{regexp.MustCompile(`([a-z][a-z0-9+.-]*://)[^/\s@]+@`), "${1}REDACTED@"},
	// token=…, password: …, "api_key":"…", HF_TOKEN=…; a bare colon with nothing
	// behind it is no assignment but joins two directories: /opt/secrets:/usr/bin
	{regexp.MustCompile(`(?i)((?:token|passw(?:or)?d|secret|api[_-]?key|credential)s?(?:["']?\s*=\s*|["']\s*:\s*|\s*:\s+))(?:"[^"]*"|'[^']*'|[^\s"',;&]+)`), "${1}REDACTED"},
	// Authorization: Bearer …
	{regexp.MustCompile(`(?i)(bearer|basic)\s+[A-Za-z0-9._~+/=-]{12,}`), "${1} REDACTED"},
	// ghp_…, hf_…, sk-…: prefixes by which services mark their tokens, of 20
	// characters and more that are not words: /data/hf_transformers_cache is a path
	{regexp.MustCompile(`\b(?:gh[pousr]_|hf_)[A-Za-z0-9]{20,}|\b(?:sk-|glpat-|xox[abp]-)[A-Za-z0-9_-]{20,}`), "REDACTED"},
}
