package triage

import "strata/internal/dump"

// feed turns the named groups of signatures into facts, as far as the names
// have a meaning of their own.
func (s *Scan) feed(f *dump.Facts) {
	rec := f.Rec()
	for _, o := range s.occurrences {
		from := o.at()
		for name, value := range o.Groups {
			switch name {
			case "driver":
				f.Set(&rec.Driver, value, dump.Stated, from)
			case "module":
				f.Set(&rec.Module, value, dump.Stated, from)
			case "torch":
				f.Framework("torch", value, dump.Stated, from)
			case "torch_cuda":
				f.FrameworkCUDA("torch", value, dump.Stated, from)
			case "gpu":
				f.GPUs([]dump.GPU{{Name: value, From: from}}, dump.Keyed)
			case "kgcc":
				f.Set(&rec.GCC, value, dump.Stated, from)
			case "image":
				f.Set(&rec.Image, value, dump.Stated, from)
			case "saiddriver":
				f.Set(&rec.Driver, value, dump.Prose, from)
			case "saidkernel":
				f.Set(&rec.Kernel, value, dump.Prose, from)
			case "kernel":
				f.Set(&rec.Kernel, value, dump.Stated, from)
			}
		}
	}
}
