// Package cli is the command line: one file per command, flags, wiring and
// exit codes. Everything it needs comes in as parameters, so a test runs the
// whole program in its own process.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
)

// Exit statuses, the same for every command and format.
const (
	exitOK         = 0 // nothing at or above --fail-on
	exitFindings   = 1
	exitUsage      = 2 // wrong usage or unreadable input
	exitIncomplete = 3 // with --strict: something needed was unknown
)

// Streams are where a command reads and writes.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
	// Width of the terminal in columns, 0 where Out is none.
	Width int
	// Color is true where Out may carry ANSI colours.
	Color bool
	// ASCII is true where the user's character set has no other characters.
	ASCII bool
}

// Main runs the program with its arguments and returns the exit status.
func Main(ctx context.Context, s Streams, args []string) int {
	root := newRoot(s)
	root.SetArgs(args)
	root.SetIn(s.In)
	root.SetOut(s.Out)
	root.SetErr(s.Err)
	err := root.ExecuteContext(ctx)
	var exit *exitError
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &exit):
		return exit.status
	}
	fmt.Fprintf(s.Err, "strata: %v\n", err)
	return exitUsage
}

// exitError ends the program with a status and nothing more to say. It is
// matched by its concrete type: *exec.ExitError would satisfy an interface.
type exitError struct{ status int }

func (e *exitError) Error() string { return fmt.Sprintf("exit status %d", e.status) }

func newRoot(s Streams) *cobra.Command {
	root := &cobra.Command{
		Use:   "strata",
		Short: "Find the first broken layer of a GPU software stack",
		Long: `Strata reads the software stack of NVIDIA GPUs layer by layer (hardware, kernel
module, driver, device access, container runtime, CUDA, cuDNN, NCCL, TensorRT,
framework build, machine code, packages), names the first layer that is broken,
proves it with what it read, and says what to change.

It reads only: no network, no root, no framework is imported, no NVIDIA library
is loaded, nothing is changed. Two commands act, and only when they are asked:
probe runs small computations in child processes, run starts your own command.`,
		Example: `  strata check                                     this host
  strata check --root image --assume gpu='NVIDIA L4' --assume driver=550.144.03
  strata triage server.log               a log, a traceback, a bug report
  strata run -- python serve.py          did it use the GPU, and if not, why
  strata explain DRV002                            what a finding means
  strata kb show driver 535                        what is known about a driver`,
		SilenceUsage:  true,
		SilenceErrors: true,
		// No Args: cobra's own check of a root suggests the nearest command.
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.AddCommand(newCheck(s), newLibs(s), newArch(s), newTriage(s), newProbe(s), newRun(s), newWatch(s), newExplain(s), newKB(s), newVersion(s))
	// Flags fold at the width of the terminal, or at 80 columns.
	root.SetUsageTemplate(strings.NewReplacer(
		"LocalFlags.FlagUsages", fmt.Sprintf("LocalFlags.FlagUsagesWrapped %d", s.columns()),
		"InheritedFlags.FlagUsages", fmt.Sprintf("InheritedFlags.FlagUsagesWrapped %d", s.columns()),
	).Replace(root.UsageTemplate()))
	root.CompletionOptions.HiddenDefaultCmd = false
	return root
}
