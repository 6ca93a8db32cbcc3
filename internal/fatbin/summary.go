package fatbin

import (
	"cmp"
	"fmt"
	"slices"
)

// Summary is what the fat binaries of one file contain.
type Summary struct {
	Containers int    // fat binaries, about one per compiled source file
	Entries    int    // codes in them; a group counts as its members
	Grouped    int    // of these, members of groups (see the package documentation)
	Codes      []Code // cubins first, then PTX, each by architecture
	// Relocatable says that there is only relocatable device code: an object
	// file or library that still has to go through the device linker.
	Relocatable bool
	Problems    []string // what could not be understood; Codes is then incomplete
}

// Code is one kind of GPU code for one architecture, over all containers.
type Code struct {
	Kind        string // "cubin" or "ptx"; "nvvm-ir" or "kind-0xNN" for what the driver cannot load as such
	Arch        string // "sm_90a" for a cubin, "compute_80" for PTX, each with its suffix a or f
	ISA         string // PTX ISA version "8.4"; "" for a cubin
	Compression string // "none", "lz4" or "zstd"
	Containers  int    // how many containers hold it
	Entries     int    // how many entries hold it; of a library with several modules per container this is more
}

// tally builds a Summary.
type tally struct {
	Summary
	codes map[codeKey]*count
}

type codeKey struct {
	kind        uint16
	arch        uint32
	suffix      string
	major       uint16 // of the PTX ISA
	minor       uint16
	compression string
}

type count struct {
	containers, entries int
	last                int // the last container that held it
}

const (
	maxProblems = 16
	maxCodes    = 1024 // distinct ones; the largest libraries have about 30
)

func (t *tally) problem(format string, args ...any) {
	if len(t.Problems) < maxProblems {
		t.Problems = append(t.Problems, fmt.Sprintf(format, args...))
	}
}

// add counts one entry of the current container.
func (t *tally) add(e entry, compression string) {
	t.Entries++
	k := codeKey{kind: e.kind, arch: e.arch, suffix: e.suffix(), compression: compression}
	if e.kind == kindPTX {
		k.major, k.minor = e.major, e.minor
	}
	c := t.codes[k]
	if c == nil {
		if len(t.codes) == maxCodes {
			t.problem("more than %d different codes, the others are not counted", maxCodes)
			return
		}
		c = &count{}
		t.codes[k] = c
	}
	c.entries++
	if c.last != t.Containers {
		c.last = t.Containers
		c.containers++
	}
}

// summary lists the codes: cubins, then PTX, then the rest, by architecture.
func (t *tally) summary() *Summary {
	keys := make([]codeKey, 0, len(t.codes))
	for k := range t.codes {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b codeKey) int {
		return cmp.Or(
			cmp.Compare(order(a.kind), order(b.kind)), cmp.Compare(a.arch, b.arch), cmp.Compare(a.suffix, b.suffix),
			cmp.Compare(a.major, b.major), cmp.Compare(a.minor, b.minor), cmp.Compare(a.compression, b.compression))
	})
	s := t.Summary
	for _, k := range keys {
		c := Code{Compression: k.compression, Containers: t.codes[k].containers, Entries: t.codes[k].entries}
		c.Kind, c.Arch = k.names()
		if k.kind == kindPTX {
			c.ISA = fmt.Sprintf("%d.%d", k.major, k.minor)
		}
		s.Codes = append(s.Codes, c)
	}
	return &s
}

func order(kind uint16) int {
	switch kind {
	case kindCubin:
		return 0
	case kindPTX:
		return 1
	}
	return 2 + int(kind)
}

func (k codeKey) names() (kind, arch string) {
	switch k.kind {
	case kindCubin:
		return "cubin", fmt.Sprintf("sm_%d%s", k.arch, k.suffix)
	case kindPTX:
		return "ptx", fmt.Sprintf("compute_%d%s", k.arch, k.suffix)
	case kindIR:
		return "nvvm-ir", fmt.Sprintf("compute_%d%s", k.arch, k.suffix)
	}
	return fmt.Sprintf("kind-%#x", k.kind), fmt.Sprintf("sm_%d%s", k.arch, k.suffix)
}
