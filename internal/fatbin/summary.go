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
	// Mixes are the sets of codes that containers hold, the most frequent first: a
	// GPU's share of a library is the containers of all mixes with code for it.
	Mixes []Mix
	// Linkable is the PTX that all relocatable objects behind the linked code
	// hold: where no cubin fits, the driver compiles it and links it anew.
	Linkable []Code
	// Relocatable says that there is only relocatable device code: an object
	// file or library that still has to go through the device linker.
	Relocatable bool
	Problems    []string // what could not be understood; Codes is then incomplete
}

// Mix is a set of codes that lie together in a container.
type Mix struct {
	Codes      []int // indices into Summary.Codes, rising; empty for containers without code
	Containers int   // how many hold exactly these
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
	place := make([]int, len(keys)) // of a code by its id
	for i, k := range keys {
		n := t.codes[k]
		c := Code{Compression: k.compression, Containers: n.containers, Entries: n.entries}
		c.Kind, c.Arch = k.names()
		if k.kind == kindPTX {
			c.ISA = fmt.Sprintf("%d.%d", k.major, k.minor)
		}
		s.Codes = append(s.Codes, c)
		place[n.id] = i
	}
	s.Mixes = t.mixList(place)
	return &s
}
