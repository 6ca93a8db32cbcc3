// Package arch holds the shape of the program up: a test parses every import
// and refuses one that reaches upwards. It has no code of its own.
package arch
