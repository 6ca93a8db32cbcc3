package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"strata/internal/explain"
	"strata/internal/render/term"
	"strata/internal/rules"
)

func newExplain(s Streams) *cobra.Command {
	var dir string
	cmd := &cobra.Command{
		Use:   "explain [ID]",
		Short: "Explain a finding: why, the sources, and an example of each kind",
		Long: `Explain prints the page of one rule: what happens, why, what to do, a machine
that fails and one that passes, the sources and the day they were read. Without
an ID it lists all rules.`,
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
			base, tool, err := openKB(s, dir)
			if err != nil {
				return err
			}
			if len(args) == 0 {
				return listRules(s.Out, s.columns())
			}
			r, ok := rules.Find(args[0])
			if !ok {
				return fmt.Errorf("no rule %q; strata explain lists them all", args[0])
			}
			page, err := explain.For(base, r)
			if err != nil {
				return err
			}
			text := page.Text(s.columns())
			if tool.KBDir != "" {
				text += "\nJudged with " + term.Knowledge(tool) + "\n"
			}
			if _, err := io.WriteString(s.Out, text); err != nil {
				return fmt.Errorf("writing the page: %w", err)
			}
			return nil
		},
	}
	kbFlag(cmd.Flags(), &dir)
	return cmd
}

func listRules(w io.Writer, columns int) error {
	const indent = 19 // of the titles
	var b strings.Builder
	for i, r := range rules.All() {
		if i == 0 || r.Layer != rules.All()[i-1].Layer {
			if i > 0 {
				b.WriteByte('\n')
			}
			b.WriteString(r.Layer.Name() + "\n")
		}
		lines := term.Fold(r.Title, columns-indent)
		fmt.Fprintf(&b, "  %s  %-8s %s\n", r.ID, r.Severity, strings.Join(lines, "\n"+strings.Repeat(" ", indent)))
	}
	if _, err := io.WriteString(w, b.String()); err != nil {
		return fmt.Errorf("writing the list: %w", err)
	}
	return nil
}
