package cli

import (
	"os"

	"golang.org/x/term"
)

// OSStreams are the streams of this process. Colour follows the terminal and
// NO_COLOR (no-color.org); CLICOLOR_FORCE gives it to a pipe, too.
func OSStreams() Streams {
	s := Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}
	fd := int(os.Stdout.Fd())
	if term.IsTerminal(fd) {
		s.Color = true
		if w, _, err := term.GetSize(fd); err == nil {
			s.Width = w
		}
	}
	if v := os.Getenv("CLICOLOR_FORCE"); v != "" && v != "0" {
		s.Color = true
	}
	if os.Getenv("NO_COLOR") != "" || os.Getenv("TERM") == "dumb" {
		s.Color = false
	}
	s.ASCII = asciiOnly(os.Getenv)
	return s
}

// asciiOnly tells whether somebody chose a character set without ✓. An
// environment that says nothing, as in most containers, did not choose.
func asciiOnly(getenv func(string) string) bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if v := getenv(name); v != "" {
			return v == "C" || v == "POSIX"
		}
	}
	return false
}

// columns is the width to write for; 80 where the output is no terminal.
func (s Streams) columns() int {
	if s.Width < 40 {
		return 80
	}
	return s.Width
}
