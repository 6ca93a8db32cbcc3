package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// fakeDriver puts the stand-in of the driver, which shows a GPU, into the root's /tmp and returns where. It takes a C compiler.
func (c *checker) fakeDriver(r *furnished) (string, error) {
	const dir = "/tmp/fake"
	to := filepath.Join(r.root, dir, "libcuda.so.1")
	if _, err := os.Stat(to); err == nil {
		return dir, nil
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return "", err
	}
	source := filepath.Join("internal", "probe", "probetest", "testdata", "fakedriver", "cuda.c")
	if out, err := exec.Command("cc", "-shared", "-fPIC", "-O1", "-o", to, source, "-lm").CombinedOutput(); err != nil {
		return "", fmt.Errorf("building the stand-in of the driver: %w\n%s", err, out)
	}
	return dir, nil
}
