package jsonout

import (
	"io"

	"strata/internal/outcome"
)

// Run writes what came of a command that was watched.
func Run(w io.Writer, d *outcome.Document) error { return encode(w, d) }

// Compare writes two runs of one command.
func Compare(w io.Writer, c *outcome.Comparison) error { return encode(w, c) }
