// Package elfx reads the few facts that decide whether an ELF file can be
// loaded: its machine, what it needs and provides, where it searches, and the
// notes NVIDIA leaves in it.
//
// Files are untrusted. Every count and every length that comes from a file is
// checked against the file's size and against a limit stated here before
// anything is allocated, so Read neither panics nor reads a whole library.
//
// The dynamic loader never looks at section headers, so neither do we where a
// program header says the same: names come from PT_DYNAMIC through the
// PT_LOAD segments, as in ld.so. Section headers only serve [File.Sections]
// and notes in files that have no program headers.
package elfx
