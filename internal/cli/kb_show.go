package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"strata/internal/kb"
	"strata/internal/lookup"
	"strata/internal/render/jsonout"
	"strata/internal/render/term"
)

func newKBShow(s Streams, o *kbOptions) *cobra.Command {
	return &cobra.Command{
		Use:   "show [SUBJECT [NAME…]]",
		Short: "Show what is known about a driver, a GPU, a release, an error, …",
		Long: `Show prints what the knowledge base says about one thing, and the sources. With
a subject alone it lists the names that are known, without one the subjects.

Exit status: 0 an answer, 2 no such subject or name (the nearest are named), 3
the name is beyond the horizon: newer than what the knowledge base knows.`,
		Example: `  strata kb show
  strata kb show driver 535.129.03
  strata kb show gpu 10de:2684
  strata kb show cuda 12.4
  strata kb show vllm 0.29
  strata kb show soname libcublasLt.so.12
  strata kb show error 804`,
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			var words []string
			if len(args) == 0 {
				for _, subject := range lookup.Subjects(kb.Default()) {
					words = append(words, subject.Name+"\t"+subject.About)
				}
			} else if len(args) == 1 {
				words = lookup.Names(kb.Default(), args[0])
			}
			return words, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if err := o.validate(); err != nil {
				return err
			}
			base, tool, err := openKB(s, o.dir)
			if err != nil {
				return err
			}
			if len(args) == 0 {
				if o.format == "json" {
					return jsonout.Subjects(s.Out, tool, lookup.Subjects(base))
				}
				return term.Card(s.Out, lookup.Index(base), tool, s.term(""))
			}
			card, err := lookup.Find(base, args)
			if err != nil {
				return err
			}
			if o.format == "json" {
				err = jsonout.Card(s.Out, tool, card)
			} else {
				err = term.Card(s.Out, card, tool, s.term(strings.Join(args, " ")))
			}
			if err == nil && card.Status == lookup.Beyond {
				return &exitError{exitIncomplete}
			}
			return err
		},
	}
}
