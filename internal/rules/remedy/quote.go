package remedy

import (
	"path"
	"regexp"
	"strings"

	"strata/internal/rule"
	"strata/internal/stack"
)

// plain are words that a shell takes as they are.
var plain = regexp.MustCompile(`^[A-Za-z0-9_@%+=:,./-]+$`)

// Quote writes words for a shell. Paths come from the machine: one with a
// space must stay one word, and one with "$(…)" must not run.
func Quote(words ...string) string {
	out := make([]string, len(words))
	for i, w := range words {
		if out[i] = w; !plain.MatchString(w) {
			out[i] = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
	}
	return strings.Join(out, " ")
}

// Prepend is the command that puts directories before LD_LIBRARY_PATH.
func Prepend(dirs ...string) string {
	return "export LD_LIBRARY_PATH=" + Quote(strings.Join(dirs, ":")) + "${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
}

// Without is the command that takes a directory off LD_LIBRARY_PATH.
func Without(in *rule.Input, dir string) string {
	v, _ := in.Stack.Getenv("LD_LIBRARY_PATH")
	var keep []string
	for _, d := range stack.SplitLibraryPath(v.Value) {
		if path.Clean(d) != dir {
			keep = append(keep, d)
		}
	}
	if len(keep) == 0 {
		return "unset LD_LIBRARY_PATH"
	}
	return "export LD_LIBRARY_PATH=" + Quote(strings.Join(keep, ":"))
}

// Unlist is the command that takes a directory out of a file of ld.so.conf;
// empty for a directory whose name would need more care than sed allows.
func Unlist(dir, conf string) string {
	if !plain.MatchString(dir) {
		return ""
	}
	return "sudo sed -i '\\|^" + dir + "/*$|d' " + Quote(conf) + " && sudo ldconfig"
}
