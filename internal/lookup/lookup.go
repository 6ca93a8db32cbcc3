// Package lookup answers "what is known about this?" from the knowledge base: it turns a subject and a name, as a person types them, into a
// card with facts, small tables and sources. It decides everything; renderers only draw.
package lookup

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"strata/internal/kb"
	"strata/internal/version"
)

// Subject is a kind of thing that can be looked up.
type Subject struct {
	Name     string
	About    string
	Examples []string // of names

	aliases []string
	// find fills the card of a name. It returns a *NotFoundError where there is none.
	find func(b *builder, name string) error
	// names are all that can be asked for, oldest first where there is an order. They serve the list, the nearest name and completion.
	names func(*kb.Base) []string
}

// static are the subjects that need code. Packages follow them; see Subjects.
func static() []Subject {
	return []Subject{
		driverSubject, gpuSubject, archSubject, cudaSubject, ptxSubject, componentSubject, jetpackSubject,
		cudnnSubject, ncclSubject, tensorrtSubject, librarySubject("cusparselt", "cuSPARSELt"), librarySubject("nvshmem", "NVSHMEM"),
		sonameSubject, errorSubject, xidSubject, advisorySubject, ngcSubject,
		torchSubject, tensorflowSubject, jaxSubject, onnxruntimeSubject, tableSubject,
	}
}

// Subjects returns all subjects that b knows, the packages that have no code of their own last.
func Subjects(base *kb.Base) []Subject {
	list := static()
	for _, name := range packages(base) {
		list = append(list, packageSubject(base, name))
	}
	return list
}

// Names returns what can be asked for under a subject, nil for one that is not known.
func Names(base *kb.Base, subject string) []string {
	if s, ok := subjectNamed(base, subject); ok {
		return s.names(base)
	}
	return nil
}

func subjectNamed(base *kb.Base, name string) (Subject, bool) {
	name = version.NormalName(name)
	for _, s := range static() {
		if s.Name == name || slices.Contains(s.aliases, name) {
			return s, true
		}
	}
	if slices.Contains(packages(base), name) {
		return packageSubject(base, name), true
	}
	return Subject{}, false
}

// maxName bounds what is looked up: the longest name in the tables has some 100 bytes.
const maxName = 256

type builder struct {
	*kb.Base
	*Card
}

func newBuilder(base *kb.Base, subject, name string) *builder {
	return &builder{base, &Card{Subject: subject, Name: name, Status: Known, Fields: []Field{}, Tables: []*Table{}, Commands: []Command{}, Notes: []string{}, Rows: []kb.Ref{}, Sources: []kb.Source{}}}
}

// Find returns the card of a subject and a name: "driver", "535". The name may come in several words, and behind == as pip writes it.
// Without a name the card lists what is known. The error is a [*NotFoundError].
func Find(base *kb.Base, args []string) (*Card, error) {
	if len(args) == 0 {
		return nil, &NotFoundError{}
	}
	name := strings.TrimSpace(strings.Join(args[1:], " "))
	subject, rest, pinned := strings.Cut(args[0], "==")
	if pinned && name == "" {
		name = rest
	}
	if slices.Contains(componentNames(base), version.NormalName(subject)) { // a component by its own name
		subject, name = componentSubject.Name, strings.TrimSpace(subject+" "+name)
	}
	if len(name) > maxName || len(subject) > maxName {
		return nil, &NotFoundError{Subject: "", Name: "…", Why: fmt.Sprintf("a name has at most %d bytes", maxName)}
	}
	s, ok := subjectNamed(base, subject)
	if !ok {
		return nil, unknownSubject(base, args)
	}
	b := newBuilder(base, s.Name, name)
	if name == "" {
		return b.list(s)
	}
	if err := s.find(b, name); err != nil {
		return nil, err
	}
	b.dropEmpty()
	return b.Card, nil
}

// list is the card of a subject without a name.
func (b *builder) list(s Subject) (*Card, error) {
	names := s.names(b.Base)
	b.Title = s.About
	if len(names) > 500 { // the GPUs
		b.Summary = fmt.Sprintf("%d names are known; say one, such as %s", len(names), s.Examples[0])
		return b.Card, nil
	}
	b.Summary = fmt.Sprintf("%d known; strata kb show %s %s shows one", len(names), s.Name, shellWord(s.Examples[0]))
	b.field("names", "Known", names)
	return b.Card, nil
}

// shellWord quotes a name that a shell would change. Blanks it may keep: names come in several words, too.
func shellWord(s string) string {
	if strings.ContainsAny(s, "*?$'\"()[]!<>&|;") {
		return "'" + s + "'"
	}
	return s
}

// beyond makes the card of something that is newer than the tables.
func (b *builder) beyond(title, why string, ref kb.Ref, names func(*kb.Base) []string) error {
	known := names(b.Base)
	why = plainHorizon.ReplaceAllString(why, "$1$2")
	b.Status, b.Title, b.Summary, b.Nearest, b.AsOf = Beyond, title, why, known[max(0, len(known)-3):], ref.AsOf
	return nil
}

// plainHorizon finds what only the tables call so in a sentence: "newer than what is known: pep440 2.15.0 as of …", and a day that
// stands behind it again.
var plainHorizon = regexp.MustCompile(`(known)(?:: date \S+|(?:(:) (?:pep440|lib)))\b`)

// NotFoundError says that the knowledge base does not have a name.
type NotFoundError struct {
	Subject, Name string
	Why           string
	// Nearest are names that are known.
	Nearest []string
}

func (e *NotFoundError) Error() string {
	var b strings.Builder
	switch {
	case e.Subject == "" && e.Name == "":
		b.WriteString("nothing to look up")
	case e.Why != "":
		b.WriteString(e.Why)
	default:
		fmt.Fprintf(&b, "no %s %q is known", e.Subject, e.Name)
	}
	if len(e.Nearest) > 0 {
		b.WriteString("; nearest: " + strings.Join(e.Nearest, ", "))
	} else if e.Subject != "" {
		b.WriteString("; strata kb show " + e.Subject + " lists what is")
	}
	return b.String()
}

// missing is the error for a name that is not in the tables.
func (b *builder) missing(names func(*kb.Base) []string) error {
	return &NotFoundError{Subject: b.Subject, Name: b.Name, Nearest: nearest(b.Name, names(b.Base), 3)}
}

// unknownSubject says which subjects are near, or under which the whole of what was typed is known.
func unknownSubject(base *kb.Base, args []string) error {
	e := &NotFoundError{Name: args[0], Why: fmt.Sprintf("no subject %q; strata kb show lists them", args[0])}
	whole := strings.Join(args, " ")
	for _, s := range static() {
		b := newBuilder(base, s.Name, whole)
		if err := s.find(b, whole); err == nil && b.Status == Known {
			e.Nearest = append(e.Nearest, "strata kb show "+s.Name+" "+shellWord(whole))
		}
	}
	if e.Nearest == nil {
		var names []string
		for _, s := range Subjects(base) {
			names = append(names, s.Name)
		}
		e.Nearest = nearest(args[0], names, 3)
	}
	return e
}
