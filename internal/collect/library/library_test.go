package library

import (
	"bytes"
	"context"
	"os"
	"path"
	"testing"

	"github.com/google/go-cmp/cmp"

	"strata/internal/collect/collecttest"
	"strata/internal/machine"
	"strata/internal/stack"
)

func TestRead(t *testing.T) {
	m := collecttest.Open(t, "names.txtar")
	got := Read(m, "/full/libcublas.so.12", "system")
	if got.Size == 0 {
		t.Error("no size")
	}
	got.Size = 0
	want := stack.Library{
		Path: "/full/libcublas.so.12", Real: "/full/libcublas.so.12.4.5.8", Soname: "libcublas.so.12", Version: "12.4.5.8",
		Machine: "x86_64", Place: "system", Needed: []string{"libcublasLt.so.12", "libc.so.6"}, RunPath: []string{"$ORIGIN"},
		Needs:   []stack.SymbolVersion{{Library: "libcublasLt.so.12", Version: "libcublasLt.so.12"}},
		Defines: []string{"libcublas.so.12"},
		From:    stack.Source{Kind: "elf", Locator: "/full/libcublas.so.12"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Read (-want +got):\n%s", diff)
	}
	if got := Read(m, "/arm/libnccl.so.2.21.5", "").Machine; got != "aarch64" {
		t.Errorf("machine %q, want aarch64", got)
	}
	wantNote := &stack.CompatNote{CUDA: "12.9", Branches: []int{535, 550}}
	if diff := cmp.Diff(wantNote, Read(m, "/compat/libcuda.so.1", "compat").Compat); diff != "" {
		t.Errorf("compat note (-want +got):\n%s", diff)
	}
}

func TestVersion(t *testing.T) {
	m := collecttest.Open(t, "names.txtar")
	for name, want := range map[string]string{
		"/full/libcudnn.so.9":               "9.1.0",
		"/wheel/libcublas.so.12":            "", // the name has the soname's number only
		"/wheel/libnvrtc-builtins.so.12.4":  "",
		"/wheel/libcudart-d0da41ae.so.11.0": "",
		"/compat/libcuda.so.1":              "575.57.08",
		"/wsl/libcuda.so":                   "", // 1.1 is no driver version
		"/stubs/libcuda.so":                 "",
		"/arm/libnccl.so.2.21.5":            "2.21.5",
		"/nameless/libcuda.so.575.57.08":    "575.57.08",
	} {
		if got := Read(m, name, "").Version; got != want {
			t.Errorf("version of %s: %q, want %q", name, got, want)
		}
	}
}

func TestFault(t *testing.T) {
	m := collecttest.Open(t, "names.txtar")
	for name, want := range map[string]string{
		"libcuda.so.1":       "empty file",
		"libcudnn.so.8":      "broken link: its target libcudnn.so.8.9.7 does not exist",
		"libcufft.so.11":     "too many levels of symbolic links",
		"libnccl.so.2":       "is a directory",
		"libcurand.so.10":    "not a regular file",
		"libcusparse.so.12":  "not an ELF file: nothing but NUL bytes",
		"libcusolver.so.11":  "permission denied",
		"libnvrtc.so.12":     "not an ELF file: a Git LFS pointer; the library itself was not fetched",
		"libcublas.so.12":    "not an ELF file: a linker script, for building only",
		"libcublasLt.so.12":  "not an ELF file: a text file that names another library: a link that was copied as a file",
		"libnvJitLink.so.12": "not an ELF file: an HTML page",
		"libcupti.so.12":     "truncated: 3 bytes are too short for an ELF file",
		"libabsent.so.1":     "file does not exist",
	} {
		l := Read(m, "/bad/"+name, "")
		if l.Fault != want {
			t.Errorf("fault of %s: %q, want %q", name, l.Fault, want)
		}
		if l.Soname != name {
			t.Errorf("soname of %s: %q, want the file's name", name, l.Soname)
		}
	}
	if f := Read(m, "/full/libcudnn.so.9", "").Fault; f != "" {
		t.Errorf("a good library has fault %q", f)
	}
}

func TestTruncated(t *testing.T) {
	whole, err := collecttest.Open(t, "names.txtar").ReadFile("/full/libcublas.so.12", 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(path.Join(dir, "libcublas.so.12"), whole[:len(whole)/2], 0o644); err != nil {
		t.Fatal(err)
	}
	m, c, err := machine.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if got := Read(m, "/libcublas.so.12", "").Fault; len(got) < 10 || got[:9] != "truncated" {
		t.Errorf("fault %q, want truncated …", got)
	}
}

func TestScan(t *testing.T) {
	m := collecttest.Open(t, "names.txtar")
	for dir, want := range map[string][]string{
		"/full":   {"libcublas.so.12", "libcudnn.so.9", "libcusolver.so.11.6.1.9"},
		"/wheel":  {"libcublas.so.12", "libcudart-d0da41ae.so.11.0", "libnvrtc-builtins.so.12.4"},
		"/stubs":  {"libcuda.so"},
		"/hack":   {"libcudart.so.11.0", "libcudart.so.12"},
		"/compat": {"libcuda.so.1"},
		"/wsl":    {"libcuda.so.1"},
		"/bad": {"libcublas.so.12", "libcublasLt.so.12", "libcuda.so.1", "libcudnn.so.8", "libcufft.so.11", "libcupti.so.12",
			"libcurand.so.10", "libcusolver.so.11", "libcusparse.so.12", "libnvJitLink.so.12", "libnvrtc.so.12"},
	} {
		libs, err := Scan(context.Background(), m, dir, "system")
		if err != nil {
			t.Errorf("Scan(%s): %v", dir, err)
		}
		var got []string
		for _, l := range libs {
			got = append(got, path.Base(l.Path))
			if l.Path != l.From.Locator || l.Place != "system" {
				t.Errorf("%s: locator %q, place %q", l.Path, l.From.Locator, l.Place)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("Scan(%s) (-want +got):\n%s", dir, diff)
		}
	}
	if _, err := Scan(context.Background(), m, "/absent", ""); err == nil {
		t.Error("Scan of a missing directory gives no error")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if libs, err := Scan(ctx, m, "/full", ""); err == nil || len(libs) > 0 {
		t.Errorf("cancelled Scan: %d libraries, error %v", len(libs), err)
	}
}

func TestCode(t *testing.T) {
	m := collecttest.Open(t, "names.txtar")
	got := Code(m, "/code/libx.so")
	var arches []string
	for _, c := range got.Value {
		arches = append(arches, c.Kind+" "+c.Arch+" "+c.ISA+" "+c.Compression)
		if c.Of == 0 || c.Containers > c.Of {
			t.Errorf("%s in %d of %d containers", c.Arch, c.Containers, c.Of)
		}
	}
	want := []string{"cubin sm_80  none", "cubin sm_90a  zstd", "ptx compute_90 8.4 none"}
	if diff := cmp.Diff(want, arches); diff != "" {
		t.Errorf("Code (-want +got):\n%s", diff)
	}
	if got := Code(m, "/full/libcublas.so.12").State; got != stack.Absent {
		t.Errorf("library without GPU code: %v, want absent", got)
	}
	if got := Code(m, "/bad/libcublas.so.12").State; got != stack.Failed {
		t.Errorf("file that is not ELF: %v, want failed", got)
	}
	if got := Code(m, "/bad/libcusolver.so.11").State; got != stack.Denied {
		t.Errorf("unreadable file: %v, want denied", got)
	}
}

func TestIsCUDA(t *testing.T) {
	for _, name := range []string{
		"libcudart.so", "libcudart.so.12", "libcublasLt.so.12.4.5.8", "libcudnn_ops.so.9", "libnvinfer_plugin.so.10", "libnppig.so.12",
		"libnvrtc-builtins.so.12.4", "libnvidia-ptxjitcompiler.so.535.129.03", "libcuda.so.1", "libnvshmem_host.so.3", "libcutensorMg.so.2",
		"libcudart-d0da41ae.so.11.0",
	} {
		if !IsCUDA(name) {
			t.Errorf("IsCUDA(%q) is false", name)
		}
	}
	for _, name := range []string{
		"libcudart_static.a", "libcudart.so.12.bak", "libcudart.so.", "cudart.so", "libc.so.6", "libnppfoo.so.1", "libcudartx.so.1",
		"libnccl-net.so", "libcudart.so.12-gdb.py", "", "lib.so",
	} {
		if IsCUDA(name) {
			t.Errorf("IsCUDA(%q) is true", name)
		}
	}
}

func FuzzFault(f *testing.F) {
	f.Add([]byte("libcudart.so.12"))
	f.Add([]byte("../lib/"))
	f.Add([]byte("GROUP ( x )"))
	f.Add([]byte("\x7fELF"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if s := describe(data); s == "" && len(data) > 0 && len(bytes.Trim(data, "\x00")) == 0 {
			t.Errorf("NUL bytes are not recognised in %q", data)
		}
	})
}

func FuzzName(f *testing.F) {
	f.Add("libcudart-d0da41ae.so.11.0", "libcudart.so.11.0")
	f.Fuzz(func(t *testing.T, name, soname string) {
		v := fileVersion(name, soname)
		if v != "" && name == soname {
			t.Errorf("version %q of %q, which is the soname", v, name)
		}
		IsCUDA(name)
	})
}
