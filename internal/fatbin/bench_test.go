package fatbin_test

import (
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"strata/internal/elfx/elftest"
	"strata/internal/fatbin"
	"strata/internal/fatbin/fatbintest"
)

// BenchmarkOpen finds the GPU code of a library, and reads the same file whole,
// warm. The metric "x" is how many times faster the first is than reading the file
// into memory, as a parser that wants all of it does; "x-stream" than reading it in
// pieces that are thrown away, the least that a search for magic numbers does. The
// library is the one named by STRATA_LIBRARY, else one of 63 MB made for it, with
// 40 containers of 12 codes; real libraries have about as much code, or more, per header.
func BenchmarkOpen(b *testing.B) {
	path := os.Getenv("STRATA_LIBRARY")
	if path == "" {
		path = made(b)
	}
	f, err := os.Open(path)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		b.Fatal(err)
	}
	whole := readWhole(b, f) // and warms the cache
	whole = min(whole, readWhole(b, f))
	for b.Loop() {
		if _, err := fatbin.Open(f, info.Size()); err != nil {
			b.Fatal(err)
		}
	}
	each := float64(b.Elapsed().Nanoseconds()) / float64(b.N)
	start := time.Now()
	if _, err := os.ReadFile(path); err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(time.Since(start).Nanoseconds())/each, "x")
	b.ReportMetric(float64(whole.Nanoseconds())/each, "x-stream")
}

func readWhole(b *testing.B, f *os.File) time.Duration {
	b.Helper()
	start := time.Now()
	buf := make([]byte, 1<<20)
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		b.Fatal(err)
	}
	for {
		_, err := f.Read(buf)
		if err == io.EOF {
			return time.Since(start)
		}
		if err != nil {
			b.Fatal(err)
		}
	}
}

func made(b *testing.B) string {
	b.Helper()
	payload := make([]byte, 128<<10)
	var containers []container
	for range 40 {
		var c container
		for _, arch := range []string{"50", "60", "61", "70", "75", "80", "86", "89", "90", "100", "120"} {
			c = append(c, code{Arch: arch, Compression: "lz4", Payload: payload})
		}
		containers = append(containers, append(c, code{Kind: "ptx", Arch: "120", ISA: "8.7", Compression: "lz4", Payload: payload}))
	}
	path := filepath.Join(b.TempDir(), "lib.so")
	if err := os.WriteFile(path, elftest.Build(elftest.Spec{Fatbin: fatbintest.Build(containers...)}), 0o644); err != nil {
		b.Fatal(err)
	}
	return path
}
