package witness

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"strata/internal/lddebug"
)

// drain is how long output is waited for after the command itself has ended.
const drain = 2 * time.Second

func after(d time.Duration) <-chan time.Time { return time.After(d) }

// Linker is what the dynamic linker said of all processes.
type Linker struct {
	Loads  []lddebug.Load `json:"loads"`
	Misses []lddebug.Miss `json:"misses"`
	// Mute is true where no process said anything: a static program, musl, or a set-uid one.
	Mute bool `json:"mute"`
}

// tracer reads the linker's words as they are written, and gives the disk back what it has read.
type tracer struct {
	mu    sync.Mutex
	whole string // the folder of ours
	dir   string // where the linkers write, in it
	files map[string]*traced
}

type traced struct {
	parser *lddebug.Parser
	offset int64
	rest   []byte
}

func newTraced() *traced { return &traced{parser: lddebug.NewParser(sameFile)} }

// maxProcesses bounds for how many processes the linker's words are kept: a build starts thousands.
const maxProcesses = 4096

func newTracer() (*tracer, error) {
	dir, err := os.MkdirTemp("", "strata-run-")
	if err != nil {
		return nil, fmt.Errorf("making a folder for the linker's words: %w; say --trace=off to do without", err)
	}
	whole := dir
	if os.Geteuid() == 0 {
		dir = forUsers(dir)
	}
	return &tracer{whole: whole, dir: dir, files: map[string]*traced{}}, nil
}

// env are the variables that make the linker talk (ld.so(8)); the process's number is appended to the name.
func (t *tracer) env() []string {
	return []string{"LD_DEBUG=libs,files", "LD_DEBUG_OUTPUT=" + filepath.Join(t.dir, "ld")}
}

// read takes what was written since the last time.
func (t *tracer) read() {
	if t == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	entries, err := os.ReadDir(t.dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		x := t.files[e.Name()]
		if x == nil {
			if len(t.files) >= maxProcesses {
				_ = os.Remove(filepath.Join(t.dir, e.Name()))
				continue
			}
			x = newTraced()
			t.files[e.Name()] = x
		}
		x.read(filepath.Join(t.dir, e.Name()))
	}
}

func (x *traced) read(name string) {
	// Others can write there: nothing is followed out of it, waited for, or changed that has a name elsewhere.
	f, err := os.OpenFile(name, os.O_RDWR|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0)
	if err != nil {
		return
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() || info.Size() <= x.offset {
		return
	}
	if s, ok := info.Sys().(*syscall.Stat_t); !ok || s.Nlink != 1 {
		return
	}
	buf := make([]byte, 256<<10)
	for {
		n, err := f.ReadAt(buf, x.offset)
		x.offset += int64(n)
		x.take(buf[:n])
		if err != nil {
			if !errors.Is(err, io.EOF) {
				return
			}
			break
		}
	}
	// The linker appends; what was read needs no disk any more. Where the file system cannot do it, the file grows.
	_ = unix.Fallocate(int(f.Fd()), unix.FALLOC_FL_PUNCH_HOLE|unix.FALLOC_FL_KEEP_SIZE, 0, x.offset)
}

// maxWord bounds a line of the linker that has no end yet.
const maxWord = 4 << 20

func (x *traced) take(data []byte) {
	x.rest = append(x.rest, data...)
	for {
		i := bytes.IndexByte(x.rest, '\n')
		if i < 0 {
			break
		}
		x.parser.Line(string(x.rest[:i]))
		x.rest = x.rest[i+1:]
	}
	x.rest = append([]byte(nil), x.rest[:min(len(x.rest), maxWord)]...)
}

func sameFile(a, b string) bool {
	x, err1 := os.Stat(a)
	y, err2 := os.Stat(b)
	return err1 == nil && err2 == nil && os.SameFile(x, y)
}

// result joins all processes, each library once. It is for the end: a search of which nothing more was said has failed.
func (t *tracer) result() Linker {
	out := Linker{Loads: []lddebug.Load{}, Misses: []lddebug.Miss{}}
	if t == nil {
		return out
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	out.Mute = len(t.files) == 0
	loads, misses := map[string]bool{}, map[string]bool{}
	for _, name := range sortedByNumber(t.files) {
		trace := t.files[name].parser.End()
		for _, l := range trace.Loads {
			if key := l.Name + "\x00" + l.Path; !loads[key] {
				loads[key] = true
				out.Loads = append(out.Loads, l)
			}
		}
		for _, m := range trace.Misses {
			if key := m.Name + "\x00" + m.By; !misses[key] {
				misses[key] = true
				out.Misses = append(out.Misses, m)
			}
		}
	}
	return out
}

func (t *tracer) close() {
	if t != nil {
		if err := os.RemoveAll(t.whole); err != nil && !errors.Is(err, fs.ErrNotExist) {
			fmt.Fprintf(os.Stderr, "strata: removing %s: %v\n", t.whole, err)
		}
	}
}

// sortedByNumber sorts ld.123 by the number: the order in which processes began, mostly.
func sortedByNumber(files map[string]*traced) []string {
	names := make([]string, 0, len(files))
	for n := range files {
		names = append(names, n)
	}
	less := func(a, b string) bool {
		a, b = strings.TrimPrefix(a, "ld."), strings.TrimPrefix(b, "ld.")
		if len(a) != len(b) {
			return len(a) < len(b)
		}
		return a < b
	}
	for i := range names {
		for j := i; j > 0 && less(names[j], names[j-1]); j-- {
			names[j], names[j-1] = names[j-1], names[j]
		}
	}
	return names
}
