package lookup

import (
	"slices"
	"strings"

	"strata/internal/kb"
	"strata/internal/version"
)

var archSubject = Subject{
	Name: "arch", About: "Compute capabilities", Examples: []string{"8.6", "sm_120"},
	aliases: []string{"architecture", "cc", "compute-capability", "sm"}, find: findArch, names: archNames,
}

func archNames(base *kb.Base) (names []string) {
	for _, r := range kb.Rows[kb.Architecture](base) {
		names = append(names, r.ComputeCapability.String())
	}
	return names
}

func findArch(b *builder, name string) error {
	cc, err := version.ParseComputeCapability(strings.ToLower(name))
	if err != nil {
		return b.archNamed(name)
	}
	a := b.Arch(cc)
	title := "Compute capability " + cc.String()
	switch {
	case a.Beyond:
		return b.beyond(title, a.Why, a.Ref, archNames)
	case !a.Known:
		b.Name = version.ComputeCapability{Major: cc.Major, Minor: cc.Minor}.String()
		return b.missing(archNames)
	}
	b.cite(a.Ref)
	r := a.Value
	b.Title = "Compute capability " + r.ComputeCapability.String() + " · " + r.Name
	b.field("chips", "Chips", r.Chips)
	b.field("products", "For example", r.Products)
	b.archFields(r)
	targets := []string{r.ComputeCapability.SM()}
	if !r.ArchSpecific.IsZero() {
		targets = append(targets, r.ComputeCapability.SM()+"a")
		b.say("a_since", "sm_XYa target since", r.ArchSpecific, "CUDA "+r.ArchSpecific.String())
	}
	if !r.FamilySpecific.IsZero() {
		targets = append(targets, r.ComputeCapability.SM()+"f")
		b.say("f_since", "sm_XYf target since", r.FamilySpecific, "CUDA "+r.FamilySpecific.String())
	}
	b.field("targets", "Targets", targets)
	b.field("open_module", "Open kernel module", r.OpenModule)
	var names []string
	for _, g := range kb.Rows[kb.GPU](b.Base) {
		if g.ComputeCapability == r.ComputeCapability && !g.Board {
			names = append(names, shortName(g.Name))
		}
	}
	slices.Sort(names)
	b.field("gpus", "GPUs known", number(len(slices.Compact(names))))
	b.note("%s", sentence(r.Note))
	return nil
}

// archFields are the bounds of an architecture, on its own card and on that of a GPU.
func (b *builder) archFields(r kb.Architecture) {
	if b.Subject == gpuName {
		b.field("architecture", "Architecture", r.Name)
	}
	b.field("first_cuda", "First CUDA toolkit", r.FirstCUDA)
	if r.LastCUDA.IsZero() {
		b.say("last_cuda", "Last CUDA toolkit", nil, "still compiled for")
	}
	b.field("last_cuda", "Last CUDA toolkit", r.LastCUDA)
	b.field("jetson", "", r.Tegra)
	if r.Tegra {
		b.say("first_driver", "Driver", nil, "comes with JetPack or DRIVE OS")
		return
	}
	b.branch("first_driver", "First driver branch", r.FirstBranch, "")
	b.branch("last_driver", "Last driver branch", r.LastBranch, "still supported")
}

const gpuName = "gpu"

// archNamed lists the capabilities of an architecture by its name: Ampere.
func (b *builder) archNamed(name string) error {
	var t *Table
	for _, r := range kb.Rows[kb.Architecture](b.Base) {
		if !strings.EqualFold(r.Name, name) && !strings.HasPrefix(strings.ToLower(r.Name), strings.ToLower(name)+" ") {
			continue
		}
		if t == nil {
			b.Title = "Architecture " + r.Name
			t = b.table("architectures", "", "compute_capability", "Compute capability", "name", "Name", "chips", "Chips", "first_cuda", "First CUDA",
				"last_cuda", "Last CUDA", "first_driver", "First driver", "last_driver", "Last driver")
		}
		t.row(r.ComputeCapability, r.Name, r.Chips, r.FirstCUDA, r.LastCUDA, branchName(r.FirstBranch), branchName(r.LastBranch))
		b.cite(kb.RefTo(b.Base, r))
	}
	if t == nil {
		return b.missing(func(base *kb.Base) []string {
			names := archNames(base)
			for _, r := range kb.Rows[kb.Architecture](base) {
				names = append(names, r.Name)
			}
			return names
		})
	}
	return nil
}
