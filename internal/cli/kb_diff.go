package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"strata/internal/kb"
	"strata/internal/render/jsonout"
	"strata/internal/render/term"
)

// builtIn is how kb diff is told the knowledge base inside the program.
const builtIn = "embedded"

func newKBDiff(s Streams, o *kbOptions) *cobra.Command {
	return &cobra.Command{
		Use:   "diff A B",
		Short: "Compare two knowledge bases row by row",
		Long: `Diff compares two knowledge bases, each a directory or the word "embedded" for
the built-in one: which rows of B are new, which of A are gone, which have
changed. Rows are told apart by the key of their table.

The bases need not be free of problems, nor have the tables that this version of
Strata has; each file must be readable.

Exit status: 0 no difference, 1 differences, 2 wrong usage or unreadable input.`,
		Example: `  strata kb diff embedded ./kb
  strata kb diff ./kb-2026-11 ./kb-2026-12 --format json`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return fmt.Errorf("strata kb diff compares two knowledge bases, and got %d: strata kb diff %s DIR", len(args), builtIn)
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if err := o.validate(); err != nil {
				return err
			}
			if o.dir != "" {
				return fmt.Errorf("strata kb diff takes both knowledge bases as arguments and no --kb: strata kb diff %s %s", builtIn, o.dir)
			}
			bases := [2]*kb.Base{kb.Default(), kb.Default()}
			for i, dir := range args {
				if dir == builtIn {
					continue
				}
				var err error
				if bases[i], err = kb.ReadDir(dir); err != nil {
					return err
				}
			}
			d, err := kb.Diff(bases[0], bases[1])
			if err != nil {
				return err
			}
			if o.format == "json" {
				err = jsonout.Diff(s.Out, toolWith(kb.Default()), d)
			} else {
				err = term.Diff(s.Out, d, args[0], args[1], s.term(""))
			}
			if err == nil && !d.Same() {
				return &exitError{exitFindings}
			}
			return err
		},
	}
}
