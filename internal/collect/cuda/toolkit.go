package cuda

import (
	"cmp"
	"context"
	"path"
	"strings"

	"strata/internal/collect/environment"
	"strata/internal/machine"
	"strata/internal/stack"
	"strata/internal/version"
)

// debianRoot is where Debian's and Ubuntu's nvidia-cuda-toolkit keeps nvcc;
// its headers and libraries lie in /usr.
const debianRoot = "/usr/lib/nvidia-cuda-toolkit"

// roots are where toolkits are put. Besides NVIDIA's own /usr/local: Arch, the
// HPC SDK, EasyBuild, Spack, and the module trees of computing centres.
var roots = []string{
	"/usr/local/cuda", "/usr/local/cuda-*", "/opt/cuda", "/opt/cuda-*", "/opt/nvidia/cuda*", debianRoot,
	"/opt/nvidia/hpc_sdk/Linux_*/*/cuda/[0-9]*",
	"/opt/easybuild/software/CUDA/*", "/apps/easybuild/software/CUDA/*", "/apps/CUDA/*", "/apps/cuda/*", "/opt/apps/cuda/*",
	"/sw/cuda/*", "/software/cuda/*", "/opt/ohpc/pub/apps/cuda/*", "/opt/spack/opt/spack/*/*/cuda-*",
}

const (
	maxToolkits = 200
	// maxPath bounds the directories of PATH that are looked into.
	maxPath = 500
)

// toolkits finds the toolkits of a machine. A directory counts as one when a
// part of a toolkit lies in it: the compat directory that cuda-compat makes in
// /usr/local/cuda-12.4 alone does not.
func toolkits(ctx context.Context, m *machine.Machine) stack.Fact[[]stack.Toolkit] {
	s := search{m: m, index: map[string]int{}}
	// The order in which builds look for the toolkit (torch's cpp_extension,
	// CMake's FindCUDAToolkit): the first of these that leads to one is the default.
	env := map[string]stack.Variable{}
	for _, v := range environment.Variables(m).Value {
		env[v.Name] = v
	}
	for _, name := range []string{"CUDA_HOME", "CUDA_PATH"} {
		if v := env[name]; path.IsAbs(v.Value) {
			s.prefer(path.Clean(v.Value))
		}
	}
	for i, dir := range strings.Split(env["PATH"].Value, ":") {
		if path.IsAbs(dir) && i < maxPath {
			s.nvcc(path.Join(dir, "nvcc"))
		}
	}
	s.prefer("/usr/local/cuda")
	s.nvcc("/usr/bin/nvcc")
	if v := env["EBROOTCUDA"]; path.IsAbs(v.Value) {
		s.add(path.Clean(v.Value))
	}
	for _, pattern := range roots {
		if ctx.Err() != nil {
			s.problem = cmp.Or(s.problem, ctx.Err())
			break
		}
		found, err := m.Glob(pattern)
		if err != nil && s.problem == nil {
			s.problem = err
		}
		for _, dir := range found {
			s.add(dir)
		}
	}
	switch {
	case len(s.list) > 0:
		f := stack.Know(s.list)
		for _, t := range s.list {
			f.Sources = append(f.Sources, t.From)
		}
		if s.problem != nil {
			f.Why = "there may be more: " + s.problem.Error()
		}
		return f
	case s.problem != nil:
		return stack.Miss[[]stack.Toolkit](s.problem, "/usr/local")
	}
	return stack.None[[]stack.Toolkit](stack.File("/usr/local/cuda"), stack.File("/usr/bin/nvcc"))
}

type search struct {
	m       *machine.Machine
	index   map[string]int // by the real path
	list    []stack.Toolkit
	chosen  bool
	problem error
}

// prefer adds a toolkit and makes it the default if none is yet.
func (s *search) prefer(dir string) {
	if i := s.add(dir); i >= 0 && !s.chosen {
		s.list[i].Default, s.chosen = true, true
	}
}

// nvcc adds the toolkit that a compiler on PATH belongs to.
func (s *search) nvcc(name string) {
	real, err := s.m.Real(name)
	if err != nil {
		return
	}
	root := path.Dir(path.Dir(real))
	if root == "/usr" || root == "/" {
		// Debian's /usr/bin/nvcc is a script that starts the one below its own root.
		root = "/usr"
		if s.m.Exists(path.Join(debianRoot, "bin/nvcc")) {
			root = debianRoot
		}
	}
	s.prefer(root)
}

// add adds a directory if it is a toolkit and returns its place in the list,
// or -1. One that is reached over several names is listed once, by the first.
func (s *search) add(dir string) int {
	real, err := s.m.Real(dir)
	if err != nil {
		return -1
	}
	if i, ok := s.index[real]; ok {
		return i
	}
	if len(s.list) == maxToolkits {
		return -1
	}
	t := stack.Toolkit{Root: dir, From: stack.From("directory", dir, 0, "")}
	if p := path.Join(dir, "bin/nvcc"); s.m.Exists(p) {
		t.NVCC = p
	}
	t.Version, t.From = Version(s.m, dir)
	if t.NVCC == "" && t.Version.IsZero() && !s.hasRuntime(dir) {
		return -1
	}
	if t.Version.IsZero() {
		// A runtime image has no version.json; the directory's name is what NVIDIA's packages give it.
		_, v, _ := strings.Cut(path.Base(real), "-")
		if v == "" {
			v = path.Base(real) // …/software/CUDA/12.4.0
		}
		if cuda, err := version.ParseCUDA(v); err == nil && strings.Contains(v, ".") {
			t.Version, t.From = cuda, stack.From("derived", real, 0, "the directory's name")
		}
	}
	s.index[real] = len(s.list)
	s.list = append(s.list, t)
	return len(s.list) - 1
}

func (s *search) hasRuntime(dir string) bool {
	for _, sub := range []string{"lib64", "targets/*/lib", "lib"} {
		if found, _ := s.m.Glob(path.Join(escape(dir), sub, "libcudart.so*")); len(found) > 0 {
			return true
		}
	}
	return false
}

// escape makes a directory that came from outside safe to stand in a pattern.
func escape(dir string) string {
	if !strings.ContainsAny(dir, "*?[") {
		return dir // Glob takes a component without wildcards as it is
	}
	return strings.NewReplacer("*", "\\*", "?", "\\?", "[", "\\[", "\\", "\\\\").Replace(dir)
}
