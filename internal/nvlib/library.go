// Package nvlib loads shared libraries and calls their functions without cgo.
// A library that crashes, hangs or exits takes the process with it: only
// strata-probe, which is always a child, may use this package.
package nvlib

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"reflect"
	"runtime"
	"strconv"
	"strings"

	"github.com/ebitengine/purego"
)

// Library is a shared library that was loaded. It is never unloaded: NVIDIA's
// libraries leave threads behind that would run on in unmapped code.
type Library struct {
	Name    string // as it was asked for: libcuda.so.1
	handle  uintptr
	symbols map[string]uintptr // 0 for one that is known to be missing
}

// ErrNoSymbol is the error of a function that a library does not have, as an
// older or newer release of it may.
var ErrNoSymbol = errors.New("no such function")

// Open loads the library that name, a path or a soname, leads to. Its error is
// in the words of the dynamic linker.
func Open(name string) (*Library, error) {
	h, err := purego.Dlopen(name, purego.RTLD_NOW|purego.RTLD_LOCAL)
	if err != nil {
		return nil, err
	}
	return &Library{Name: name, handle: h, symbols: map[string]uintptr{}}, nil
}

// Has tells whether the library has a function.
func (l *Library) Has(symbol string) bool {
	_, err := l.find(symbol)
	return err == nil
}

func (l *Library) find(symbol string) (uintptr, error) {
	addr, ok := l.symbols[symbol]
	if !ok {
		addr, _ = purego.Dlsym(l.handle, symbol) // its error says no more than the 0
		l.symbols[symbol] = addr
	}
	if addr == 0 {
		return 0, fmt.Errorf("%s has %w as %s", l.Name, ErrNoSymbol, symbol)
	}
	return addr, nil
}

// Call calls a function whose arguments are all integers or pointers. An
// argument is an integer, a pointer or slice of Go memory, or a string, which
// becomes one of C. The library may use Go memory until the call returns, and
// not later. The error is ErrNoSymbol or none.
func (l *Library) Call(symbol string, args ...any) (uintptr, error) {
	fn, err := l.find(symbol)
	if err != nil {
		return 0, err
	}
	words := make([]uintptr, len(args))
	var strs [][]byte
	for i, a := range args {
		v := reflect.ValueOf(a)
		switch v.Kind() {
		case reflect.Invalid: // nil
		case reflect.String:
			s := append([]byte(v.String()), 0)
			strs = append(strs, s)
			words[i] = reflect.ValueOf(s).Pointer()
		case reflect.Pointer, reflect.Slice, reflect.UnsafePointer:
			words[i] = v.Pointer()
		case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
			words[i] = uintptr(v.Uint())
		default:
			words[i] = uintptr(v.Int())
		}
	}
	r, _, _ := purego.SyscallN(fn, words...)
	// What args point to was boxed in an interface, is on the heap and so does not move.
	runtime.KeepAlive(args)
	runtime.KeepAlive(strs)
	return r, nil
}

// Status is Call of a function that returns a C int or enum: 0 for success.
func (l *Library) Status(symbol string, args ...any) (int, error) {
	r, err := l.Call(symbol, args...)
	return int(int32(r)), err
}

// Text is Call of a function that returns a string of C.
func (l *Library) Text(symbol string, args ...any) string {
	r, err := l.Call(symbol, args...)
	if err != nil {
		return ""
	}
	return Text(r)
}

// maxText bounds a string of C whose end may be missing.
const maxText = 4096

// Text copies the string of C at an address that a library returned.
func Text(addr uintptr) string {
	if addr == 0 {
		return ""
	}
	var out []byte
	for i := uintptr(0); i < maxText; i++ {
		c := *(*byte)(pointer(addr + i))
		if c == 0 {
			break
		}
		out = append(out, c)
	}
	return string(out)
}

// Path is the file that a function of the library is in: what the dynamic
// linker's search for the name led to, with links resolved.
func (l *Library) Path(symbol string) string {
	addr, err := l.find(symbol)
	if err != nil {
		return ""
	}
	maps, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		return ""
	}
	for line := range bytes.Lines(maps) {
		f := strings.Fields(string(line))
		if len(f) < 6 || !strings.HasPrefix(f[5], "/") {
			continue
		}
		from, to, _ := strings.Cut(f[0], "-")
		a, err1 := strconv.ParseUint(from, 16, 64)
		b, err2 := strconv.ParseUint(to, 16, 64)
		if err1 == nil && err2 == nil && uint64(addr) >= a && uint64(addr) < b {
			return strings.Join(f[5:], " ")
		}
	}
	return ""
}
