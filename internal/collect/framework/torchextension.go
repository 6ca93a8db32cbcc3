package framework

import (
	"encoding/json"
	"fmt"
	"path"
	"strings"

	"strata/internal/lazyregexp"
	"strata/internal/stack"
	"strata/internal/version"
)

var triton = reader{"triton", []string{"triton", "pytorch-triton", "pytorch-triton-rocm", "pytorch-triton-xpu", "triton-nightly"}, func(in *install) {
	in.library("triton/_C/libtriton.so")
	if !in.exists("triton/backends/nvidia") {
		return
	}
	in.isVariant("cuda", stack.From("directory", in.path("triton/backends/nvidia"), 0, ""))
	// The header and ptxas come out of the same toolkit.
	const header = "triton/backends/nvidia/include/cuda.h"
	if data, _, err := in.m.ReadHead(in.path(header), maxText); err == nil {
		if v, line, text := parseCUDAHeader(string(data)); v != "" {
			in.builtWith(v, stack.Line(in.path(header), line, text))
		}
	}
}}

var cudaVersion = lazyregexp.New(`^#define[ \t]+CUDA_VERSION[ \t]+(\d{4,5})\b`)

// parseCUDAHeader reads CUDA_VERSION out of cuda.h.
func parseCUDAHeader(text string) (cuda string, line int, found string) {
	n := 0
	for l := range strings.Lines(text) {
		n++
		g := cudaVersion.FindStringSubmatch(l)
		if g == nil {
			continue
		}
		var number int
		fmt.Sscan(g[1], &number) // five digits at most, so it cannot fail
		if v, err := version.CUDAFromInt(number); err == nil {
			return v.String(), n, strings.TrimSpace(l)
		}
	}
	return "", 0, ""
}

var xformers = reader{"xformers", []string{"xformers"}, func(in *install) {
	const file = "xformers/cpp_lib.json"
	if text, ok := in.text(file); ok {
		in.use(parseXformers([]byte(text)), stack.File(in.path(file)))
	}
	found := in.match("xformers", "_C*.so")
	in.code(found...)
	in.builtForTorch()
	in.cxx11(found...)
	in.unresolved(found...)
}}

// parseXformers reads cpp_lib.json: {"version": {"cuda": 1204, "torch": "2.5.1+cu124", "python": "3.10.15"}}.
func parseXformers(data []byte) hint {
	var f struct {
		Version struct {
			CUDA   *int   `json:"cuda"`
			HIP    *int   `json:"hip"`
			Torch  string `json:"torch"`
			Python string `json:"python"`
		} `json:"version"`
	}
	if json.Unmarshal(data, &f) != nil {
		return hint{}
	}
	h := hint{abi: stack.ABI{Torch: clip(f.Version.Torch)}}
	if p := strings.SplitN(f.Version.Python, ".", 3); len(p) >= 2 {
		h.abi.Python = clip("cp" + p[0] + p[1])
	}
	switch {
	case f.Version.CUDA != nil && *f.Version.CUDA > 0:
		h.variant = "cuda"
		h.cuda = fmt.Sprintf("%d.%d", *f.Version.CUDA/100, *f.Version.CUDA%100)
		h.abi.CUDA = h.cuda
	case f.Version.HIP != nil && *f.Version.HIP > 0:
		h.variant = "rocm"
	case f.Version.Torch != "":
		h.variant = "cpu"
	}
	return h
}

// clip keeps a value out of somebody's file at a sensible length.
func clip(s string) string {
	if len(s) > 64 {
		s = s[:64]
	}
	return strings.ToValidUTF8(s, "\uFFFD")
}

var flashAttn = reader{"flash-attn", []string{"flash-attn"}, func(in *install) {
	found := append(in.match("", "flash_attn_2_cuda*.so"), in.match("", "flash_attn_cuda*.so")...)
	in.code(found...)
	in.fromOrigin()
	in.cxx11(found...)
	in.unresolved(found...)
	if len(in.fw.Libraries) > 0 {
		in.isVariant("cuda", in.fw.Libraries[0].From)
	}
}}

// fromOrigin reads the label in the name of the wheel a package came from:
// flash_attn-2.7.4.post1+cu12torch2.6cxx11abiFALSE-cp311-cp311-linux_x86_64.whl.
func (in *install) fromOrigin() {
	file := path.Base(in.pkg.Origin)
	if _, label, ok := strings.Cut(strings.ReplaceAll(file, "%2B", "+"), "+"); ok && strings.HasSuffix(file, ".whl") {
		label, tags, _ := strings.Cut(label, "-")
		h := parseLabel(label)
		if h.abi != (stack.ABI{}) {
			h.abi.Python, _, _ = strings.Cut(tags, "-")
		}
		in.use(h, stack.From("file", path.Join(path.Dir(in.pkg.From.Locator), "direct_url.json"), 0, in.pkg.Origin))
	}
}

var bitsandbytes = reader{"bitsandbytes", []string{"bitsandbytes"}, func(in *install) {
	// One library for each CUDA version; torch's decides which is loaded, so
	// there is no single version to report.
	in.match("bitsandbytes", "libbitsandbytes_cuda*.so")
	if len(in.fw.Libraries) > 0 {
		in.isVariant("cuda", in.fw.Libraries[0].From)
	} else if len(in.match("bitsandbytes", "libbitsandbytes_cpu.so")) > 0 {
		in.isVariant("cpu", in.fw.Libraries[0].From)
	}
}}

var transformerEngine = reader{"transformer-engine", []string{"transformer-engine-cu*", "transformer-engine", "transformer-engine-torch"}, func(in *install) {
	for _, dir := range []string{"transformer_engine", "transformer_engine/wheel_lib"} {
		in.match(dir, "libtransformer_engine.so")
		in.match(dir, "transformer_engine_torch*.so")
	}
	in.match("", "transformer_engine_torch*.so")
	in.builtForTorch()
}}

var deepspeed = reader{"deepspeed", []string{"deepspeed"}, func(in *install) {
	const file = "deepspeed/git_version_info_installed.py"
	text, ok := in.text(file)
	if !ok {
		return
	}
	d := parseDict(text, "torch_info")
	if d == nil {
		return
	}
	var h hint
	if c := d["cuda_version"]; c != "" && c != "0.0" {
		h.variant, h.cuda = "cuda", c
	}
	for _, built := range parseDict(text, "installed_ops") {
		if built == "True" {
			// Only operators built ahead are tied to a torch; the others are compiled when used.
			h.abi = stack.ABI{Torch: d["version"], CUDA: h.cuda}
		}
	}
	in.use(h, stack.File(in.path(file)))
}}
