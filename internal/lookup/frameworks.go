package lookup

import (
	"fmt"
	"slices"
	"strings"

	"strata/internal/kb"
	"strata/internal/version"
)

var tensorflowSubject = Subject{
	Name: "tensorflow", About: "TensorFlow releases", Examples: []string{"2.18"},
	aliases: []string{"tf"}, find: findTensorFlow, names: tensorflowNames,
}

var jaxSubject = Subject{
	Name: "jax", About: "JAX releases", Examples: []string{"0.7.2"},
	aliases: []string{"jaxlib", "jax-cuda12-plugin", "jax-cuda13-plugin"}, find: findJAX, names: jaxNames,
}

var onnxruntimeSubject = Subject{
	Name: "onnxruntime", About: "ONNX Runtime wheels", Examples: []string{"1.22.0"},
	aliases: []string{"onnxruntime-gpu", "ort"}, find: findONNXRuntime, names: onnxruntimeNames,
}

func tensorflowNames(base *kb.Base) (names []string) {
	for _, r := range kb.Rows[kb.TensorFlow](base) {
		names = append(names, r.From.String())
	}
	return sortVersions(names)
}

func jaxNames(base *kb.Base) (names []string) {
	for _, r := range kb.Rows[kb.JAX](base) {
		names = append(names, r.From.String())
	}
	return sortVersions(names)
}

func onnxruntimeNames(base *kb.Base) (names []string) {
	for _, r := range kb.Rows[kb.ONNXRuntime](base) {
		names = append(names, r.From.String())
	}
	return sortVersions(names)
}

// sortVersions orders versions of libraries or packages and drops doubles.
func sortVersions(names []string) []string {
	slices.SortStableFunc(names, func(a, b string) int {
		x, errX := version.ParsePEP440(a)
		y, errY := version.ParsePEP440(b)
		if errX != nil || errY != nil {
			return 0
		}
		return x.Compare(y)
	})
	return slices.Compact(names)
}

func findTensorFlow(b *builder, name string) error {
	v, err := version.ParsePEP440(name)
	if err != nil {
		return b.missing(tensorflowNames)
	}
	b.Title = "TensorFlow " + v.String()
	a := b.TensorFlow(v, kb.TensorFlowLinux)
	if !a.Known {
		if a.Beyond {
			return b.beyond(b.Title, a.Why, a.Ref, tensorflowNames)
		}
		return b.missing(tensorflowNames)
	}
	r := a.Value
	b.field("min_driver", "Starts from driver", b.floor(r.CUDA))
	b.field("architectures", "Code for", r.Archs)
	b.field("ptx", "PTX", ptx(r.PTX))
	b.field("sonames", "Opens by name", r.Sonames)
	t := b.table("platforms", "Wheels by platform", "platform", "Platform", "gpu", "GPU", "cuda", "CUDA", "cudnn", "cuDNN", "python", "Python")
	for _, p := range []kb.TensorFlowPlatform{kb.TensorFlowLinux, kb.TensorFlowWindows, kb.TensorFlowMacOS} {
		if a := b.TensorFlow(v, p); a.Known {
			b.cite(a.Ref)
			t.row(p, a.Value.GPU, a.Value.CUDA, a.Value.CUDNN, span(a.Value.PythonMin.String(), a.Value.PythonMax.String()))
		}
	}
	b.release("tensorflow", v)
	b.measured(v, "tensorflow")
	b.commands("tensorflow", v, "")
	b.advisoriesOf(v, "tensorflow")
	return nil
}

func findJAX(b *builder, name string) error {
	v, err := version.ParsePEP440(name)
	if err != nil {
		return b.missing(jaxNames)
	}
	b.Title = "JAX " + v.String()
	a := b.JAXVariants(v)
	if !a.Known {
		if a.Beyond {
			return b.beyond(b.Title, a.Why, a.Ref, jaxNames)
		}
		return b.missing(jaxNames)
	}
	b.field("python_min", "Python from", a.Value[0].PythonMin)
	t := b.table("variants", "GPU parts", "cuda_major", "CUDA", "package", "Package", "cuda", "Built with", "cuda_min", "Accepts from", "min_driver", "Driver from", "compute_capability_min", "GPUs from")
	libs := b.table("libraries", "Libraries", "cuda_major", "CUDA", "cudnn", "cuDNN built with", "cudnn_min", "From", "cudnn_below", "Below", "nccl_min", "NCCL from")
	code := b.table("gpu_code", "GPU code", "cuda_major", "CUDA", "architectures", "Code for", "ptx", "PTX")
	for _, r := range a.Value {
		t.row(r.CUDAMajor, r.Package, r.CUDA, r.CUDAMin, b.floor(r.CUDA), r.CCMin)
		libs.row(r.CUDAMajor, r.CUDNN, r.CUDNNMin, r.CUDNNBelow, r.NCCLMin)
		if r.Archs.Known {
			code.row(r.CUDAMajor, r.Archs, ptx(r.PTX))
		}
		b.cite(kb.RefTo(b.Base, r))
	}
	var parts []string
	for _, r := range a.Value {
		parts = append(parts, r.Package)
	}
	b.releases(v, parts...)
	b.measured(v, parts...)
	b.commands("jax", v, "")
	b.jaxExtras(v)
	b.advisoriesOf(v, "jax", "jaxlib", "jax-cuda12-plugin", "jax-cuda13-plugin")
	return nil
}

// jaxExtras adds a command for each extra for CUDA that the metadata of a release has and the table of commands leaves out, behind the
// others for CUDA. An extra that pins a local version, as jaxlib==0.4.25+cuda11.cudnn86, is passed over: the package index has no such
// file.
func (b *builder) jaxExtras(v version.PEP440) {
	r, ok := b.releaseOf("jax", v)
	if !ok {
		return
	}
	extras, requires := pins(r)
	at := 0
	for i, c := range b.Commands {
		if strings.HasPrefix(c.Variant, "cuda") {
			at = i + 1
		}
	}
	for _, extra := range extras {
		has := func(c Command) bool { return c.Variant == extra }
		local := func(pin string) bool { return strings.Contains(pin, "+") }
		if !strings.HasPrefix(extra, "cuda") || slices.ContainsFunc(b.Commands, has) || slices.ContainsFunc(requires[extra], local) {
			continue
		}
		c := Command{For: string(kb.InstallPip), Variant: extra, OS: []string{"linux"}, Run: fmt.Sprintf("pip install -U \"jax[%s]==%s\"", extra, v)}
		if strings.HasSuffix(extra, "local") {
			c.Note = "uses CUDA and cuDNN of the machine"
		}
		if len(b.Commands) > 0 {
			c.Check = b.Commands[0].Check
		}
		b.Commands = slices.Insert(b.Commands, at, c)
		at++
	}
}

func findONNXRuntime(b *builder, name string) error {
	v, err := version.ParsePEP440(name)
	if err != nil {
		return b.missing(onnxruntimeNames)
	}
	b.Title = "onnxruntime-gpu " + v.String()
	a := b.ONNXRuntimeBuilds(v)
	if !a.Known {
		if a.Beyond {
			return b.beyond(b.Title, a.Why, a.Ref, onnxruntimeNames)
		}
		return b.missing(onnxruntimeNames)
	}
	t := b.table("builds", "Wheels", "package", "From", "cuda", "CUDA", "min_driver", "Driver from", "cudnn", "cuDNN", "tensorrt", "TensorRT", "python_min", "Python from")
	for _, r := range a.Value {
		cuda := r.CUDA.String()
		if cuda == "" {
			cuda = fmt.Sprint(r.CUDAMajor)
		}
		t.row(feed(r.Package), cuda, b.floor(r.CUDA), fmt.Sprintf("%d, %s", r.CUDNNMajor, r.CUDNN), r.TensorRT, r.PythonMin)
		b.cite(kb.RefTo(b.Base, r))
	}
	t = b.table("gpu_code", "GPU code of the CUDA provider", "package", "From", "architectures", "Linux", "ptx", "PTX", "architectures_windows", "Windows", "ptx_windows", "PTX")
	for _, r := range a.Value {
		if r.Archs.Known || r.ArchsWindows.Known {
			t.row(feed(r.Package), r.Archs, ptx(r.PTX), r.ArchsWindows, ptx(r.PTXWindows))
		}
	}
	t = b.table("sonames", "Libraries that it needs", "package", "From", "session", "When a session is created", "import", "When imported")
	for _, r := range a.Value {
		if r.Sonames != nil || r.ImportSonames != nil {
			t.row(feed(r.Package), r.Sonames, r.ImportSonames)
		}
	}
	t = b.table("feeds", "Where the other wheels are", "package", "Feed", "index", "Index")
	for _, r := range a.Value {
		if f := b.ONNXRuntimeFeed(r.Package); f.Known {
			t.row(r.Package, f.Value.Index)
			b.cite(f.Ref)
		}
	}
	b.release("onnxruntime-gpu", v)
	b.measured(v, "onnxruntime-gpu")
	b.onnxruntimePackages(v)
	b.commands("onnxruntime-gpu", v, "")
	b.advisoriesOf(v, "onnxruntime-gpu", "onnxruntime")
	return nil
}

func feed(pkg string) string {
	if pkg == kb.PyPI {
		return "PyPI"
	}
	return pkg
}

// onnxruntimePackages adds the same release for Java, .NET and Node.js, which is built with other settings than the wheel.
func (b *builder) onnxruntimePackages(v version.PEP440) {
	t := b.table("packages", "For other languages", "host", "From", "package", "Package", "cuda_major", "CUDA", "cudnn", "cuDNN", "architectures", "Code for", "ptx", "PTX")
	seen := map[string]bool{}
	for _, row := range kb.Rows[kb.ONNXRuntimePackage](b.Base) {
		if seen[string(row.Host)+row.Package] {
			continue
		}
		seen[string(row.Host)+row.Package] = true
		a := b.ONNXRuntimePackage(row.Host, row.Package, v)
		if !a.Known {
			continue
		}
		r := a.Value
		b.cite(a.Ref)
		t.row(r.Host, r.Package, r.CUDAMajor, fmt.Sprintf("%d, %s", r.CUDNNMajor, r.CUDNN), r.Archs, ptx(r.PTX))
		if r.Note != "" {
			b.note("%s %s: %s", r.Host, r.Package, r.Note)
		}
	}
}
