package main

import (
	"fmt"
	"strings"

	"strata/internal/nvlib"
	"strata/internal/probe"
)

// libraryNames are the sonames of each library of the third rung, newest first. What
// the dynamic linker finds first of them is tried, as a program built for that release would find it.
var libraryNames = map[string][]string{
	"cudart": {"libcudart.so.13", "libcudart.so.12", "libcudart.so.11.0", "libcudart.so.10.2"},
	"cublas": {"libcublas.so.13", "libcublas.so.12", "libcublas.so.11", "libcublas.so.10"},
	"cufft":  {"libcufft.so.12", "libcufft.so.11", "libcufft.so.10"},
	"cudnn":  {"libcudnn.so.9", "libcudnn.so.8"},
	"nccl":   {"libnccl.so.2"},
}

// library is a climb of its own for the calls of a library that works in a
// context; the driver's calls stay with the climb that it was made from.
func (c *climb) library() *climb {
	l := *c
	l.lib, l.describe = nil, func(int) (string, string) { return "", "" }
	return &l
}

// find loads the newest release of a library that the dynamic linker finds. That it finds none is no failure.
func (c *climb) find(part, first string) bool {
	names := libraryNames[part]
	return c.step("load", names[0], func(s *probe.Step) {
		for _, name := range names {
			s.Subject = name
			lib, err := nvlib.Open(name)
			switch {
			case err == nil:
				c.loaded(s, lib, first)
				return
			case !lacks(err, name):
				fail(s, err)
				return
			}
		}
		s.Subject, s.State, s.Detail = names[0], probe.Skipped, fmt.Sprintf("none of %s is where the dynamic linker looks", strings.Join(names, ", "))
		if len(names) == 1 {
			s.Detail = names[0] + " is not where the dynamic linker looks"
		}
	})
}

// lacks tells whether the dynamic linker found no file of the name itself.
func lacks(err error, name string) bool {
	return strings.HasPrefix(err.Error(), name+": cannot open shared object file: No such file")
}

// version is the step that asks a library for its release by a property each:
// major, minor, patch. It works without a GPU.
func (c *climb) version(symbol string) {
	c.step(symbol, "", func(s *probe.Step) {
		var v [3]int32
		for i := range v {
			if !c.status(s, symbol, i, &v[i]) {
				return
			}
		}
		set(s, "version", fmt.Sprintf("%d.%d.%d", v[0], v[1], v[2]))
	})
}

// words describes codes by a function of a library that returns a text.
func words(lib **nvlib.Library, name, text string) func(int) (string, string) {
	return func(code int) (string, string) {
		var n, t string
		if name != "" {
			n = (*lib).Text(name, code)
		}
		if text != "" {
			t = (*lib).Text(text, code)
		}
		return n, t
	}
}
