package library

import (
	"fmt"
	"strings"

	"strata/internal/fatbin"
	"strata/internal/machine"
	"strata/internal/stack"
)

// Code lists the GPU code inside a library: which architectures its kernels
// are built for. It is Absent for a library without any. It reads the headers
// of the fat binaries, some 50 KB of a library of 400 MB.
func Code(m *machine.Machine, name string) stack.Fact[[]stack.DeviceCode] {
	f, err := m.Open(name)
	if err != nil {
		return stack.Miss[[]stack.DeviceCode](err, name)
	}
	defer f.Close()
	src := stack.From("elf", name, 0, ".nv_fatbin")
	info, err := f.Stat()
	if err != nil {
		return stack.Miss[[]stack.DeviceCode](err, name)
	}
	scan := func() scanned { s, err := fatbin.ScanELF(f, info.Size()); return scanned{s, err} }
	var got scanned
	if id, ok := machine.ID(info); ok {
		got = machine.Once(m, "gpu code", id, scan)
	} else {
		got = scan()
	}
	sum, err := got.sum, got.err
	if err != nil {
		return stack.Broken[[]stack.DeviceCode](fmt.Sprintf("reading the GPU code of %q: %v", name, err), src)
	}
	why := strings.Join(sum.Problems, "; ")
	if len(sum.Codes) == 0 {
		if why != "" {
			return stack.Broken[[]stack.DeviceCode](fmt.Sprintf("reading the GPU code of %q: %s", name, why), src)
		}
		return stack.None[[]stack.DeviceCode](src)
	}
	codes := make([]stack.DeviceCode, 0, len(sum.Codes))
	for _, c := range sum.Codes {
		codes = append(codes, stack.DeviceCode{
			Kind: c.Kind, Arch: c.Arch, ISA: c.ISA, Compression: c.Compression,
			Containers: c.Containers, Of: sum.Containers,
		})
	}
	for _, c := range sum.Linkable { // serves as much as PTX in every container would
		codes = append(codes, stack.DeviceCode{
			Kind: c.Kind, Arch: c.Arch, ISA: c.ISA, Compression: c.Compression,
			Containers: sum.Containers, Of: sum.Containers,
		})
	}
	fact := stack.Know(codes, src)
	fact.Why = why
	return fact
}

type scanned struct {
	sum *fatbin.Summary
	err error
}
