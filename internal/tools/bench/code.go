package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"strata/internal/fatbin"
)

// measuredCode are real libraries of three sizes: some 10, 100 and 900 MB.
var measuredCode = []string{
	"nvidia/cudnn/lib/libcudnn_engines_runtime_compiled.so.9",
	"nvidia/curand/lib/libcurand.so.10",
	"torch/lib/libtorch_cuda.so",
}

// leastCode is how often each is done at least: of some hundred microseconds a few say little.
const leastCode = 21

// codes measures finding the GPU code of a library by its headers against reading the file into memory, as a parser that wants all of it
// does, and against streaming it through a small buffer, the least that a search for magic numbers does.
func codes(dir string, n int) error {
	root, err := torchRoot(dir)
	if err != nil {
		return err
	}
	n = max(n, leastCode)
	fmt.Printf("GPU code of one library; medians of %d runs, page cache warm\n", n)
	fmt.Printf("%-44s %8s %8s %12s %20s %20s\n", "", "size", "codes", "by headers", "read into memory", "streamed")
	for _, name := range measuredCode {
		path := filepath.Join(root, "opt/venv", site, name)
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		info, err := f.Stat()
		if err != nil {
			return err
		}
		entries := 0
		buf := make([]byte, 1<<20)
		times, err := medians(n,
			func() error {
				found, err := fatbin.Open(f, info.Size())
				if err == nil {
					entries = found.Entries
				}
				return err
			},
			func() error { _, err := os.ReadFile(path); return err },
			func() error { return stream(f, buf) },
		)
		if err != nil {
			return fmt.Errorf("reading %q: %w", path, err)
		}
		if entries == 0 {
			return fmt.Errorf("%q has no GPU code", path)
		}
		headers, whole, streamed := times[0], times[1], times[2]
		fmt.Printf("%-44s %5d MB %8d %9.2f ms %9.1f ms %6.0f x %9.1f ms %6.0f x\n", filepath.Base(name), info.Size()/1_000_000, entries,
			ms(headers), ms(whole), float64(whole)/float64(headers), ms(streamed), float64(streamed)/float64(headers))
	}
	return nil
}

func stream(f *os.File, buf []byte) error {
	for off := int64(0); ; {
		n, err := f.ReadAt(buf, off)
		if off += int64(n); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return fmt.Errorf("streaming %q: %w", f.Name(), err)
		}
	}
}
