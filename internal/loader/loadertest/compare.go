// Package loadertest holds package loader against the dynamic linker itself.
package loadertest

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"

	"strata/internal/loader"
)

// Difference is what only one of the two says about a file.
type Difference struct {
	Only  []string // "linker: NAME => PATH" or "here:   NAME => PATH"
	Edges int      // what the linker says that is loaded or missing
	Ended bool     // the load ends with an error
	// Symbols are the versions and symbols that the linker misses.
	Symbols int
}

// Depth is how much Compare looks at.
type Depth int

// With Versions the symbol versions are compared too, with Symbols each symbol, for which both read all of each object. The linker
// says only of symbols that relocations use that they are missing.
const (
	Names Depth = iota
	Versions
	Symbols
)

// Compare asks package loader and the linker of the root directory root, in its trace mode, what they load for a file. Another root than
// "/" needs the right to chroot. depth says what else than names is compared.
func Compare(linker *loader.Linker, root, file string, env loader.Environment, depth Depth) Difference {
	want, missing, fatal := traced(linker, root, file, env, depth > Names)
	p := linker.Start(file, env)
	var got []string
	for _, o := range p.Objects[min(1, len(p.Objects)):] {
		if o.Path == linker.Path || o.Via == loader.ViaPath {
			got = append(got, o.Path)
		} else {
			got = append(got, o.Name+" => "+o.Path)
		}
	}
	listed := map[string]bool{}
	for _, e := range p.Edges {
		// musl lists the names of the C library, which is the linker itself: of libm.so.6 and libm.so.7 the one that is asked for first.
		if stem, _, _ := strings.Cut(e.Name, "."); linker.Libc == "musl" && e.To != nil && e.To.Path == linker.Path && !listed[stem] {
			listed[stem] = true
			got = append(got, e.Name+" => "+linker.Path)
		}
	}
	end := ""
	for _, f := range p.Failures {
		if f.Fatal && linker.Libc == "musl" {
			got = append(got, f.Name+" => "+f.Reason)
		} else if f.Fatal {
			end = f.Reason
		} else {
			got = append(got, f.Name+" => not found")
		}
	}
	d := Difference{Edges: len(want)}
	if fatal != "" || end != "" {
		// Of a load that ends, the linker prints its reason alone.
		d.Edges, d.Ended = 1, true
		if end == "" || !strings.Contains(fatal, end) {
			d.Only = append(d.Only, fmt.Sprintf("linker ends with %q, here %q", fatal, end))
		}
		return d
	}
	d.Only = differences(want, got)
	if depth > Names {
		var found []string
		mismatches := p.Versions()
		if depth == Symbols {
			symbols, err := p.Symbols(nil)
			if err != nil {
				found = append(found, err.Error())
			}
			mismatches = append(mismatches, symbols...)
		}
		for _, m := range mismatches {
			if !m.Warning {
				found = append(found, m.String())
			}
		}
		d.Symbols = len(missing)
		d.Only = append(d.Only, differences(missing, found)...)
	}
	return d
}

// differences are the lines that only one side has.
func differences(want, got []string) (only []string) {
	slices.Sort(want)
	slices.Sort(got)
	want, got = slices.Compact(want), slices.Compact(got)
	for len(want) > 0 || len(got) > 0 {
		switch {
		case len(got) == 0 || len(want) > 0 && want[0] < got[0]:
			only = append(only, "linker: "+want[0])
			want = want[1:]
		case len(want) == 0 || got[0] < want[0]:
			only = append(only, "here:   "+got[0])
			got = got[1:]
		default:
			want, got = want[1:], got[1:]
		}
	}
	return only
}

// muslError is what musl says of a library that it cannot load, and of one whose path for itself is missing.
var muslError = regexp.MustCompile(`^Error loading shared library ([^:]+): (.*) \(needed by `)

// traced returns what the linker says that it loads, and its error where it ends.
func traced(linker *loader.Linker, root, file string, env loader.Environment, deep bool) (list, missing []string, fatal string) {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, filepath.Clean(linker.Path), file)
	if linker.Libc == "musl" {
		// The same mode as that of the linker under the name ldd, which would print that name instead of its own.
		cmd = exec.CommandContext(ctx, filepath.Clean(linker.Path), "--list", file)
	}
	cmd.Dir = env.Dir
	cmd.Env = []string{"LD_TRACE_LOADED_OBJECTS=1"}
	if env.LibraryPath != "" {
		cmd.Env = append(cmd.Env, "LD_LIBRARY_PATH="+env.LibraryPath)
	}
	if env.Preload != "" {
		cmd.Env = append(cmd.Env, "LD_PRELOAD="+env.Preload)
	}
	if deep {
		cmd.Env = append(cmd.Env, "LD_WARN=yes", "LD_BIND_NOW=yes")
	}
	if root != "/" {
		cmd.SysProcAttr = &syscall.SysProcAttr{Chroot: root}
	}
	var out, errOut bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errOut
	err := cmd.Run()
	for line := range strings.Lines(out.String()) {
		line = strings.TrimSpace(line)
		if i := strings.LastIndex(line, " (0x"); i >= 0 {
			line = line[:i]
		}
		if line == "" || line == "statically linked" || strings.HasPrefix(line, "linux-vdso") {
			continue
		}
		// Found from the working directory, a path is relative, and bare in it.
		name, place, ok := strings.Cut(line, " => ")
		switch {
		case ok && name == place:
			if line = name; !filepath.IsAbs(name) {
				line = env.Dir + "/" + name
			}
		case ok && place != "not found" && !filepath.IsAbs(place):
			line = name + " => " + env.Dir + "/" + place
		case !ok && strings.HasPrefix(name, "."):
			line = env.Dir + "/" + name
		case !ok && !strings.Contains(name, "/"):
			line = name + " => " + env.Dir + "/" + name
		}
		list = append(list, line)
	}
	if linker.Libc == "musl" {
		for line := range strings.Lines(errOut.String()) {
			if m := muslError.FindStringSubmatch(line); m != nil {
				if m[2] == "No such file or directory" {
					m[2] = "not found"
				}
				list = append(list, m[1]+" => "+m[2])
			}
		}
		return list, nil, ""
	}
	if err != nil {
		return nil, nil, strings.TrimSpace(errOut.String())
	}
	for line := range strings.Lines(errOut.String()) {
		line = strings.TrimPrefix(strings.TrimSpace(line), file+": ")
		if rest, ok := strings.CutPrefix(line, "undefined symbol: "); ok {
			// "NAME, version V\t(FILE)"
			symbol, by, _ := strings.Cut(rest, "\t(")
			missing = append(missing, strings.TrimSuffix(by, ")")+": undefined symbol: "+symbol)
			continue
		}
		if strings.Contains(line, "not found (required by") && !strings.Contains(line, "weak version") {
			missing = append(missing, line)
		}
	}
	return list, missing, ""
}
