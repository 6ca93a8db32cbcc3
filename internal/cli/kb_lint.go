package cli

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"strata/internal/kb"
	"strata/internal/render/jsonout"
)

func newKBLint(s Streams, o *kbOptions) *cobra.Command {
	return &cobra.Command{
		Use:   "lint",
		Short: "Check a knowledge base and print every problem",
		Long: `Lint checks every file of a knowledge base and prints each problem with file and
line. A base with a problem is not used by any command.

Exit status: 0 no problem, 1 problems, 2 the directory cannot be read.`,
		Example: `  strata kb lint
  strata kb lint --kb ./internal/kb/data`,
		Args: noArguments,
		RunE: func(*cobra.Command, []string) error {
			if err := o.validate(); err != nil {
				return err
			}
			base, problems, err := lintKB(o.dir)
			if err != nil {
				return err
			}
			if o.format == "json" {
				err = jsonout.Problems(s.Out, toolWith(base), problems)
			} else {
				err = printProblems(s, o.dir, problems)
			}
			if err == nil && len(problems) > 0 {
				return &exitError{exitFindings}
			}
			return err
		},
	}
}

// lintKB checks the knowledge base in dir, or the built-in one. What keeps a directory from being read as a knowledge base is a problem of it.
func lintKB(dir string) (*kb.Base, []kb.Problem, error) {
	base := kb.Default()
	if dir == "" {
		return base, base.Lint(), nil
	}
	base, err := kb.ReadDir(dir)
	var broken *kb.BrokenError
	switch {
	case errors.As(err, &broken):
		return kb.Default(), broken.Problems, nil
	case err != nil:
		return nil, nil, err
	}
	return base, base.Lint(), nil
}

func printProblems(s Streams, dir string, problems []kb.Problem) error {
	for _, p := range problems {
		p.File = filepath.Join(dir, p.File)
		if _, err := fmt.Fprintln(s.Out, p.Error()); err != nil {
			return fmt.Errorf("writing the problems: %w", err)
		}
	}
	if len(problems) > 0 {
		fmt.Fprintf(s.Err, "strata: %d problems\n", len(problems))
	}
	return nil
}
