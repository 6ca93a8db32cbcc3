// Package corpus holds whole machines as text and what must be said of them.
// Each archive in machines/ is one machine, after a public story where there is
// one, with a want section that was written from knowledge of the stack and not
// from the tool's output; see want_test.go. matrix.txt shows every rule's
// answer on every machine.
package corpus

import (
	"bytes"
	"context"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"strata/internal/collect/all"
	"strata/internal/collect/assume"
	"strata/internal/diagnose"
	"strata/internal/kb"
	"strata/internal/machine"
	"strata/internal/plan"
	"strata/internal/render/term"
	"strata/internal/report"
	"strata/internal/rules"
)

var (
	update = flag.Bool("update", false, "rewrite matrix.txt")
	only   = flag.String("machine", "", "only machines whose name contains this; the matrix is then left alone")
	show   = flag.Bool("show", false, "print each machine's report")
)

// fewest is how many machines the corpus has at least: a glob that finds
// nothing must not pass.
const fewest = 64

// TestCorpus reads every machine as strata check does and holds the report to
// the machine's want section, then the answers of all rules to matrix.txt.
func TestCorpus(t *testing.T) {
	files, err := filepath.Glob("machines/*.txtar")
	if err != nil || len(files) < fewest {
		t.Fatalf("found %d machines, want at least %d (%v)", len(files), fewest, err)
	}
	var mu sync.Mutex
	var names []string
	rows := map[string]string{}
	t.Run("machines", func(t *testing.T) {
		for _, f := range files {
			name := strings.TrimSuffix(filepath.Base(f), ".txtar")
			if !strings.Contains(name, *only) {
				continue
			}
			names = append(names, name)
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				r := check(t, f)
				mu.Lock()
				defer mu.Unlock()
				rows[name] = row(r)
			})
		}
	})
	if *only != "" {
		return
	}
	slices.Sort(names)
	got := matrix(names, rows)
	const golden = "matrix.txt"
	if *update {
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	have, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(have), "\n"), strings.Split(got, "\n")); diff != "" {
		t.Errorf("the rules' answers changed (-old +new); read them, then run go test ./internal/corpus -update\n%s", diff)
	}
}

// patience is what a collector gets on a machine where reading hangs: enough
// for all that answers, and short for a test.
const patience = 7 * time.Second

func check(t *testing.T, file string) *diagnose.Result {
	t.Helper()
	m, err := machine.OpenArchive(os.DirFS(filepath.Dir(file)), filepath.Base(file))
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	w, err := parseWant(m.Section("want"))
	if err != nil {
		t.Fatal(err)
	}
	if m.Comment == "" {
		t.Error("the archive does not say what machine it is and after which story")
	}
	put, err := assume.Parse(m.Assumptions())
	if err != nil {
		t.Fatal(err)
	}
	opts := all.Options{Assume: put}
	if strings.Contains(file, "hang") {
		opts.Deadline = patience
	}
	s := all.Run(context.Background(), m.Machine, opts)

	base := kb.Default()
	res := diagnose.Run(s, base, rules.All(), diagnose.Options{})
	d := report.Build(res, &plan.Planner{Base: base, Rules: rules.All()}, report.Tool{Version: "test", KB: base.Version()})
	for _, line := range w.judge(d) {
		t.Error(line)
	}
	for _, p := range w.pending {
		if len(p.judge(d)) == 0 {
			t.Errorf("the report now fulfils %q: take the word pending out", p.text)
		}
	}
	var out bytes.Buffer
	if err := term.Render(&out, d, term.Options{Width: 100, Verbose: true, Title: "strata check"}); err != nil {
		t.Fatal(err)
	}
	if r := slices.IndexFunc([]rune(out.String()), func(r rune) bool { return r != '\n' && unicode.IsControl(r) }); r >= 0 || !utf8.Valid(out.Bytes()) {
		t.Errorf("the terminal's report holds control characters or broken UTF-8 of the machine (at rune %d)", r)
	}
	if *show || t.Failed() {
		t.Logf("%s", out.String())
	}
	return res
}
