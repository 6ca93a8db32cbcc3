package corpus

import (
	"fmt"
	"strings"

	"strata/internal/diagnose"
	"strata/internal/rule"
	"strata/internal/rules"
)

// letters are the answers in the matrix, the most telling first; of several
// workloads the most telling one shows.
//
//	F finding, b finding explained by another one, U unknown, p pass, . not applicable
const letters = "FbUp."

func letter(a *diagnose.Answer) byte {
	switch {
	case a.Outcome == rule.Fail && a.Because == "":
		return 'F'
	case a.Outcome == rule.Fail:
		return 'b'
	case a.Outcome == rule.Unknown:
		return 'U'
	case a.Outcome == rule.Pass:
		return 'p'
	}
	return '.'
}

// row is one machine's answers, one character a rule, a blank between layers.
func row(r *diagnose.Result) string {
	best := map[*rule.Rule]byte{}
	for i := range r.Answers {
		a := &r.Answers[i]
		was, seen := best[a.Rule]
		if is := letter(a); !seen || strings.IndexByte(letters, is) < strings.IndexByte(letters, was) {
			best[a.Rule] = is
		}
	}
	return columns(func(rl *rule.Rule) string {
		if l, ok := best[rl]; ok {
			return string(l)
		}
		return "." // a rule about workloads on a machine without any
	})
}

func columns(cell func(*rule.Rule) string) string {
	var b strings.Builder
	prefix := ""
	for _, rl := range rules.All() {
		if p := rl.ID[:3]; p != prefix {
			if prefix != "" {
				b.WriteByte(' ')
			}
			prefix = p
		}
		b.WriteString(cell(rl))
	}
	return b.String()
}

// matrix is the whole table with its heading.
func matrix(names []string, rows map[string]string) string {
	width := 0
	for _, n := range names {
		width = max(width, len(n))
	}
	var b strings.Builder
	b.WriteString("F finding · b explained by another · U unknown · p pass · . not applicable\n")
	for i := range len("KRN010") {
		if i == 3 { // the hundreds are always 0
			continue
		}
		heading := columns(func(rl *rule.Rule) string { return rl.ID[i : i+1] })
		fmt.Fprintf(&b, "%-*s  %s\n", width, "", heading)
	}
	for _, n := range names {
		fmt.Fprintf(&b, "%-*s  %s\n", width, n, rows[n])
	}
	return b.String()
}
