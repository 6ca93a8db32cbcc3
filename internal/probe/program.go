package probe

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// Program is strata-probe, ready to be run. Close it when no child will be
// started any more.
type Program struct {
	Path  string // to give to the kernel
	Found string // where it is from, in words
	close func() error
}

// ProgramName is the file name of the program that loads NVIDIA's libraries.
const ProgramName = "strata-probe"

// FindProgram looks for strata-probe: within this executable where a release
// carries it, then beside this executable, then on PATH.
func FindProgram() (*Program, error) {
	if len(embedded) > 0 {
		return fromMemory(embedded)
	}
	self, err := os.Executable()
	if err == nil {
		if path := filepath.Join(filepath.Dir(self), ProgramName); executable(path) {
			return &Program{Path: path, Found: path}, nil
		}
	}
	if path, err := exec.LookPath(ProgramName); err == nil {
		return &Program{Path: path, Found: path}, nil
	}
	return nil, errors.New("strata-probe is not within this build, not beside " + self + " and not on PATH: " +
		"only that program loads NVIDIA's libraries; build it with go build ./cmd/strata-probe and put it beside strata")
}

func executable(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0
}

// Close clears away what FindProgram made.
func (p *Program) Close() error {
	if p.close == nil {
		return nil
	}
	return p.close()
}

// fromMemory makes the program of a release runnable: as a file that is only in
// memory, or, where that is forbidden, in a temporary folder.
func fromMemory(program []byte) (*Program, error) {
	p, err := memfd(program)
	if err == nil {
		return p, nil
	}
	p, err2 := unpack(program)
	if err2 != nil {
		return nil, fmt.Errorf("unpacking strata-probe: not into memory (%w) nor into a temporary folder (%w)", err, err2)
	}
	return p, nil
}

func unpack(program []byte) (*Program, error) {
	dir, err := os.MkdirTemp("", "strata-probe-")
	if err != nil {
		return nil, err
	}
	path := filepath.Join(dir, ProgramName)
	if err := os.WriteFile(path, program, 0o700); err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	return &Program{Path: path, Found: "unpacked to " + path, close: func() error { return os.RemoveAll(dir) }}, nil
}
