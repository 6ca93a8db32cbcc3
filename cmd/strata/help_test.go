package main

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"unicode/utf8"

	"strata/internal/cli"
)

// TestHelpFits asks every command for help: 80 columns are what a terminal has at least.
func TestHelpFits(t *testing.T) {
	asked := 0
	var ask func(path []string)
	ask = func(path []string) {
		var out bytes.Buffer
		if status := cli.Main(context.Background(), cli.Streams{In: strings.NewReader(""), Out: &out, Err: &out}, append(path, "--help")); status != 0 {
			t.Fatalf("%s --help: exit status %d\n%s", strings.Join(path, " "), status, &out)
		}
		asked++
		commands := false
		for line := range strings.Lines(out.String()) {
			line = strings.TrimRight(line, "\n")
			if n := utf8.RuneCountInString(line); n > 80 {
				t.Errorf("strata %s --help has a line of %d characters:\n%s", strings.Join(path, " "), n, line)
			}
			switch {
			case line == "Available Commands:":
				commands = true
			case line == "":
				commands = false
			case commands:
				if name := strings.Fields(line)[0]; name != "completion" && name != "help" { // cobra's own
					ask(append(path[:len(path):len(path)], name))
				}
			}
		}
	}
	ask(nil)
	if asked < 12 {
		t.Errorf("only %d commands were found", asked)
	}
}
