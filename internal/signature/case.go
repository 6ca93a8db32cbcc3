package signature

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"strata/internal/derive"
	"strata/internal/dump"
)

// Case is one occurrence of a signature in a text, with all that is known of
// the text's machine: what conditions and templates are about.
type Case struct {
	View   *derive.View
	Record *dump.Record
	// Groups are the pattern's named groups.
	Groups map[string]string
	// Words holds what the scan saw, in lower case; IDs the signatures that it found.
	Words, IDs map[string]bool
}

// Said tells whether the text has a word, case aside.
func (c *Case) Said(word string) bool { return c.Words[strings.ToLower(word)] }

func (c *Case) saidAny(words []string) bool { return slices.ContainsFunc(words, c.Said) }

// Seen tells whether the text has another signature's message.
func (c *Case) Seen(id string) bool { return c.IDs[id] }

// Variable gives the value of a variable as a template names it: a named group
// of the pattern, a fact of the text, or either behind "|" with a function. ok is
// false where it is not known.
func (c *Case) Variable(expr string) (value string, ok bool) {
	name, rest, piped := strings.Cut(expr, "|")
	value = c.Groups[name]
	if value == "" {
		if get := facts[name]; get != nil {
			value = get(c)
		}
	}
	for piped && value != "" {
		var fn string
		fn, rest, piped = strings.Cut(rest, "|")
		f := functions[fn]
		if f == nil {
			return "", false
		}
		value = f(c, value)
	}
	return value, value != ""
}

// Variables are the names that every template may use beside the groups of its
// own pattern, sorted.
func Variables() []string { return slices.Sorted(maps.Keys(facts)) }

// facts are the variables that the text's record gives.
var facts = map[string]func(*Case) string{
	"driver":      func(c *Case) string { return c.Record.Driver.Text },
	"driver_cuda": func(c *Case) string { return c.Record.DriverCUDA.Text },
	"module":      func(c *Case) string { return c.Record.Module.Text },
	"os":          func(c *Case) string { return c.Record.OS.Text },
	"kernel":      func(c *Case) string { return c.Record.Kernel.Text },
	"python":      func(c *Case) string { return c.Record.Python.Text },
	"runtime":     func(c *Case) string { return c.Record.CUDARuntime.Text },
	"toolkit":     func(c *Case) string { return c.Record.Toolkit.Text },
	"cudnn":       func(c *Case) string { return c.Record.CUDNN.Text },
	"nccl":        func(c *Case) string { return c.Record.NCCL.Text },
	"tensorrt":    func(c *Case) string { return c.Record.TensorRT.Text },
	"image":       func(c *Case) string { return c.Record.Image.Text },
	"l4t":         func(c *Case) string { return withNumber(c.Record.Jetson.Text) },
	"gcc":         func(c *Case) string { return c.Record.GCC.Text },
	"glibc":       func(c *Case) string { return c.Record.Glibc.Text },
	"gpu": func(c *Case) string {
		for _, g := range c.Record.GPUs {
			if g.Name != "" {
				return g.Name
			}
		}
		return ""
	},
	"cc":           (*Case).capability,
	"sm":           func(c *Case) string { return smOf(c, c.capability()) },
	"torch":        version("torch", "pytorch"),
	"torchvision":  version("torchvision"),
	"tensorflow":   version("tensorflow", "tensorflow-gpu"),
	"jax":          version("jax", "jaxlib"),
	"onnxruntime":  version("onnxruntime-gpu", "onnxruntime"),
	"vllm":         version("vllm"),
	"xformers":     version("xformers"),
	"ctranslate2":  version("ctranslate2"),
	"transformers": version("transformers"),
	"torch_cuda":   func(c *Case) string { return c.cudaOf("pytorch", "torch", "pytorch") },
	"tf_cuda":      func(c *Case) string { return c.cudaOf("tensorflow", "tensorflow", "tensorflow-gpu") },
	"ort_cuda":     func(c *Case) string { return c.cudaOf("onnxruntime", "onnxruntime-gpu", "onnxruntime") },
	// cuda is the CUDA of the one framework that the text tells of, else of the runtime.
	"cuda": func(c *Case) string {
		for _, pkg := range slices.Sorted(maps.Keys(c.Record.FrameworkCUDA)) {
			return c.Record.FrameworkCUDA[pkg].Text
		}
		for _, w := range c.View.Workloads {
			if x := c.View.BuildCUDA(w); !x.IsZero() {
				return x.String()
			}
		}
		if c.Record.CUDARuntime.Known() {
			return c.Record.CUDARuntime.Text
		}
		// An image of CUDA, or of a framework, has it in its tag: nvidia/cuda:12.4.1-runtime, pytorch:2.3.1-cuda12.1-cudnn8.
		if m := imageCUDA.FindStringSubmatch(c.Record.Image.Text); m != nil {
			return m[1]
		}
		return ""
	},
	"bitsandbytes": version("bitsandbytes"),
	"numpy":        version("numpy"),
	"flash_attn":   version("flash-attn"),
	"mmcv":         version("mmcv", "mmcv-full"),
	"deepspeed":    version("deepspeed"),
	"library_path": func(c *Case) string { return c.env("LD_LIBRARY_PATH") },
	"visible":      func(c *Case) string { return c.env("CUDA_VISIBLE_DEVICES") },
}

// capability is the compute capability of the text's first GPU, as written or as the knowledge base has it.
func (c *Case) capability() string {
	for _, g := range c.Record.GPUs {
		if g.ComputeCapability != "" {
			return g.ComputeCapability
		}
	}
	for _, g := range c.View.GPUs {
		if !g.Capability.IsZero() {
			return g.Capability.String()
		}
	}
	return ""
}

func version(packages ...string) func(*Case) string {
	return func(c *Case) string {
		for _, p := range packages {
			if v := c.Record.Frameworks[p]; v.Known() {
				return v.Text
			}
			for _, x := range c.Record.Packages {
				if x.Name == p && x.Version != "" {
					return x.Version
				}
			}
		}
		return ""
	}
}

// withNumber is a text that holds a number: a release, and not only that there is one.
func withNumber(s string) string {
	if !leadingNumber.MatchString(s) {
		return ""
	}
	return s
}

var imageCUDA = regexp.MustCompile(`cuda[:\-]?(\d+\.\d+)`)

func (c *Case) cudaOf(workload string, packages ...string) string {
	for _, p := range packages {
		if v := c.Record.FrameworkCUDA[p]; v.Known() {
			return v.Text
		}
	}
	for _, w := range c.View.Workloads {
		if w.Name == workload {
			if x := c.View.BuildCUDA(w); !x.IsZero() {
				return x.String()
			}
		}
	}
	return ""
}

func (c *Case) env(name string) string {
	for _, v := range c.Record.Variables {
		if v.Name == name {
			return v.Value
		}
	}
	return ""
}
