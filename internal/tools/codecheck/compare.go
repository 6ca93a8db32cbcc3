package main

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"strata/internal/elfx/elftest"
	"strata/internal/fatbin"
)

type result struct {
	codes, unpacked int
	differences     []string
	err             error // cuobjdump cannot say
}

// check compares one file.
func check(d dump, path string, payload bool) result {
	ours, err := open(path)
	if errors.Is(err, fatbin.ErrNoSections) || errors.Is(err, fatbin.ErrForeign) {
		return result{}
	}
	if err != nil {
		return result{differences: []string{err.Error()}}
	}
	r := result{codes: ours.Entries, differences: slices.Clone(ours.Problems)}
	if ours.Entries == 0 && len(r.differences) == 0 {
		return r
	}
	tmp, err := os.MkdirTemp("", "codecheck")
	if err != nil {
		return result{err: err}
	}
	defer os.RemoveAll(tmp)
	theirs := path
	if ours.Kind == fatbin.PE {
		// cuobjdump for Linux does not read PE: give it the section in an ELF file.
		if theirs, err = wrap(path, tmp); err != nil {
			return result{err: err}
		}
	}
	list, err := d.list(theirs)
	if err != nil {
		return result{err: err}
	}
	r.differences = append(r.differences, diff(byTarget(ours, false), list)...)
	if payload && ours.Kind != fatbin.Cubin && ours.Kind != fatbin.PTX {
		got, n, err := d.unpack(theirs, filepath.Join(tmp, "codes"))
		if err != nil {
			return result{err: err}
		}
		r.unpacked = n
		r.differences = append(r.differences, diff(byTarget(ours, true), got)...)
	}
	return r
}

func open(path string) (*fatbin.File, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	return fatbin.Open(f, info.Size())
}

// byTarget counts codes. cuobjdump writes sm_120 for PTX of compute_120, and leaves
// the suffix f out for cubins; full keeps the suffix and the PTX ISA.
func byTarget(f *fatbin.File, full bool) map[string]int {
	counts := map[string]int{}
	for _, c := range f.Codes {
		target := "sm_" + strings.TrimPrefix(strings.TrimPrefix(c.Arch, "compute_"), "sm_")
		if c.Kind == "cubin" && !full {
			target = strings.TrimSuffix(target, "f")
		}
		if c.Kind == "ptx" && full {
			target += " ISA " + c.ISA
		}
		counts[c.Kind+" "+target] += c.Entries
	}
	return counts
}

func diff(ours, theirs map[string]int) (list []string) {
	keys := slices.Sorted(maps.Keys(ours))
	for k := range theirs {
		if _, ok := ours[k]; !ok {
			keys = append(keys, k)
		}
	}
	for _, k := range keys {
		if ours[k] != theirs[k] {
			list = append(list, fmt.Sprintf("%s: %d here, %d by cuobjdump", k, ours[k], theirs[k]))
		}
	}
	return list
}

// wrap puts the fat binaries of a PE file into an ELF file.
func wrap(path, dir string) (string, error) {
	data, err := section(path)
	if err != nil {
		return "", err
	}
	out := filepath.Join(dir, filepath.Base(path)+".so")
	return out, os.WriteFile(out, elftest.Build(elftest.Spec{Fatbin: data}), 0o600)
}
