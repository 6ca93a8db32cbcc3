package loader

import (
	"errors"
	"fmt"

	"strata/internal/elfx"
)

// Failure is a library that could not be loaded.
type Failure struct {
	Name   string // as asked for, or the file at fault
	By     *Object
	Reason string // in words; those of ld.so where it has some
	// Fatal says that the file is there and not usable, which ends the load even where a good one follows.
	Fatal bool
	// Mismatch is the version or symbol that is wanting where that is the reason; nil otherwise.
	Mismatch *Mismatch
	// Rest is what the same load would have lacked next: the linker stops at the first, and whoever mends it wants to know the others.
	Rest []*Failure
}

func (f *Failure) Error() string { return f.Name + ": " + f.Reason }

// The words of glibc's errors, by which people search.
const (
	cannotOpen   = "cannot open shared object file: No such file or directory"
	tooShort     = "file too short"
	invalidELF   = "invalid ELF header"
	cannotRead   = "cannot read file data"
	notLoadable  = "only ET_DYN and ET_EXEC can be loaded"
	isExecutable = "cannot dynamically load executable"
)

// verdict says what the linker makes of a file that it finds on its way: why is "" where it takes it, err is not nil where it
// stops with why.
func (l *Linker) verdict(f *file) (why string, err error) {
	switch {
	case f.absent:
		return notThere, nil
	case errors.Is(f.err, elfx.ErrTooShort):
		return tooShort, f.err
	case errors.Is(f.err, elfx.ErrNotELF):
		return invalidELF, f.err
	case f.elf == nil:
		return cannotRead, f.err
	case f.elf.Class != l.Class:
		return fmt.Sprintf("is %s, not %s", f.elf.Class, l.Class), nil
	case f.elf.Machine != l.Machine:
		return fmt.Sprintf("is for %s, not %s", f.elf.Machine, l.Machine), nil
	case f.elf.Type != "dyn" && f.elf.Type != "exec":
		return notLoadable, errors.New(notLoadable)
	case f.err != nil:
		return f.err.Error(), f.err
	}
	return "", nil
}
