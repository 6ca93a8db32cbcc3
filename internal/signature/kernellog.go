package signature

import (
	"strconv"
	"strings"

	"strata/internal/kb"
	v "strata/internal/version"
)

// ofXid makes a template's function of one thing that is known about the number of an Xid.
func ofXid(get func(kb.Xid) string) func(*Case, string) string {
	return func(c *Case, s string) string {
		n, err := strconv.Atoi(s)
		if err != nil {
			return ""
		}
		x := c.View.KB.Xid(n)
		if !x.Known {
			return ""
		}
		return get(x.Value)
	}
}

// xidName is NVIDIA's name; the table has two where NVIDIA has two.
func xidName(x kb.Xid) string { name, _, _ := strings.Cut(x.Mnemonic, " / "); return name }

// ofPCI makes a function of one thing that is known about a PCI device id: 1b06 or 10de:1b06.
func ofPCI(get func(*Case, kb.GPU) string) func(*Case, string) string {
	return func(c *Case, id string) string {
		if i := strings.LastIndexByte(id, ':'); i >= 0 {
			id = id[i+1:]
		}
		g := c.View.KB.GPUByPCI(id, "")
		if !g.Known {
			return ""
		}
		return get(c, g.Value)
	}
}

// lastBranch is the last branch of drivers for a GPU; "" where the newest still has it.
func lastBranch(c *Case, g kb.GPU) string {
	n := g.LastBranch
	if n == 0 && !g.ComputeCapability.IsZero() {
		if a := c.View.KB.Arch(g.ComputeCapability); a.Known {
			n = a.Value.LastBranch
		}
	}
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

// firstBranch is the first branch of drivers that knows a GPU.
func firstBranch(c *Case, g kb.GPU) string {
	if a := c.View.KB.Arch(g.ComputeCapability); !g.ComputeCapability.IsZero() && a.Known && a.Value.FirstBranch > 0 {
		return strconv.Itoa(a.Value.FirstBranch)
	}
	return ""
}

// ofGPUName is ofPCI for a GPU's name, where all GPUs of that name agree.
func ofGPUName(get func(*Case, kb.GPU) string) func(*Case, string) string {
	return func(c *Case, name string) string {
		m := c.View.KB.GPUsByName(name)
		if !m.Known || len(m.Value.GPUs) == 0 {
			return ""
		}
		first := get(c, m.Value.GPUs[0])
		for _, g := range m.Value.GPUs[1:] {
			if get(c, g) != first {
				return ""
			}
		}
		return first
	}
}

// jetPackOf is the JetPack of a release of L4T: 6.2 of 36.4.3.
func jetPackOf(c *Case, l4t string) string {
	if a := c.View.KB.JetPackOfL4T(l4t); a.Known {
		return a.Value.JetPack
	}
	return ""
}

// cudaRelease is a CUDA as people write it: 12.4 of cuda>=12.4, and "" for what is none.
func cudaRelease(_ *Case, s string) string {
	x, err := v.ParseCUDA(firstTwo(s))
	if err != nil {
		return ""
	}
	return x.String()
}
