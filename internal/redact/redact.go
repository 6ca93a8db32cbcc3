// Package redact takes out of quoted text what must not be passed on: control
// characters that would reach a terminal, and secrets. It never changes a path
// or a version, so evidence stays usable.
package redact

import (
	"slices"
	"strings"
	"unicode"

	"strata/internal/lazyregexp"
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
	return replace(text, patterns)
}

// pattern takes one kind of secret out.
type pattern struct {
	// hints are lower-case words of which every text that the expression can
	// match has one: most lines have none, and looking for them is cheap.
	hints []string
	find  *lazyregexp.Regexp
	with  string
}

func replace(text string, list []pattern) string {
	low := strings.ToLower(text)
	for _, p := range list {
		if slices.ContainsFunc(p.hints, func(h string) bool { return strings.Contains(low, h) }) {
			text = p.find.ReplaceAllString(text, p.with)
		}
	}
	return text
}

// patterns are tried in order; each names what it was written against.
var patterns = []pattern{
	// https://user:password@host/
	{[]string{"://"}, lazyregexp.New(`([a-z][a-z0-9+.-]*://)[^/\s@]+@`), "${1}REDACTED@"},
	// token=…, password: …, "api_key":"…", HF_TOKEN=…; a bare colon with nothing
	// behind it is no assignment but joins two directories: /opt/secrets:/usr/bin
	{[]string{"token", "passw", "secret", "key", "credential"}, lazyregexp.New(`(?i)((?:token|passw(?:or)?d|secret|api[_-]?key|credential)s?(?:["']?\s*=\s*|["']\s*:\s*|\s*:\s+))(?:"[^"]*"|'[^']*'|[^\s"',;&]+)`), "${1}REDACTED"},
	// Authorization: Bearer …
	{[]string{"bearer", "basic"}, lazyregexp.New(`(?i)(bearer|basic)\s+[A-Za-z0-9._~+/=-]{12,}`), "${1} REDACTED"},
	// ghp_…, hf_…, sk-…: prefixes by which services mark their tokens, of 20
	// characters and more that are not words: /data/hf_transformers_cache is a path
	{[]string{"gh", "hf_", "sk-", "glpat-", "xox"}, lazyregexp.New(`\b(?:gh[pousr]_|hf_)[A-Za-z0-9]{20,}|\b(?:sk-|glpat-|xox[abp]-)[A-Za-z0-9_-]{20,}`), "REDACTED"},
}
