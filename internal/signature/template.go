package signature

import (
	"errors"
	"fmt"
	"strings"

	"strata/internal/lazyregexp"
)

// Expand fills a template in. {name} and {name|function} are variables; what
// stands in [brackets] is left out where one of its variables is not known, and
// of [one|another] the first alternative whose variables are all known is taken;
// an alternative separator is " || ". ok is false where a variable outside of
// brackets is not known: then nothing may be said with it.
func (c *Case) Expand(template string) (text string, ok bool) {
	var b strings.Builder
	ok = true
	for rest := template; rest != ""; {
		i := strings.IndexAny(rest, "[{")
		if i < 0 {
			b.WriteString(rest)
			break
		}
		b.WriteString(rest[:i])
		closing := map[byte]byte{'[': ']', '{': '}'}[rest[i]]
		end := strings.IndexByte(rest[i:], closing)
		if end < 0 { // CheckTemplate keeps this out
			return "", false
		}
		inner := rest[i+1 : i+end]
		if rest[i] == '{' {
			value, known := c.Variable(inner)
			ok = ok && known
			b.WriteString(value)
		} else {
			for n, alternative := range strings.Split(inner, " || ") {
				if part, known := c.Expand(alternative); known {
					if n > 0 && inner[0] == ' ' && startsWord(part) {
						b.WriteByte(' ') // as the first alternative begins
					}
					b.WriteString(part)
					break
				}
			}
		}
		rest = rest[i+end+1:]
	}
	return b.String(), ok
}

// startsWord holds where a text begins with a word or a bracket, before which a space stands.
func startsWord(s string) bool {
	return s != "" && (s[0] == '(' || s[0] >= '0' && s[0] <= '9' || s[0]|0x20 >= 'a' && s[0]|0x20 <= 'z')
}

// CheckTemplate reports a template whose braces or brackets do not close, or
// whose functions are not known.
func CheckTemplate(s string) error {
	var errs []error
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '[':
			depth++
			if depth > 1 {
				errs = append(errs, errors.New("a bracket inside a bracket"))
			}
		case ']':
			depth--
		case '{':
			end := strings.IndexByte(s[i:], '}')
			if end < 0 {
				return errors.New("a brace does not close")
			}
			for n, f := range strings.Split(s[i+1:i+end], "|") {
				if n > 0 && functions[f] == nil {
					errs = append(errs, fmt.Errorf("no function %q", f))
				}
			}
			i += end
		}
	}
	if depth != 0 {
		errs = append(errs, errors.New("a bracket does not close"))
	}
	return errors.Join(errs...)
}

// ExpandCommand fills a command in: variables alone, brackets stand for
// themselves. A value goes into a command only where it has the characters of
// names, versions and paths, so that nothing a log says can run as a command.
func (c *Case) ExpandCommand(template string) (string, bool) {
	ok := true
	out := variable.ReplaceAllStringFunc(template, func(m string) string {
		value, known := c.Variable(m[1 : len(m)-1])
		if !known || !safe.MatchString(value) {
			ok = false
		}
		return value
	})
	return out, ok
}

var (
	variable = lazyregexp.New(`\{[a-z][a-z0-9_|]*\}`)
	safe     = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9._+:/@=-]*$`)
)

func checkCommand(s string) error {
	for _, m := range variable.FindAllString(s, -1) {
		if err := CheckTemplate(m); err != nil {
			return err
		}
	}
	return nil
}
