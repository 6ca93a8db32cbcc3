package lookup

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"strata/internal/kb"
)

var gpuSubject = Subject{
	Name: "gpu", About: "GPUs, by name or PCI id", Examples: []string{"RTX 4090", "10de:2684"},
	aliases: []string{"gpus"}, find: findGPU, names: gpuNames,
}

// gpuNames are the products, without the words that people leave out.
func gpuNames(base *kb.Base) (names []string) {
	for _, r := range kb.Rows[kb.GPU](base) {
		if !r.Board {
			names = append(names, shortName(r.Name))
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func shortName(name string) string {
	for _, brand := range []string{"NVIDIA ", "GeForce ", "Tesla "} {
		name = strings.TrimPrefix(name, brand)
	}
	return name
}

var pciForm = regexp.MustCompile(`(?i)^(10de:|0x)?([0-9a-f]{4})$`)

// findGPU takes a name before a PCI id: A100 is both.
func findGPU(b *builder, name string) error {
	m := pciForm.FindStringSubmatch(name)
	if m == nil || m[1] == "" {
		if a := b.GPUsByName(name); a.Known {
			b.cite(a.Ref)
			return b.gpus(a.Value.GPUs, a.Why)
		}
	}
	if m != nil {
		device := strings.ToLower(m[2])
		if a := b.GPUByPCI(device, ""); a.Known {
			var all []kb.GPU
			for _, r := range kb.Rows[kb.GPU](b.Base) {
				if r.Device == device {
					all = append(all, r)
				}
			}
			b.onePCI(a.Value, all)
			return nil
		}
		return &NotFoundError{b.Subject, b.Name, fmt.Sprintf("no GPU with PCI id 10de:%s is known", device), nil}
	}
	return b.missing(gpuNames)
}

// gpus is the card of what a name stands for: one product, or a list to choose from.
func (b *builder) gpus(list []kb.GPU, ambiguous string) error {
	byName := map[string][]kb.GPU{}
	var order []string
	for _, g := range list {
		key := shortName(g.Name)
		if byName[key] == nil {
			order = append(order, key)
		}
		byName[key] = append(byName[key], g)
	}
	same := !slices.ContainsFunc(list, func(g kb.GPU) bool { return g.ComputeCapability != list[0].ComputeCapability })
	if len(order) == 1 && same {
		b.oneGPU(smiName(list), list)
		return nil
	}
	b.note("%s", sentence(ambiguous))
	t := b.table("gpus", "", "name", "Name", "pci", "PCI id", "chip", "Chip", "compute_capability", "Compute capability", "class", "Class")
	var ids []string
	for _, name := range order {
		for _, g := range byName[name] {
			id := pciOf(g)
			if slices.Contains(ids, name+id) {
				continue
			}
			ids = append(ids, name+id)
			t.row(name, id, g.Chip, g.ComputeCapability, g.Class)
			b.cite(kb.RefTo(b.Base, g))
		}
	}
	b.Title = fmt.Sprintf("%q stands for %d GPUs", b.Name, len(order))
	if len(ids) != len(order) { // a product in several forms
		b.Title += fmt.Sprintf(" of %d PCI ids", len(ids))
	}
	t.crop()
	return nil
}

// smiName is the name that nvidia-smi prints, where one row has it.
func smiName(list []kb.GPU) kb.GPU {
	for _, g := range list {
		if g.SMI {
			return g
		}
	}
	return list[0]
}

func (b *builder) onePCI(g kb.GPU, all []kb.GPU) {
	var others []string
	for _, o := range all {
		if name := shortName(o.Name); name != shortName(g.Name) && !slices.Contains(others, name) {
			others = append(others, name)
		}
	}
	b.oneGPU(g, all)
	b.field("also", "Boards of this id", strings.Join(others, ", "))
}

func (b *builder) oneGPU(g kb.GPU, rows []kb.GPU) {
	var ids, chips []string
	for _, r := range rows {
		b.cite(kb.RefTo(b.Base, r))
		if id := pciOf(r); id != "" && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
		if !slices.Contains(chips, r.Chip) {
			chips = append(chips, r.Chip)
		}
	}
	b.Title = g.Name
	b.field("pci", "PCI id", ids)
	b.field("chip", "Chip", chips)
	b.field("compute_capability", "Compute capability", g.ComputeCapability)
	b.say("class", "Class", g.Class, map[kb.GPUClass]string{kb.DataCenter: "data center", kb.GeForce: "GeForce"}[g.Class])
	if !g.ComputeCapability.IsZero() {
		if arch, ok := take(b, "Its architecture", b.Arch(g.ComputeCapability)); ok {
			b.archFields(arch)
		}
	} else {
		b.branch("last_driver", "Last driver branch", g.LastBranch, "")
		b.note("No compute capability is known: the GPU is older than CUDA, or NVIDIA does not publish it")
	}
	b.field("open_module", "Open kernel module", g.OpenModule)
	if allowed, known := g.Class.ForwardCompatible(); known {
		b.say("forward_compat", "Forward compatibility", allowed, map[bool]string{true: "cuda-compat packages work", false: "no: cuda-compat ends with error 804"}[allowed])
	} else if g.Class == kb.Workstation {
		b.say("forward_compat", "Forward compatibility", nil, "NGC-Ready boards only, which the name does not tell")
	}
	if g.Board {
		b.note("This is the name of a board or an engineering sample, not of a product")
	}
}

func pciOf(g kb.GPU) string {
	if g.Device == "" {
		return ""
	}
	return "10de:" + g.Device
}

func branchName(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("R%d", n)
}
