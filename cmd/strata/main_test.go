package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"strata/internal/cli"
	"strata/internal/opentrace"
)

var update = flag.Bool("update", false, "rewrite the expected output in the scripts")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"strata": func() { os.Exit(cli.Main(context.Background(), cli.OSStreams(), os.Args[1:])) },
	})
}

// TestScripts runs the real command line over the scripts in testdata/script.
// Beside testscript's own commands there is
//
//	exitcode N COMMAND [ARG…]   wants exactly that exit status
//	[opens]                     this machine lets strata run --trace=full see opens
func TestScripts(t *testing.T) {
	machines, err := filepath.Abs(filepath.Join("..", "..", "examples"))
	if err != nil {
		t.Fatal(err)
	}
	corpus, err := filepath.Abs(filepath.Join("..", "..", "internal", "corpus", "machines"))
	if err != nil {
		t.Fatal(err)
	}
	base, err := filepath.Abs(filepath.Join("..", "..", "internal", "kb", "data"))
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "script"),
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(e *testscript.Env) error {
			e.Setenv("EXAMPLES", machines)
			e.Setenv("CORPUS", corpus)
			e.Setenv("KB", base)
			strata, err := exec.LookPath("strata")
			e.Setenv("STRATA", strata)
			if err != nil {
				return err
			}
			return nil
		},
		Condition: func(name string) (bool, error) {
			if name != "opens" {
				return false, fmt.Errorf("unknown condition %q", name)
			}
			return opensTraced(), nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exitcode": func(ts *testscript.TestScript, neg bool, args []string) {
				if neg || len(args) < 2 {
					ts.Fatalf("usage: exitcode N COMMAND [ARG…]")
				}
				want, err := strconv.Atoi(args[0])
				ts.Check(err)
				got := 0
				if err := ts.Exec(args[1], args[2:]...); err != nil {
					got = -1
					if coder, ok := err.(interface{ ExitCode() int }); ok {
						got = coder.ExitCode()
					}
				}
				if got != want {
					ts.Fatalf("exit status %d, want %d", got, want)
				}
			},
		},
	})
}

// opensTraced tells whether this machine allows it. With STRATA_MUST_TRACE_OPENS set a test fails where it does not.
func opensTraced() bool {
	cmd := exec.Command("true")
	t, err := opentrace.Start(opentrace.Options{Sort: func(string) opentrace.Kind { return opentrace.Ignored }}, cmd.Start)
	var no *opentrace.Unavailable
	if errors.As(err, &no) {
		return os.Getenv("STRATA_MUST_TRACE_OPENS") != ""
	}
	_ = cmd.Wait()
	t.Stop()
	return true
}
