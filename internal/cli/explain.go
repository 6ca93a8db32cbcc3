package cli

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"strata/internal/explain"
	"strata/internal/rule"
	"strata/internal/rules"
)

func newExplain(s Streams) *cobra.Command {
	return &cobra.Command{
		Use:   "explain [ID]",
		Short: "Explain a finding: why, by which source, an example that fails and one that passes",
		Long: `Explain prints the page of one rule: what happens, why, what to do, the sources with
the day they were read, a machine that fails and one that passes. Without an ID it
lists all rules.`,
		Example: "  strata explain DRV002",
		Args:    cobra.MaximumNArgs(1),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			var ids []string
			for _, r := range rules.All() {
				ids = append(ids, r.ID+"\t"+r.Title)
			}
			return ids, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return listRules(s.Out)
			}
			r, ok := rules.Find(args[0])
			if !ok {
				return fmt.Errorf("no rule %q; strata explain lists them all", args[0])
			}
			page, err := explain.For(r)
			if err != nil {
				return err
			}
			if _, err := io.WriteString(s.Out, page.Text(s.columns())); err != nil {
				return fmt.Errorf("writing the page: %w", err)
			}
			return nil
		},
	}
}

func listRules(w io.Writer) error {
	layer := rule.Layer("")
	for _, r := range rules.All() {
		if r.Layer != layer {
			layer = r.Layer
			fmt.Fprintf(w, "\n%s\n", layer.Name())
		}
		if _, err := fmt.Fprintf(w, "  %s  %-8s %s\n", r.ID, r.Severity, r.Title); err != nil {
			return fmt.Errorf("writing the list: %w", err)
		}
	}
	return nil
}
