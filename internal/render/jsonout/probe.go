package jsonout

import (
	"io"

	"strata/internal/proof"
)

// Probe writes what a probe proved.
func Probe(w io.Writer, d *proof.Document) error { return encode(w, d) }
