package dump

import (
	"strings"

	"strata/internal/lazyregexp"
)

// reading is what the takes of one text share.
type reading struct {
	f *Facts
	d *devices
	// none are values that name no GPU, so that a log that repeats one is read fast.
	none map[string]bool
	// labels are those of metrics that were read.
	labels map[string]bool
	// bus is set by a line that names a GPU by its bus address; the next name is another GPU's.
	bus bool
	// driverLine is the last line with a driver's version under the key that nvidia-smi -q
	// and nvidia-container-cli have; the CUDA right behind it is the driver's.
	driverLine int
	// major is the first number of a compute capability whose second one has a line of its own.
	major     string
	majorLine int
}

func newReading(f *Facts) *reading {
	return &reading{f: f, d: &devices{}, none: map[string]bool{}, labels: map[string]bool{}}
}

func (r *reading) set(dst *Value, v string, p *pair, rank Rank) bool {
	if v == "" {
		return false
	}
	r.f.Set(dst, v, rank, r.f.At(p.line, p.text))
	return true
}

func osName(r *reading, p *pair, rank Rank) bool {
	v := p.value
	if name, ok := strings.CutPrefix(v, "docker image "); ok && imageForm.MatchString(name) {
		return r.set(&r.f.rec.Image, name, p, rank)
	}
	if m := throughDocker.FindStringSubmatch(v); m != nil && strings.Contains(m[1], "/") && imageForm.MatchString(m[1]) {
		r.set(&r.f.rec.Image, m[1], p, rank)
		if v = strings.TrimRight(v[:len(v)-len(m[0])], " ,(-"); v == "" {
			return true
		}
	}
	if m := platformForm.FindStringSubmatch(v); m != nil {
		return platform(r, p, m)
	}
	if rest, ok := strings.CutPrefix(v, "Linux "); ok && isDigit((rest + " ")[0]) { // Linux 6.5.0-28-generic
		if parts := strings.Split(rest, ", "); len(parts) > 2 && distribution.MatchString(parts[1]) { // of nix-info
			release, _, _ := strings.Cut(parts[2], " ")
			r.set(&r.f.rec.OS, parts[1]+" "+release, p, rank)
		}
		return r.set(&r.f.rec.Kernel, kernelOf(rest), p, rank)
	}
	if m := distroTuple.FindStringSubmatch(v); m != nil {
		v = m[1] + " " + m[2]
	}
	if m := macPlatform.FindStringSubmatch(v); m != nil {
		v = "macOS " + m[1]
	}
	if m := shortWindows.FindStringSubmatch(v); m != nil {
		v = "Windows " + m[1]
	}
	v, _, _ = strings.Cut(v, "、")
	v, _, _ = strings.Cut(v, "，")
	v, _, _ = strings.Cut(v, " (x86_64)")
	v, _, _ = strings.Cut(v, " (aarch64)")
	if m := windowsPlatform.FindStringSubmatch(v); m != nil {
		r.set(&r.f.rec.Windows, "yes", p, rank)
		return r.set(&r.f.rec.OS, "Windows "+m[1], p, Prose) // it says 10 of 11, too
	}
	if cut, _, ok := strings.Cut(v, ", "); ok && distribution.MatchString(cut) {
		v = cut
	}
	if len(v) > 80 || strings.HasPrefix(v, "#") || !distribution.MatchString(v) {
		return false
	}
	if strings.Contains(lowerASCII(v), "windows") {
		r.set(&r.f.rec.Windows, "yes", p, rank)
	}
	return r.set(&r.f.rec.OS, v, p, rank)
}

var (
	throughDocker   = lazyregexp.New(`(?i)\b(?:through|via|in|inside|using|from) (?:an? |the )?docker (?:image |container )?(\S+)$`)
	shortWindows    = lazyregexp.New(`^[Ww][Ii][Nn] ?(7|8|10|11)\b`)
	windowsPlatform = lazyregexp.New(`^Windows-(\d+|[0-9A-Za-z]+Server)-\d`)
	macPlatform     = lazyregexp.New(`^macOS-(\d[\d.]*)-`)
	distroTuple     = lazyregexp.New(`^\('(\w[\w ]*)', '([\w.]+)',`) // ('Ubuntu', '20.04', 'focal')
	distribution    = lazyregexp.New(`(?i)\b(?:[kxl]?ubuntu(?: ?\d+)?|windows ?\d+|centos ?\d+|kde neon|tuxedo os|vanilla os|debian|fedora|cent ?os|red ?hat|rhel|rocky|alma|oracle linux|suse|sles|arch linux|archlinux|manjaro|mint|pop!?_?os|gentoo|nixos|` +
		`alpine|amazon linux|windows|macos|mac os|darwin|kali|elementary|zorin|void|endeavour|slackware|deepin|kylin|euler|anolis|mariner|azure linux|flatcar|bottlerocket|` +
		`container-optimized|cos|raspbian|garuda|parrot|wolfi|ubi|photon|clear linux|tencentos|alios|cachyos|bazzite|nobara|unraid|truenas|proxmox|talos|fedora coreos|coreos|dgx os|l4t|mx linux|` +
		`artix|solus|mageia|openeuler|scientific linux|devuan|steamos|uos)\b`)
	platformRest = lazyregexp.New(`^(?:glibc([\d.]+)|([A-Za-z]+)-([\d.]+)-[A-Za-z]+)`)
)

// platform reads Python's platform string: the kernel, and glibc or, from
// Python before 3.8, the distribution.
func platform(r *reading, p *pair, m []string) bool {
	rec := &r.f.rec
	r.set(&rec.Kernel, m[1], p, Keyed)
	if strings.Contains(lowerASCII(m[1]), "microsoft") {
		r.set(&rec.WSL, "yes", p, Keyed)
	}
	if rest := platformRest.FindStringSubmatch(m[2]); rest != nil {
		r.set(&rec.Glibc, rest[1], p, Keyed)
		if rest[2] != "" && !strings.EqualFold(rest[2], "debian") { // debian-buster-sid means any of its family
			r.set(&rec.OS, rest[2]+" "+rest[3], p, Prose)
		}
	}
	return true
}

func kernel(r *reading, p *pair, rank Rank) bool {
	return r.set(&r.f.rec.Kernel, kernelOf(p.value), p, rank)
}

// kernelOnly is a key that some have for the kernel and others for a distribution, whose first number is the higher.
func kernelOnly(r *reading, p *pair, rank Rank) bool {
	v := kernelOf(p.value)
	if major, _, _ := strings.Cut(v, "."); len(major) != 1 {
		return false
	}
	return r.set(&r.f.rec.Kernel, v, p, rank)
}

func driver(r *reading, p *pair, rank Rank) bool {
	v := driverOf(p.value)
	switch camelKey(p.key) {
	case "driver version", "nvrm version":
		if v != "" && strings.IndexByte(p.value, ' ') < 0 {
			r.driverLine = p.line
		}
		if n := atoi(p.value); v == "" && len(p.value) == 5 && n > 0 { // LM Studio writes what the driver's interface says
			return r.set(&r.f.rec.DriverCUDA, CUDAOfNumber(n), p, rank)
		}
	case "nvidia", "driver", "drivers", "nvidia smi":
		if len(p.value) > 60 {
			return false
		}
		if release, full := cudaOf(p.value); v == "" && release == p.value && full == p.value && strings.Contains(p.text, "CUDA") { // CUDA Toolkit 12.8, Driver 13.0
			return r.set(&r.f.rec.DriverCUDA, release, p, rank)
		}
	}
	return r.set(&r.f.rec.Driver, v, p, rank)
}

func module(r *reading, p *pair, rank Rank) bool {
	return r.set(&r.f.rec.Module, driverOf(p.value), p, rank)
}

func driverCUDA(r *reading, p *pair, rank Rank) bool {
	release, _ := cudaOf(p.value)
	return r.set(&r.f.rec.DriverCUDA, release, p, rank)
}

// cudaDriver is a key that some use for the CUDA of the driver and others for the driver.
func cudaDriver(r *reading, p *pair, rank Rank) bool {
	if driver(r, p, rank) {
		return true
	}
	return driverCUDA(r, p, rank)
}

// cudaPair is deviceQuery's line: 12.2 / 11.8.
func cudaPair(r *reading, p *pair, rank Rank) bool {
	a, b, ok := strings.Cut(p.value, "/")
	if !ok {
		return false
	}
	up, _ := cudaOf(a)
	down, _ := cudaOf(b)
	r.set(&r.f.rec.CUDARuntime, down, p, rank)
	return r.set(&r.f.rec.DriverCUDA, up, p, rank)
}

func cudaRuntime(r *reading, p *pair, rank Rank) bool {
	release, _ := cudaOf(p.value)
	return r.set(&r.f.rec.CUDARuntime, release, p, rank)
}

// collectedRuntime is "CUDA runtime version": of the runtime in most programs,
// but torch's collect_env and its forks print there what nvcc says.
func collectedRuntime(r *reading, p *pair, rank Rank) bool {
	if _, full := cudaOf(p.value); isBuildNumber(full) {
		return r.set(&r.f.rec.Toolkit, full, p, rank)
	}
	return cudaRuntime(r, p, rank)
}

// cudaAny is "CUDA version" without more.
func cudaAny(r *reading, p *pair, rank Rank) bool {
	release, full := cudaOf(p.value)
	switch {
	case strings.Contains(p.value, "compil"): // what nvcc prints: release 12.8, V12.8.61; cuda_12.8.r12.8/compiler.35404655_0
		return toolkit(r, p, rank)
	case release == "":
		return false
	case r.driverLine > 0 && p.line-r.driverLine <= 2 && strings.HasPrefix(p.key, "CUDA V"), r.driverLine > 0 && r.driverLine == p.line-1 && p.key == "CUDA version":
		return r.set(&r.f.rec.DriverCUDA, release, p, Stated)
	case strings.Contains(p.text, "NVIDIA-SMI "), strings.HasPrefix(p.key, "CUDA V") && behindDriver(p.text): // NVIDIA Driver Version: 550.54.15  CUDA Version: 12.4
		return r.set(&r.f.rec.DriverCUDA, release, p, Stated)
	case strings.Contains(p.text, "__cuda="): // conda's virtual package is what the driver can do
		return r.set(&r.f.rec.DriverCUDA, release, p, Stated)
	case strings.HasPrefix(p.key, "CUDA.Version"): // hashcat -I asks the driver
		return r.set(&r.f.rec.DriverCUDA, release, p, Stated)
	case isBuildNumber(full):
		return r.set(&r.f.rec.Toolkit, full, p, rank)
	}
	if low := lowerASCII(p.value); strings.Contains(low, "cudnn") {
		r.set(&r.f.rec.CUDNN, cudnnOf(p.value[strings.Index(low, "cudnn")+5:]), p, rank)
	}
	return r.set(&r.f.rec.CUDARuntime, release, p, rank)
}

// behindDriver tells whether a line has the CUDA that nvidia-smi shows beside its driver.
func behindDriver(line string) bool {
	d := strings.Index(line, "Driver Version: ")
	return d >= 0 && strings.Contains(line[d:], "CUDA Version: ")
}

func toolkit(r *reading, p *pair, rank Rank) bool {
	if m := nvccV.FindStringSubmatch(p.value); m != nil {
		return r.set(&r.f.rec.Toolkit, m[1], p, rank)
	}
	_, full := cudaOf(p.value)
	return r.set(&r.f.rec.Toolkit, full, p, rank)
}

var (
	nvccV      = lazyregexp.New(`\bV(\d{1,2}\.\d\.\d{1,3})\b`)
	cudaInPath = lazyregexp.New(`\bcuda-?(\d{1,2}\.\d)\b|CUDA[\\/]v(\d{1,2}\.\d)\b`)
)

func toolkitPath(r *reading, p *pair, rank Rank) bool {
	m := cudaInPath.FindStringSubmatch(p.value)
	if m == nil {
		return false
	}
	return r.set(&r.f.rec.Toolkit, plausibleCUDA(m[1]+m[2]), p, rank)
}

func cudnn(r *reading, p *pair, rank Rank) bool {
	v, _, _ := strings.Cut(p.value, " / ") // 7401 / is enabled
	return r.set(&r.f.rec.CUDNN, cudnnOf(v), p, rank)
}

// wholeCUDA is a release of CUDA that MATLAB prints as a number: 11.8000, 12.
func wholeCUDA(s string) string {
	if n := atoi(s); n >= 5 && n <= 19 && isDigits(s) {
		s += ".0"
	}
	release, _ := cudaOf(s)
	return release
}

func matlabDriver(r *reading, p *pair, rank Rank) bool {
	return r.set(&r.f.rec.DriverCUDA, wholeCUDA(p.value), p, rank)
}

// matlabToolkit is the toolkit that MATLAB was built with, whose runtime it brings.
func matlabToolkit(r *reading, p *pair, rank Rank) bool {
	v := wholeCUDA(p.value)
	r.set(&r.f.rec.CUDARuntime, v, p, rank)
	return r.set(&r.f.rec.Toolkit, v, p, Prose)
}

// cudaAndCudnn is the line of issue templates: 11.8 / 8.6, "CUDA 12.1, cuDNN 8.9.7".
func cudaAndCudnn(r *reading, p *pair, rank Rank) bool {
	first, rest, _ := strings.Cut(p.value, "/")
	if rest == "" {
		first, rest, _ = strings.Cut(p.value, ",")
	}
	if low := lowerASCII(p.value); rest == "" && strings.LastIndex(low, "cudnn") > 4 { // CUDA 10.0 cuDNN 7.3.1
		first, rest = p.value[:strings.LastIndex(low, "cudnn")], p.value[strings.LastIndex(low, "cudnn"):]
	}
	if strings.Contains(lowerASCII(first), "cudnn") {
		return r.set(&r.f.rec.CUDNN, cudnnOf(first), p, rank)
	}
	release, full := cudaOf(first)
	if isBuildNumber(full) {
		r.set(&r.f.rec.Toolkit, full, p, rank)
	} else {
		r.set(&r.f.rec.CUDARuntime, release, p, rank)
	}
	rest = strings.TrimSpace(rest)
	if len(rest) > len("cudnn ") && strings.EqualFold(rest[:len("cudnn ")], "cudnn ") { // cuDNN 8200, an integer alone
		rest = rest[len("cudnn "):]
	}
	r.set(&r.f.rec.CUDNN, cudnnOf(rest), p, rank)
	return release != ""
}

func nccl(r *reading, p *pair, rank Rank) bool { return r.set(&r.f.rec.NCCL, ncclOf(p.value), p, rank) }

func tensorRT(r *reading, p *pair, rank Rank) bool {
	return r.set(&r.f.rec.TensorRT, tensorrtOf(p.value), p, rank)
}

func python(r *reading, p *pair, rank Rank) bool {
	return r.set(&r.f.rec.Python, pythonOf(p.value), p, rank)
}

func glibc(r *reading, p *pair, rank Rank) bool {
	v := firstVersion(p.value)
	if !strings.HasPrefix(v, "2.") {
		return false
	}
	return r.set(&r.f.rec.Glibc, v, p, rank)
}

var compilerForm = lazyregexp.New(`(?:^|[ )])(\d{1,2}\.\d{1,2}(?:\.\d{1,2})?)(?:$|[\s,;)])`)

func compiler(r *reading, p *pair, rank Rank) bool {
	m := compilerForm.FindStringSubmatch(p.value)
	if m == nil {
		return false
	}
	return r.set(&r.f.rec.GCC, m[1], p, rank)
}

var imageForm = lazyregexp.New(`^[a-z0-9][a-z0-9._/-]*(?::\d+/[a-z0-9._/-]+)?(?::[\w][\w.-]*|@sha256:[0-9a-f]{8,64})$`)

func image(r *reading, p *pair, rank Rank) bool {
	if len(p.value) > 200 || !imageForm.MatchString(p.value) || !hasLetters(p.value) {
		return false
	}
	return r.set(&r.f.rec.Image, p.value, p, rank)
}
