package driver

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"strata/internal/collect"
	"strata/internal/collect/library"
	"strata/internal/machine"
	"strata/internal/stack"
	"strata/internal/version"
)

// stems are the libraries that make up the driver for CUDA: the driver API,
// NVML, and the compiler that turns PTX into machine code at run time.
var stems = []string{"libcuda.so", "libnvidia-ml.so", "libnvidia-ptxjitcompiler.so"}

// maxCopies bounds how many files are read; a server with several toolkits,
// their stubs and compat directories has about 30.
const maxCopies = 500

func readLibraries(ctx context.Context, m *machine.Machine) stack.Fact[[]stack.Library] {
	dirs, problem := searchDirs(ctx, m)
	type content struct {
		libs []stack.Library
		err  error
	}
	contents := collect.Each(ctx, dirs, eachDir,
		func(_ context.Context, d dir) content {
			libs, err := readDir(m, d)
			return content{libs, err}
		},
		func(d dir) content { return content{nil, lateError(d)} })
	libs := []stack.Library{}
	looked := 0
	for i, c := range contents {
		switch {
		case c.err == nil:
			looked++
		case !errors.Is(c.err, fs.ErrNotExist):
			problem = errors.Join(problem, c.err)
		}
		if len(libs)+len(c.libs) > maxCopies {
			problem = errors.Join(problem, fmt.Errorf("more than %d copies, stopped at %q", maxCopies, dirs[i].path))
			break
		}
		libs = append(libs, c.libs...)
	}
	if looked == 0 && len(libs) == 0 {
		if problem != nil {
			return stack.Miss[[]stack.Library](problem, "/usr/lib")
		}
		return stack.None[[]stack.Library](stack.Source{Kind: "directory", Locator: "/usr/lib"})
	}
	f := stack.Know(libs, stack.Source{Kind: "directory", Locator: "/usr/lib", Text: fmt.Sprintf("%d library directories", looked)})
	if problem != nil {
		f.Why = "not everything could be looked at: " + problem.Error()
	}
	return f
}

// readDir reads the driver's libraries in one directory. libcuda.so,
// libcuda.so.1 and libcuda.so.535.129.03 are usually one file; it is returned
// once, under the name that programs load.
func readDir(m *machine.Machine, d dir) ([]stack.Library, error) {
	entries, err := m.ReadDir(d.path)
	if err != nil && len(entries) == 0 {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		if stemOf(e.Name()) != "" && !e.IsDir() {
			names = append(names, e.Name())
		}
	}
	slices.SortStableFunc(names, func(a, b string) int {
		return cmp.Or(strings.Compare(stemOf(a), stemOf(b)), rank(a)-rank(b))
	})
	var libs []stack.Library
	seen := map[string]bool{}
	for _, name := range names {
		p := path.Join(d.path, name)
		if real, err := m.Real(p); err == nil {
			if seen[real] {
				continue
			}
			seen[real] = true
		}
		// A link that leads nowhere is read too: Read says so in Fault.
		l := library.Read(m, p, d.place)
		if l.Version == "" {
			l.Version = fileVersion(path.Base(l.Real))
		}
		libs = append(libs, l)
	}
	return libs, err
}

// stemOf returns the library a file name belongs to, or "".
func stemOf(base string) string {
	for _, stem := range stems {
		rest, ok := strings.CutPrefix(base, stem)
		if ok && (rest == "" || rest[0] == '.' && len(rest) > 1 && rest[1] >= '0' && rest[1] <= '9') {
			return stem
		}
	}
	return ""
}

// fileVersion reads the driver's version at the end of a file name, which tells
// it even of a file that is empty. "libcuda.so.1" has none.
func fileVersion(base string) string {
	v, err := version.ParseDriver(strings.TrimPrefix(strings.TrimPrefix(base, stemOf(base)), "."))
	if err != nil {
		return ""
	}
	return v.String()
}

// rank puts the soname first, then the name without a number, then the rest.
func rank(base string) int {
	switch strings.TrimPrefix(base, stemOf(base)) {
	case ".1":
		return 0
	case "":
		return 1
	}
	return 2
}
