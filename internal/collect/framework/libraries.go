package framework

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"strata/internal/collect/library"
	"strata/internal/stack"
)

// libraries lists the CUDA-family libraries inside the environment: NVIDIA's
// wheels, what frameworks bundle, and conda's lib.
func (s *site) libraries() stack.Fact[[]stack.Library] {
	var all []stack.Library
	var reasons []string
	var sources []stack.Source
	for _, d := range s.libraryDirs() {
		if s.ctx.Err() != nil {
			reasons = append(reasons, fmt.Sprintf("stopped before %q: %v", d.path, s.ctx.Err()))
			break
		}
		found, err := library.Scan(s.ctx, s.m, d.path, d.place)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			reasons = append(reasons, err.Error())
		}
		if err == nil || len(found) > 0 {
			sources = append(sources, stack.From("directory", d.path, 0, ""))
		}
		for _, l := range found {
			s.own(&l)
			all = append(all, l)
		}
	}
	for _, err := range s.unlisted {
		reasons = append(reasons, err.Error())
	}
	fact := stack.Know(all, sources...)
	if len(all) == 0 {
		fact = stack.None[[]stack.Library](s.env.Packages.Sources...)
		if len(reasons) > 0 {
			fact = stack.Broken[[]stack.Library]("", sources...)
		}
		var pe *fs.PathError
		if len(s.unlisted) > 0 && errors.As(s.unlisted[0], &pe) {
			fact = stack.Miss[[]stack.Library](s.unlisted[0], pe.Path)
		}
	}
	fact.Why = strings.Join(reasons, "; ")
	return fact
}

type libraryDir struct{ path, place string }

// libraryDirs are the directories that hold such libraries, those there are.
func (s *site) libraryDirs() []libraryDir {
	var dirs []libraryDir
	for _, site := range s.env.Site {
		names := s.list(site)
		for _, name := range names {
			switch name {
			case "nvidia":
				// nvidia/PRODUCT/lib; since CUDA 13 nvidia/cu13/lib holds most of them.
				for _, product := range s.list(path.Join(site, "nvidia")) {
					if !strings.HasSuffix(product, ".py") && product != "__pycache__" {
						dirs = append(dirs, libraryDir{path.Join(site, "nvidia", product, "lib"), "wheel"})
					}
				}
			case "cusparselt", "tensorrt", "ctranslate2.libs", "tensorrt_libs":
				sub := map[string]string{"cusparselt": "lib"}[name]
				dirs = append(dirs, libraryDir{path.Join(site, name, sub), "wheel"})
			case "torch":
				dirs = append(dirs, libraryDir{path.Join(site, "torch/lib"), "framework"})
			case "cupy":
				dirs = append(dirs, libraryDir{path.Join(site, "cupy/.data/lib"), "framework"})
			case "paddle":
				dirs = append(dirs, libraryDir{path.Join(site, "paddle/libs"), "framework"})
			case "llama_cpp":
				dirs = append(dirs, libraryDir{path.Join(site, "llama_cpp/lib"), "framework"})
			}
		}
	}
	if s.env.Kind == "conda" {
		dirs = append(dirs, libraryDir{path.Join(s.env.Prefix, "lib"), "conda"})
	}
	return dirs
}

// own finds the package a library came with. RECORD would say so for certain,
// but the layout of NVIDIA's wheels does too, for a hundredth of the reading.
func (s *site) own(l *stack.Library) {
	if l.Owner != "" {
		return
	}
	names := ownerNames(l.Path)
	var owners []stack.Package
	for _, name := range names {
		for _, i := range s.byName[name] {
			owners = append(owners, s.env.Packages.Value[i])
		}
	}
	p, ok := s.decide(owners, l.Path)
	if !ok {
		return
	}
	l.Owner = p.Name + " " + p.Version
	if l.Version == "" && strings.HasPrefix(p.Name, "nvidia-") {
		// A wheel's version is its library's; the file's name has only the soname.
		l.Version = p.Version
	}
}

// decide picks the package whose file won, where several claim one path.
func (s *site) decide(owners []stack.Package, file string) (stack.Package, bool) {
	if len(owners) == 1 {
		return owners[0], true
	}
	for _, o := range s.env.Overlaps.Value {
		if o.Path != file {
			continue
		}
		for _, p := range owners {
			if p.Name == o.Winner {
				return p, true
			}
		}
	}
	return stack.Package{}, false
}

// ownerNames are the distributions that may have put a library there, from its
// path alone: nvidia/cudnn/lib/… is of nvidia-cudnn-cu11, -cu12 or -cu13.
func ownerNames(file string) []string {
	dir := path.Dir(file)
	if i := strings.LastIndex(dir, "/nvidia/"); i >= 0 {
		product, _, _ := strings.Cut(dir[i+len("/nvidia/"):], "/")
		stem := "nvidia-" + strings.ReplaceAll(product, "_", "-")
		if strings.HasPrefix(product, "cu1") && strings.Trim(product[2:], "0123456789") == "" {
			stem = componentOf(path.Base(file))
			if stem == "" {
				return nil
			}
		}
		return []string{stem + "-cu11", stem + "-cu12", stem + "-cu13", stem}
	}
	for _, top := range []struct{ dir, name string }{
		{"/torch/lib", "torch"}, {"/cupy/.data/lib", "cupy"}, {"/paddle/libs", "paddlepaddle-gpu"}, {"/ctranslate2.libs", "ctranslate2"},
		{"/llama_cpp/lib", "llama-cpp-python"}, {"/cusparselt/lib", "nvidia-cusparselt-cu12"},
	} {
		if strings.HasSuffix(dir, top.dir) {
			return []string{top.name}
		}
	}
	if strings.HasSuffix(dir, "/tensorrt_libs") {
		return []string{"tensorrt-cu13-libs", "tensorrt-cu12-libs", "tensorrt-cu11-libs", "tensorrt-libs"}
	}
	return nil
}

// components are the wheels that share nvidia/cu13, by the stem of a library.
// Source: the RECORD files of the CUDA 13 wheels.
var components = []struct{ stem, name string }{
	{"libcublas", "nvidia-cublas"}, {"libnvblas", "nvidia-cublas"}, {"libcudart", "nvidia-cuda-runtime"},
	{"libnvrtc", "nvidia-cuda-nvrtc"}, {"libcupti", "nvidia-cuda-cupti"}, {"libcufft", "nvidia-cufft"}, {"libcufile", "nvidia-cufile"},
	{"libcurand", "nvidia-curand"}, {"libcusolver", "nvidia-cusolver"}, {"libcusparse", "nvidia-cusparse"},
	{"libnvJitLink", "nvidia-nvjitlink"}, {"libnvToolsExt", "nvidia-nvtx"}, {"libnvjpeg", "nvidia-nvjpeg"}, {"libnvfatbin", "nvidia-nvfatbin"},
	{"libnpp", "nvidia-npp"}, {"libnvvm", "nvidia-nvvm"},
}

func componentOf(file string) string {
	for _, c := range components {
		if strings.HasPrefix(file, c.stem) {
			return c.name
		}
	}
	return ""
}
