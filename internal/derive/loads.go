package derive

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"strata/internal/stack"
)

// followed is what the machine's own dynamic linker does for a workload, ready
// to be asked. It is exact; what the search of this package says is an
// approximation, for a machine that a remedy has changed and for what the
// framework was not followed to.
type followed struct {
	*stack.Loads
	loaded  map[string]*stack.Loaded  // by every name that was asked for
	missing map[string]*stack.Missing // by name, and of files at fault by file name
	wrong   map[string]*stack.Mismatch
	// libraries are those that were collected, by path without links, and those made for files that were not.
	libraries map[string]*stack.Library
}

// followed is nil where the linker was not followed.
func (v *View) followed(w *Workload) *followed {
	if w == nil || !w.Framework.Loads.Known() {
		return nil
	}
	if f, ok := v.exact[w]; ok {
		return f
	}
	loads := &w.Framework.Loads.Value
	f := &followed{loads, map[string]*stack.Loaded{}, map[string]*stack.Missing{}, map[string]*stack.Mismatch{}, map[string]*stack.Library{}}
	for i := range loads.Loaded {
		l := &loads.Loaded[i]
		for _, n := range append([]string{l.Name, l.Soname, path.Base(l.Name)}, l.Names...) {
			if n != "" && f.loaded[n] == nil {
				f.loaded[n] = l
			}
		}
	}
	for i := range loads.Missing {
		// Those that matter most come first.
		if m := &loads.Missing[i]; f.missing[path.Base(m.Name)] == nil && (m.Path != "" || !strings.Contains(m.Name, "/")) {
			f.missing[path.Base(m.Name)] = m
		}
	}
	for i := range loads.Mismatches {
		if m := &loads.Mismatches[i]; m.Library != "" && f.wrong[m.Library] == nil {
			f.wrong[m.Library] = m
		}
	}
	for _, l := range v.known(w) {
		if was := f.libraries[l.Real]; l.Real != "" && (was == nil || was.Version == "" && l.Version != "") {
			f.libraries[l.Real] = l
		}
	}
	if v.exact == nil {
		v.exact = map[*Workload]*followed{}
	}
	v.exact[w] = f
	return f
}

// correct puts what the linker really does for a name in the place of what the
// approximation says, where the workload was followed that far.
func (f *followed) correct(r *Resolution) {
	if f == nil {
		return
	}
	switch l, x, m := f.loaded[r.Name], f.missing[r.Name], f.wrong[r.Name]; {
	case l != nil:
		r.Winner, r.Why = f.of(l), why(l.Via)
	case m != nil:
		// The load that brought this copy in was undone for what the copy lacks.
		r.Winner, r.Why = f.library(m.From, "", m.Library, m.Via), why(m.Via)
	case x != nil && r.Winner != nil && r.Winner.Fault == "permission denied":
		return // another user may be able to read it
	case x != nil:
		r.Winner, r.Why, r.Searched = nil, "", nil
		for _, s := range x.Searched {
			r.Searched = append(r.Searched, SearchDir{s.Dir, why(s.Via)})
		}
		if x.Path != "" {
			r.Winner = f.damaged(x)
			if n := len(r.Searched); n > 0 {
				r.Why = r.Searched[n-1].Why // the search ends there
			}
		}
	default:
		return
	}
	r.Need = f.need(r.Name)
	r.Exact = true
}

// need is what hangs on a name that is not found; "" where it is found.
func (f *followed) need(name string) string {
	if x := f.missing[name]; f.loaded[name] == nil && x != nil {
		return x.Need
	}
	return ""
}

// of is the library behind what was loaded.
func (f *followed) of(x *stack.Loaded) *stack.Library {
	l := f.library(x.Path, x.Real, x.Soname, x.Via)
	if l.From.Kind == "derived" && l.Needed == nil { // made of what the linker saw
		l.Needed, l.RPath, l.RunPath = x.Needed, x.RPath, x.RunPath
	}
	return l
}

// library is the collected library behind a file; one with what the linker
// knows of it where none was collected.
func (f *followed) library(name, real, soname, via string) *stack.Library {
	if real == "" {
		real = name
		for r, l := range f.libraries {
			if l.Path == name {
				real = r
			}
		}
	}
	if l := f.libraries[real]; l != nil {
		return l
	}
	l := &stack.Library{Path: name, Real: real, Soname: soname, Place: placeOf(name, via), From: stack.From("derived", name, 0, "the dynamic linker loads it ("+via+")")}
	if _, number, ok := strings.Cut(path.Base(real), ".so."); ok && strings.Count(number, ".") >= 2 {
		l.Version = number
	}
	f.libraries[real] = l
	return l
}

// damaged is the library behind a file that is there and cannot be loaded.
func (f *followed) damaged(x *stack.Missing) *stack.Library {
	l := f.library(x.Path, "", path.Base(x.Path), "")
	if l.Fault == "" {
		bad := *l
		bad.Fault = x.Reason
		f.libraries[l.Real] = &bad
		l = &bad
	}
	return l
}

// placeOf is the kind of directory of a file that no collector looked at.
func placeOf(name, via string) string {
	switch {
	case via == "LD_LIBRARY_PATH":
		return "ldpath"
	case strings.Contains(name, "/site-packages/") || strings.Contains(name, "/dist-packages/"):
		return "framework"
	case via == "ld.so.cache" || via == "default":
		return "system"
	}
	return "other"
}

// why is a part of the linker's search in the words of SearchDir.
func why(via string) string {
	if via == "path" {
		return "preload"
	}
	return via
}

// asker is the library that asks for what is at a path; nil for the framework itself.
func (f *followed) asker(by string) *stack.Library {
	if !strings.Contains(path.Base(by), ".so") {
		return nil
	}
	for _, l := range f.libraries {
		if l.Path == by || l.Real == by {
			return l
		}
	}
	for i := range f.Loaded {
		if l := &f.Loaded[i]; l.Path == by {
			return f.of(l)
		}
	}
	return f.library(by, "", path.Base(by), "")
}

// further are the names of what a workload was seen to ask for and what no
// header and no table says: parts that are opened by name. Names that were
// asked for in vain and without harm are left out.
func (f *followed) further(seen map[string]bool) (list []further) {
	if f == nil {
		return nil
	}
	add := func(name, by string) {
		if !seen[name] && !slices.ContainsFunc(list, func(x further) bool { return x.name == name }) {
			list = append(list, further{name, by})
		}
	}
	for i := range f.Loaded {
		l := &f.Loaded[i]
		add(path.Base(l.Name), l.By)
	}
	for i := range f.Missing {
		if m := &f.Missing[i]; m.Need != "optional" && f.missing[path.Base(m.Name)] == m {
			add(path.Base(m.Name), m.By)
		}
	}
	return list
}

type further struct{ name, by string }

// Mismatch is a symbol version or symbol that a library wants of another, whose
// copy that is loaded does not have it.
type Mismatch struct {
	stack.Mismatch
	Wants, Has *stack.Library // the one that asks, the one that is loaded
	// Found is what made the linker look where that one lies.
	Found string
}

// Mismatches are those that a workload was seen to run into, except with what
// it can do without. Where the linker was not followed they are what the
// headers tell of the copies that the search leads to.
func (v *View) Mismatches(w *Workload) (list []Mismatch) {
	if f := v.followed(w); f != nil {
		for _, m := range f.Mismatches {
			if m.Need != "optional" && m.From != "" {
				list = append(list, Mismatch{m, f.asker(m.By), f.library(m.From, "", m.Library, m.Via), why(m.Via)})
			}
		}
		return list
	}
	wants, _ := v.Wants(w)
	for _, x := range wants {
		if x.By == nil || x.Winner == nil || len(x.Winner.Defines) == 0 || Optional(w, x) {
			continue
		}
		for _, n := range x.By.Needs {
			if n.Library != x.Soname || slices.Contains(x.Winner.Defines, n.Version) {
				continue
			}
			m := stack.Mismatch{By: x.By.Path, From: x.Winner.Path, Library: x.Soname, Version: n.Version, Need: "must", Via: x.Why,
				Reason: fmt.Sprintf("%s: version `%s' not found (required by %s)", x.Winner.Path, n.Version, x.By.Path)}
			list = append(list, Mismatch{m, x.By, x.Winner, x.Why})
		}
	}
	return list
}
