package ospackage

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"strata/internal/collect/ospackage/rpmdb"
	"strata/internal/machine"
	"strata/internal/stack"
)

// rpmPaths are where rpm keeps its database, newest form first; the first that
// exists is the one in use. /usr/lib/sysimage is SUSE's and Fedora's place
// since the database belongs to the image.
var rpmPaths = []string{
	"/usr/lib/sysimage/rpm/rpmdb.sqlite", "/usr/lib/sysimage/rpm/Packages.db", "/usr/lib/sysimage/rpm/Packages",
	"/usr/share/rpm/rpmdb.sqlite", // rpm-ostree: Fedora CoreOS, Silverblue, RHEL image mode
	"/var/lib/rpm/rpmdb.sqlite", "/var/lib/rpm/Packages.db", "/var/lib/rpm/Packages",
}

// maxRPM bounds the database; that of a full workstation has 300 MiB.
const maxRPM = 2 << 30

func readRPM(ctx context.Context, m *machine.Machine) result {
	for _, name := range rpmPaths {
		r := readRPMFile(ctx, m, name)
		// rpm on Debian leaves an empty database, which lists nothing.
		if errors.Is(r.err, fs.ErrNotExist) || errors.Is(r.err, errEmpty) {
			continue
		}
		return r
	}
	return result{err: fs.ErrNotExist}
}

var errEmpty = errors.New("empty file")

func readRPMFile(ctx context.Context, m *machine.Machine, name string) result {
	r := result{owners: owners{}, source: stack.File(name)}
	f, err := m.Open(name)
	if err != nil {
		r.err = err
		return r
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		r.err = fmt.Errorf("reading %q: %w", name, err)
		return r
	case info.Size() == 0:
		r.err = errEmpty
		return r
	case info.Size() > maxRPM:
		r.err = fmt.Errorf("reading %q: %w (%d bytes)", name, machine.ErrTooLarge, maxRPM)
		return r
	}
	err = rpmdb.Read(f, info.Size(), func(h rpmdb.Header) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		pkg := h.Name()
		if !inStack(pkg) {
			return nil
		}
		version := h.EVR()
		r.packages = append(r.packages, stack.OSPackage{
			Name: pkg, Version: version, Manager: "rpm", From: stack.From("file", name, 0, pkg+" "+version+" "+h.Arch()),
		})
		for _, file := range h.Files() {
			r.owners.add(file, pkg+" "+version)
		}
		return nil
	})
	if err != nil {
		r.err = fmt.Errorf("reading %q: %w", name, err)
	} else if wal, err := m.Stat(name + "-wal"); err == nil && wal.Size() > 0 {
		// SQLite keeps it only while rpm runs, or after it was killed.
		r.err = fmt.Errorf("reading %q: changes still in %q are not read", name, name+"-wal")
	}
	return r
}
