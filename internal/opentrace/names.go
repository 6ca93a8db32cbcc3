package opentrace

import (
	"os"
	"path"
	"slices"
	"strings"
	"sync"
)

// Result is what was seen.
type Result struct {
	// Names are the files of interest in the order in which they were first asked for.
	Names []Name
	// Opens counts all opens that were held, Unread those whose path could not be read, Late
	// those that went on before the look at them was done, Dropped the names for which there was no room.
	Opens, Unread, Late, Dropped uint64
	// NoNewPrivs tells that set-uid programs gained no rights; Setuid are those that were started.
	NoNewPrivs bool
	Setuid     []string
	// Alive tells that processes live on.
	Alive bool
}

// Name is one file that was asked for, in one place or in several.
type Name struct {
	Name string // of a library without its directory, else the path
	Kind Kind
	PID  int    // of the first process that asked
	By   string // its program
	// Missing are the places where it was not, Denied those where it may not be read, in order.
	Missing, Denied []string
	// Found is the first place where it was, Real the file behind that; "" for none.
	Found, Real string
	// Unsure tells that a place could not be looked at.
	Unsure bool
}

// Lacks tells whether it was asked for and found in no place.
func (n *Name) Lacks() bool { return n.Found == "" && !n.Unsure && len(n.Missing)+len(n.Denied) > 0 }

// room is how many names of a kind are kept; a program may make up a million.
var room = [kinds]int{Plain: 2000, Library: 1000, Node: 256, File: 256}

const (
	// maxPlaces bounds the places of one name: a long search path with its subdirectories for processors has some hundred.
	maxPlaces = 200
	// maxText bounds all places together, in bytes: 100,000 of the usual length.
	maxText   = 8 << 20
	maxSetuid = 16
)

// names collects what is seen, from several threads.
type names struct {
	mu         sync.Mutex
	noNewPrivs bool
	result     Result
	byName     map[string]*Name
	order      []*Name
	count      [kinds]int
	text       int // bytes of all places
}

func (s *names) pass() {
	s.mu.Lock()
	s.result.Opens++
	s.result.Late++
	s.mu.Unlock()
}

func (s *names) late() {
	s.mu.Lock()
	s.result.Late++
	s.mu.Unlock()
}

// see takes one call. It gives the target where that is a Node that is there.
func (s *names) see(t *Trace, n *notification) *target {
	x, ok := n.target()
	if !ok {
		s.mu.Lock()
		s.result.Opens++
		s.result.Unread++
		s.mu.Unlock()
		return nil
	}
	kind := t.o.Sort(x.path)
	name := s.want(&x, kind)
	if s.noNewPrivs && (kind != Ignored || strings.HasSuffix(x.path, "/ld.so.cache")) {
		s.setuid(&x) // the linker's first open, or another one soon after the program's start
	}
	if name == nil {
		return nil
	}
	state := x.look()
	if !valid(t.fd, n.ID) {
		return nil // the process is gone, and its number may be another's
	}
	s.put(name, &x, state)
	if kind == Node && state == found {
		return &x
	}
	return nil
}

// want gives the record of a name that has to be looked up, nil where nothing is to be learned.
func (s *names) want(x *target, kind Kind) *Name {
	s.mu.Lock()
	s.result.Opens++
	if kind == Ignored {
		s.mu.Unlock()
		return nil
	}
	key := path.Base(x.path)
	if kind == Node || kind == File {
		key = path.Clean(x.path)
	}
	n := s.byName[key]
	if n != nil {
		known := n.Found != "" && kind != Node // of a device each open counts
		s.mu.Unlock()
		if known {
			return nil
		}
		return n
	}
	if s.count[kind] == room[kind] {
		s.result.Dropped++
		s.mu.Unlock()
		return nil
	}
	s.mu.Unlock()
	by, _ := os.Readlink(x.proc("exe"))
	pid := x.process()
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := s.byName[key]; n != nil {
		return n // another thread was faster
	}
	if s.byName == nil {
		s.byName = map[string]*Name{}
	}
	n = &Name{Name: key, Kind: kind, PID: pid, By: by}
	s.count[kind]++
	s.byName[key], s.order = n, append(s.order, n)
	return n
}

// put keeps what was found in one place.
func (s *names) put(n *Name, x *target, st state) {
	s.mu.Lock()
	defer s.mu.Unlock()
	add := func(list *[]string) {
		if len(*list) < maxPlaces && s.text < maxText && !slices.Contains(*list, x.path) {
			*list = append(*list, x.path)
			s.text += len(x.path)
		}
	}
	switch st {
	case missing:
		add(&n.Missing)
	case denied:
		add(&n.Denied)
	case found:
		if n.Found == "" {
			n.Found, n.Real = x.path, x.real
		}
	default:
		n.Unsure = true
	}
}

func (s *names) setuid(x *target) {
	exe, ok := x.setuid()
	if !ok {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.result.Setuid) < maxSetuid && !slices.Contains(s.result.Setuid, exe) {
		s.result.Setuid = append(s.result.Setuid, exe)
	}
}

func (s *names) list() Result {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := s.result
	r.NoNewPrivs = s.noNewPrivs
	r.Names = make([]Name, len(s.order))
	for i, n := range s.order {
		r.Names[i] = *n
		r.Names[i].Missing, r.Names[i].Denied = slices.Clone(n.Missing), slices.Clone(n.Denied)
	}
	return r
}
