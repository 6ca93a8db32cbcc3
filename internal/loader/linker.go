package loader

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"sync"

	"strata/internal/machine"
	"strata/internal/version"
)

// Linker is the dynamic linker of one root with what it reads besides the objects. It is safe for concurrent use.
type Linker struct {
	Libc    string        // "glibc" or "musl"
	Path    string        // /lib64/ld-linux-x86-64.so.2
	Version version.Glibc // of glibc; zero where its file does not tell
	Machine string        // what it loads: x86_64, aarch64
	Class   string        // ELF64

	Defaults []string // directories built in
	Cache    []CacheEntry
	// CacheProblem is why the cache could not be used, as the linker then goes on without it; "" where it could, or there is none.
	CacheProblem string
	Preload      []string // /etc/ld.so.preload
	// NoLibc is true for a root that holds a linker and no C library: part of a machine. What every system has is then taken as
	// present, with the Via ViaAssumed, instead of calling everything missing.
	NoLibc bool

	// Hwcaps are the subdirectories that are searched before each directory, best first.
	Hwcaps   []string
	lib      string // what $LIB stands for
	platform string // what $PLATFORM stands for
	legacy   uint64 // bits of cache entries that it accepts

	m      *machine.Machine
	soname string
	cached map[string][]CacheEntry
	files  sync.Map // path → *file
	dirs   sync.Map // path → bool
	lists  sync.Map // directory → *listing
}

// Options are what cannot be read in a root.
type Options struct {
	// Linker is the path of the dynamic linker: PT_INTERP of the program. Empty: that of the root's own programs.
	Linker string
	// Defaults returns the directories built into the linker where its file does not tell; nil or empty: /lib64 and /usr/lib64.
	Defaults func() []string
	// CPU is the processor, of which the root of an image tells nothing; see ReadCPU.
	CPU CPU
}

const (
	cachePath = "/etc/ld.so.cache"
	// maxCache bounds the cache; a full workstation's has 300 KB.
	maxCache    = 32 << 20
	preloadPath = "/etc/ld.so.preload"
	maxPreload  = 256 << 10
	// maxLinker bounds how much of a linker is read. It has 150 to 250 KB; with its debugging information, some 1.5 MB.
	maxLinker = 4 << 20
)

// ErrNoLinker says that a root has no dynamic linker: a static or empty image.
var ErrNoLinker = errors.New("no dynamic linker found")

// New finds the dynamic linker of m and reads its configuration. A missing cache or preload list is no error.
func New(m *machine.Machine, opts Options) (*Linker, error) {
	l := &Linker{m: m, Path: opts.Linker, cached: map[string][]CacheEntry{}}
	if l.Path == "" {
		if l.Path = Interpreter(m); l.Path == "" || !m.Exists(l.Path) {
			l.Path = usual(m)
		}
	}
	if l.Path == "" {
		return nil, ErrNoLinker
	}
	f := l.file(l.Path)
	if f.elf == nil {
		return nil, fmt.Errorf("reading the dynamic linker %q: %w", l.Path, cmpErr(f.err))
	}
	l.Machine, l.Class, l.soname = f.elf.Machine, f.elf.Class, f.elf.Soname
	data, _, err := m.ReadHead(l.Path, maxLinker)
	if err != nil {
		return nil, fmt.Errorf("reading the dynamic linker %q: %w", l.Path, err)
	}
	if strings.Contains(path.Base(l.Path), "ld-musl-") || l.soname == "" && strings.Contains(string(data), "musl libc") {
		l.Libc = "musl"
		l.Defaults = muslPath(m, l.Machine)
		return l, nil
	}
	l.Libc, l.Defaults, l.Version = "glibc", ParseDefaults(data), releaseOf(data)
	if l.Version.IsZero() {
		l.Version = releaseInName(m, l.Path)
	}
	if len(l.Defaults) == 0 && opts.Defaults != nil {
		l.Defaults = opts.Defaults()
	}
	if len(l.Defaults) == 0 {
		l.Defaults = []string{"/lib64", "/usr/lib64"}
	}
	l.lib = strings.TrimPrefix(l.Defaults[0], "/")
	l.platform = l.Machine
	if opts.CPU.Platform != "" && !atLeast("2.37", l.Version) {
		l.platform = opts.CPU.Platform
	}
	l.Hwcaps = hwcaps(l.Machine, l.Version, opts.CPU)
	if !atLeast("2.37", l.Version) {
		l.legacy = legacyBits(opts.CPU)
	}
	l.readCache()
	if data, err := m.ReadFile(preloadPath, maxPreload); err == nil {
		l.Preload = ParsePreload(data)
	}
	l.NoLibc = !l.hasLibc()
	return l, nil
}

// hasLibc reports whether a program without search paths of its own would find the C library.
func (l *Linker) hasLibc() bool {
	if len(l.cached["libc.so.6"]) > 0 {
		return true
	}
	for _, d := range l.Defaults {
		if l.m.Exists(d + "/libc.so.6") {
			return true
		}
	}
	return false
}

// everywhere are the libraries of the C and C++ run time, by their names up to ".so".
var everywhere = map[string]bool{
	"libc": true, "libm": true, "libdl": true, "libpthread": true, "librt": true, "libutil": true, "libresolv": true, "libgcc_s": true, "libstdc++": true,
	"libz": true, "libexpat": true, "libffi": true, "libanl": true, "libcrypt": true, "ld-linux-x86-64": true, "ld-linux-aarch64": true,
}

func cmpErr(err error) error {
	if err == nil {
		return errors.New("it is not a usable ELF file")
	}
	return err
}

func (l *Linker) readCache() {
	data, err := l.m.ReadFile(cachePath, maxCache)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	if err == nil {
		l.Cache, err = ParseCache(data)
	}
	if err != nil {
		l.CacheProblem = err.Error()
		l.Cache = nil
		return
	}
	for _, e := range l.Cache {
		l.cached[e.Name] = append(l.cached[e.Name], e)
	}
}

// releaseInName reads the release in the name of the linker's file, which up to glibc 2.33 was ld-2.31.so behind a link.
func releaseInName(m *machine.Machine, name string) version.Glibc {
	real, err := m.Real(name)
	if err != nil {
		return version.Glibc{}
	}
	text, _ := strings.CutPrefix(path.Base(real), "ld-")
	text, ok := strings.CutSuffix(text, ".so")
	if !ok {
		return version.Glibc{}
	}
	v, _ := version.ParseGlibc(text)
	return v
}

// releaseOf finds "GNU C Library … release version 2.36" or, in stripped linkers, the bare "ld.so (Debian GLIBC …) stable release
// version 2.36.".
func releaseOf(data []byte) version.Glibc {
	_, rest, ok := strings.Cut(string(data), "release version ")
	if !ok {
		return version.Glibc{}
	}
	end := strings.IndexFunc(rest, func(r rune) bool { return r != '.' && (r < '0' || r > '9') })
	if end < 0 || end > 16 {
		return version.Glibc{}
	}
	v, _ := version.ParseGlibc(strings.TrimRight(rest[:end], "."))
	return v
}
