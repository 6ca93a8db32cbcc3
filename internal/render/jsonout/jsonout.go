// Package jsonout writes a report as JSON, the form that is a contract.
package jsonout

import (
	"encoding/json"
	"fmt"
	"io"

	"strata/internal/report"
)

// Render writes the document, indented, with a final newline.
func Render(w io.Writer, d *report.Document) error { return encode(w, d) }

func encode(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false) // paths and commands stay readable; nothing here is put into a page
	if err := enc.Encode(v); err != nil {
		return fmt.Errorf("writing JSON: %w", err)
	}
	return nil
}
