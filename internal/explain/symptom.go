package explain

import (
	"fmt"
	"regexp"
	"strings"

	"strata/internal/kb"
	"strata/internal/render/term"
	"strata/internal/report"
	"strata/internal/rules"
	"strata/internal/signature"
	"strata/internal/triage"
)

// Symptom is the page of a signature: what programs print, what it means, the
// causes it can have, and what triage says of the sample alone.
type Symptom struct {
	*signature.Signature
	Says report.Finding // of the first sample; zero where the signature is only context
}

// ForSignature makes the page of a signature by reading its sample.
func ForSignature(base *kb.Base, s *signature.Signature) (*Symptom, error) {
	p := &Symptom{Signature: s}
	doc, err := triage.Text("sample", s.Samples[0], triage.Options{Base: base, Rules: rules.All()})
	if err != nil {
		return nil, fmt.Errorf("reading the sample of %s: %w", s.ID, err)
	}
	for _, f := range doc.Findings {
		if f.ID == s.ID {
			p.Says = f
		}
	}
	return p, nil
}

// Text is the page for a terminal of a width in columns.
func (p *Symptom) Text(width int) string {
	var b strings.Builder
	para := func(first, next, text string) {
		for i, line := range term.Fold(text, width-len(next)) {
			if i == 0 {
				b.WriteString(first + line + "\n")
				continue
			}
			b.WriteString(next + line + "\n")
		}
	}
	layer := p.Layer.Name()
	if layer == "" {
		layer = "that of the library it names"
	}
	fmt.Fprintf(&b, "%s · what %s says\n\nlayer %s · %s\n\n", p.ID, p.Product, layer, roleWords[p.Role])
	para("", "", p.Meaning)
	b.WriteString("\nIt reads like\n")
	for _, s := range p.Samples {
		para("  ", "  ", s)
	}
	if len(p.Causes) > 0 {
		b.WriteString("\nWhat it can mean, the first that holds\n")
	}
	for i, c := range p.Causes {
		var when []string
		for _, x := range c.When {
			when = append(when, braces.ReplaceAllString(x.Name, "<$1>"))
		}
		condition := "otherwise"
		if len(when) > 0 {
			condition = "where " + strings.Join(when, ", and ")
		}
		if len(p.Causes) > 1 {
			para(fmt.Sprintf("  %d. ", i+1), "     ", condition)
		}
		para("     ", "     ", plain(c.Title)+". "+plain(c.Text))
		for _, r := range c.Remedies {
			para("     - ", "       ", plain(r.Summary))
		}
		if c.Ask != "" {
			para("     ", "     ", "What would decide it: "+plain(c.Ask))
		}
	}
	if p.Says.ID != "" {
		b.WriteString("\nOf the sample alone Strata says\n")
		para("  ", "  ", p.Says.Summary+". "+p.Says.Cause)
	}
	if len(p.ExplainedBy) > 0 {
		b.WriteString("\n")
		para("", "", "Where the text tells enough of the machine, one of these rules explains it: "+strings.Join(p.ExplainedBy, ", ")+".")
	}
	b.WriteString("\nSource\n  " + p.Source + "\n")
	return b.String()
}

var roleWords = map[signature.Role]string{
	signature.Failure:     "a failure",
	signature.Consequence: "what follows from a failure before it",
	signature.Context:     "no failure, it tells facts",
}

var (
	braces   = regexp.MustCompile(`\{([a-z_0-9]+)(?:\|[a-z|]+)?\}`)
	optional = strings.NewReplacer("[", "", "]", "", " || ", " / ")
)

// plain shows a template with its variables in angle brackets.
func plain(s string) string { return optional.Replace(braces.ReplaceAllString(s, "<$1>")) }
