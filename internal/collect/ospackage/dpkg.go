package ospackage

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"

	"strata/internal/machine"
	"strata/internal/stack"
)

const (
	dpkgStatus = "/var/lib/dpkg/status"
	dpkgParts  = "/var/lib/dpkg/status.d" // one file a package, in distroless images
	dpkgInfo   = "/var/lib/dpkg/info"
	// maxStatus bounds the status file; 5,000 packages take 6 MiB.
	maxStatus = 256 << 20
	// maxList bounds one list of files; cuda-nsight has some 10,000 lines.
	maxList = 16 << 20
)

func readDpkg(ctx context.Context, m *machine.Machine) result {
	r := result{owners: owners{}, source: stack.File(dpkgStatus)}
	found, err := readStatus(m, dpkgStatus)
	r.err = err
	parts, partsErr := m.ReadDir(dpkgParts)
	if partsErr == nil && errors.Is(err, fs.ErrNotExist) {
		r.err, r.source = nil, stack.Source{Kind: "directory", Locator: dpkgParts}
	}
	for _, e := range parts {
		if strings.HasSuffix(e.Name(), ".md5sums") || e.IsDir() {
			continue
		}
		more, err := readStatus(m, path.Join(dpkgParts, e.Name()))
		if err != nil {
			r.err = err
		}
		found = append(found, more...)
	}
	for _, p := range found {
		if ctx.Err() != nil {
			break
		}
		r.packages = append(r.packages, p.OSPackage)
		dpkgOwners(m, p, r.owners)
	}
	return r
}

// dpkgPackage is a package with what its list of files is called by.
type dpkgPackage struct {
	stack.OSPackage
	arch string
}

func readStatus(m *machine.Machine, name string) ([]dpkgPackage, error) {
	f, err := m.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	limited := &io.LimitedReader{R: f, N: maxStatus}
	packages, err := parseStatus(name, limited)
	if err == nil && limited.N == 0 {
		err = fmt.Errorf("reading %q: %w (%d bytes)", name, machine.ErrTooLarge, maxStatus)
	}
	return packages, err
}

// parseStatus reads stanzas of "Field: value" lines, in one pass: of the
// packages that do not matter only the first line is looked at.
func parseStatus(name string, r io.Reader) ([]dpkgPackage, error) {
	var packages []dpkgPackage
	var p dpkgPackage
	finish := func() {
		if p.Name != "" {
			p.From = stack.Line(name, p.From.Line, p.Name+" "+p.Version)
			packages = append(packages, p)
		}
		p = dpkgPackage{}
	}
	in := bufio.NewReaderSize(r, 64<<10)
	line := 0
	for {
		text, err := in.ReadSlice('\n')
		line++
		for errors.Is(err, bufio.ErrBufferFull) {
			// No field that is read is that long: the rest of the line is dropped.
			text = nil
			_, err = in.ReadSlice('\n')
		}
		if len(text) > 0 {
			switch c := text[0]; {
			case c == '\n' || c == '\r':
				finish()
			case c == 'P':
				if v, ok := value(text, "Package:"); ok && inStack(v) {
					finish()
					p.Name, p.Manager, p.From.Line = v, "dpkg", line
				}
			case p.Name == "" || c == ' ':
			case c == 'S':
				if v, ok := value(text, "Status:"); ok {
					p.Status = v
				}
			case c == 'V':
				if v, ok := value(text, "Version:"); ok {
					p.Version = v
				}
			case c == 'A':
				if v, ok := value(text, "Architecture:"); ok {
					p.arch = v
				}
			}
		}
		if errors.Is(err, io.EOF) {
			finish()
			return packages, nil
		}
		if err != nil {
			return packages, fmt.Errorf("reading %q: %w", name, err)
		}
	}
}

func value(line []byte, field string) (string, bool) {
	if len(line) < len(field) || string(line[:len(field)]) != field {
		return "", false
	}
	return strings.TrimSpace(string(line[len(field):])), true
}

// dpkgOwners reads a package's list of files. It is called NAME.list, or
// NAME:ARCH.list where the package can be installed for several architectures.
func dpkgOwners(m *machine.Machine, p dpkgPackage, into owners) {
	for _, base := range []string{p.Name + ":" + p.arch, p.Name} {
		data, err := m.ReadFile(path.Join(dpkgInfo, base+".list"), maxList)
		if err != nil {
			continue // without the list the owner stays unknown, which is what is then shown
		}
		for file := range strings.Lines(string(data)) {
			into.add(strings.TrimSpace(file), p.Name+" "+p.Version)
		}
		return
	}
}
