package dump

import (
	"strings"

	"strata/internal/lazyregexp"
	"strata/internal/stack"
)

// imageName is a container image's name with its tag, and "" for a word that
// has not the form of one.
func imageName(s string) string {
	s = strings.Trim(s, " \t\"'`,;")
	s = strings.TrimPrefix(s, "docker.io/")
	if len(s) > 200 || !imageTag.MatchString(s) {
		return ""
	}
	return s
}

var (
	imageTag = lazyregexp.New(`^[a-z0-9][a-z0-9._-]*(?::\d+)?(?:/[a-z0-9][a-z0-9._-]*)*(?::[A-Za-z0-9_][A-Za-z0-9._-]*)?(?:@sha256:[0-9a-f]{6,64})?$`)
	// nvidia/cuda:12.4.1-cudnn-runtime-ubuntu22.04
	tagCUDA = lazyregexp.New(`^(?:nvcr\.io/)?nvidia/cuda(?:-\w+)?:(\d{1,2}\.\d)(?:\.\d+)?(?:-cudnn\d*)?(?:-(?:base|runtime|devel))?(?:-([a-z]+)(\d[\d.]*))?`)
	// pytorch/pytorch:2.1.0-cuda12.1-cudnn8-runtime
	tagTorch = lazyregexp.New(`^pytorch/pytorch:(\d+\.\d+(?:\.\d+)?)-cuda(\d+\.\d)`)
	// nvcr.io/nvidia/pytorch:24.05-py3
	tagNGC    = lazyregexp.New(`^nvcr\.io/nvidia/(?:pytorch|tensorflow|tritonserver|jax|tensorrt|nemo|paddlepaddle|mxnet|cuda-dl-base|rapidsai/\w+|pyg|modulus/\w+):v?(\d{2}\.\d{2}(?:-tf[12])?)`)
	tagOf     = lazyregexp.New(`^(?:[a-z0-9.-]+/)*(tensorflow/tensorflow|vllm/vllm-openai|ollama/ollama|lmsysorg/sglang):v?(\d+\.\d+(?:\.\d+)?(?:\.?(?:post|rc|dev)\d+)?)`)
	tagL4T    = lazyregexp.New(`^(?:[a-z0-9._-]+/)*[a-z0-9._-]+:(?:[A-Za-z0-9._-]*-)?r(3\d\.\d+(?:\.\d+)?)`)
	tagDriver = lazyregexp.New(`^(?:nvcr\.io/)?nvidia/driver:(\d{3}\.\d{2,3}(?:\.\d{2})?)-([a-z]+)(\d[\d.]*)`)
	ofProduct = map[string]string{"tensorflow/tensorflow": "tensorflow", "vllm/vllm-openai": "vllm", "ollama/ollama": "ollama", "lmsysorg/sglang": "sglang"}
	ofSystem  = map[string]string{"ubuntu": "Ubuntu", "debian": "Debian", "centos": "CentOS", "rockylinux": "Rocky Linux", "ubi": "Red Hat UBI", "rhel": "RHEL"}
)

// image notes a container's image, and what its tag says of what is in it.
func (f *Facts) image(name string, rank Rank, from stack.Source) {
	if name = imageName(name); name == "" {
		return
	}
	if m := tagDriver.FindStringSubmatch(name); m != nil { // the GPU operator's driver, not the image of the work
		f.Set(&f.rec.Driver, m[1], Keyed, from)
		return
	}
	if strings.Contains(name, "/k8s/") || strings.Contains(name, "k8s-device-plugin") || strings.Contains(name, "/cloud-native/") || strings.HasPrefix(name, "registry.k8s.io/") {
		rank = Prose
	}
	if old := f.rec.Image; old.Known() && old.Rank >= rank {
		return
	}
	f.Set(&f.rec.Image, name, rank, from)
	if m := tagCUDA.FindStringSubmatch(name); m != nil {
		f.Set(&f.rec.CUDARuntime, m[1], Prose, from)
		if n := ofSystem[strings.TrimRight(m[2], "0123456789")]; n != "" {
			f.Set(&f.rec.OS, n+" "+m[3], Prose, from)
		}
	} else if m := tagTorch.FindStringSubmatch(name); m != nil {
		f.Framework("torch", m[1], Prose, from)
		f.FrameworkCUDA("torch", m[2], Prose, from)
		f.Set(&f.rec.CUDARuntime, m[2], Prose, from)
	} else if m := tagNGC.FindStringSubmatch(name); m != nil {
		f.Package(Package{Name: "ngc-release", Version: m[1], Manager: "ngc", From: from}, Prose)
	} else if m := tagOf.FindStringSubmatch(name); m != nil {
		f.Framework(ofProduct[m[1]], m[2], Prose, from)
	} else if m := tagL4T.FindStringSubmatch(name); m != nil {
		f.Set(&f.rec.Jetson, m[1], Prose, from)
	}
}
