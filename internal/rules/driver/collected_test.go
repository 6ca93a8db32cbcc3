package driver_test

import (
	"os"
	"testing"

	"strata/internal/collect/all"
	"strata/internal/machine"
	"strata/internal/stack"
)

// collected is the stack of a machine in testdata, read by all collectors.
func collected(t *testing.T, name string) *stack.Stack {
	t.Helper()
	m, err := machine.OpenArchive(os.DirFS("testdata"), name)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	return all.Run(t.Context(), m.Machine, all.Options{})
}
