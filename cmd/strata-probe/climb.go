package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"strata/internal/nvlib"
	"strata/internal/probe"
)

// climb prints the steps of one part.
type climb struct {
	out              io.Writer
	libcuda, libnvml string
	ordinal          int
	every            time.Duration

	rung   probe.Rung
	device *int // of the steps to come; nil where they are about none
	lib    *nvlib.Library
	// describe puts a name, and words where there are some, to a code that lib returns.
	describe func(code int) (name, words string)
}

func newClimb(out io.Writer) *climb { return &climb{out: out} }

// step prints that it begins, does it, and prints how it ended. It tells
// whether the next step can be tried.
func (c *climb) step(name, subject string, do func(*probe.Step)) bool {
	s := probe.Step{Rung: c.rung, Name: name, Subject: subject, Device: c.device, State: probe.Begin}
	c.print(&s)
	begin := time.Now()
	s.State = probe.OK
	do(&s)
	s.Micros = time.Since(begin).Microseconds()
	c.print(&s)
	return s.State == probe.OK
}

// print writes a line at once: it may be the last that this process writes.
func (c *climb) print(s *probe.Step) {
	line, err := json.Marshal(s)
	if err == nil {
		_, _ = c.out.Write(append(line, '\n')) // nobody is left to tell
	}
}

// load is the step that loads a library; first is a function by which its file is found.
func (c *climb) load(name, first string) bool {
	return c.step("load", name, func(s *probe.Step) {
		lib, err := nvlib.Open(name)
		if err != nil {
			fail(s, err)
			set(s, "passed_over", nvlib.PassedOver(name))
			return
		}
		c.loaded(s, lib, first)
	})
}

// loaded takes a library into use.
func (c *climb) loaded(s *probe.Step, lib *nvlib.Library, first string) {
	c.lib = lib
	if !lib.Has(first) {
		fail(s, fmt.Errorf("%s has no function %s: it is not what its name says", lib.Name, first))
	}
	set(s, "path", lib.Path(first))
}

// call is the step of one call that returns a status. then, where not nil,
// reads what a successful call gave. Without the function nothing can go on.
func (c *climb) call(symbol, subject string, then func(*probe.Step), args ...any) bool {
	return c.step(symbol, subject, func(s *probe.Step) {
		switch {
		case !c.status(s, symbol, args...):
			if s.State == probe.Skipped {
				s.State = probe.Failed
			}
		case then != nil:
			then(s)
		}
	})
}

// status makes a call within a step and notes how it went wrong; a function that
// the library does not have is skipped.
func (c *climb) status(s *probe.Step, symbol string, args ...any) bool {
	code, err := c.lib.Status(symbol, args...)
	if err != nil {
		s.State, s.Detail = probe.Skipped, err.Error()
		return false
	}
	if code != 0 {
		s.State, s.Code = probe.Failed, code
		s.Error, s.Detail = c.describe(code)
		return false
	}
	return true
}

func fail(s *probe.Step, err error) { s.State, s.Detail = probe.Failed, err.Error() }

// set notes a value, unless there is none.
func set(s *probe.Step, key string, value any) {
	text := strings.TrimSpace(fmt.Sprint(value))
	if text == "" {
		return
	}
	if s.Values == nil {
		s.Values = map[string]string{}
	}
	s.Values[key] = text
}
