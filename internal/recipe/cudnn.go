package recipe

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"strata/internal/loader"
)

// maxFront bounds cuDNN's front library, of which the names of the others are read. It has 100 to 150 KB.
const maxFront = 4 << 20

var cudnnPart = regexp.MustCompile(`libcudnn_[a-z_]+\.so(\.\d+)?\x00`)

// cudnnVersion asks cuDNN for its version, for which the front library opens the first of the others: libcudnn_graph (9) or
// libcudnn_ops_infer (8).
func (r *run) cudnnVersion(need Need) {
	front := r.named("libcudnn.so.")
	if front == nil {
		return
	}
	first := "libcudnn_graph"
	if strings.HasSuffix(front.File.Soname, ".so.8") {
		first = "libcudnn_ops_infer"
	}
	r.cudnnOpen(need, front, first)
}

// cudnnParts opens all others as when the functions in them are first called: ops, cnn, adv, and the engines.
func (r *run) cudnnParts() {
	front := r.named("libcudnn.so.")
	if front == nil {
		return
	}
	r.cudnnVersion(GPU)
	for _, stem := range r.cudnnStems(front) {
		need := Part
		if strings.Contains(stem, "_ops") || strings.Contains(stem, "_graph") {
			need = GPU
		}
		// Nothing asks for this one without a GPU; it came with 9.2x.
		if stem == "libcudnn_ext" {
			r.afterGPU(func() { r.cudnnOpen(Optional, front, stem) })
			continue
		}
		r.cudnnOpen(need, front, stem)
	}
	// libcudnn_graph opens the engines in turn, by the same names, when a graph is built.
	if graph := r.named("libcudnn_graph.so."); graph != nil {
		r.afterGPU(func() {
			for _, stem := range []string{"libcudnn_heuristic", "libcudnn_engines_precompiled", "libcudnn_engines_runtime_compiled"} {
				r.cudnnOpen(GPU, graph, stem)
			}
		})
	}
}

// cudnnStems are the names of the parts, out of the strings of the front library.
func (r *run) cudnnStems(front *loader.Object) (stems []string) {
	data, _, err := r.m.ReadHead(front.Path, maxFront)
	if err != nil {
		return nil
	}
	for _, name := range cudnnPart.FindAllString(string(data), 32) {
		if stem, _, _ := strings.Cut(name, ".so"); !slices.Contains(stems, stem) {
			stems = append(stems, stem)
		}
	}
	return stems
}

// afterGPU marks what a function opens as later.
func (r *run) afterGPU(do func()) {
	was := r.later
	r.later = true
	do()
	r.later = was
}

// cudnnOpen opens a part as cuDNN 9 does: under its full version first, then with fewer numbers; cuDNN 8 has one name.
func (r *run) cudnnOpen(need Need, by *loader.Object, stem string) {
	major := strings.TrimPrefix(path.Ext(by.File.Soname), ".")
	if r.named(stem+".so.") != nil {
		return
	}
	names := []string{stem + ".so." + major}
	if major != "8" {
		for _, v := range r.cudnnNames(by) {
			names = slices.Insert(names, len(names)-1, stem+".so."+v)
		}
	}
	for i, name := range names {
		last := i == len(names)-1
		n, why := Optional, "cuDNN 9 asks for its parts by their full version first"
		if last {
			n, why = need, "cuDNN opens its parts when they are first used"
		}
		if r.open(n, by, name, why+" (strings of "+by.File.Soname+")") != nil {
			continue
		}
		r.open(Optional, r.named(stem+".so."), "libcuda.so.1", "a part of cuDNN looks for the driver when it is first used")
		return
	}
}

// cudnnNames are the longer versions in which cuDNN 9 asks for its parts: 9.1.0 and 9.1. They are known where a package or the file's
// own name tells.
func (r *run) cudnnNames(front *loader.Object) []string {
	v := ""
	if real, err := r.m.Real(front.Path); err == nil {
		_, v, _ = strings.Cut(path.Base(real), ".so.")
	}
	if strings.Count(v, ".") < 2 && strings.Contains(front.Path, "/nvidia/cudnn/") {
		for _, name := range []string{"nvidia-cudnn-cu12", "nvidia-cudnn-cu13", "nvidia-cudnn-cu11"} {
			if p := r.w.Packages[name]; p != "" {
				v = p
				break
			}
		}
	}
	parts := strings.Split(v, ".")
	if len(parts) < 3 {
		return nil
	}
	return []string{strings.Join(parts[:3], "."), strings.Join(parts[:2], ".")}
}

var nvrtcBuiltins = regexp.MustCompile(`^libnvrtc-builtins\.so\.(\d+\.\d+)$`)

// nvrtc compiles something: libnvrtc opens its builtins, which carry the release of the toolkit in their name.
func (r *run) nvrtc(need Need) {
	o := r.named("libnvrtc.so.")
	if o == nil {
		return
	}
	name := ""
	if real, err := r.m.Real(o.Path); err == nil {
		if parts := strings.Split(path.Base(real), "."); len(parts) >= 5 { // libnvrtc.so.12.4.127
			name = "libnvrtc-builtins.so." + parts[2] + "." + parts[3]
		}
	}
	if name == "" {
		beside, _ := r.m.Glob(path.Join(path.Dir(o.Path), "libnvrtc-builtins.so.*"))
		for _, b := range beside {
			if nvrtcBuiltins.MatchString(path.Base(b)) {
				name = path.Base(b)
			}
		}
	}
	if name != "" {
		r.open(need, o, name, "NVRTC opens its builtins when it first compiles (strings of "+o.File.Soname+")")
	}
	if o.File.Soname == "libnvrtc.so.13" {
		r.open(Optional, o, "libcuda.so.1", "NVRTC of CUDA 13 looks for the driver when it compiles")
	}
}

// companions are cuDNN, NVRTC and cuSPARSE alone, as wheels: what they open and need, they do without a GPU too, which is how loadtrace
// holds these parts of all recipes against the libraries.
func companions(r *run) {
	const why = "opened by path through ctypes"
	for _, site := range r.w.Site {
		if front := r.glob(path.Join(site, "nvidia/cudnn/lib/libcudnn.so.[0-9]")); front != "" && r.cdll(Must, front, why) == nil {
			r.cudnnParts()
		}
		if nvrtc := r.glob(path.Join(site, "nvidia/c*/lib/libnvrtc.so.1[0-9]")); nvrtc != "" && r.cdll(Must, nvrtc, why) == nil {
			r.nvrtc(Must)
		}
		if cusparse := r.glob(path.Join(site, "nvidia/c*/lib/libcusparse.so.1[0-9]")); cusparse != "" {
			r.cdll(Part, cusparse, why) // with the nvJitLink that its RUNPATH, or LD_LIBRARY_PATH, leads to
		}
	}
}
