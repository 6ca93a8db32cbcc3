package dump

import (
	"maps"
	"slices"
)

// Outline is a record of what most judgements hang on, as far as it is known: the driver, CUDA and cuDNN, the GPUs, the
// frameworks and the packages. It shares nothing with what f becomes.
func (f *Facts) Outline() *Record {
	g := NewFacts(f.name)
	g.rec.Driver, g.rec.Module, g.rec.ModuleFlavor = f.rec.Driver, f.rec.Module, f.rec.ModuleFlavor
	g.rec.CUDARuntime, g.rec.Toolkit, g.rec.CUDNN = f.rec.CUDARuntime, f.rec.Toolkit, f.rec.CUDNN
	maps.Copy(g.rec.Frameworks, f.rec.Frameworks)
	maps.Copy(g.rec.FrameworkCUDA, f.rec.FrameworkCUDA)
	g.rec.Packages = slices.Clone(f.rec.Packages)
	g.gpus = slices.Clone(f.gpus)
	return g.Record()
}
