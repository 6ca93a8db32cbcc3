// Package probetest builds what tests of probes run: strata-probe itself, and
// fakes in C of NVIDIA's libraries whose answers are set by the environment (see
// testdata/fakedriver/fake.h). They are built with the system's compiler; without
// one the tests fail, since they would prove nothing.
package probetest

import (
	"embed"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"strata/internal/probe"
)

//go:embed testdata/fakedriver
var sources embed.FS

// libraries are the fakes with the sonames that they answer to.
var libraries = map[string][]string{
	"cuda.c": {"libcuda.so.1"}, "nvml.c": {"libnvidia-ml.so.1"}, "cudart.c": {"libcudart.so.12"}, "cublas.c": {"libcublas.so.12"},
	"cufft.c": {"libcufft.so.11"}, "cudnn.c": {"libcudnn.so.9"}, "nccl.c": {"libnccl.so.2"},
}

var built struct {
	sync.Mutex
	dir  string // of the test process
	done map[string]error
}

// Main runs a package's tests and clears what they built. A package that uses
// this one calls it from TestMain.
func Main(m *testing.M) {
	dir, err := os.MkdirTemp("", "probetest-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	built.dir, built.done = dir, map[string]error{}
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

// once makes a file below the directory of the test process, the first time that it is asked for.
func once(t testing.TB, name string, make func(path string) error) string {
	t.Helper()
	built.Lock()
	defer built.Unlock()
	if built.dir == "" {
		t.Fatal("probetest.Main was not called from TestMain")
	}
	path := filepath.Join(built.dir, name)
	err, ok := built.done[name]
	if !ok {
		if err = os.MkdirAll(filepath.Dir(path), 0o755); err == nil {
			err = make(path)
		}
		built.done[name] = err
	}
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// Program is strata-probe, built from this tree.
func Program(t testing.TB) *probe.Program {
	t.Helper()
	path := once(t, "bin/"+probe.ProgramName, func(path string) error { return build(path, "strata/cmd/strata-probe") })
	return &probe.Program{Path: path, Found: path}
}

// Strata is strata itself, built from this tree, beside strata-probe.
func Strata(t testing.TB) string {
	t.Helper()
	Program(t)
	return once(t, "bin/strata", func(path string) error { return build(path, "strata/cmd/strata") })
}

func build(path, pkg string) error {
	cmd := exec.Command("go", "build", "-o", path, pkg)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("building %s: %w\n%s", pkg, err, out)
	}
	return nil
}

// Driver is a directory with fakes of libcuda and NVML, made for the test.
func Driver(t testing.TB, flags ...string) string {
	return Fakes(t, []string{"cuda.c", "nvml.c"}, flags...)
}

// All is a directory with fakes of all libraries.
func All(t testing.TB) string {
	return Fakes(t, []string{"cuda.c", "nvml.c", "cudart.c", "cublas.c", "cufft.c", "cudnn.c", "nccl.c"})
}

// Fakes is a directory, made for the test alone, with fakes of the libraries
// whose sources are named, built with flags such as -DOLD.
func Fakes(t testing.TB, names []string, flags ...string) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range names {
		so := Fake(t, name, flags...)
		for _, soname := range libraries[name] {
			if err := os.Link(so, filepath.Join(dir, soname)); err != nil {
				t.Fatal(err)
			}
		}
	}
	return dir
}

// Fake is one built library.
func Fake(t testing.TB, source string, flags ...string) string {
	t.Helper()
	args := append([]string{"-shared", "-fPIC", "-O1", "-Wall", "-Wextra", "-Werror", "-Wno-unused-function"}, flags...)
	return compiled(t, source, filepath.Join("fake", strings.Join(flags, ""), strings.TrimSuffix(source, ".c")+".so"), args, "-lm")
}

// User is a program that uses GPUs, as testdata/fakedriver/user.c says.
func User(t testing.TB) string {
	t.Helper()
	return compiled(t, "user.c", "bin/user", []string{"-O1", "-Wall", "-Wextra", "-Werror"}, "-ldl")
}

// compiled is a source of testdata, built once with the system's compiler.
func compiled(t testing.TB, source, name string, flags []string, libs ...string) string {
	t.Helper()
	src := once(t, "src", func(path string) error {
		sub, err := fs.Sub(sources, "testdata/fakedriver")
		if err != nil {
			return err
		}
		return os.CopyFS(path, sub)
	})
	return once(t, name, func(path string) error {
		args := append(append([]string{}, flags...), "-o", path, filepath.Join(src, source))
		out, err := exec.Command("cc", append(args, libs...)...).CombinedOutput()
		if err != nil {
			return fmt.Errorf("building the fake %s, which needs a C compiler as cc: %w\n%s", source, err, out)
		}
		return nil
	})
}

// Env is an environment with no more than a child needs, the directory of fakes
// on the loader's path, and settings such as FAKE_cuInit=100.
func Env(dir string, settings ...string) []string {
	return append([]string{"PATH=" + os.Getenv("PATH"), "LD_LIBRARY_PATH=" + dir, "TMPDIR=" + os.TempDir()}, settings...)
}

// OtherArch is an ELF library of a processor that is not this one: the file of
// the fake with another machine in its header.
func OtherArch(t testing.TB, source string) []byte {
	t.Helper()
	data, err := os.ReadFile(Fake(t, source))
	if err != nil {
		t.Fatal(err)
	}
	const machine = 18           // offset of e_machine
	aarch64, amd64 := 0xb7, 0x3e // EM_AARCH64, EM_X86_64
	data[machine] = byte(aarch64)
	if runtime.GOARCH == "arm64" {
		data[machine] = byte(amd64)
	}
	return data
}
