package kernel

import (
	"fmt"
	"strings"

	"strata/internal/elfx"
	"strata/internal/machine"
)

const (
	// maxModinfo bounds the .modinfo section. nvidia.ko has 3 KiB; the longest
	// in a distribution kernel, all aliases, has 100 KiB.
	maxModinfo = 1 << 20
	// signatureMark ends every signed module (include/linux/module_signature.h).
	signatureMark = "~Module signature appended~\n"
)

// modinfo is what `modinfo FILE` prints, and whether a signature is appended.
type modinfo struct {
	fields map[string]string // the first value of each tag
	signed bool
}

func readModinfo(m *machine.Machine, name string) (modinfo, error) {
	f, err := m.Open(name)
	if err != nil {
		return modinfo{}, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return modinfo{}, fmt.Errorf("reading %q: %w", name, err)
	}
	// An object file has no program headers, so its section table is all there
	// is; the signature behind it does not disturb.
	e, err := elfx.Read(f, info.Size())
	if err != nil {
		return modinfo{}, fmt.Errorf("reading %q: %w", name, err)
	}
	out := modinfo{}
	if n := int64(len(signatureMark)); info.Size() > n {
		mark := make([]byte, n)
		if _, err := f.ReadAt(mark, info.Size()-n); err == nil {
			out.signed = string(mark) == signatureMark
		}
	}
	for _, s := range e.Sections {
		if s.Name != ".modinfo" {
			continue
		}
		if s.Size > maxModinfo || s.Offset < 0 || s.Offset > info.Size()-s.Size {
			return out, fmt.Errorf("reading %q: .modinfo of %d bytes at %d does not fit", name, s.Size, s.Offset)
		}
		data := make([]byte, s.Size)
		if _, err := f.ReadAt(data, s.Offset); err != nil {
			return out, fmt.Errorf("reading .modinfo of %q: %w", name, err)
		}
		out.fields = parseModinfo(string(data))
		return out, nil
	}
	if e.SectionProblem != "" {
		return out, fmt.Errorf("reading %q: no .modinfo section found: %s", name, e.SectionProblem)
	}
	return out, fmt.Errorf("reading %q: no .modinfo section, so it is no kernel module", name)
}

// parseModinfo reads NUL-separated "tag=value" strings.
func parseModinfo(text string) map[string]string {
	fields := map[string]string{}
	for entry := range strings.SplitSeq(text, "\x00") {
		if k, v, ok := strings.Cut(entry, "="); ok {
			if _, seen := fields[k]; !seen {
				fields[k] = v
			}
		}
	}
	return fields
}
