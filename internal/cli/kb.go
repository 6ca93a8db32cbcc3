package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"strata/internal/lookup"
	"strata/internal/render/jsonout"
	"strata/internal/render/term"
)

// kbOptions are the flags that all commands about the knowledge base share.
type kbOptions struct {
	dir    string
	format string
}

func (o kbOptions) validate() error {
	if !slices.Contains([]string{"term", "json"}, o.format) {
		return fmt.Errorf("unknown --format %q; use term or json", o.format)
	}
	return nil
}

func newKB(s Streams) *cobra.Command {
	var o kbOptions
	cmd := &cobra.Command{
		Use:   "kb",
		Short: "Look into the knowledge base: what is known, and from where",
		Long: `Kb lists the tables that the verdicts rest on, with the day each describes, its
horizon (the newest thing it knows) and its number of rows. Its commands look
things up, check, compare and export a knowledge base.`,
		Example: `  strata kb
  strata kb show driver 535
  strata kb show gpu 'RTX 4090'
  strata kb show torch 2.7.1+cu126 --format json
  strata kb lint --kb ./kb
  strata kb diff embedded ./kb
  strata kb export > kb.json`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return fmt.Errorf("strata kb has no command %q; there are show, lint, diff and export: strata kb show %s", args[0], strings.Join(args, " "))
			}
			return nil
		},
		RunE: func(*cobra.Command, []string) error {
			if err := o.validate(); err != nil {
				return err
			}
			base, tool, err := openKB(s, o.dir)
			if err != nil {
				return err
			}
			if o.format == "json" {
				return jsonout.Tables(s.Out, tool, base.Tables(), len(base.Sources()))
			}
			return term.Card(s.Out, lookup.Overview(base), tool, s.term(""))
		},
	}
	f := cmd.PersistentFlags()
	kbFlag(f, &o.dir)
	f.StringVar(&o.format, "format", "term", "`form` of the output: term or json")
	cmd.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return fmt.Errorf("%s: %w; usage: strata %s", c.CommandPath(), err, strings.TrimPrefix(c.UseLine(), "strata "))
	})
	cmd.AddCommand(newKBShow(s, &o), newKBLint(s, &o), newKBDiff(s, &o), newKBExport(s, &o))
	return cmd
}

// noArguments refuses arguments of a command that looks at one knowledge base, which --kb names.
func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return fmt.Errorf("%s takes no argument, and got %q; a knowledge base is named with --kb DIR", cmd.CommandPath(), args[0])
}

// term are the options of a terminal for a command.
func (s Streams) term(title string) term.Options {
	return term.Options{Width: s.Width, Color: s.Color, ASCII: s.ASCII, Title: title}
}
