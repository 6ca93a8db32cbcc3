package signature

import (
	"fmt"
	"path"
	"strconv"
	"strings"

	"strata/internal/dump"
	"strata/internal/kb"
	"strata/internal/lazyregexp"
	v "strata/internal/version"
)

// functions are what a template can ask of a variable. Each gives "" where it
// does not know, so that the part of the sentence that needs it is left out.
var functions map[string]func(*Case, string) string

// init and no initial value: the functions refer to variables, which refer to them.
func init() {
	functions = map[string]func(*Case, string) string{
		// Of a library's name: libcublasLt.so.12.
		"base":      func(_ *Case, s string) string { return path.Base(strings.ReplaceAll(s, `\`, "/")) },
		"component": func(c *Case, s string) string { return component(c, s).Name },
		"cudamajor": cudaMajorOfLibrary,
		"pip":       func(c *Case, s string) string { return packageOf(c, s, kb.PipPackages) },
		"conda":     func(c *Case, s string) string { return packageOf(c, s, kb.CondaPackages) },
		"apt":       func(c *Case, s string) string { return packageOf(c, s, kb.NVIDIADebPackages) },
		// sorelease is the CUDA release that older libraries of the toolkit have in their names: libcudart.so.8.0 is of 8.0.
		"sorelease": func(_ *Case, s string) string {
			if m := releaseOfSoname.FindStringSubmatch(s); m != nil {
				return m[1]
			}
			return ""
		},
		"somajor": func(_ *Case, s string) string { _, n, _ := strings.Cut(Soname(s), ".so."); return firstNumber(n) },
		"stem":    func(_ *Case, s string) string { n, _, _ := strings.Cut(path.Base(s), ".so"); return n },

		// Of a library's name on Windows: cublas64_91.dll is of CUDA 9.1.
		"dllrelease": func(_ *Case, s string) string {
			m := releaseOfDLL.FindStringSubmatch(s)
			if m == nil {
				return ""
			}
			return m[1] + "." + m[2]
		},

		// Of a CUDA release: 12.1.
		"mindriver": func(c *Case, s string) string { return minDriver(c, s) },
		"cutag":     func(_ *Case, s string) string { return cuTag(s) },
		"major":     func(_ *Case, s string) string { return firstNumber(s) },
		"minor":     func(_ *Case, s string) string { return firstTwo(s) },
		"fromint": func(_ *Case, s string) string {
			n, err := strconv.Atoi(s)
			if err != nil {
				return ""
			}
			return dump.CUDAOfNumber(n)
		},
		"cudnnint": func(_ *Case, s string) string {
			n, err := strconv.Atoi(s)
			if err != nil {
				return ""
			}
			if n >= 9000 && n < 10000 { // the old form of 9.x, which JAX prints as its least: 9100 is 9.1
				return fmt.Sprintf("%d.%d.%d", n/1000, n%1000/100, n%100)
			}
			return dump.CUDNNOfNumber(n)
		},
		// Of a driver: 535.104.05.
		"cuda":   func(c *Case, s string) string { return cudaOfDriver(c, s) },
		"branch": func(_ *Case, s string) string { return firstNumber(s) },
		// Of a compute capability or an architecture: 8.6, sm_86, compute_86.
		"sm":        smOf,
		"cc":        capabilityOf,
		"firstcuda": firstCUDA,
		"lastcuda":  lastCUDA,
		"arch":      archName,
		// Of a GPU's name.
		"gpucc": func(c *Case, s string) string {
			if m := c.View.KB.GPUsByName(s); m.Known && !m.Value.ComputeCapability.IsZero() {
				return m.Value.ComputeCapability.String()
			}
			return ""
		},
		// Of an error's number or name.
		"xid": func(c *Case, s string) string {
			n, err := strconv.Atoi(s)
			if err != nil {
				return ""
			}
			if x := c.View.KB.Xid(n); x.Known {
				return x.Value.Meaning
			}
			return ""
		},
		"xidname":   ofXid(xidName),
		"xidclass":  ofXid(func(x kb.Xid) string { return string(x.Class) }),
		"xidcause":  ofXid(func(x kb.Xid) string { return x.Cause }),
		"xidaction": ofXid(func(x kb.Xid) string { return x.Action }),
		// Of a PCI device id (10de:1b06), and of a GPU's name.
		"pciname":    ofPCI(func(_ *Case, g kb.GPU) string { return g.Name }),
		"pcilast":    ofPCI(lastBranch),
		"pcifirst":   ofPCI(firstBranch),
		"gpulast":    ofGPUName(lastBranch),
		"gpufirst":   ofGPUName(firstBranch),
		"openmodule": ofGPUName(func(_ *Case, g kb.GPU) string { return string(g.OpenModule) }),
		// Of a release of L4T, and of a requirement of an image.
		"jetpack":     jetPackOf,
		"cudarelease": cudaRelease,
		"errname":     ofError(func(e kb.CUDAError) string { return e.Symbol }),
		"errnumber":   ofError(func(e kb.CUDAError) string { return strconv.Itoa(e.Code) }),
		"errmessage":  ofError(func(e kb.CUDAError) string { return strings.TrimRight(e.Message, ".") }),
		"errcauses":   ofError(func(e kb.CUDAError) string { return e.Causes }),
		"erraction":   ofError(func(e kb.CUDAError) string { return e.Action }),
		"errlayer":    ofError(errorLayer),
		// Of a CUDA, an architecture or a release of PyTorch: the build or the companion that goes with it.
		"torchfordriver": torchForDriver,
		"torchforarch":   torchForArch,
		"variant":        variantOf,
		"tagcuda":        cudaOfVariant,
		"torchvision":    companionOf("torchvision"),
		"torchaudio":     companionOf("torchaudio"),
		"xformers":       companionOf("xformers"),
		"triton":         companionOf("triton"),
		// Of a toolkit's release.
		"gccmax": gccOf,

		"lower": func(_ *Case, s string) string { return strings.ToLower(s) },
	}
}

func component(c *Case, lib string) kb.Component {
	if x := c.View.KB.Component(Soname(lib)); x.Known {
		return x.Value
	}
	return kb.Component{}
}

func cudaMajorOfLibrary(c *Case, lib string) string {
	rows := c.View.KB.Sonames(Soname(lib))
	if rows.Known && len(rows.Value) == 1 && rows.Value[0].CUDA > 0 {
		return strconv.Itoa(rows.Value[0].CUDA)
	}
	return ""
}

// packageOf is the package that brings a library: for the CUDA that the library itself tells, else for the text's.
func packageOf(c *Case, lib string, where kb.Ecosystem) string {
	lib = Soname(lib)
	for _, text := range []string{cudaMajorOfLibrary(c, lib), valueOf(c, "cuda")} {
		if text == "" {
			continue
		}
		if !strings.Contains(text, ".") {
			text += ".0"
		}
		cuda, err := v.ParseCUDA(text)
		if err != nil {
			continue
		}
		if rows := c.View.KB.PackagesOf(lib, cuda, where); rows.Known && len(rows.Value) > 0 {
			return rows.Value[0].Name
		}
	}
	return ""
}

func valueOf(c *Case, name string) string { s, _ := c.Variable(name); return s }

func minDriver(c *Case, cuda string) string {
	if !strings.Contains(cuda, ".") {
		n, err := strconv.Atoi(cuda)
		if err != nil {
			return ""
		}
		if d := c.View.KB.MinDriverForMajor(n); d.Known {
			return d.Value.Linux.String()
		}
		return ""
	}
	x, err := v.ParseCUDA(firstTwo(cuda))
	if err != nil {
		return ""
	}
	if d := c.View.KB.MinDriverFor(x); d.Known {
		return d.Value.Linux.String()
	}
	return ""
}

func cudaOfDriver(c *Case, driver string) string {
	d, err := v.ParseDriver(driver)
	if err != nil {
		return ""
	}
	if a := c.View.KB.DriverCUDA(d); a.Known {
		return a.Value.String()
	}
	return ""
}

func cuTag(cuda string) string {
	// Before CUDA 8 no variant of a wheel was called so.
	if two := firstTwo(cuda); two != "" && compareVersions(two, "8") >= 0 {
		return "cu" + strings.ReplaceAll(two, ".", "")
	}
	return ""
}

var (
	// releaseOfDLL is the release in the names of DLLs up to CUDA 10.2, and of cudart64_110.dll.
	releaseOfDLL = lazyregexp.New(`(?i)(?:cudart|cublas|cufft|curand|cusolver|cusparse|nvrtc)\w*64_([89]|1[01])([0-9])(?:_\d)?\.dll`)
	// releaseOfSoname is the release in the sonames of the toolkit's libraries up to CUDA 10.1; later ones have the major alone.
	releaseOfSoname = lazyregexp.New(`lib(?:cudart|cublas|cufft|curand|cusolver|cusparse|nvrtc|npp\w+|nvblas)\.so\.((?:[5-9]|10)\.\d)$`)
	leadingNumber   = lazyregexp.New(`\d+`)
	leadingTwo      = lazyregexp.New(`\d+\.\d+`)
	archForm        = lazyregexp.New(`(?:sm_|compute_)?(\d{2,3})[af]?$`)
)

func firstNumber(s string) string { return leadingNumber.FindString(s) }

func firstTwo(s string) string { return leadingTwo.FindString(s) }

func smOf(_ *Case, cc string) string {
	if x, err := v.ParseComputeCapability(cc); err == nil {
		return fmt.Sprintf("sm_%s", strings.ReplaceAll(x.String(), ".", ""))
	}
	if archForm.MatchString(cc) {
		return "sm_" + archForm.FindStringSubmatch(cc)[1]
	}
	return ""
}

func capabilityOf(_ *Case, s string) string {
	if m := archForm.FindStringSubmatch(s); m != nil && !strings.Contains(s, ".") {
		return m[1][:len(m[1])-1] + "." + m[1][len(m[1])-1:]
	}
	if x, err := v.ParseComputeCapability(s); err == nil {
		return x.String()
	}
	return ""
}

func arch(c *Case, s string) (kb.Architecture, bool) {
	cc, err := v.ParseComputeCapability(capabilityOf(c, s))
	if err != nil {
		return kb.Architecture{}, false
	}
	a := c.View.KB.Arch(cc)
	return a.Value, a.Known
}

// firstCUDA is the first toolkit that makes code for an architecture, lastCUDA the last one.
func firstCUDA(c *Case, s string) string {
	if a, ok := arch(c, s); ok && !a.FirstCUDA.IsZero() {
		return a.FirstCUDA.String()
	}
	return ""
}

func lastCUDA(c *Case, s string) string {
	if a, ok := arch(c, s); ok && !a.LastCUDA.IsZero() {
		return a.LastCUDA.String()
	}
	return ""
}

func archName(c *Case, s string) string {
	a, _ := arch(c, s)
	return a.Name
}
