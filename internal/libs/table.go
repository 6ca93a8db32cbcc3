package libs

import (
	"context"
	"errors"
	"slices"

	"strata/internal/codefile"
	"strata/internal/coverage"
	"strata/internal/derive"
	"strata/internal/fatbin"
	"strata/internal/kb"
	"strata/internal/machine"
	"strata/internal/version"
)

// Judge adds to a document what each GPU makes of the GPU code that each workload loads, under a Linux driver; a zero driver excludes
// nothing. Without GPUs it does nothing: there is nothing to judge for, and reading code costs time. The verdicts are those of package
// coverage. An error means that ctx ended.
func Judge(ctx context.Context, m *machine.Machine, base *kb.Base, d *Document, gpus []derive.GPU, driver version.Driver) error {
	d.Driver = driver.String()
	if len(gpus) == 0 {
		return nil
	}
	// A library that several workloads load is read once.
	files := map[string]*coverage.File{}
	for i := range d.Workloads {
		w := &d.Workloads[i]
		var fresh []string
		for _, p := range w.loaded {
			if _, ok := files[p]; !ok {
				files[p] = nil
				fresh = append(fresh, p)
			}
		}
		found, err := codefile.Find(ctx, m, fresh)
		if err != nil {
			return err
		}
		found.Files = slices.DeleteFunc(found.Files, without)
		r := coverage.Report(base, d.Tool, found, gpus, driver)
		d.GPUs = r.GPUs
		for n := range r.Files {
			files[r.Files[n].Path] = &r.Files[n]
		}
		for _, p := range w.loaded {
			if f := files[p]; f != nil {
				w.Code = append(w.Code, *f)
			}
		}
	}
	return nil
}

// without reports whether a file is no library of kernels. One that cannot be read stays, and says so.
func without(f codefile.File) bool {
	if f.Err != nil {
		return errors.Is(f.Err, fatbin.ErrNoSections) || errors.Is(f.Err, fatbin.ErrForeign)
	}
	return f.Code.Entries == 0 && len(f.Code.Problems) == 0
}
