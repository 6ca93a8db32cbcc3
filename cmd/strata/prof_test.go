package main

import (
	"bytes"
	"context"
	"os"
	"strings"
	"testing"

	"strata/internal/cli"
)

func BenchmarkRoot(b *testing.B) {
	root := os.Getenv("BENCH_ROOT")
	if root == "" {
		b.Skip()
	}
	for b.Loop() {
		var out bytes.Buffer
		cli.Main(context.Background(), cli.Streams{In: strings.NewReader(""), Out: &out, Err: &out}, []string{"check", "--root", root})
	}
}
