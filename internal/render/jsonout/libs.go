package jsonout

import (
	"io"

	"strata/internal/libs"
)

// Libs writes what each workload loads.
func Libs(w io.Writer, d *libs.Document) error { return encode(w, d) }

// Process writes what a running process has mapped.
func Process(w io.Writer, d *libs.Process) error { return encode(w, d) }
