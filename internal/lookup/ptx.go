package lookup

import (
	"strata/internal/kb"
	"strata/internal/version"
)

var ptxSubject = Subject{
	Name: "ptx", About: "Versions of the PTX ISA", Examples: []string{"8.4"},
	aliases: []string{"ptx-isa", "isa"}, find: findPTX, names: ptxNames,
}

func ptxNames(base *kb.Base) (names []string) {
	for _, r := range kb.Rows[kb.PTXISA](base) {
		names = append(names, r.PTX.String())
	}
	return names
}

func findPTX(b *builder, name string) error {
	p, err := version.ParsePTX(name)
	if err != nil {
		return b.missing(ptxNames)
	}
	b.Title = "PTX ISA " + p.String()
	for _, r := range kb.Rows[kb.PTXISA](b.Base) {
		if r.PTX.Compare(p) != 0 {
			continue
		}
		b.cite(kb.RefTo(b.Base, r))
		b.say("first_cuda", "First toolkit", r.CUDA, "CUDA "+r.CUDA.String())
		b.branch("first_driver", "First driver branch", r.Branch, "")
		if branch, ok := take(b, "Its first build", b.Branch(r.Branch)); ok {
			b.dated("first_build", "First build", branch.First, branch.FirstDate)
		}
		b.note("%s", sentence(r.Note))
		b.note("An older driver ends with error 222 (the provided PTX was compiled with an unsupported toolchain), whatever minor-version compatibility says")
		return nil
	}
	if a := b.PTXBranch(p); a.Beyond {
		return b.beyond(b.Title, a.Why, a.Ref, ptxNames)
	}
	return b.missing(ptxNames)
}
