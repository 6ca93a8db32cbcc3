package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"strata/internal/cli"
)

// TestReadme runs the command that the README shows and compares its output
// with the block below it. Run with -update to write the block.
func TestReadme(t *testing.T) {
	const (
		command = "go run ./cmd/strata check --root examples/onnxruntime-falls-back.txtar"
		before  = "The first prints\n\n```\n"
		after   = "\n```\n"
	)
	path := filepath.Join("..", "..", "README.md")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	readme := string(data)
	if !strings.Contains(readme, command) {
		t.Fatalf("README.md does not show %q", command)
	}
	head, rest, ok := strings.Cut(readme, before)
	block, tail, ok2 := strings.Cut(rest, after)
	if !ok || !ok2 {
		t.Fatal("README.md has no block with the output")
	}
	var out, errs bytes.Buffer
	args := strings.Fields(strings.TrimPrefix(command, "go run ./cmd/strata "))
	for i, a := range args {
		args[i] = strings.Replace(a, "examples/", filepath.Join("..", "..", "examples")+"/", 1)
	}
	if got := cli.Main(context.Background(), cli.Streams{In: strings.NewReader(""), Out: &out, Err: &errs}, args); got != 1 {
		t.Fatalf("exit status %d, the README says 1: %s", got, errs.String())
	}
	want := strings.TrimRight(out.String(), "\n")
	if block == want {
		return
	}
	if !*update {
		t.Fatalf("README.md shows other output than the program; run: go test ./cmd/strata -update\n%s", want)
	}
	if err := os.WriteFile(path, []byte(head+before+want+after+tail), 0o644); err != nil {
		t.Fatal(err)
	}
}
