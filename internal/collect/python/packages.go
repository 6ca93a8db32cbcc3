package python

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"strata/internal/machine"
	"strata/internal/stack"
)

// readPackages fills an environment's Packages, Leftovers and Overlaps. What
// cannot be read is told in Packages.Why; the rest stays Known. It returns the
// names in each site directory.
func readPackages(ctx context.Context, m *machine.Machine, e *stack.Environment) map[string][]string {
	if e.Packages.State != stack.NotCollected {
		return nil // look already found why it cannot be read
	}
	r := &reading{m: m, env: e, listings: map[string][]string{}}
	listed := 0
	for _, site := range e.Site {
		if r.readSite(ctx, site) {
			listed++
		}
	}
	if e.Kind == "conda" {
		r.readConda(path.Join(e.Prefix, "conda-meta"))
		listed++
	}
	var sources []stack.Source
	for _, site := range e.Site {
		sources = append(sources, stack.From("directory", site, 0, ""))
	}
	switch {
	case listed > 0:
		e.Packages = stack.Know(r.packages, sources...)
		e.Packages.Why = r.why()
	case r.denied != "":
		e.Packages = stack.Refused[[]stack.Package](r.why(), "run as a user who may read "+r.denied, sources...)
	case len(r.reasons) > 0:
		e.Packages = stack.Broken[[]stack.Package](r.why(), sources...)
	default:
		e.Packages = stack.None[[]stack.Package](sources...)
	}
	if e.Packages.Known() {
		e.Overlaps = findOverlaps(ctx, m, e)
	}
	return r.listings
}

// reading collects the packages of one environment.
type reading struct {
	m        *machine.Machine
	env      *stack.Environment
	packages []stack.Package
	listings map[string][]string
	reasons  []string
	left     int    // reasons not kept
	denied   string // a directory we may not list
}

// maxReasons keeps an environment of broken files from filling the report.
const maxReasons = 5

func (r *reading) miss(err error) {
	if len(r.reasons) == maxReasons {
		r.left++
		return
	}
	r.reasons = append(r.reasons, err.Error())
}

func (r *reading) why() string {
	s := strings.Join(r.reasons, "; ")
	if r.left > 0 {
		s += fmt.Sprintf("; and %d more", r.left)
	}
	return s
}

// readSite reads one directory of packages and tells whether it could be listed.
func (r *reading) readSite(ctx context.Context, site string) bool {
	entries, err := r.m.ReadDir(site)
	if err != nil {
		switch {
		case errors.Is(err, fs.ErrPermission):
			r.denied = site
			r.miss(fmt.Errorf("listing %q: permission denied", site))
		case errors.Is(err, fs.ErrNotExist):
			return false
		default:
			r.miss(fmt.Errorf("listing %q: %w", site, errors.Unwrap(err)))
		}
		if len(entries) == 0 {
			return false
		}
	}
	manager := ""
	if site == "/usr/lib/python3/dist-packages" {
		manager = "debian"
	}
	names := make([]string, len(entries))
	for i, entry := range entries {
		names[i] = entry.Name()
	}
	r.listings[site] = names
	r.packages = slices.Grow(r.packages, min(len(entries)/2, 4096)) // a package has two entries, or a few more
	for _, name := range names {
		if strings.HasPrefix(name, "~") {
			if _, ok := parseEntry(strings.TrimLeft(name, "~")); ok {
				r.env.Leftovers = append(r.env.Leftovers, path.Join(site, name))
			}
			continue
		}
		if stem, ok := strings.CutSuffix(name, ".egg-link"); ok {
			r.readEggLink(site, stem)
			continue
		}
		p, ok := parseEntry(name)
		if !ok {
			continue
		}
		if manager != "" {
			p.Manager = manager
		}
		dir := site + "/" + name // clean already, and cheaper than path.Join
		// Not stack.From: there is no text to redact, two thousand times over.
		p.From = stack.Source{Kind: "directory", Locator: dir}
		if Matters(p.Name) && strings.HasSuffix(name, ".dist-info") {
			if ctx.Err() != nil {
				r.miss(fmt.Errorf("reading %q: %w", dir, ctx.Err()))
				return true
			}
			r.readDistInfo(dir, &p)
		}
		r.packages = append(r.packages, p)
	}
	return true
}

// readDistInfo fills what the files of a .dist-info directory say.
func (r *reading) readDistInfo(dir string, p *stack.Package) {
	name := path.Join(dir, "METADATA")
	md, err := readMetadata(r.m, name)
	if err != nil {
		r.miss(fmt.Errorf("reading %q: %w", name, cause(err)))
	} else {
		if md.version != "" {
			p.Version = md.version // the directory's name may have changed case
		}
		p.Requires, p.Python = md.requires, md.python
		p.From = stack.File(name)
	}
	if strings.HasPrefix(p.Name, "nvidia-") {
		return // plain libraries of an index, some twenty beside each framework: nothing more to learn
	}
	if data, err := r.m.ReadFile(path.Join(dir, "WHEEL"), maxSmall); err == nil {
		p.Tags = parseWheelTags(string(data))
	}
	if data, err := r.m.ReadFile(path.Join(dir, "direct_url.json"), maxSmall); err == nil {
		p.Origin, p.SourceTree = parseDirectURL(data)
		p.SourceTree = layout(r.m, p.SourceTree, p.Name)
	}
}

// maxSmall bounds WHEEL and direct_url.json, of a few hundred bytes each.
const maxSmall = 64 << 10

func cause(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	return err
}

// Matters tells whether a package says something about the GPU stack, by
// normalised name; only then its metadata is opened.
func Matters(name string) bool {
	if slices.Contains(matter, name) {
		return true
	}
	for _, p := range matterPrefixes {
		if strings.HasPrefix(name, p) {
			return true
		}
	}
	return false
}

var matter = []string{
	"apex", "auto-gptq", "autoawq", "autoawq-kernels", "bitsandbytes", "causal-conv1d", "ctranslate2", "cudf", "cudnn", "cugraph",
	"cuml", "cuspatial", "cutensor", "cuvs", "cuxfilter", "dask-cudf", "deepspeed", "exllamav2", "faster-whisper", "flash-attn",
	"flash-attn-3", "flashinfer", "flashinfer-python", "grouped-gemm", "gptqmodel", "intel-tensorflow", "libmamba", "llama-cpp-python",
	"mamba-ssm", "nccl", "numba", "numba-cuda", "numpy", "optimum", "ort-nightly", "ort-nightly-gpu", "paddlepaddle", "paddlepaddle-gpu",
	"pylibraft", "pylibcudf", "raft-dask", "rmm", "sgl-kernel", "sglang", "tf-nightly", "transformers", "ucx-py", "vllm",
	"vllm-flash-attn", "xformers", "xgboost",
}

var matterPrefixes = []string{
	"cuda-", "cudatoolkit", "cudf-cu", "cugraph-cu", "cuml-cu", "cupy", "cuvs-cu", "dask-cudf-cu", "jax", "libcu", "nvidia-", "onnxruntime",
	"pylibraft-cu", "pytorch", "rmm-cu", "tensorflow", "tensorrt", "torch", "transformer-engine", "triton",
}
