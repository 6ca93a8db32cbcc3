package corpus

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"strata/internal/collect/all"
	"strata/internal/collect/assume"
	"strata/internal/derive"
	"strata/internal/kb"
	"strata/internal/libs"
	"strata/internal/machine"
	"strata/internal/report"
)

// TestCheckAndLibsAgree holds what strata check misses on every machine of the
// corpus to what strata libs does. Where they may differ, the reason is given.
func TestCheckAndLibsAgree(t *testing.T) {
	compared := 0
	for _, name := range corpusFiles(t) {
		if strings.Contains(name, "hang") {
			continue // waits for its deadline every time
		}
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			file := name
			m, err := machine.OpenArchive(os.DirFS(filepath.Dir(file)), filepath.Base(file))
			if err != nil {
				t.Fatal(err)
			}
			defer m.Close()
			put, err := assume.Parse(m.Assumptions())
			if err != nil {
				t.Fatal(err)
			}
			v := derive.New(all.Run(context.Background(), m.Machine, all.Options{Assume: put}), kb.Default())
			d, err := libs.Build(m.Machine, v, report.Tool{}, libs.Options{})
			if err != nil {
				t.Skip(err)
			}
			for _, w := range v.Workloads {
				if w.Framework.Loads.Known() && w.Framework.Loads.Value.Stopped == "" {
					compared++
				}
			}
			for _, x := range libs.Differences(d, v) {
				if x.Explained == "" {
					t.Error(x)
				} else {
					t.Log(x)
				}
			}
		})
	}
	// A change that stops every recipe at its first step must not pass.
	const most = 60
	if compared < most {
		t.Errorf("only %d workloads were followed to their end, want at least %d", compared, most)
	}
}
