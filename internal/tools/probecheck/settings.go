package main

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"strata/internal/outcome"
	"strata/internal/report"
	"strata/internal/rule"
)

// packages is where realroots/build puts NVIDIA's libraries of a root.
const packages = "/opt/venv/lib/python3.11/site-packages/nvidia"

// subject is a framework in a root whose libraries are brought into each setting.
type subject struct {
	framework string
	// lent is another root whose libraries stand for the root's own, which has none that fit.
	lent string
	// foreign are roots with libraries of another major release of CUDA; the first that is built serves.
	foreign []string
	// cudnn is the directory of cuDNN, "" for a framework that does not load it before it computes; sub is a library that another one
	// needs, part one that cuDNN opens once it computes. All are below the root's or the lent packages.
	cudnn, sub, part string
	// fake is a framework that opens CUDA's libraries only where the driver shows a GPU.
	fake bool
}

// subjects are the roots of which everything is right but for what a setting takes away: ONNX Runtime of four releases for three releases of
// CUDA, and the other frameworks.
var subjects = map[string]subject{
	"ort-cu11-ok":     {framework: "onnxruntime", foreign: []string{"ort-cu12-ok"}, cudnn: "cudnn/lib", sub: "cublas/lib/libcublasLt.so.11", part: "cudnn/lib/libcudnn_cnn_infer.so.8"},
	"ort-1.20-ok":     {framework: "onnxruntime", foreign: []string{"ort-cu13-ok"}, cudnn: "cudnn/lib", sub: "cudnn/lib/libcudnn_engines_precompiled.so.9"},
	"ort-cu12-ok":     {framework: "onnxruntime", foreign: []string{"ort-cu13-ok", "cupy-cu13-libs"}, cudnn: "cudnn/lib", sub: "cublas/lib/libcublasLt.so.12", part: "cudnn/lib/libcudnn_engines_precompiled.so.9"},
	"ort-cu13-ok":     {framework: "onnxruntime", foreign: []string{"ort-cu12-ok"}, cudnn: "cudnn/lib", sub: "cu13/lib/libcublasLt.so.13"},
	"torch-cu12-ok":   {framework: "pytorch", foreign: []string{"ort-cu13-ok"}, cudnn: "cudnn/lib", sub: "nvjitlink/lib/libnvJitLink.so.12", part: "cudnn/lib/libcudnn_engines_precompiled.so.9"},
	"torch-cu13-v100": {framework: "pytorch", foreign: []string{"ort-cu12-ok"}, cudnn: "cudnn/lib", sub: "cu13/lib/libcublasLt.so.13", part: "cudnn/lib/libcudnn_graph.so.9"},
	"tf-ok":           {framework: "tensorflow", foreign: []string{"ort-cu13-ok"}, cudnn: "cudnn/lib", sub: "cublas/lib/libcublasLt.so.12", part: "cudnn/lib/libcudnn_cnn.so.9", fake: true},
	"jax-cuda12-ok":   {framework: "jax", foreign: []string{"ort-cu13-ok"}, cudnn: "cudnn/lib", sub: "cublas/lib/libcublasLt.so.12", part: "cudnn/lib/libcudnn_cnn.so.9"},
	"cupy-cu13-libs":  {framework: "cupy", lent: "torch-cu12-ok", foreign: []string{"cupy-cu13-libs"}, sub: "cuda_nvrtc/lib/libnvrtc.so.12", part: "nvjitlink/lib/libnvJitLink.so.12"},
}

// setting is one state of the libraries, and what it is meant to take away.
type setting struct {
	name string
	gone []string // directories and files below the packages
	// foreign puts libraries of another release first on the search path.
	foreign bool
	// missed is a word of the library that is missing first, "" for none, "*" for any.
	missed string
	// late is one that is not opened before a GPU computes: here it can be predicted alone.
	late bool
}

func (s subject) settings() []setting {
	list := []setting{
		{name: "right"},
		{name: "none", gone: []string{""}, missed: "*"},
		{name: "wrong major", gone: []string{""}, foreign: true, missed: "*"},
	}
	if s.cudnn != "" {
		list = append(list, setting{name: "no cuDNN", gone: []string{s.cudnn}, missed: "libcudnn"})
	}
	if s.sub != "" {
		list = append(list, setting{name: "one missing", gone: []string{s.sub}, missed: path.Base(s.sub)})
	}
	if s.part != "" {
		list = append(list, setting{name: "late part missing", gone: []string{s.part}, missed: path.Base(s.part), late: true})
	}
	return list
}

// settings brings a root's libraries into each setting, asks strata libs what it predicts, runs the framework under strata run, and compares
// which library each of them names first.
func (c *checker) settings(r *furnished) error {
	s, ok := subjects[r.Name]
	if !ok {
		return nil
	}
	if s.lent != "" && !built(s.lent) {
		if c.ci {
			fmt.Printf("      %-24s settings left out: CI does not build %s, whose libraries they are\n", r.Name, s.lent)
			return nil
		}
		return fmt.Errorf("its libraries are those of the root %s, which is not built: run realroots/build %s", s.lent, s.lent)
	}
	for _, set := range s.settings() {
		if err := c.setting(r, s, set); err != nil {
			return fmt.Errorf("setting %s: %w", set.name, err)
		}
	}
	return nil
}

func (c *checker) setting(r *furnished, s subject, set setting) (err error) {
	var m mounts
	defer m.undo()
	base := packages
	var env []string
	if s.lent != "" {
		base = "/tmp/lent"
		if err := m.bring(r.root, s.lent, base); err != nil {
			return err
		}
	}
	for _, gone := range set.gone {
		if err := m.take(filepath.Join(r.root, base), gone); err != nil {
			return err
		}
	}
	from := base
	if set.foreign {
		i := slices.IndexFunc(s.foreign, built)
		if i < 0 {
			return fmt.Errorf("none of the roots %v is built", s.foreign)
		}
		from = "/tmp/foreign"
		if err := m.bring(r.root, s.foreign[i], from); err != nil {
			return err
		}
	}
	var path []string
	if s.lent != "" || set.foreign {
		if path, err = filepath.Glob(filepath.Join(r.root, from, "*", "lib")); err != nil {
			return err
		}
		for i := range path {
			path[i] = strings.TrimPrefix(path[i], r.root)
		}
	}
	if s.fake {
		dir, err := c.fakeDriver(r)
		if err != nil {
			return err
		}
		path = append([]string{dir}, path...)
	}
	if len(path) > 0 {
		env = []string{"LD_LIBRARY_PATH=" + strings.Join(path, ":")}
	}
	predicted, err := r.predict(env...)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(predicted, func(p prediction) bool { return p.framework == s.framework })
	if i < 0 {
		return fmt.Errorf("strata libs does not see %s", s.framework)
	}
	d, said, err := r.use(s.framework, env)
	if err != nil {
		return err
	}
	first, problems := judgeSetting(s, set, predicted[i], d)
	c.report(r.Name, fmt.Sprintf("%s, %s: libs %s; run %s, %s %s: %s", s.framework, set.name, orNone(predicted[i].library), orNone(first), d.Verdict.Status, d.Verdict.Layer, d.Verdict.Summary), problems)
	if c.verbose {
		fmt.Println(said)
		for _, m := range d.Missing {
			fmt.Println("      missed", m.Name, "by", m.By, "needed", m.Needed)
		}
	}
	return nil
}

// compiles is what CuPy does before its first kernel, which it otherwise does only where there is a GPU.
const compiles = "import cupy\nfrom cupy.cuda import nvrtc\nprint('NVRTC', nvrtc.getVersion())\n" + "print('on', cupy.ones(3).sum())"

// versions has JAX ask each library for its version, as later plugins do when they are imported.
const versions = "import jax\nfrom jax._src import xla_bridge\nxla_bridge._check_cuda_versions(raise_on_first_error=True)\nprint('on', jax.devices()[0].platform)"

// use runs a program of the framework that prefers the GPU under strata run.
func (r *furnished) use(framework string, env []string) (*outcome.Document, string, error) {
	if framework == "cupy" {
		return r.watch(env, interpreter, "-c", compiles)
	}
	if framework == "jax" {
		return r.watch(env, interpreter, "-c", versions)
	}
	if framework != "onnxruntime" {
		return r.watch(env, interpreter, "-c", programs[framework])
	}
	if err := r.layServer(); err != nil {
		return nil, "", err
	}
	s, err := r.serve("gpu", env)
	if err != nil {
		return nil, "", err
	}
	return s.doc, s.said, nil
}

// judgeSetting holds what was missing against what was taken away and against the prediction.
func judgeSetting(s subject, set setting, p prediction, d *outcome.Document) (first string, problems []string) {
	bad := func(format string, a ...any) { problems = append(problems, fmt.Sprintf(format, a...)) }
	if m := firstOf(d); m != nil {
		first = path.Base(m.Name)
	}
	meant := func(name string) bool {
		return set.missed == "*" && name != "" || set.missed != "" && strings.Contains(name, set.missed)
	}
	if set.late {
		if !slices.ContainsFunc(p.all, meant) {
			bad("strata libs does not say that %s is missing, but %v", set.missed, p.all)
		}
		if first != "" && !p.layer.Shared() {
			bad("nothing asks for it without a GPU, and %s was missed", first)
		}
		return first, problems
	}
	if p.layer.Shared() && set.missed == "" {
		// An image has no driver: that is what is missing where all else is right.
		if first != "" && first != p.library {
			bad("strata libs says that only %s is missing", p.library)
		}
		return first, problems
	}
	if set.missed == "" {
		if p.library != "" || first != "" {
			bad("nothing is missing")
		}
		if d.Verdict.Status == report.Broken && !s.fake && d.Verdict.Layer != rule.DeviceExposure && d.Verdict.Layer != rule.Hardware {
			bad("only a GPU is missing, and the verdict is %s", d.Verdict.Layer)
		}
		return first, problems
	}
	if !meant(p.library) {
		bad("strata libs does not name %s first", set.missed)
	}
	if first != p.library {
		bad("strata libs says that %s is missing first", p.library)
	}
	return first, append(problems, broken(d.Verdict, p)...)
}

// firstOf is the library that the verdict names as missing.
func firstOf(d *outcome.Document) *outcome.Missing {
	for i, m := range d.Missing {
		if strings.Contains(d.Verdict.Summary, path.Base(m.Name)) {
			return &d.Missing[i]
		}
	}
	return nil
}

func orNone(name string) string {
	if name == "" {
		return "misses none"
	}
	return "misses " + name
}

func built(root string) bool {
	_, err := os.Stat(filepath.Join(".realroots", "roots", root, packages))
	return err == nil
}
