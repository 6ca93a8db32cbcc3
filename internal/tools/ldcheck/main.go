// Command ldcheck holds package loader against the dynamic linker itself: it
// asks both what each program and library of a root loads, and counts.
//
//	ldcheck [-root DIR] [-path DIRS]… [-symbols] [-max N] [PATH…]
//
// The paths, all of a root's usual ones by default, are walked for ELF files.
// The linker answers in its trace mode (LD_TRACE_LOADED_OBJECTS), in the root by
// chroot, which takes root. Exit status 1 where an answer differs.
package main

import (
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"strata/internal/elfx"
	"strata/internal/loader"
	"strata/internal/loader/loadertest"
	"strata/internal/machine"
)

type paths []string

func (p *paths) String() string     { return strings.Join(*p, " ") }
func (p *paths) Set(s string) error { *p = append(*p, s); return nil }

func main() {
	var settings paths
	root := flag.String("root", "/", "the root `directory`")
	limit := flag.Int("max", 0, "look at this many files only")
	show := flag.Int("show", 20, "print this many differences")
	deep := flag.Bool("symbols", false, "compare missing symbol versions and symbols too")
	flag.Var(&settings, "path", "a setting of LD_LIBRARY_PATH; may be given several times")
	flag.Parse()
	depth := loadertest.Names
	if *deep {
		depth = loadertest.Symbols
	}
	if err := run(*root, flag.Args(), append([]string{""}, settings...), *limit, *show, depth); err != nil {
		fmt.Fprintln(os.Stderr, "ldcheck:", err)
		os.Exit(1)
	}
}

func run(root string, where, settings []string, limit, show int, depth loadertest.Depth) error {
	m := machine.OpenHost()
	if root != "/" {
		r, c, err := machine.OpenRoot(root)
		if err != nil {
			return err
		}
		defer c.Close()
		m = r
	}
	linker, err := loader.New(m, loader.Options{CPU: loader.ReadCPU(machine.OpenHost())})
	if err != nil {
		return err
	}
	fmt.Printf("%s %s at %s for %s, built in: %s; %d entries in the cache; subdirectories: %s\n",
		linker.Libc, linker.Version, linker.Path, linker.Machine, strings.Join(linker.Defaults, ":"), len(linker.Cache), strings.Join(linker.Hwcaps, " "))
	if len(where) == 0 {
		where = []string{"/bin", "/sbin", "/lib", "/lib64", "/usr", "/opt"}
	}
	files := elves(root, where, linker)
	if limit > 0 && len(files) > limit {
		files = files[:limit]
	}
	sum := tally{}
	work := make(chan [2]string)
	var wg sync.WaitGroup
	var mu sync.Mutex
	for range runtime.NumCPU() {
		wg.Go(func() {
			for w := range work {
				d := loadertest.Compare(linker, root, w[0], loader.Environment{LibraryPath: w[1], Dir: "/"}, depth)
				mu.Lock()
				sum.add(w[0], w[1], d, show)
				mu.Unlock()
			}
		})
	}
	for _, s := range settings {
		for _, f := range files {
			work <- [2]string{f, s}
		}
	}
	close(work)
	wg.Wait()
	fmt.Printf("%d files × %d settings: %d of %d answers agree, %d of %d edges; %d loads that the linker ends are ended here too\n",
		len(files), len(settings), sum.agree, sum.files, sum.edges-sum.wrong, sum.edges, sum.ended)
	if depth > loadertest.Names {
		fmt.Printf("%d missing symbol versions and symbols compared\n", sum.symbols)
	}
	if sum.agree != sum.files || sum.files == 0 {
		return fmt.Errorf("%d answers differ", sum.files-sum.agree)
	}
	return nil
}

type tally struct{ files, agree, edges, wrong, ended, symbols, shown int }

func (t *tally) add(file, setting string, d loadertest.Difference, show int) {
	t.files++
	t.edges += d.Edges
	t.wrong += len(d.Only)
	t.symbols += d.Symbols
	if d.Ended {
		t.ended++
	}
	if len(d.Only) == 0 {
		t.agree++
		return
	}
	if t.shown++; t.shown <= show {
		fmt.Printf("DIFF %s with LD_LIBRARY_PATH=%q\n", file, setting)
		for _, o := range d.Only[:min(len(d.Only), 8)] {
			fmt.Printf("     %s\n", o)
		}
	}
}

// elves lists the programs and libraries below paths of a root that the linker would load, each file once.
func elves(root string, where []string, linker *loader.Linker) (list []string) {
	seen := map[machine.FileID]bool{}
	for _, top := range where {
		dir, err := filepath.EvalSymlinks(filepath.Join(root, top))
		if err != nil {
			continue
		}
		filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() {
				return nil
			}
			f, err := os.Open(p)
			if err != nil {
				return nil
			}
			defer f.Close()
			info, err := f.Stat()
			if err != nil {
				return nil
			}
			if id, ok := machine.ID(info); !ok || seen[id] {
				return nil
			} else {
				seen[id] = true
			}
			e, err := elfx.Read(f, info.Size())
			if err != nil || e.Static || e.Machine != linker.Machine || e.Class != linker.Class || e.Type != "dyn" && e.Type != "exec" || e.DebugOnly {
				return nil
			}
			rel, err := filepath.Rel(root, p)
			if err == nil {
				list = append(list, "/"+rel)
			}
			return nil
		})
	}
	slices.Sort(list)
	return slices.Compact(list)
}
