package jsonout

import (
	"io"

	"strata/internal/coverage"
)

// Arch writes what GPU code files hold and which GPUs run it.
func Arch(w io.Writer, d *coverage.Document) error { return encode(w, d) }
