package stack

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"reflect"
	"strings"
	"syscall"

	"strata/internal/redact"
)

// State says what is known about a fact. The zero value is NotCollected, so a
// collector that was forgotten cannot look healthy.
type State uint8

const (
	NotCollected State = iota // nobody looked
	Known                     // Value is what the source said
	Absent                    // looked, and the thing is not there
	Denied                    // looked, and was not allowed to see
	Failed                    // looked, and could not make sense of it
)

var stateNames = [...]string{"not_collected", "known", "absent", "denied", "failed"}

func (s State) String() string {
	if int(s) < len(stateNames) {
		return stateNames[s]
	}
	return fmt.Sprintf("state(%d)", uint8(s))
}

// MarshalText writes the name that is part of the output contract.
func (s State) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads such a name.
func (s *State) UnmarshalText(text []byte) error {
	for i, n := range stateNames {
		if n == string(text) {
			*s = State(i)
			return nil
		}
	}
	return fmt.Errorf("reading a fact's state: %q is none of %s", text, strings.Join(stateNames[:], ", "))
}

// Source is where a fact was read.
type Source struct {
	// Kind is file, directory, link, elf, env, flag, kernel or derived.
	Kind string `json:"kind"`
	// Locator is the path, variable or flag.
	Locator string `json:"locator"`
	// Line is the line in a text file, from 1; 0 where lines make no sense.
	Line int `json:"line,omitempty"`
	// Text is what was read, redacted and at most 200 runes.
	Text string `json:"text,omitempty"`
}

// maxSourceText keeps a quoted line readable and a hostile one harmless.
const maxSourceText = 200

// maxQuoted is how much of a text is looked at, in bytes: well behind what
// maxSourceText keeps, so that no secret is cut before it is recognised.
const maxQuoted = 8 << 10

// From makes a source, redacting and shortening the text it quotes.
func From(kind, locator string, line int, text string) Source {
	text = redact.Line(text[:min(len(text), maxQuoted)])
	if r := []rune(text); len(r) > maxSourceText {
		text = string(r[:maxSourceText-1]) + "…"
	}
	return Source{Kind: kind, Locator: locator, Line: line, Text: text}
}

// File is a source that is a whole file.
func File(path string) Source { return Source{Kind: "file", Locator: path} }

// Line is a source that is one line of a file.
func Line(path string, line int, text string) Source { return From("file", path, line, text) }

func (s Source) String() string {
	if s.Line > 0 {
		return fmt.Sprintf("%s:%d", s.Locator, s.Line)
	}
	return s.Locator
}

// Fact is one observed value with its state and its sources.
type Fact[T any] struct {
	State   State    `json:"state"`
	Value   T        `json:"value,omitzero"`
	Sources []Source `json:"sources,omitempty"`
	// Why explains Denied and Failed, and Known where only part could be read.
	Why string `json:"why,omitempty"`
	// Allow is what would let Strata see it.
	Allow string `json:"allow,omitempty"`
}

// MarshalJSON writes the value exactly where it is known: a known false or 0
// must not read like nothing, and nothing must not read like false.
func (f Fact[T]) MarshalJSON() ([]byte, error) {
	out := struct {
		State   State    `json:"state"`
		Value   any      `json:"value,omitempty"`
		Sources []Source `json:"sources,omitempty"`
		Why     string   `json:"why,omitempty"`
		Allow   string   `json:"allow,omitempty"`
	}{State: f.State, Sources: f.Sources, Why: f.Why, Allow: f.Allow}
	if f.State == Known {
		// A pointer, since omitempty drops a plain false; an empty list, since null breaks readers.
		out.Value = &f.Value
		if v := reflect.ValueOf(f.Value); v.Kind() == reflect.Slice && v.IsNil() {
			out.Value = []struct{}{}
		}
	}
	return json.Marshal(out)
}

// Know makes a Known fact.
func Know[T any](v T, sources ...Source) Fact[T] {
	return Fact[T]{State: Known, Value: v, Sources: sources}
}

// None makes an Absent fact; the sources are the places looked at.
func None[T any](sources ...Source) Fact[T] { return Fact[T]{State: Absent, Sources: sources} }

// Refused makes a Denied fact.
func Refused[T any](why, allow string, sources ...Source) Fact[T] {
	return Fact[T]{State: Denied, Why: why, Allow: allow, Sources: sources}
}

// Broken makes a Failed fact.
func Broken[T any](why string, sources ...Source) Fact[T] {
	return Fact[T]{State: Failed, Why: why, Sources: sources}
}

// Miss turns the error of reading a path into the fact's state: Absent,
// Denied with what to do about it, or Failed.
func Miss[T any](err error, path string) Fact[T] {
	src := File(path)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return None[T](src)
	case errors.Is(err, fs.ErrPermission):
		return Refused[T]("permission denied reading "+path, "run as a user who may read "+path, src)
	}
	return Broken[T](err.Error(), src)
}

// Known tells whether the value may be used.
func (f Fact[T]) Known() bool { return f.State == Known }

// Or returns the value, or the given one where it is not known.
func (f Fact[T]) Or(v T) T {
	if f.State == Known {
		return f.Value
	}
	return v
}

// Seen is a fact without its value, for code that only asks how much is known.
type Seen struct {
	State   State
	Why     string
	Allow   string
	Sources []Source
}

// Seen returns the fact without its value.
func (f Fact[T]) Seen() Seen { return Seen{f.State, f.Why, f.Allow, f.Sources} }
