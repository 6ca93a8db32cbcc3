package dump

import (
	"strings"

	"strata/internal/lazyregexp"
)

// tolds are the lines that are known, by whose they are.
var tolds = []told{
	// TensorFlow.
	{"physical GPU (device: ", lazyregexp.New(`physical GPU \(device: (\d+), name: ([^,]+), pci bus id: [^,]+, compute capability: (\d+\.\d)`), both(gpuOf(2, 3), usable(true))},
	{"-> device: ", lazyregexp.New(`-> +device: (\d+), name: ([^,]+), pci bus id: [^,]+, compute capability: (\d+\.\d)`), both(gpuOf(2, 3), usable(true))},
	{"computeCapability: ", lazyregexp.New(`name: (\S.*?) computeCapability: (\d+\.\d)`), gpuOf(1, 2)},
	{" major: ", lazyregexp.New(`name: (\S.*?) major: (\d+) minor: (\d)`), func(r *reading, m []string, p *pair) {
		m[2] += "." + m[3]
		gpuOf(1, 2)(r, m, p)
	}},
	{"memoryClockRate", lazyregexp.New(`^major: (\d+) minor: (\d)\b`), func(r *reading, m []string, p *pair) {
		r.d.attribute(-1, 0, capabilityOf(m[1]+"."+m[2]), p.line, r.f.At(p.line, p.text))
	}},
	{"TensorFlow device (", lazyregexp.New(`TensorFlow device \([^)]*\) -> \(device: (\d+), name: ([^,]+), pci bus id: [^,)]+(?:, compute capability: (\d+\.\d))?`), both(gpuOf(2, 3), usable(true))},
	{"StreamExecutor device (", lazyregexp.New(`StreamExecutor device \((\d+)\): ([^,]+), Compute Capability (\d+\.\d)`), gpuOf(2, 3)},
	{"oaded cuDNN version ", lazyregexp.New(`[Ll]oaded cuDNN version (\d{4,6})`), field(func(r *Record) *Value { return &r.CUDNN }, cudnnOf)},
	{"oaded runtime CuDNN library: ", lazyregexp.New(`[Ll]oaded runtime CuDNN library: (\d[\d.]*\d)`), field(func(r *Record) *Value { return &r.CUDNN }, cudnnOf)},
	{"kernel reported version is: ", lazyregexp.New(`kernel reported version is: (\d[\d.]*)`), func(r *reading, m []string, p *pair) {
		v := driverOf(m[1])
		r.set(&r.f.rec.Module, v, p, Stated)
		r.set(&r.f.rec.Driver, v, p, Keyed)
	}},
	{"libcuda reported version is: ", lazyregexp.New(`libcuda reported version is: (\d[\d.]*)`), field(func(r *Record) *Value { return &r.Driver }, driverOf)},
	{"tf.VERSION = ", lazyregexp.New(`tf\.VERSION = (\d\S*)`), version1("tensorflow")},
	{"tf.version.VERSION = ", lazyregexp.New(`tf\.version\.VERSION = (\d\S*)`), version1("tensorflow")},
	{"failed call to cuInit", lazyregexp.New(`failed call to cuInit`), usable(false)},
	// NCCL, CUDA, PyTorch.
	{"NCCL version ", lazyregexp.New(`NCCL version (\d+\.\d+\.\d+)`), field(func(r *Record) *Value { return &r.NCCL }, same)},
	{"cudaDriverVersion ", lazyregexp.New(`cudaDriverVersion (\d{5})`), field(func(r *Record) *Value { return &r.DriverCUDA }, cudaRelease)},
	{"No CUDA runtime is found", lazyregexp.New(`No CUDA runtime is found`), usable(false)},
	{"using untested triton version", lazyregexp.New(`using untested triton version \((\d[\w.]*)\)`), version1("triton")},
	{"- CUDA Runtime ", lazyregexp.New(`- CUDA Runtime (\d+\.\d+)`), func(r *reading, m []string, p *pair) {
		r.f.FrameworkCUDA("torch", cudaRelease(m[1]), Stated, r.f.At(p.line, p.text))
	}},
	{"- CuDNN ", lazyregexp.New(`- CuDNN (\d[\d.]*)`), field(func(r *Record) *Value { return &r.CUDNN }, cudnnOf)},
	// Servers and programs on top.
	{"build: ", lazyregexp.New(`^(?:llama_\w+: |main: )?build: (?:[0-9a-f]{7,10} \((\d{3,5})\)|(\d{3,5}) \([0-9a-f]{7,10}\))`), func(r *reading, m []string, p *pair) {
		version := m[1] + m[2] // one of the two
		r.f.Framework("llama.cpp", version, Proper, r.f.At(p.line, p.text))
	}},
	{"build = ", lazyregexp.New(`^(?:main: )?build = (\d{3,5}) \([0-9a-f]{7,10}\)`), llamaBuild},
	{"version: ", lazyregexp.New(`^version: (\d{3,5}) \([0-9a-f]{7,10}\)$`), llamaBuild},
	{"initializing library context (version=", lazyregexp.New(`initializing library context \(version=(\d[\d.]*\d)`), func(r *reading, m []string, p *pair) {
		r.f.Package(Package{Name: "libnvidia-container", Version: m[1], Manager: "library", From: r.f.At(p.line, p.text)}, Proper)
	}},
	{`msg="inference compute"`, lazyregexp.New(`msg="inference compute".*library=(cuda|CUDA)`), usable(true)},
	{`library=cpu`, lazyregexp.New(`msg="inference compute".*library=cpu`), usable(false)},
	{"(version ", lazyregexp.New(`Listening on \S+ \(version (\d[\w.+-]*)\)`), version1("ollama")},
	{"ollama version is ", lazyregexp.New(`ollama version is v?(\d[\w.+-]*)`), version1("ollama")},
	{"ggml_", lazyregexp.New(`ggml_(?:cuda_init|init_cublas): found [1-9]\d* CUDA devices`), usable(true)},
	{"using device CUDA", lazyregexp.New(`using device CUDA(\d{1,2}) \(((?:NVIDIA|GeForce|Tesla|Quadro|TITAN) [^()]+)\)`), both(gpuOf(2, 0), usable(true))},
	{"no CUDA devices found", lazyregexp.New(`ggml_\w+: no CUDA devices found`), usable(false)},
	{"no CUDA-capable", lazyregexp.New(`ggml_(?:cuda_init|init_cublas).*no CUDA-capable device`), usable(false)},
	{"LLM engine (v", lazyregexp.New(`LLM engine \(v(\d[\w.+-]*)\)`), version1("vllm")},
	{"vLLM API server version ", lazyregexp.New(`vLLM API server version (\d[\w.+-]*)`), version1("vllm")},
	{"Collecting metrics for GPU ", lazyregexp.New(`Collecting metrics for GPU (\d+): (.+)$`), gpuOf(2, 0)},
	{"[TensorRT v", lazyregexp.New(`\[TensorRT v(\d{4,6})\]`), field(func(r *Record) *Value { return &r.TensorRT }, tensorrtOf)},
	{"xFormers ", lazyregexp.New(`^xFormers v?(\d[\w.+-]*)`), version1("xformers")},
	{"bitsandbytes v", lazyregexp.New(`=+ bitsandbytes v(\d[\w.+-]*)`), version1("bitsandbytes")},
	{"Detected CUDA version ", lazyregexp.New(`Detected CUDA version (\d+)`), field(func(r *Record) *Value { return &r.CUDARuntime }, cudaRelease)},
	{"among GPUs detected: ", lazyregexp.New(`compute capability among GPUs detected: (\d{1,2}\.\d)`), func(r *reading, m []string, p *pair) {
		r.d.attribute(-1, 0, capabilityOf(m[1]), p.line, r.f.At(p.line, p.text))
	}},
	{"CUDASpecs(", lazyregexp.New(`highest_compute_capability=\((\d+), (\d)\)`), func(r *reading, m []string, p *pair) {
		r.d.attribute(-1, 0, m[1]+"."+m[2], p.line, r.f.At(p.line, p.text))
	}},
	{"Torch backend: nVidia CUDA ", lazyregexp.New(`Torch backend: nVidia CUDA (\d+\.\d+)(?: cuDNN (\d+))?`), func(r *reading, m []string, p *pair) {
		r.f.FrameworkCUDA("torch", cudaRelease(m[1]), Stated, r.f.At(p.line, p.text))
		r.set(&r.f.rec.CUDNN, cudnnOf(m[2]), p, Stated)
	}},
	{"Torch detected GPU: ", lazyregexp.New(`Torch detected GPU: (.+?) VRAM (\d+) Arch \((\d+), (\d)\)`), func(r *reading, m []string, p *pair) {
		from := r.f.At(p.line, p.text)
		r.d.name("log torch", m[1], -1, false, Stated, p.line, from)
		r.d.attribute(-1, atoi(m[2]), m[3]+"."+m[4], p.line, from)
	}},
	// Ultralytics: Python-3.10.12 torch-2.1.0+cu121 CUDA:0 (NVIDIA GeForce RTX 3090, 24268MiB)
	{" torch-", lazyregexp.New(`Python-(\d\S*) torch-(\d\S*)(?: CUDA:\d \(([^,]+), (\d+)MiB\)| (CPU))?`), ultralytics},
	{"Ultralytics ", lazyregexp.New(`Ultralytics (?:YOLOv)?(\d+\.\d+\.\d+)`), version1("ultralytics")},
	// Unsloth: GPU: Tesla T4. Max memory: 14.748 GB. … CUDA = 7.5 is the capability.
	{"CUDA Toolkit", lazyregexp.New(`(?:Pytorch|Torch)[:=] ?(\d[\w.+]*?)\.? CUDA ?[:=] ?(\d+\.\d)\. CUDA Toolkit ?[:=] ?(\d+\.\d)`), unsloth},
	{"Unsloth", lazyregexp.New(`Unsloth:? (20\d\d\.\d+(?:\.\d+)?)`), version1("unsloth")},
	{"Transformers", lazyregexp.New(`Transformers ?[:=] ?(\d+\.\d+\.\d+)`), version1("transformers")},
	{"Max memory", lazyregexp.New(`\|\s+(?:GPU: )?(\S.+?)\. (?:Max memory|Num GPUs)`), gpuOf(1, 0)},
	{"[Xformers", lazyregexp.New(`FA \[Xformers = (\d[\w.+]*?)\.? FA2`), version1("xformers")},
	// deviceQuery.
	{"deviceQuery, CUDA Driver", lazyregexp.New(`CUDA Driver Version = (\d+\.\d)(?:, CUDA Runtime Version = (\d+\.\d))?`), func(r *reading, m []string, p *pair) {
		r.set(&r.f.rec.DriverCUDA, m[1], p, Stated)
		r.set(&r.f.rec.CUDARuntime, m[2], p, Stated)
	}},
	{"CUDA Capable device(s)", lazyregexp.New(`Detected [1-9]\d* CUDA Capable device`), usable(true)},
	{"Found ", lazyregexp.New(`Found (\d+) CUDA devices`), func(r *reading, m []string, p *pair) { availability(r, atoi(m[1]) > 0, p, Stated) }},
	// CMake: Found CUDNN: /usr/include (found suitable version "9.1.0", minimum required is "8.5")
	{"(found ", lazyregexp.New(`Found (\w+): .*\(found (?:suitable |exact )?version "?(\d[\w.]*)`), func(r *reading, m []string, p *pair) {
		if m[1] == "CUDA" || m[1] == "CUDAToolkit" {
			m[1] = "CUDA toolkit"
		}
		p.key, p.value = m[1], m[2]
		r.take(p)
	}},
	// OpenGL, Vulkan and the desktop's reports.
	{"Attribute '", lazyregexp.New(`Attribute '(\w+)' \([^)]*\): (\S.*)$`), func(r *reading, m []string, p *pair) { // nvidia-settings
		p.key, p.value = m[1], m[2]
		r.take(p)
	}},
	{"[gpu:", lazyregexp.New(`\[gpu:(\d+)\] \(([^)]+)\)`), gpuOf(2, 0)},
	{"NVIDIA CUDA ", lazyregexp.New(`NVIDIA CUDA (\d{1,2}\.\d)(?:\.\d+)? driver`), field(func(r *Record) *Value { return &r.DriverCUDA }, cudaRelease)},
	{" [0x", lazyregexp.New(`device\s+(\d+) \[0x[0-9a-f:.]+\] (\S.*)$`), gpuOf(2, 0)}, // nccl-tests
	{"| server_version", lazyregexp.New(`\| server_version\s+\| (\d[\w.]*)`), version1("tritonserver")},
	{"KoboldCpp - Version ", lazyregexp.New(`KoboldCpp - Version (\d[\w.]*)`), version1("koboldcpp")},
	{", yours is ", lazyregexp.New(`with ([a-z][\w.-]*) \S+, yours is (\d[\w.+]*\w)`), func(r *reading, m []string, p *pair) {
		r.f.Package(Package{Name: m[1], Version: m[2], From: r.f.At(p.line, p.text)}, Stated)
	}},
	{"binding to CUDA device ", lazyregexp.New(`CUDA device (\d+) on \S+: '([^']+)'\s+Mem: (\d+)MB\s+Rev: (\d+\.\d)`), func(r *reading, m []string, p *pair) { // NAMD
		gpuOf(2, 4)(r, m, p)
		r.d.attribute(atoi(m[1]), atoi(m[3]), "", p.line, r.f.At(p.line, p.text))
	}},
	{"user-agent : conda/", lazyregexp.New(`Linux/(\S+) (\w+)/(\d[\w.]*)`), func(r *reading, m []string, p *pair) {
		r.set(&r.f.rec.Kernel, kernelOf(m[1]), p, Keyed)
		r.set(&r.f.rec.OS, m[2]+" "+m[3], p, Prose)
	}},
	{"NVIDIA ", lazyregexp.New(`\d\.\d\.\d NVIDIA (\d{3}\.\d+(?:\.\d+)?)`), field(func(r *Record) *Value { return &r.Driver }, driverOf)},
	{"driver: nvidia v: ", lazyregexp.New(`driver: nvidia v: (\d[\d.]*)`), field(func(r *Record) *Value { return &r.Driver }, driverOf)},
	{"CUDA API (", lazyregexp.New(`CUDA API \(CUDA (\d{1,2}\.\d)`), field(func(r *Record) *Value { return &r.DriverCUDA }, cudaRelease)}, // hashcat
	{"OpenCL Device ", lazyregexp.New(`OpenCL Device \d+:.* Driver:(\d{3}\.\d{1,2})\b`), func(r *reading, m []string, p *pair) { // Folding@home writes the second number without its zero
		v := m[1]
		if at := strings.IndexByte(v, '.'); len(v)-at == 2 {
			v = v[:at+1] + "0" + v[at+1:]
		}
		r.set(&r.f.rec.Driver, driverOf(v), p, Stated)
	}},
	{"device ", lazyregexp.New("\\bdevice (\\d{1,2}) [`'\"]((?:NVIDIA|GeForce|Tesla|Quadro|TITAN) [^`'\"]+)['\"]"), gpuOf(2, 0)}, // darktable
	{"OpenCL ", lazyregexp.New(`OpenCL \d\.\d CUDA (\d+\.\d)`), field(func(r *Record) *Value { return &r.DriverCUDA }, cudaRelease)},
	{"Device-1: NVIDIA ", lazyregexp.New(`Device-(\d): (NVIDIA .+?)(?: vendor: .*| driver: .*)?$`), func(r *reading, m []string, p *pair) {
		m[1] = ""
		gpuOf(2, 0)(r, m, p)
	}},
	{"NVIDIA GPU ", lazyregexp.New(`NVIDIA GPU (\S.*?) \([A-Z]{2}\d{3}\S*\) at PCI`), gpuOf(1, 0)},
	{"VDPAU Driver", lazyregexp.New(`NVIDIA VDPAU Driver Shared Library\s+(\d{3}\.[\d.]+)`), field(func(r *Record) *Value { return &r.Driver }, driverOf)},
	{"jax.devices", lazyregexp.New(`jax\.devices.*?: ?\[(?:cuda|Cuda|gpu|Gpu)`), usable(true)},
	{"jax.devices", lazyregexp.New(`jax\.devices.*?: ?\[(?:Cpu|cpu)`), usable(false)},
	{"JAX devices", lazyregexp.New(`JAX devices: ?\[(?:cuda|Cuda|gpu)`), usable(true)},
	{"uname_result(", lazyregexp.New(`uname_result\(system='Linux'.*?release='([^']+)'`), field(func(r *Record) *Value { return &r.Kernel }, kernelOf)},
	{"is_cuda_build", lazyregexp.New(`'cuda_version'[,:] ?'(\d[\d.]*)'`), func(r *reading, m []string, p *pair) {
		r.f.FrameworkCUDA("tensorflow", cudaRelease(m[1]), Stated, r.f.At(p.line, p.text))
	}},
	{"/lib/python", lazyregexp.New(`/lib/python([23]\.\d{1,2})/(?:site|dist)-packages`), func(r *reading, m []string, p *pair) { r.set(&r.f.rec.Python, m[1], p, Prose) }},
	{"compute cap.: ", lazyregexp.New(`#(\d+): (NVIDIA [^,]+), compute cap\.: (\d+\.\d)`), gpuOf(2, 3)}, // GROMACS
	{"CUDA Device ", lazyregexp.New(`CUDA Device (\d+):.* Compute:(\d+\.\d) Driver:(\d+\.\d)`), func(r *reading, m []string, p *pair) { // Folding@home
		r.d.attribute(atoi(m[1]), 0, m[2], p.line, r.f.At(p.line, p.text))
		r.set(&r.f.rec.DriverCUDA, cudaRelease(m[3]), p, Stated)
	}},
	{"NVIDIA:", lazyregexp.New(`GPU (\d+): .*NVIDIA:\d+ (.*\[.+\])`), gpuOf(2, 0)},
	{"_CudaDeviceProperties(", lazyregexp.New(`_CudaDeviceProperties\(name='([^']+)', major=(\d+), minor=(\d)(?:, total_memory=(\d+)MB)?`), func(r *reading, m []string, p *pair) {
		from := r.f.At(p.line, p.text)
		r.d.name("log properties", m[1], -1, false, Stated, p.line, from)
		r.d.attribute(-1, atoi(m[4]), m[2]+"."+m[3], p.line, from)
	}},
}
