package codefile_test

import (
	"context"
	"errors"
	"io/fs"
	"testing"
	"testing/fstest"

	"strata/internal/codefile"
	"strata/internal/machine"
)

// TestFindDenied has a named directory that cannot be listed: that is an error of it, not an empty directory.
func TestFindDenied(t *testing.T) {
	m, err := machine.OpenArchive(fstest.MapFS{"m.txtar": {Data: []byte("-- rootfs/x/f --\nx\n-- deny --\n/x\n")}}, "m.txtar")
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	found, err := codefile.Find(context.Background(), m.Machine, []string{"/x"})
	if err != nil {
		t.Fatal(err)
	}
	if len(found.Files) != 1 || !errors.Is(found.Files[0].Err, fs.ErrPermission) {
		t.Errorf("files %+v, problems %q; want /x with permission denied", found.Files, found.Problems)
	}
}
