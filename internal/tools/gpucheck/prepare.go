package main

import (
	"embed"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"

	"strata/internal/probe/framework"
)

//go:embed testdata/*.py testdata/stub.c
var programs embed.FS

// mostCarried is what a folder may weigh that is carried to a machine without a network of its own.
const mostCarried = 64 << 20

// prepare builds the programs into one folder.
func prepare(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for _, p := range []string{"./cmd/strata", "./cmd/strata-probe", "./internal/tools/gpucheck"} {
		to := filepath.Join(dir, filepath.Base(p))
		cmd := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", to, p)
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("building %s: %w\n%s", p, err, out)
		}
	}
	if err := unpack(dir); err != nil {
		return err
	}
	if out, err := exec.Command("cc", stubArgs(dir)...).CombinedOutput(); err != nil {
		fmt.Printf("no stub of libcuda (%v %s): the steps with it will be skipped\n", err, out)
	}
	var size int64
	err := filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			size += info.Size()
		}
		return err
	})
	if err == nil && size > mostCarried {
		err = fmt.Errorf("%s has %d MiB, more than the %d that are carried", dir, size>>20, mostCarried>>20)
	}
	if err == nil {
		fmt.Printf("%s: %d MiB; on the machine: %s/gpucheck run\n", dir, size>>20, dir)
	}
	return err
}

// unpack writes the programs that are run on the GPU, and ONNX Runtime's model.
func unpack(dir string) error {
	files, err := fs.Glob(programs, "testdata/*")
	if err != nil {
		return err
	}
	for _, name := range files {
		data, err := programs.ReadFile(name)
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, filepath.Base(name)), data, 0o644)
		}
		if err != nil {
			return err
		}
	}
	if err := os.MkdirAll(filepath.Join(dir, "stub"), 0o755); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "model.onnx"), framework.Model(), 0o644)
}

// stubArgs are what the C compiler is told to make the stub of libcuda.
func stubArgs(dir string) []string {
	return []string{"-shared", "-fPIC", "-O1", "-Wl,-soname,libcuda.so.1", "-o", filepath.Join(dir, "stub", "libcuda.so.1"), filepath.Join(dir, "stub.c")}
}
