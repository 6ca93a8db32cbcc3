package machine

import (
	"fmt"
	"strconv"
	"strings"

	"strata/internal/elfx/elftest"
	"strata/internal/fatbin/fatbintest"
)

// addELF makes a small real ELF shared library from a line of the elf section:
//
//	PATH soname=libcublas.so.12 needs=libc.so.6(GLIBC_2.17),libcublasLt.so.12 \
//	     rpath=$ORIGIN/../x:/y runpath=… defines=V12_4,V12_5 machine=aarch64 \
//	     code=sm_80,sm_90a/zstd,compute_90@8.4 compat=12.9:535,550 pad=N
//
// All but PATH are optional. code lists GPU code: cubins as sm_NN, PTX as
// compute_NN@ISA, with /lz4 or /zstd for its compression, and ";" between
// fatbin containers. compat makes the
// note of a forward-compatibility libcuda: CUDA version and driver branches.
// The file is what elftest makes, so the real ELF reader is exercised.
func (t *memTree) addELF(line string) (err error) {
	fields := strings.Fields(line)
	spec := elftest.Spec{}
	code := ""
	for _, f := range fields[1:] {
		key, value, ok := strings.Cut(f, "=")
		if !ok {
			return fmt.Errorf("%q: %q is not key=value", line, f)
		}
		switch key {
		case "soname":
			spec.Soname = value
		case "needs":
			spec.Needed = elfNeeds(value)
		case "rpath":
			spec.Rpath = value
		case "runpath":
			spec.Runpath = value
		case "interp":
			spec.Interp = value
		case "type":
			spec.Type = value
		case "machine":
			spec.Machine = value
		case "defines":
			spec.Defines = strings.Split(value, ",")
		case "defined", "undefined":
			for s := range strings.SplitSeq(value, ",") {
				name, ver, _ := strings.Cut(s, "@")
				sym := elftest.Symbol{Name: name, Version: ver}
				if key == "defined" {
					spec.Defined = append(spec.Defined, sym)
				} else {
					spec.Undefined = append(spec.Undefined, sym)
				}
			}
		case "code":
			code = value
		case "compat":
			cuda, branches, _ := strings.Cut(value, ":")
			spec.Compat = fmt.Sprintf(`{"Format": 1, "CUDA version": %q, "Driver": [%s], "Device": []}`, cuda, branches)
		case "pad":
			if spec.Pad, err = strconv.Atoi(value); err != nil {
				return fmt.Errorf("%q: reading pad: %w", line, err)
			}
			if spec.Pad < 0 || spec.Pad > maxPad {
				return fmt.Errorf("%q: pad is not between 0 and %d", line, maxPad)
			}
		default:
			return fmt.Errorf("%q: unknown key %q", line, key)
		}
	}
	// elftest panics on a description that contradicts itself; here that is a
	// mistake in an archive and gets its line.
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%q: %v", line, r)
		}
	}()
	if code != "" {
		spec.Fatbin = fatbintest.Build(elfCode(code)...)
	}
	return t.addFile(fields[0], elftest.Build(spec))
}

// maxPad bounds the padding of a made file, which takes memory; a sparse file does not.
const maxPad = 64 << 20

// elfNeeds reads "libc.so.6(GLIBC_2.17;GLIBC_2.34),libfoo.so.1".
func elfNeeds(text string) []elftest.Need {
	var needs []elftest.Need
	for item := range strings.SplitSeq(text, ",") {
		lib, versions, has := strings.Cut(strings.TrimSuffix(item, ")"), "(")
		n := elftest.Need{Library: lib}
		if has {
			n.Versions = strings.Split(versions, ";")
		}
		needs = append(needs, n)
	}
	return needs
}

// elfCode reads "sm_80,sm_90a/zstd,compute_90@8.4;sm_80": containers of codes.
func elfCode(text string) []fatbintest.Container {
	var all []fatbintest.Container
	for container := range strings.SplitSeq(text, ";") {
		var codes fatbintest.Container
		for item := range strings.SplitSeq(container, ",") {
			arch, compression, _ := strings.Cut(item, "/")
			c := fatbintest.Code{Kind: "cubin", Arch: arch, Compression: compression}
			if a, isa, ptx := strings.Cut(arch, "@"); ptx {
				c.Kind, c.Arch, c.ISA = "ptx", a, isa
			}
			codes = append(codes, c)
		}
		all = append(all, codes)
	}
	return all
}
