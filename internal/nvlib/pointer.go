package nvlib

import "unsafe"

// pointer turns an address outside of Go's memory, where the collector does
// not look, into a pointer. The detour keeps vet from taking the address for
// one of Go's own.
func pointer(addr uintptr) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&addr)) }

// CString is a buffer that a function of C writes a string into.
type CString []byte

// NewCString makes a buffer of n bytes.
func NewCString(n int) CString { return make(CString, n) }

// String is the text up to the NUL.
func (s CString) String() string {
	for i, c := range s {
		if c == 0 {
			return string(s[:i])
		}
	}
	return string(s)
}
