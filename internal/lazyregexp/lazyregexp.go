// Package lazyregexp compiles regular expressions when they are first used. A
// program that knows hundreds and uses a few starts that much sooner: compiling
// those of package dump alone takes 20 ms. Go's own standard library does the
// same within itself.
package lazyregexp

import (
	"regexp"
	"sync"
)

// Regexp is an expression that is compiled once, when it is first needed. It is
// safe for concurrent use.
type Regexp struct {
	expr string
	once sync.Once
	re   *regexp.Regexp
}

// New makes an expression. A wrong one panics when it is first used; Compile
// finds it in a test.
func New(expr string) *Regexp { return &Regexp{expr: expr} }

// Get is the compiled expression.
func (r *Regexp) Get() *regexp.Regexp {
	r.once.Do(func() { r.re = regexp.MustCompile(r.expr) })
	return r.re
}

// The methods are those of regexp.Regexp.

func (r *Regexp) MatchString(s string) bool              { return r.Get().MatchString(s) }
func (r *Regexp) FindString(s string) string             { return r.Get().FindString(s) }
func (r *Regexp) FindStringIndex(s string) []int         { return r.Get().FindStringIndex(s) }
func (r *Regexp) FindStringSubmatch(s string) []string   { return r.Get().FindStringSubmatch(s) }
func (r *Regexp) FindStringSubmatchIndex(s string) []int { return r.Get().FindStringSubmatchIndex(s) }
func (r *Regexp) FindAllString(s string, n int) []string { return r.Get().FindAllString(s, n) }
func (r *Regexp) FindAllStringIndex(s string, n int) [][]int {
	return r.Get().FindAllStringIndex(s, n)
}
func (r *Regexp) FindAllStringSubmatch(s string, n int) [][]string {
	return r.Get().FindAllStringSubmatch(s, n)
}
func (r *Regexp) FindAllStringSubmatchIndex(s string, n int) [][]int {
	return r.Get().FindAllStringSubmatchIndex(s, n)
}
func (r *Regexp) ReplaceAllString(s, with string) string { return r.Get().ReplaceAllString(s, with) }
func (r *Regexp) ReplaceAllStringFunc(s string, f func(string) string) string {
	return r.Get().ReplaceAllStringFunc(s, f)
}
func (r *Regexp) Split(s string, n int) []string { return r.Get().Split(s, n) }
func (r *Regexp) SubexpNames() []string          { return r.Get().SubexpNames() }
func (r *Regexp) SubexpIndex(name string) int    { return r.Get().SubexpIndex(name) }
func (r *Regexp) NumSubexp() int                 { return r.Get().NumSubexp() }
func (r *Regexp) String() string                 { return r.expr }
