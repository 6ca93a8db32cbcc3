package main

import (
	"debug/pe"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"strata/internal/fatbin"
)

// dump is cuobjdump.
type dump struct{ path string }

// listed is a line such as "ELF file    3: libx.so.3.sm_90a.cubin".
var listed = regexp.MustCompile(`(?m)^(ELF|PTX) file\s+\d+: .*\.(sm_\d+[af]?)\.(?:cubin|ptx)\s*$`)

// list counts what cuobjdump lists, by kind and architecture.
func (d dump) list(path string) (map[string]int, error) {
	out, err := exec.Command(d.path, "--list-elf", "--list-ptx", path).CombinedOutput()
	if err != nil && !strings.Contains(string(out), "does not contain device code") {
		return nil, fmt.Errorf("%w: %s", err, strings.TrimSpace(string(out)))
	}
	counts := map[string]int{}
	for _, m := range listed.FindAllStringSubmatch(string(out), -1) {
		kind := map[string]string{"ELF": "cubin", "PTX": "ptx"}[m[1]]
		counts[kind+" "+m[2]]++
	}
	return counts, nil
}

// unpack extracts every code and counts them by what they say about themselves.
func (d dump) unpack(path, dir string) (map[string]int, int, error) {
	if err := os.Mkdir(dir, 0o700); err != nil {
		return nil, 0, err
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, 0, err
	}
	tool, err := exec.LookPath(d.path)
	if err == nil {
		tool, err = filepath.Abs(tool)
	}
	if err != nil {
		return nil, 0, err
	}
	for _, kind := range []string{"--extract-elf", "--extract-ptx"} {
		cmd := exec.Command(tool, kind, "all", path)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			return nil, 0, fmt.Errorf("%s: %w: %s", kind, err, strings.TrimSpace(string(out)))
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, 0, err
	}
	counts := map[string]int{}
	for _, e := range entries {
		f, err := open(filepath.Join(dir, e.Name()))
		if err != nil {
			return nil, 0, fmt.Errorf("reading the extracted %s: %w", e.Name(), err)
		}
		if f.Kind != fatbin.Cubin && f.Kind != fatbin.PTX {
			return nil, 0, fmt.Errorf("the extracted %s is of kind %s", e.Name(), f.Kind)
		}
		for k, n := range byTarget(f, true) {
			counts[k] += n
		}
	}
	return counts, len(entries), nil
}

// section returns the fat binaries of a PE file, read by the standard library's reader.
func section(path string) ([]byte, error) {
	f, err := pe.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	for _, s := range f.Sections {
		if s.Name == ".nv_fatb" {
			data, err := s.Data()
			if err != nil {
				return nil, err
			}
			return data[:min(uint32(len(data)), s.VirtualSize)], nil
		}
	}
	return nil, errors.New("no section with fat binaries")
}
