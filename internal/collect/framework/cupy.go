package framework

import (
	"encoding/json"
	"strings"

	"strata/internal/stack"
)

var cupy = reader{"cupy", []string{"cupy-cuda*", "cupy-rocm*", "cupy"}, func(in *install) {
	const file = "cupy/.data/_wheel.json"
	if text, ok := in.text(file); ok {
		h := parseCupyWheel([]byte(text))
		in.cupyWinner(h)
		in.use(h, stack.File(in.path(file)))
	}
	in.match("cupy/cuda", "jitify.*so") // needs NVRTC, without which no kernel compiles
	// The wrappers of cuDNN, cuTENSOR and NCCL are left out: CuPy goes without
	// them when they do not load.
	for _, lib := range []string{"cublas", "cusolver", "cusparse", "curand"} {
		in.match("cupy_backends/cuda/libs", lib+".*so")
	}
	in.match("cupy/cuda", "cufft.*so")
	// CuPy compiles its own kernels by NVRTC; machine code is in CUB's and Thrust's wrappers.
	found := append(in.match("cupy/cuda", "cub.*so"), in.match("cupy/cuda", "thrust.*so")...)
	in.code(found...)
}}

// cupyWinner settles which of several installed distributions wrote the files:
// all of them own the same folder, and the record in it is the winner's.
func (in *install) cupyWinner(h hint) {
	major, _, _ := strings.Cut(h.cuda, ".")
	for _, p := range in.env.Packages.Value {
		if strings.HasPrefix(p.Name, "cupy-cuda") && major != "" && parseName(p.Name).cuda == major && in.dirOf(p) == in.dir {
			in.pkg = p
			in.fw.Package, in.fw.Version, in.fw.From = p.Name, p.Version, p.From
			return
		}
	}
}

// parseCupyWheel reads the record a binary package of CuPy carries:
// {"cuda": "12.x", "packaging": "pip", "cutensor": {"version": "2.0.1", …}, …}.
func parseCupyWheel(data []byte) hint {
	var f struct {
		CUDA  string `json:"cuda"`
		CUDNN struct {
			Version string `json:"version"`
		} `json:"cudnn"`
	}
	if json.Unmarshal(data, &f) != nil || f.CUDA == "" {
		return hint{}
	}
	if strings.HasPrefix(f.CUDA, "rocm") {
		return hint{variant: "rocm"}
	}
	return hint{variant: "cuda", cuda: strings.TrimSuffix(clip(f.CUDA), ".x"), cudnn: clip(f.CUDNN.Version)}
}

var numbaCUDA = reader{"numba-cuda", []string{"numba-cuda", "numba-cuda-cu*", "numba"}, func(in *install) {
	// Pure Python over the driver and NVVM: it has no build of its own.
	in.isVariant("cuda", in.pkg.From)
}}

var rapids = reader{"rapids", []string{"cudf-cu*", "cuml-cu*", "cugraph-cu*", "rmm-cu*", "cuvs-cu*", "pylibraft-cu*", "cudf", "cuml", "cugraph", "rmm"}, func(in *install) {
	for _, lib := range []string{"libcudf/lib64/libcudf.so", "libcuml/lib64/libcuml++.so", "librmm/lib64/librmm.so", "cudf/_lib/libcudf.so"} {
		in.library(lib)
	}
	in.isVariant("cuda", in.pkg.From)
}}
