package dump

import (
	"strings"

	"strata/internal/lazyregexp"
	"strata/internal/version"
)

// notable are the packages of a distribution that belong to the GPU stack or
// decide what it can load. A list of all has thousands.
var notable = lazyregexp.New(`(?i)nvidia|cuda|cudnn|nccl|cublas|cufft|curand|cusolver|cusparse|nvinfer|nvonnx|tensorrt|nvrtc|nvjpeg|libnpp|nvml|nvtx|fabricmanager|nvlsm|imex|dcgm|gdrcopy|` +
	`nsight|datacenter-gpu|l4t|jetpack|jetson|^docker|^containerd|^podman|^runc$|^cri-o|^libc6$|^glibc$|^dkms$|^akmod|^kmod-|nouveau|pytorch|torch|tensorflow|jax|cupy|onnxruntime|` +
	`^opencv|^libopencv$|^vpi|^libvpi|^gcc(?:-\d+)?$|^linux-(?:image|headers)-generic|^mokutil|^primus|^bumblebee|opencl|vulkan|libglvnd|^egl-|^kubelet$|^slurm|rocm|^gds-|mlnx|ofed`)

// systemPackages keeps what a text lists, the later line of one name winning,
// since histories list a package as often as it changed.
type systemPackages struct {
	order []string
	list  map[string]Package
}

// maxSystemPackages bounds the notable packages of one text; a machine with two toolkits has about 150.
const maxSystemPackages = 2000

func (s *systemPackages) add(p Package) {
	p.Name, _, _ = strings.Cut(p.Name, ":") // the architecture behind a name of dpkg
	if !notable.MatchString(p.Name) || Nothing(p.Version) || len(p.Version) > 80 || len(p.Name) > 100 || len(s.list) >= maxSystemPackages {
		return
	}
	if s.list == nil {
		s.list = map[string]Package{}
	}
	if _, ok := s.list[p.Name]; !ok {
		s.order = append(s.order, p.Name)
	}
	s.list[p.Name] = p
}

func (s *systemPackages) remove(name string) {
	name, _, _ = strings.Cut(name, ":")
	delete(s.list, name)
}

func (s *systemPackages) known(name string) bool {
	_, ok := s.list[name]
	return ok
}

// give hands the packages over, with the facts that their versions are.
func (s *systemPackages) give(f *Facts) {
	var toolkit, compiler, kmod Package
	modules := map[string]bool{}
	for _, name := range s.order {
		p, ok := s.list[name]
		if !ok {
			continue
		}
		f.Package(p, Stated)
		v := upstream(p.Version)
		switch {
		case userDriver.MatchString(name):
			f.Set(&f.rec.Driver, driverOf(v), Stated, p.From)
		case kernelKmod.MatchString(name):
			if modules[v] = true; strings.HasPrefix(name, "kmod-nvidia-open") {
				f.Set(&f.rec.ModuleFlavor, flavor(true), Keyed, p.From)
			}
			kmod = p
		case moduleOpen.MatchString(name):
			f.Set(&f.rec.ModuleFlavor, flavor(true), Keyed, p.From)
		case moduleClosed.MatchString(name):
			f.Set(&f.rec.ModuleFlavor, flavor(false), Keyed, p.From)
		case wholeToolkit.MatchString(name):
			toolkit = newerCUDA(toolkit, p)
		case nvccPackage.MatchString(name):
			compiler = newerCUDA(compiler, p)
		case cudartPackage.MatchString(name):
			release, _ := cudaOf(cudaInName(name, v))
			f.Set(&f.rec.CUDARuntime, release, Keyed, p.From)
		case cudnnPackage.MatchString(name):
			f.Set(&f.rec.CUDNN, cudnnOf(v), Stated, p.From)
		case strings.HasPrefix(name, "libnccl"), name == "nccl":
			f.Set(&f.rec.NCCL, ncclOf(v), Stated, p.From)
		case tensorrtPackage.MatchString(name):
			f.Set(&f.rec.TensorRT, tensorrtOf(v), Stated, p.From)
		case name == "nvidia-l4t-core":
			f.Set(&f.rec.Jetson, v, Stated, p.From)
			f.Package(Package{Name: "l4t", Version: v, Manager: "jetson", From: p.From}, Stated)
		case name == "nvidia-jetpack":
			f.Package(Package{Name: "jetpack", Version: v, Manager: "jetson", From: p.From}, Stated)
		case name == "libc6", name == "glibc":
			f.Set(&f.rec.Glibc, threeParts(v), Stated, p.From)
		case archTorch.MatchString(name):
			f.Framework("torch", v, Keyed, p.From)
		}
	}
	if len(modules) == 1 { // of several the text does not say which kernel runs
		f.Set(&f.rec.Module, driverOf(upstream(kmod.Version)), Keyed, kmod.From)
	}
	for _, p := range []Package{toolkit, compiler} {
		f.Set(&f.rec.Toolkit, upstream(p.Version), Stated, p.From)
	}
}

var (
	userDriver = lazyregexp.New(`^(?:lib)?(?:nvidia-(?:driver|compute|utils|libcompute|headless)(?:-no-dkms)?(?:-\d{3})?(?:-server)?(?:-open)?|nvidia-\d{3}|cuda1(?:-\d{3})?|nvidia-ml1?|nvidia-smi|` +
		`nvidia-driver-(?:libs|cuda|cuda-libs|NVML|bin)|nvidia-(?:libs|compute)|xorg-x11-drv-nvidia(?:-\d{3}xx)?(?:-cuda|-cuda-libs|-libs)?|nvidia-compute-?G0\d|nvidia-computeG0\d|cuda-drivers(?:-\d{3})?|nvidia)$`)
	// A module that was built for one kernel, as akmods and the images of Fedora Atomic have it.
	kernelKmod      = lazyregexp.New(`^kmod-nvidia(?:-open)?-\d+\.\d+\.\d+-\S+$`)
	moduleOpen      = lazyregexp.New(`^(?:nvidia-(?:kernel-open-dkms|open-kernel-dkms|open-kernel-\S+|open|open-dkms|open-lts)|nvidia-dkms-\d{3}(?:-server)?-open|linux-modules-nvidia-\d{3}(?:-server)?-open-\S+|kmod-nvidia-open\S*|nvidia-open-driver-G0\d\S*)$`)
	moduleClosed    = lazyregexp.New(`^(?:nvidia-(?:kernel-dkms|dkms|dkms-\d{3}(?:-server)?|driver-G0\d-kmp\S*)|linux-modules-nvidia-\d{3}(?:-server)?-\d\S*)$`)
	wholeToolkit    = lazyregexp.New(`^(?:cuda-toolkit(?:-\d+-\d+)?|nvidia-cuda-toolkit|cuda|cuda-\d+-\d+|cudatoolkit)$`)
	nvccPackage     = lazyregexp.New(`^(?:cuda-nvcc|cuda-compiler|cuda-minimal-build)-\d+-\d+$`)
	cudartPackage   = lazyregexp.New(`^(?:cuda-cudart-\d+-\d+|cuda-runtime-\d+-\d+|cuda-libraries-\d+-\d+|libcudart\d+\S*)$`)
	cudnnPackage    = lazyregexp.New(`^(?:lib)?cudnn\d*(?:-cuda-\d+|-dev|-runtime)?$|^cudnn\d*-cuda-\d+(?:-\d+)?$|^nvidia-cudnn$`)
	tensorrtPackage = lazyregexp.New(`^(?:libnvinfer\d+|libnvinfer-bin|tensorrt|tensorrt-libs)$`)
	archTorch       = lazyregexp.New(`^python-pytorch(?:-opt)?(?:-cuda)?$`)
	nameCUDA        = lazyregexp.New(`-(\d{1,2})-(\d)$`)
)

// upstream is the version of what was packaged: 8.9.7.29 of "1:8.9.7.29-1+cuda12.2".
func upstream(v string) string {
	if i := strings.IndexByte(v, ':'); i >= 0 && i <= 2 {
		v = v[i+1:]
	}
	if i := strings.IndexAny(v, "-+~"); i > 0 {
		v = v[:i]
	}
	return v
}

// cudaInName is the release that a package's name has: cuda-cudart-12-4 is
// 12.4, whatever number the library itself has.
func cudaInName(name, v string) string {
	if m := nameCUDA.FindStringSubmatch(name); m != nil {
		return m[1] + "." + m[2]
	}
	return v
}

// newerCUDA is the one of two packages with the newer release: with several
// toolkits the alternatives of the packages choose the newest.
func newerCUDA(a, b Package) Package {
	v, err := version.ParseCUDA(upstream(b.Version))
	if err != nil {
		return a
	}
	if w, err := version.ParseCUDA(upstream(a.Version)); err == nil && !w.Less(v) {
		return a
	}
	return b
}
