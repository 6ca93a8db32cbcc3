// Package corpus holds whole machines as text and what must be said of them.
// Each archive in machines/ is one machine, after a public story, with a want
// section that was written from knowledge of the stack and not from the tool's
// output; see want.go. matrix.txt shows every rule's answer on every machine.
package corpus
