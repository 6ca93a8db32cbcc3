package cudaruntime

import (
	"fmt"
	"strings"

	"strata/internal/derive"
	"strata/internal/kb"
	"strata/internal/rule"
	"strata/internal/rules/remedy"
	"strata/internal/stack"
)

var cud004 = &rule.Rule{
	ID:       "CUD004",
	Slug:     "fatbin-compression-too-new",
	Layer:    rule.CUDARuntime,
	Severity: rule.Broken,
	Title:    "The build's GPU code is compressed in a way that this driver cannot unpack",
	Scope:    rule.PerWorkload,
	Needs:    []rule.Need{needCode, rule.NeedGPUs},
	After:    []string{"DRV001", "DRV002", "ARC001"},
	Since:    "0.1",
	Cites: []rule.Cite{
		{Title: "RAPIDS CMake: fatbin compression and the drivers it needs", URL: "https://docs.rapids.ai/api/rapids-cmake/stable/command/rapids_cuda_enable_fatbin_compression", Date: "2026-11-30"},
		{Title: "CUDA Compatibility: minor version compatibility", URL: "https://docs.nvidia.com/deploy/cuda-compatibility/minor-version-compatibility.html", Date: "2026-11-30"},
		{Title: "MLX pull request 2407: fatbin compression and drivers before CUDA 12.4", URL: "https://github.com/ml-explore/mlx/pull/2407", Date: "2026-11-30"},
	},
	Doc: `nvcc of CUDA 12.4 and newer can compress GPU code with zstd (--compress-mode=size or balance; the
default in CUDA 13). The driver unpacks it, and drivers before R550 cannot: they report "device kernel image is
invalid" (error 200) although the code for the GPU is there and minor-version compatibility would otherwise let the
program run. Code compressed the older way, or not at all, is not affected.

NVIDIA's own libraries for CUDA 12 use zstd only for Blackwell GPUs, which need a newer driver anyway; builds of others
may use it throughout. Take a driver of R550 or newer, or a build without that compression.`,
	Check: func(in *rule.Input) rule.Verdict {
		code := in.Code(in.Workload)
		if len(code.Value) == 0 || len(in.GPUs) == 0 {
			return rule.NA()
		}
		zstd := in.KB.FatbinCompression("zstd")
		if !zstd.Known {
			return rule.FromAnswer(zstd)
		}
		if in.Driver.Known() && !in.Driver.Value.Less(zstd.Value.MinDriver) {
			return rule.Clean()
		}
		for _, g := range in.GPUs {
			if g.Capability.IsZero() {
				return rule.Cannot(g.Unknown, "say --assume gpu=sm_NN")
			}
			var packed, open, untold []stack.DeviceCode
			for _, c := range code.Value {
				switch c.Compression {
				case "zstd":
					packed = append(packed, c)
				case "":
					untold = append(untold, c)
				default:
					open = append(open, c)
				}
			}
			fits := func(list []stack.DeviceCode) bool {
				return derive.Cover(list, g.Capability, in.DriverPTX.Value) >= derive.JIT
			}
			switch {
			case fits(open) || len(packed) == 0 && len(untold) == 0:
			case fits(untold):
				// The published target lists do not say how the code is packed. An
				// older toolkit could not do it.
				if built := in.BuildCUDA(in.Workload); built.IsZero() || !built.Less(zstd.Value.FirstCUDA) {
					return rule.Cannot("how the code in the build is compressed was not read", "run Strata where the framework is installed")
				}
			case fits(packed) && !in.Driver.Known():
				return rule.Cannot("the code in the build is compressed with zstd, and "+in.Driver.Why, in.Driver.Allow)
			case fits(packed):
				return rule.Found(compressed(in, g, code, zstd))
			}
		}
		return rule.Clean()
	},
}

func compressed(in *rule.Input, g derive.GPU, code stack.Fact[[]stack.DeviceCode], zstd kb.Answer[kb.FatbinCompression]) rule.Finding {
	floor := zstd.Value.MinDriver
	f := in.Framework()
	return rule.Finding{
		Summary: fmt.Sprintf("driver %s cannot unpack zstd: the code of %s for %s is compressed with it, which takes driver %s or newer", in.Driver.Value, strings.TrimSpace(f.Package+" "+f.Version), g, floor),
		Cause: fmt.Sprintf("Drivers unpack zstd in fat binaries since R%d; this one is of R%d. "+
			`The first kernel fails with error 200, "device kernel image is invalid", although CUDA %s otherwise runs here by minor-version compatibility.`, floor.Branch(), in.Driver.Value.Branch(), in.BuildCUDA(in.Workload)),
		Evidence: append(append([]stack.Source{g.From}, code.Sources...), in.Driver.Sources...),
		Refs:     []kb.Ref{zstd.Ref, in.DriverCUDA.Ref},
		Remedies: []rule.Remedy{remedy.NewerDriver(in, floor)},
	}
}
