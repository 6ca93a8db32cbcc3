package main

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"strata/internal/lddebug"
	"strata/internal/recipe"
)

// difference is what one run and its recipe do not agree in.
type difference struct {
	only              []string
	libraries, misses int    // compared
	later             int    // steps of the recipe that wait for a GPU
	first             string // the first missing library of the recipe, steps for a GPU aside
}

// compare compares the libraries of CUDA and of the framework: which file each is, and which names are missing, in order. Extension
// modules that the recipe leaves out, as they pull nothing in, are not compared; those that it opens are. forced says that the program does
// what otherwise waits for a GPU.
func compare(t *lddebug.Trace, out *recipe.Outcome, forced bool) (d difference) {
	real := map[string][]string{} // who asked: several, where it was closed in between
	var want, got []string
	for _, l := range t.Loads {
		line := l.Name + " => " + l.Path
		real[line] = append(real[line], l.By)
		if compared(l.Path) {
			want = append(want, line)
		}
	}
	for _, r := range out.Results {
		if r.Later && !forced {
			d.later++
			continue
		}
		for _, o := range r.Loaded {
			line := o.Name + " => " + o.Path
			if compared(o.Path) || inPackages(o.Path) {
				got = append(got, line)
				if by := real[line]; by != nil && o.By != nil && !slices.ContainsFunc(by, func(b string) bool { return sameProgram(b, o.By.Path) }) {
					d.only = append(d.only, fmt.Sprintf("%s: asked for by %s, in the recipe by %s", line, by, o.By.Path))
				}
			}
		}
	}
	for _, line := range want {
		if !slices.Contains(got, line) {
			d.only = append(d.only, "linker only: "+line)
		}
	}
	for _, line := range got {
		if _, ok := real[line]; !ok {
			d.only = append(d.only, "recipe only: "+line)
		}
	}
	d.libraries = len(got)
	missed, failed := missedNames(t), failedNames(out, forced)
	// Of a cuDNN outside the wheels, the full version may not be known, by which it asks for its parts before the name that they have.
	if !slices.ContainsFunc(failed, longCUDNN.MatchString) {
		missed = slices.DeleteFunc(missed, longCUDNN.MatchString)
	}
	d.misses = len(missed)
	if !slices.Equal(missed, failed) {
		d.only = append(d.only, fmt.Sprintf("missing for the linker: %v, for the recipe: %v", missed, failed))
	}
	if f := out.First; f != nil && slices.Contains(failed, path.Base(f.Name)) {
		d.first = f.Name
	}
	return d
}

var longCUDNN = regexp.MustCompile(`^libcudnn_\w+\.so\.\d+\.\d+`)

// compared reports whether a file is a library of CUDA or one that a framework brings, extension modules aside.
func compared(file string) bool {
	if recipe.IsCUDA(file) {
		return true
	}
	base := path.Base(file)
	if !strings.HasPrefix(base, "lib") || !inPackages(file) {
		return false
	}
	for _, dir := range []string{"torch/", "onnxruntime/", "tensorflow/lib", "tensorflow/python/platform/../../lib", "jax_", "ctranslate2", "bitsandbytes/"} {
		if strings.Contains(file, "packages/"+dir) {
			return true
		}
	}
	return false
}

func inPackages(file string) bool {
	return strings.HasPrefix(file, site+"/") || strings.HasPrefix(file, packages+"/")
}

// missedNames are the names that the linker looked for in vain, each once, in order.
func missedNames(t *lddebug.Trace) (names []string) {
	for _, m := range t.Misses {
		if name := path.Base(m.Name); recipe.IsCUDA(name) && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

func failedNames(out *recipe.Outcome, forced bool) (names []string) {
	for _, r := range out.Results {
		if r.Later && !forced || r.Failure == nil || strings.Contains(r.Failure.Reason, "version `") || strings.Contains(r.Failure.Reason, "undefined symbol") {
			continue
		}
		if name := path.Base(r.Failure.Name); recipe.IsCUDA(name) && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// sameProgram reports whether two paths are one, where the linker knows the interpreter by the name that it was started with.
func sameProgram(linker, here string) bool {
	return linker == here || linker == interpreter && strings.HasPrefix(path.Base(here), "python3")
}
