package cli

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"strata/internal/explain"
	"strata/internal/kb"
	"strata/internal/outcome"
	"strata/internal/proof"
	"strata/internal/render/term"
	"strata/internal/rules"
	"strata/internal/signatures"
)

func newExplain(s Streams) *cobra.Command {
	var dir string
	var catalogue bool
	cmd := &cobra.Command{
		Use:   "explain [ID]",
		Short: "Explain a finding: why, the sources, and an example of each kind",
		Long: `Explain prints the page of one rule: what happens, why, what to do, a machine
that fails and one that passes, the sources and the day they were read. Without
an ID it lists all rules. For a message that triage knows it prints what
programs say, what it can mean and under which conditions.`,
		Example: "  strata explain DRV002\n  strata explain loader-cuda-library-missing",
		Args:    cobra.MaximumNArgs(1),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			var ids []string
			for _, r := range rules.All() {
				ids = append(ids, r.ID+"\t"+r.Title)
			}
			for _, sig := range signatures.All() {
				ids = append(ids, sig.ID+"\t"+sig.Meaning)
			}
			return ids, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error {
			base, tool, err := openKB(s, dir)
			if err != nil {
				return err
			}
			if catalogue {
				return listSignatures(s.Out, s.columns())
			}
			if len(args) == 0 {
				return listRules(s.Out, s.columns())
			}
			text, err := page(base, args[0], s.columns())
			if err != nil {
				return err
			}
			if tool.KBDir != "" {
				text += "\nJudged with " + term.Knowledge(tool) + "\n"
			}
			if _, err := io.WriteString(s.Out, text); err != nil {
				return fmt.Errorf("writing the page: %w", err)
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&catalogue, "signatures", false, "list what triage knows of logs instead of the rules")
	kbFlag(cmd.Flags(), &dir)
	return cmd
}

// page is that of a rule or of a signature.
func page(base *kb.Base, id string, columns int) (string, error) {
	if r, ok := rules.Find(id); ok {
		p, err := explain.For(base, r)
		if err != nil {
			return "", err
		}
		return p.Text(columns), nil
	}
	if sig, ok := signatures.Find(id); ok {
		p, err := explain.ForSignature(base, sig)
		if err != nil {
			return "", err
		}
		return p.Text(columns), nil
	}
	if k, ok := proof.FindKind(id); ok {
		return kindPage(k.ID, k.Title, k.Doc, columns), nil
	}
	if k, ok := outcome.FindKind(id); ok {
		return kindPage(k.ID, k.Title, k.Doc, columns), nil
	}
	return "", fmt.Errorf("no rule or signature %q; strata explain lists the rules, strata explain --signatures what logs say", id)
}

// kindPage is that of a finding which neither a rule nor a signature makes.
func kindPage(id, title, doc string, columns int) string {
	text := id + "  " + title + "\n"
	for paragraph := range strings.SplitSeq(doc, "\n\n") {
		text += "\n" + strings.Join(term.Fold(paragraph, columns), "\n") + "\n"
	}
	return text
}

// listSignatures prints the catalogue of triage, by product.
func listSignatures(w io.Writer, columns int) error {
	var b strings.Builder
	byProduct := map[string][]string{}
	for _, s := range signatures.All() {
		byProduct[s.Product] = append(byProduct[s.Product], s.ID)
		for i, line := range term.Fold(s.Meaning, columns-6) {
			if i == 0 {
				byProduct[s.Product] = append(byProduct[s.Product], "    "+line)
				continue
			}
			byProduct[s.Product] = append(byProduct[s.Product], "    "+line)
		}
	}
	for i, product := range slices.Sorted(maps.Keys(byProduct)) {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(product + "\n  " + strings.Join(byProduct[product], "\n  ") + "\n")
	}
	if _, err := io.WriteString(w, b.String()); err != nil {
		return fmt.Errorf("writing the list: %w", err)
	}
	return nil
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
