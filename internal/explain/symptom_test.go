package explain

import (
	"strings"
	"testing"

	"strata/internal/kb"
	"strata/internal/signatures"
)

// TestEverySignatureHasAPage makes all pages: each is made by triage reading the signature's own sample.
func TestEverySignatureHasAPage(t *testing.T) {
	for _, s := range signatures.All() {
		p, err := ForSignature(kb.Default(), s)
		if err != nil {
			t.Error(err)
			continue
		}
		text := p.Text(80)
		if !strings.HasPrefix(text, s.ID+" ") || !strings.Contains(text, s.Source) || strings.ContainsAny(text, "{}") && !strings.ContainsAny(strings.Join(s.Samples, ""), "{}") && !strings.ContainsAny(braceless(p), "{}") {
			t.Errorf("the page of %s is not whole:\n%s", s.ID, text)
		}
		for i, c := range s.Causes {
			title, _, _ := strings.Cut(plain(c.Title), " <")
			if first := strings.Fields(title); len(first) > 0 && !strings.Contains(text, first[0]) {
				t.Errorf("the page of %s lacks cause %d", s.ID, i)
			}
		}
	}
}

// braceless are the parts of a page where a brace may stand: commands and questions are shown as they are typed.
func braceless(p *Symptom) string {
	var b strings.Builder
	for _, c := range p.Causes {
		b.WriteString(plain(c.Title) + plain(c.Text) + plain(c.Ask))
		for _, r := range c.Remedies {
			b.WriteString(plain(r.Summary))
		}
	}
	return b.String() + p.Says.Cause + p.Says.Summary + p.Meaning
}
