package ospackage

import "strings"

// stackPrefixes are the beginnings of the names of packages that belong to the
// GPU stack, in Debian's, Red Hat's, SUSE's, Arch's and NVIDIA's own spelling.
var stackPrefixes = []string{
	"nvidia", "libnvidia", "linux-modules-nvidia", "linux-objects-nvidia", "linux-signatures-nvidia",
	"kmod-nvidia", "akmod-nvidia", "xorg-x11-drv-nvidia", "xserver-xorg-video-nvidia", "xserver-xorg-video-nouveau", "xorg-x11-drv-nouveau",
	"cuda", "libcuda", "python3-libnvinfer", "libnvinfer", "libnvonnxparsers", "libnvparsers", "tensorrt",
	"cudnn", "libcudnn", "libnccl", "nccl", "libcublas", "libcufft", "libcufile", "libcurand", "libcusolver", "libcusparse", "libcudss",
	"libcutensor", "cutensor", "libnpp", "libnvjitlink", "libnvjpeg", "libnvrtc", "libnvtoolsext", "libnvvm", "libnvfatbin", "libnvshmem",
	"gds-tools", "datacenter-gpu-manager", "libonnxruntime", "onnxruntime",
	"docker-ce", "docker.io", "docker-engine", "moby-engine", "containerd", "podman", "cri-o",
	"dkms",
}

// exactly is names that would take too much as a prefix.
var exactly = map[string]bool{"docker": true}

// prefixesByByte keeps the test of one name to a few comparisons: a status
// file has some 3,000.
var prefixesByByte = func() (t [256][]string) {
	for _, p := range stackPrefixes {
		t[p[0]] = append(t[p[0]], p)
	}
	return t
}()

// inStack tells whether a package matters to the GPU stack.
func inStack(name string) bool {
	if name == "" {
		return false
	}
	for _, p := range prefixesByByte[name[0]] {
		if strings.HasPrefix(name, p) {
			return true
		}
	}
	return exactly[name]
}
