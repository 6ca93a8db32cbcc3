package kb

import (
	"slices"
	"strconv"
	"strings"

	"strata/internal/version"
)

// The functions here answer the questions of testdata/spot.csv about libraries outside the toolkit and about frameworks.

// "9.10.2 12 5.0": does cuDNN for a CUDA major support a GPU
func spotCUDNN(a spotArguments) string {
	c := Default().CUDNN(lib(a.word(0)), spotNumber(a.word(1)))
	supported, known := c.Value.Supports(capability(a.word(2)))
	if c.Known && !known {
		return "not known"
	}
	return shape(c, yesNo(supported))
}

// "10.5.0 12 7.0", or "10.13.2 13 exists"
func spotTensorRT(a spotArguments) string {
	r := Default().TensorRT(lib(a.word(0)), spotNumber(a.word(1)))
	if a.word(2) == "exists" {
		return yesNo(r.Known)
	}
	cc := capability(a.word(2))
	newest := r.Value.CCMax
	return shape(r, yesNo(!cc.Less(r.Value.CCMin) && (newest.IsZero() || !newest.Less(cc) || newest.Major == cc.Major)))
}

// "symbol ncclCommSplit", "code 12.8 sm_100" or "ptx 13.0 compute_120"
func spotNCCL(a spotArguments) string {
	if a.word(0) == "symbol" {
		s := Default().NCCLSymbol(a.word(1))
		return shape(s, s.Value.Since.String())
	}
	r := Default().NCCLArchs(cuda(a.word(1)))
	targets := map[string]Targets{"code": r.Value.Archs, "ptx": r.Value.PTX}[a.word(0)]
	return shape(r, yesNo(targets.Has(capability(a.word(2)))))
}

// "2.7.0 cu128 cudnn", "2.13.0 cu130 arch 7.0", "2.7.0 variants" or "2.8.0 default"
func spotTorch(a spotArguments) string {
	v := pep440(a.word(0))
	switch a.word(1) {
	case "variants": // those of CUDA
		all := Default().TorchBuilds(v)
		var names []string
		for _, b := range all.Value {
			if !b.CUDA.IsZero() {
				names = append(names, b.Variant)
			}
		}
		return shape(all, strings.Join(names, ";"))
	case "default":
		b := Default().Torch(v, "")
		return shape(b, b.Value.Variant)
	}
	b := Default().Torch(v, a.word(1))
	switch a.word(2) {
	case "arch":
		return shape(b, yesNo(b.Value.Archs.Has(capability(a.word(3)))))
	case "ptx":
		return shape(b, yesNo(b.Value.PTX.Has(capability(a.word(3)))))
	}
	return shape(b, spotField(map[string]string{
		"cuda": b.Value.CUDA.String(), "cudnn": b.Value.CUDNN.String(), "nccl": b.Value.NCCL.String(), "channel": string(b.Value.Channel),
		"python-min": b.Value.PythonMin.String(), "python-max": b.Value.PythonMax.String(),
	}, a.word(2)))
}

// "2.7.0 torchvision minor", which asks for 0.22, or "2.0.0 torchaudio has 2.0.1"
func spotCompanion(a spotArguments) string {
	c := Default().TorchCompanion(pep440(a.word(0)), a.word(1))
	switch a.word(2) {
	case "minor":
		var minors []string
		for _, v := range c.Value.Versions {
			r := v.Release()
			minors = append(minors, strconv.Itoa(r[0])+"."+strconv.Itoa(r[1]))
		}
		slices.Sort(minors)
		return shape(c, strings.Join(slices.Compact(minors), ";"))
	case "has":
		want := pep440(a.word(3))
		return shape(c, yesNo(slices.ContainsFunc(c.Value.Versions, func(v version.PEP440) bool { return v.Compare(want) == 0 })))
	}
	return noField
}

// "2.17.0 linux cuda"
func spotTensorFlow(a spotArguments) string {
	platform := TensorFlowPlatform(a.word(1))
	if platform != TensorFlowMacOS {
		platform += "_x86_64"
	}
	r := Default().TensorFlow(pep440(a.word(0)), platform)
	return shape(r, spotField(map[string]string{
		"cuda": r.Value.CUDA.String(), "cudnn": r.Value.CUDNN.String(), "gpu": yesNo(r.Value.GPU), "and-cuda": yesNo(r.Value.AndCUDA),
		"python-min": r.Value.PythonMin.String(), "python-max": r.Value.PythonMax.String(),
	}, a.word(2)))
}

// minorOf returns v without its update, which documents seldom name.
func minorOf(v version.CUDA) string { return strconv.Itoa(v.Major()) + "." + strconv.Itoa(v.Minor()) }

// "0.8.0 13 cc-min"
func spotJAX(a spotArguments) string {
	r := Default().JAX(pep440(a.word(0)), spotNumber(a.word(1)))
	if a.word(2) == "exists" {
		return yesNo(r.Known)
	}
	return shape(r, spotField(map[string]string{
		"cuda": minorOf(r.Value.CUDA), "cuda-min": r.Value.CUDAMin.String(), "cudnn-min": r.Value.CUDNNMin.String(),
		"cudnn-below": r.Value.CUDNNBelow.String(), "nccl-min": r.Value.NCCLMin.String(), "cc-min": r.Value.CCMin.String(),
		"python-min": r.Value.PythonMin.String(),
	}, a.word(2)))
}

// "1.19.0 cuda-major", which asks for the wheel of PyPI, or "1.18.1 builds 12 cudnn-major"
func spotONNXRuntime(a spotArguments) string {
	v, field := pep440(a.word(0)), a.word(1)
	r := Default().ONNXRuntime(v)
	if field == "builds" {
		all := Default().ONNXRuntimeBuilds(v)
		field = a.word(3)
		i := slices.IndexFunc(all.Value, func(o ONNXRuntime) bool { return o.CUDAMajor == spotNumber(a.word(2)) })
		if i < 0 {
			return "no such build"
		}
		r = Answer[ONNXRuntime]{Value: all.Value[i], Known: true}
	}
	return shape(r, spotField(map[string]string{
		"cuda": r.Value.CUDA.String(), "cuda-major": strconv.Itoa(r.Value.CUDAMajor), "cudnn-major": strconv.Itoa(r.Value.CUDNNMajor),
	}, field))
}

// "bitsandbytes 0.48.2 12.8 arch 7.0", "vllm 0.14.0 any python-min" or "ctranslate2 4.0.0 12 uses"
func spotConsumer(a spotArguments) string {
	var toolkit version.CUDA
	if a.word(2) != "any" {
		toolkit = cuda(a.word(2))
	}
	r := Default().Consumer(a.word(0), pep440(a.word(1)), toolkit)
	switch a.word(3) {
	case "uses":
		if !r.Known && !Default().ConsumerRows(a.word(0), pep440(a.word(1))).Known {
			return "no such release" // which does not say that it uses another CUDA
		}
		return yesNo(r.Known)
	case "arch":
		return shape(r, yesNo(r.Value.Archs.Has(capability(a.word(4)))))
	case "torch-has":
		return shape(r, yesNo(r.Value.Torch.Contains(pep440(a.word(4)))))
	}
	return shape(r, spotField(map[string]string{
		"cudnn": string(r.Value.CUDNN), "cudnn-major": strconv.Itoa(r.Value.CUDNNMajor), "cc-min": r.Value.CCMin.String(),
		"python-min": r.Value.PythonMin.String(),
	}, a.word(3)))
}
