package machine

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strconv"
	"strings"
	"time"

	"golang.org/x/tools/txtar"
)

// archiveNow is the clock of a machine in an archive, unless it says its own:
// a fixed date keeps its report the same for ever.
var archiveNow = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

const (
	// maxIncludes bounds how deep archives may include each other.
	maxIncludes = 8
	// maxLoads bounds how many are read in all for one machine; the largest test
	// machine takes 10.
	maxLoads = 200
)

// OpenArchive reads a txtar file that describes a whole machine. fsys is where
// the file and the archives it includes live. The sections:
//
//	rootfs/PATH      a file
//	include          one archive a line, read first; later entries win; @NAME is
//	                 one of the parts in base/, such as @ubuntu-22.04 or @driver-535
//	links            PATH -> TARGET
//	modes            MODE [dir|fifo|char MAJ:MIN] [uid=N] [gid=N] PATH; creates what is missing
//	sparse           SIZE PATH; a file of that many NUL bytes that takes no memory
//	elf              PATH key=value …; a small real ELF file, see elf.go
//	ldcache          NAME PATH; makes /etc/ld.so.cache of these entries
//	ldconfig         no lines; makes /etc/ld.so.cache as ldconfig would of what is there in the end
//	remove           PATH; takes away what an include brought
//	env              NAME=VALUE; the section alone makes the environment known
//	user             uid=N gids=N,N
//	deny             PATH; reading it or below it is refused
//	hang             PATH; reading it or below it waits until the machine is closed
//	now              RFC 3339 time
//	want, assume     not the machine but what a test expects or supplies; see Section
//
// An unknown section is an error: a typing mistake must not make a machine
// healthy. Comments and blank lines in list sections are passed over.
func OpenArchive(fsys fs.FS, name string) (*Archived, error) {
	a := &Archived{sections: map[string]string{}, tree: newMemTree()}
	a.Machine = &Machine{Kind: Archive, Name: path.Base(name), Now: func() time.Time { return archiveNow }, tree: a.tree}
	if err := a.load(fsys, name, 0); err != nil {
		return nil, err
	}
	if a.ldconfig {
		if err := a.runLdconfig(); err != nil {
			return nil, fmt.Errorf("machine %q: %w", name, err)
		}
	}
	return a, nil
}

// Archived is a machine from an archive with the sections that belong to tests.
type Archived struct {
	*Machine
	// Comment is the archive's leading text: what machine this is and after which source.
	Comment  string
	tree     *memTree
	loads    int
	ldconfig bool // has run when all was there
	sections map[string]string
}

// Section returns the text of "want" or "assume", empty where there is none.
func (a *Archived) Section(name string) string { return a.sections[name] }

// Assumptions are the lines of the "assume" section.
func (a *Archived) Assumptions() []string {
	var items []string
	for line := range strings.Lines(a.sections["assume"]) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			items = append(items, line)
		}
	}
	return items
}

// Close lets reads that hang return.
func (a *Archived) Close() error { a.tree.close(); return nil }

func (a *Archived) load(fsys fs.FS, name string, depth int) error {
	if depth > maxIncludes {
		return fmt.Errorf("reading machine %q: includes nest deeper than %d", name, maxIncludes)
	}
	if a.loads++; a.loads > maxLoads {
		return fmt.Errorf("reading machine %q: more than %d archives are included", name, maxLoads)
	}
	data, err := fs.ReadFile(fsys, name)
	if err != nil {
		return fmt.Errorf("reading machine %q: %w", name, err)
	}
	ar := txtar.Parse(data)
	if len(ar.Files) == 0 {
		return fmt.Errorf("reading machine %q: no section found; a machine is a txtar archive with sections such as rootfs/etc/os-release", name)
	}
	a.Comment = string(bytes.TrimSpace(ar.Comment))
	// Includes first, so that what stands in this file wins.
	for _, f := range ar.Files {
		if f.Name != "include" {
			continue
		}
		err := eachLine(f.Data, func(line string) error {
			if part, ok := strings.CutPrefix(line, "@"); ok {
				return a.load(base, "base/"+part+".txtar", depth+1)
			}
			return a.load(fsys, path.Join(path.Dir(name), line), depth+1)
		})
		if err != nil {
			return fmt.Errorf("machine %q: %w", name, err)
		}
	}
	a.Comment = string(bytes.TrimSpace(ar.Comment))
	for _, f := range ar.Files {
		if err := a.section(f.Name, f.Data); err != nil {
			return fmt.Errorf("machine %q, section %q: %w", name, f.Name, err)
		}
	}
	return nil
}

func (a *Archived) section(name string, data []byte) error {
	t := a.tree
	if p, ok := strings.CutPrefix(name, "rootfs/"); ok {
		return t.addFile("/"+p, data)
	}
	switch name {
	case "include":
		return nil
	case "want", "assume":
		a.sections[name] = string(data)
		return nil
	case "links":
		return eachLine(data, func(line string) error {
			from, to, ok := strings.Cut(line, " -> ")
			if !ok {
				return fmt.Errorf("%q: want PATH -> TARGET", line)
			}
			return t.addLink(strings.TrimSpace(from), strings.TrimSpace(to))
		})
	case "modes":
		return eachLine(data, t.addMode)
	case "sparse":
		return eachLine(data, t.addSparse)
	case "elf":
		return eachLine(data, t.addELF)
	case "ldcache":
		cache, err := ldCache(string(data))
		if err != nil {
			return err
		}
		return t.addFile("/etc/ld.so.cache", cache)
	case "ldconfig":
		a.ldconfig = true
		return nil
	case "remove":
		return eachLine(data, t.remove)
	case "deny":
		return eachLine(data, func(line string) error { t.denied = append(t.denied, path.Clean(line)); return nil })
	case "hang":
		return eachLine(data, func(line string) error { t.hanging = append(t.hanging, path.Clean(line)); return nil })
	case "env":
		a.envSeen = true
		return eachLine(data, func(line string) error {
			k, v, ok := strings.Cut(line, "=")
			if !ok {
				return fmt.Errorf("%q: want NAME=VALUE", line)
			}
			a.SetEnv(k, v)
			return nil
		})
	case "user":
		return eachLine(data, a.setUser)
	case "now":
		when, err := time.Parse(time.RFC3339, strings.TrimSpace(string(data)))
		if err != nil {
			return fmt.Errorf("reading the clock: %w", err)
		}
		a.Now = func() time.Time { return when }
		return nil
	}
	return fmt.Errorf("unknown section; see the comment of machine.OpenArchive for those that exist")
}

func (a *Archived) setUser(line string) error {
	id := &Identity{}
	for field := range strings.FieldsSeq(line) {
		k, v, _ := strings.Cut(field, "=")
		switch k {
		case "uid":
			var err error
			if id.UID, err = strconv.Atoi(v); err != nil {
				return fmt.Errorf("reading %q: %w", field, err)
			}
		case "gids":
			for g := range strings.SplitSeq(v, ",") {
				gid, err := strconv.Atoi(g)
				if err != nil {
					return fmt.Errorf("reading %q: %w", field, err)
				}
				id.GIDs = append(id.GIDs, gid)
			}
		default:
			return fmt.Errorf("%q: want uid=N gids=N,N", line)
		}
	}
	a.User = id
	return nil
}

func eachLine(data []byte, do func(string) error) error {
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if err := do(line); err != nil {
			return err
		}
	}
	return nil
}

// zeros reads as NUL bytes for ever: the content of a sparse file.
type zeros struct{}

func (zeros) ReadAt(p []byte, _ int64) (int, error) { clear(p); return len(p), nil }

func sparse(size int64) io.ReaderAt { return io.NewSectionReader(zeros{}, 0, size) }
