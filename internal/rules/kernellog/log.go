// Package kernellog finds lines of the kernel log that rules quote as evidence.
package kernellog

import (
	"strings"

	"strata/internal/rule"
	"strata/internal/stack"
)

// maxQuoted is as many lines as a reader would look at.
const maxQuoted = 4

// Find returns the lines of the kernel log that hold one of the words.
func Find(in *rule.Input, words ...string) []stack.Source {
	var hits []stack.LogLine
	for _, l := range in.Stack.Kernel.Log.Value {
		for _, w := range words {
			if strings.Contains(l.Text, w) {
				hits = append(hits, l)
				break
			}
		}
	}
	return Quote(hits)
}

// Quote returns the sources of log lines with their text, the first few of them.
func Quote(lines []stack.LogLine) []stack.Source {
	var out []stack.Source
	for _, l := range lines[:min(len(lines), maxQuoted)] {
		out = append(out, stack.From(l.From.Kind, l.From.Locator, l.From.Line, l.Text))
	}
	return out
}
