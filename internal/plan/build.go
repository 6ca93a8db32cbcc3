package plan

import (
	"strings"

	"strata/internal/derive"
	"strata/internal/kb"
	"strata/internal/stack"
	"strata/internal/version"
)

type build struct {
	variant stack.Fact[string]
	cuda    stack.Fact[version.CUDA]
	cudnn   stack.Fact[version.Lib]
	code    stack.Fact[[]stack.DeviceCode]
	abi     stack.Fact[stack.ABI]
}

// buildOf is what is known of a framework's release before it is installed:
// from its label, else from the knowledge base.
func buildOf(framework, pkg, ver string, base *kb.Base) build {
	var b build
	_, label, _ := strings.Cut(ver, "+")
	switch {
	case label == "cpu":
		b.variant = planned("cpu")
	case strings.HasPrefix(label, "rocm"):
		b.variant = planned("rocm")
	case strings.HasPrefix(label, "cu"):
		b.variant = planned("cuda")
		if c, ok := version.ParseCUDATag(label); ok {
			b.cuda = planned(c)
		}
	}
	if tag := base.BuildTag(label); tag.Known && !tag.Value.Torch.IsZero() {
		b.variant = planned("cuda")
		b.cuda = planned(tag.Value.CUDA)
		b.abi = planned(stack.ABI{Torch: tag.Value.Torch.String(), CUDA: tag.Value.CUDA.String(), CXX11: tag.Value.ABI})
	}
	if pkg == "xformers" {
		b.abi = xformersABI(ver, base)
	}
	switch {
	case gpuOnly[pkg]:
		b.variant = planned("cuda")
	case pkg == "onnxruntime", pkg == "tensorflow-cpu", pkg == "paddlepaddle":
		b.variant = planned("cpu")
	}
	p := derive.PublishedBuild(base, &stack.Framework{Name: framework, Package: pkg, Version: ver, Variant: b.variant, CUDA: b.cuda})
	if !p.Known {
		return b
	}
	if !b.variant.Known() {
		b.variant = planned("cuda")
	}
	if !b.cuda.Known() && !p.CUDA.IsZero() {
		b.cuda = planned(p.CUDA)
	}
	if !p.CUDNN.IsZero() {
		b.cudnn = planned(p.CUDNN)
	}
	if p.Code.Archs.Known {
		b.code = planned(derive.DeviceCode(base, p.Code, p.CUDA))
	}
	return b
}

// xformersABI is the torch that a release of xformers is made for; the oldest
// where there are several.
func xformersABI(ver string, base *kb.Base) stack.Fact[stack.ABI] {
	v, err := version.ParsePEP440(ver)
	if err != nil {
		return stack.Fact[stack.ABI]{}
	}
	for _, torch := range base.TorchReleases() {
		for _, x := range base.TorchCompanion(torch, "xformers").Value.Versions {
			if x.Public() == v.Public() {
				return planned(stack.ABI{Torch: torch.String()})
			}
		}
	}
	return stack.Fact[stack.ABI]{}
}
