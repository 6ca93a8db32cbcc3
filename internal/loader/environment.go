package loader

import "strings"

// Environment are the variables that the dynamic linker heeds.
type Environment struct {
	LibraryPath string // LD_LIBRARY_PATH
	Preload     string // LD_PRELOAD
	// Dir is the working directory, where an empty element of a search path leads.
	Dir string
	// Secure is true for a program with more rights than its caller (set-user-ID, file capabilities): the
	// variables do not count then, nor does $ORIGIN in them.
	Secure bool
}

// paths splits LD_LIBRARY_PATH, whose elements either sign separates. An empty element is the working directory; an empty
// variable is no path at all.
func (e Environment) paths() []string {
	if e.Secure || e.LibraryPath == "" {
		return nil
	}
	return strings.Split(strings.ReplaceAll(e.LibraryPath, ";", ":"), ":")
}

// preloads splits LD_PRELOAD at blanks and colons.
func (e Environment) preloads() []string {
	if e.Secure {
		return nil
	}
	return strings.FieldsFunc(e.Preload, func(r rune) bool { return r == ' ' || r == ':' })
}

// ParsePreload reads ld.so.preload: names separated by blanks or colons, with
// comments from # to the end of a line (ld.so(8)).
func ParsePreload(data []byte) []string {
	var names []string
	for line := range strings.Lines(string(data)) {
		line, _, _ = strings.Cut(line, "#")
		for name := range strings.FieldsFuncSeq(line, func(r rune) bool { return strings.ContainsRune(" \t\r\n:", r) }) {
			names = append(names, name)
		}
	}
	return names
}
