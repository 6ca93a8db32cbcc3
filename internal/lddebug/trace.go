// Package lddebug reads what glibc's dynamic linker says of itself where
// LD_DEBUG=libs,files asks it to: which libraries a process maps, who asked for
// them, and which names it looked for in vain and where.
package lddebug

import (
	"bufio"
	"fmt"
	"io"
	"slices"

	"strata/internal/lazyregexp"
)

// Trace is what glibc's linker says of one process with LD_DEBUG=libs,files.
type Trace struct {
	Loads  []Load // in order, without what a failed dlopen took back
	Misses []Miss // names that were looked for and not found, or found in a file that ends the load
}

// Load is one object that was mapped.
type Load struct {
	Name   string // as asked for
	Path   string // the file; for a name without a slash, the place that was tried last
	By     string // who asked: a path, or the program's name as it was started
	Opened bool   // by dlopen, not as a need
	Closed bool   // by dlclose, later
}

// Miss is one name that was asked for in vain. A path that dlopen was given and that does not exist leaves no trace.
type Miss struct {
	Name   string
	By     string
	Opened bool
	// Tried is the file that was looked at last, the one at fault where a file ends the load.
	Tried string
	// Places are all files that were looked for, in order; the first maxPlaces of them.
	Places []string
}

// maxPlaces bounds the places of one search: a long LD_LIBRARY_PATH with its hwcaps directories has some hundred.
const maxPlaces = 400

// The lines of LD_DEBUG, each after the number of its process (glibc: elf/dl-load.c, dl-object.c, dl-close.c, dl-init.c).
var (
	debugLine  = lazyregexp.New(`^\s*(\d+):\t\s*(.*?)\s*$`)
	askedLine  = lazyregexp.New(`^file=(\S+) \[\d+\];\s+(needed|dynamically loaded) by (\S+) \[\d+\]$`)
	findLine   = lazyregexp.New(`^find library=(\S+) \[\d+\]; searching$`)
	triedLine  = lazyregexp.New(`^trying file=(\S+)$`)
	openedLine = lazyregexp.New(`^(calling init:|opening file=)`)
	mappedLine = lazyregexp.New(`^file=(\S+) \[\d+\];\s+generating link map$`)
	goneLine   = lazyregexp.New(`^file=(\S+) \[\d+\];\s+destroying link map$`)
)

// maxDebugLine bounds a line of LD_DEBUG: a search path of TensorFlow's, with all its subdirectories, has some 20 KB.
const maxDebugLine = 4 << 20

// Parse reads the lines of one process, the first that speaks. What else stands between them is passed over.
// same tells whether two paths are one file, which the linker then does not map again; nil: only equal ones are.
func Parse(r io.Reader, same func(a, b string) bool) (*Trace, error) {
	p := NewParser(same)
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxDebugLine)
	for lines.Scan() {
		p.Line(lines.Text())
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("reading the words of LD_DEBUG: %w", err)
	}
	return p.End(), nil
}

// Parser follows one process line by line.
type Parser struct {
	trace   Trace
	process string
	same    func(a, b string) bool
	asked   map[string]Load // name → who asked last
	name    string          // what is being searched for, "" for nothing
	tried   string
	places  []string
	kept    int // so many of the loads are part of a dlopen that has succeeded
}

// NewParser begins with nothing loaded. same is as for Parse.
func NewParser(same func(a, b string) bool) *Parser {
	if same == nil {
		same = func(a, b string) bool { return a == b }
	}
	return &Parser{same: same, asked: map[string]Load{}}
}

// Line takes the next line. Lines of other processes and other words are passed over.
func (p *Parser) Line(text string) {
	m := debugLine.FindStringSubmatch(text)
	if m == nil || p.process != "" && m[1] != p.process {
		return
	}
	p.process = m[1]
	p.line(m[2])
}

// End closes the last search and gives what was found. More lines may follow.
func (p *Parser) End() *Trace {
	p.end()
	return &p.trace
}

func (p *Parser) line(s string) {
	if m := findLine.FindStringSubmatch(s); m != nil {
		p.end()
		p.name = m[1]
		return
	}
	if m := triedLine.FindStringSubmatch(s); m != nil {
		p.tried = m[1]
		if len(p.places) < maxPlaces {
			p.places = append(p.places, m[1])
		}
		return
	}
	if m := mappedLine.FindStringSubmatch(s); m != nil {
		l := p.asked[m[1]]
		l.Name, l.Path = m[1], m[1]
		if m[1] == p.name && p.tried != "" {
			l.Path = p.tried
		}
		if m[1] == p.name {
			p.name, p.places = "", nil
		} else {
			p.end()
		}
		p.trace.Loads = append(p.trace.Loads, l)
		return
	}
	if m := askedLine.FindStringSubmatch(s); m != nil {
		p.end()
		p.asked[m[1]] = Load{By: m[3], Opened: m[2] != "needed"}
		return
	}
	if m := goneLine.FindStringSubmatch(s); m != nil {
		p.end()
		for i := len(p.trace.Loads) - 1; i >= 0; i-- {
			if l := &p.trace.Loads[i]; l.Closed || l.Path != m[1] && l.Name != m[1] {
				continue
			}
			if i < p.kept {
				p.trace.Loads[i].Closed = true
			} else {
				p.trace.Loads = slices.Delete(p.trace.Loads, i, i+1)
			}
			break
		}
		return
	}
	if openedLine.MatchString(s) {
		p.end()
		p.kept = len(p.trace.Loads)
	}
}

// end closes a search that led to no mapping: to nothing, to a file that cannot be loaded, or to one that is mapped already.
func (p *Parser) end() {
	name, tried, places := p.name, p.tried, p.places
	p.name, p.tried, p.places = "", "", nil
	if name == "" || tried != "" && slices.ContainsFunc(p.trace.Loads, func(l Load) bool { return !l.Closed && p.same(l.Path, tried) }) {
		return
	}
	by := p.asked[name]
	p.trace.Misses = append(p.trace.Misses, Miss{Name: name, By: by.By, Opened: by.Opened, Tried: tried, Places: places})
}
