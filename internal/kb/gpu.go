package kb

import (
	"strings"

	"strata/internal/version"
)

// GPU is one product, by the PCI id of its board.
type GPU struct {
	Row
	Name      string `kb:"name,required,key"`
	Device    string `kb:"device,key"`    // PCI device id of vendor 10de, four hexadecimal digits; "" for GPUs without one
	Subsystem string `kb:"subsystem,key"` // "vendor:device", "" for every board with this device id
	Chip      string `kb:"chip,required"`
	// ComputeCapability is zero for GPUs older than CUDA and for chips whose capability is not published.
	ComputeCapability version.ComputeCapability `kb:"compute_capability"`
	Class             GPUClass                  `kb:"class,required"`
	OpenModule        OpenModule                `kb:"open_module"` // "" where the driver comes with JetPack
	// LastBranch is the last driver branch of a GPU older than CUDA, else 0: the architecture says it.
	LastBranch int  `kb:"last_branch"`
	SMI        bool `kb:"smi,key"` // Name is what nvidia-smi prints
	Board      bool `kb:"board"`   // Name is that of a board or an engineering sample, no product
}

// GPUClass is what a GPU is sold for. It follows from the name.
type GPUClass string

// The classes.
const (
	DataCenter  GPUClass = "datacenter"
	Workstation GPUClass = "workstation"
	GeForce     GPUClass = "geforce"
	Laptop      GPUClass = "laptop"
	Jetson      GPUClass = "jetson"
	Automotive  GPUClass = "automotive"
	Embedded    GPUClass = "embedded"
	Mining      GPUClass = "mining"
	OtherGPU    GPUClass = "other"
)

// UnmarshalText accepts the classes and nothing else.
func (c *GPUClass) UnmarshalText(text []byte) error {
	return unmarshalWord(c, text, DataCenter, Workstation, GeForce, Laptop, Jetson, Automotive, Embedded, Mining, OtherGPU)
}

var gpus = csvFile("nvidia/gpus.csv", reaches[GPU]("date"), checkGPUs)

// GPUByPCI returns the GPU with PCI device id device ("20b2") on the board subsystem ("10de:1463"). Without a row for the board,
// or with subsystem "", it is the one for the device id alone, by preference under the name that nvidia-smi prints.
//
// Since new GPUs appear between two editions, an unknown id means "perhaps newer", not "no NVIDIA GPU".
func (b *Base) GPUByPCI(device, subsystem string) Answer[GPU] {
	device = pciID(device)
	t := gpus.holding(b, device)
	subVendor, subDevice, _ := strings.Cut(subsystem, ":")
	subsystem = pciID(subVendor) + ":" + pciID(subDevice)

	var best *GPU
	bestRank := -1
	for i := range t.Rows {
		g := &t.Rows[i]
		if device == "" || g.Device != device {
			continue
		}
		rank := 0
		switch {
		case g.Subsystem == subsystem:
			rank = 4
		case g.Subsystem == "":
			rank = 2
		}
		if g.SMI {
			rank++
		}
		if rank > bestRank {
			best, bestRank = g, rank
		}
	}
	if best == nil {
		return notFound[GPU](t, "no GPU with PCI id 10de:%s is known as of %s", device, t.limit("date"))
	}
	return found(b, t, best.Row, *best)
}

// pciID returns id as the table writes it: four digits in lower case, without "0x".
func pciID(id string) string {
	id = strings.ToLower(strings.TrimSpace(id))
	return strings.TrimPrefix(id, "0x")
}

// checkGPUs reports PCI ids that are not written as GPUByPCI looks for them, and capabilities without an architecture.
func checkGPUs(b *Base, t *Table[GPU]) (problems []Problem) {
	isID := func(s string) bool { return len(s) == 4 && strings.Trim(s, "0123456789abcdef") == "" }
	for i := range t.Rows {
		g := &t.Rows[i]
		subVendor, subDevice, _ := strings.Cut(g.Subsystem, ":")
		if g.Device != "" && !isID(g.Device) || g.Subsystem != "" && !(isID(subVendor) && isID(subDevice)) {
			problems = append(problems, Problem{t.Name, g.Line, "PCI ids are not four hexadecimal digits in lower case"})
		}
		if cc := g.ComputeCapability; !cc.IsZero() && !b.Arch(cc).Known {
			problems = append(problems, Problem{t.Name, g.Line, "architectures.csv has no compute capability " + cc.String()})
		}
	}
	return problems
}
