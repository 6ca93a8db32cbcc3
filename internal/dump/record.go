// Package dump reads facts out of text: the environment reports, tables, lists
// and logs that people paste. It reads by structure and key, so that a format
// that it never met is read as far as it resembles one, and it judges nothing.
package dump

import (
	"cmp"
	"slices"
	"strings"

	"strata/internal/redact"
	"strata/internal/stack"
)

// Value is one fact as the text writes it, normalised.
type Value struct {
	Text string
	From stack.Source
	Rank Rank
}

// Known tells whether the text says it.
func (v Value) Known() bool { return v.Text != "" }

// Rank is how much a place in a text is to be trusted. Where two places differ
// the higher rank holds, among equals the first.
type Rank uint8

// The ranks.
const (
	Implied Rank = iota // it follows from something else and gives way to whatever is said: the one kernel that DKMS has built for
	Prose               // somebody says so: "I have CUDA 11.8 on Ubuntu 22.04"
	Keyed               // a key and its value in a form that is not known
	Stated              // a known key of a known form
	Proper              // the program that owns the fact says it: nvidia-smi its driver, nvcc its release
)

// GPU is one GPU of the text.
type GPU struct {
	Name              string
	ComputeCapability string // 8.6
	MemoryMiB         int    // 0 where not said
	Index             string // its number in the list, where one is said
	From              stack.Source
}

// Package is one package of a list.
type Package struct {
	Name    string // as the list writes it, lower case and with "-" for "_" for Python's
	Version string
	Manager string // pip, conda, dpkg, rpm, pacman, julia, jetson; "" where not known
	Build   string // conda's build string
	Status  string // dpkg's words
	From    stack.Source
}

// Record is what a text says about a machine.
type Record struct {
	OS, Kernel                        Value
	GPUs                              []GPU
	Driver, DriverCUDA                Value
	Module, ModuleFlavor              Value // flavour: open or proprietary
	CUDARuntime, Toolkit              Value
	CUDNN, NCCL, TensorRT             Value
	Python, Image                     Value
	Frameworks, FrameworkCUDA         map[string]Value // by package: torch, onnxruntime-gpu
	Packages                          []Package
	GPUAvailable                      Value // true or false
	Variables                         []stack.Variable
	WSL, Windows, Container, Jetson   Value // "yes", the engine's name, L4T's release
	Kubernetes, Conda, Virtual, Glibc Value
	GCC                               Value
	// Provider is what a program's configuration asks ONNX Runtime for: cpu, cuda, tensorrt.
	Provider Value
	// Engines are container engines with the runtimes that they know.
	Engines []stack.Engine
	// Formats are the forms that were recognised, in order of appearance.
	Formats []Format
}

// Format is one form that was recognised.
type Format struct {
	Name string
	Line int
}

// Facts collects what readers find. Its methods keep the better of two claims.
type Facts struct {
	rec  Record
	name string
	gpus []gpuList
	seen map[string]bool // packages
	// quoted are the sources that were made last.
	quoted []quotation  // maxQuotations of them, once there is one
	used   map[int]bool // lines that a reader of forms took
	// sentences is true while prose is read. Of a line that was taken as a form it
	// may tell the system alone: "CUDA Driver Version : 12.2" is no sentence.
	sentences bool
}

type gpuList struct {
	rank Rank
	list []GPU
}

// NewFacts collects facts of the text with this name.
func NewFacts(name string) *Facts {
	return &Facts{name: name, seen: map[string]bool{}, rec: Record{Frameworks: map[string]Value{}, FrameworkCUDA: map[string]Value{}}}
}

// At is the source of a line. One line often tells several facts, so the last
// ones are kept: what is private in a line is searched for once.
func (f *Facts) At(line int, text string) stack.Source {
	if f.quoted == nil {
		f.quoted = make([]quotation, maxQuotations)
	}
	c := &f.quoted[line%maxQuotations]
	if c.Line != line || c.text != text {
		*c = quotation{stack.From("text", f.name, line, redact.Foreign(text[:min(len(text), maxQuoted)])), text}
	}
	return c.Source
}

// maxQuotations is how many lines' sources are kept.
const maxQuotations = 512

// quotation is a line's source with the text that it was made of.
type quotation struct {
	stack.Source
	text string
}

// maxQuoted is how much of a line is looked at to quote it, in bytes; what a source keeps is shorter.
const maxQuoted = 2 << 10

// Set keeps a value where nothing better is known. Empty values and the words
// that tools print for nothing (see Nothing) are not kept.
func (f *Facts) Set(dst *Value, text string, rank Rank, from stack.Source) {
	if Nothing(text) || f.sentences && f.used[from.Line] && dst != &f.rec.OS && dst != &f.rec.WSL && dst != &f.rec.Windows {
		return
	}
	if dst.Known() && dst.Rank >= rank {
		if rank > Prose && strings.HasPrefix(text, dst.Text+".") && text != dst.Text+".0" { // the same, said more exactly: 12.0.140 after 12.0
			dst.Text, dst.From = text, from
		}
		f.use(from, rank)
		return
	}
	*dst = Value{Text: text, From: from, Rank: rank}
	f.use(from, rank)
}

func (f *Facts) use(from stack.Source, rank Rank) {
	if rank > Prose && f.used != nil {
		f.used[from.Line] = true
	}
}

// Rec is the record so far, for the fields that Set is given.
func (f *Facts) Rec() *Record { return &f.rec }

// Framework notes a framework's version under its package's name.
func (f *Facts) Framework(pkg, version string, rank Rank, from stack.Source) {
	put(f, f.rec.Frameworks, pkg, version, rank, from)
}

// FrameworkCUDA notes the CUDA that a framework was built with.
func (f *Facts) FrameworkCUDA(pkg, version string, rank Rank, from stack.Source) {
	put(f, f.rec.FrameworkCUDA, pkg, version, rank, from)
}

func put(f *Facts, m map[string]Value, key, text string, rank Rank, from stack.Source) {
	v := m[key]
	f.Set(&v, text, rank, from)
	if v.Known() {
		m[key] = v
	}
}

// maxPackages bounds a list: a Conda installation has about 500.
const maxPackages = 10000

// Package notes an installed package, and its framework where it is one.
func (f *Facts) Package(p Package, rank Rank) {
	if Nothing(p.Version) || len(f.rec.Packages) >= maxPackages {
		return
	}
	p.Name = normalName(p.Name)
	f.use(p.From, rank)
	any := p.Name + "\x00" + p.Version
	if key := any + "\x00" + p.Manager; !f.seen[key] && (p.Manager != "" || !f.seen[any]) {
		f.seen[key], f.seen[any] = true, true
		f.rec.Packages = append(f.rec.Packages, p)
	}
	if name := frameworkName(p.Name); (frameworks[p.Name] || frameworks[name]) && p.Manager != "dpkg" && p.Manager != "rpm" {
		f.Framework(name, p.Version, rank, p.From)
	}
}

// GPUs notes one list of GPUs, in its order.
func (f *Facts) GPUs(list []GPU, rank Rank) {
	if len(list) > 0 {
		f.gpus = append(f.gpus, gpuList{rank, list})
	}
}

// Format notes that a form was recognised.
func (f *Facts) Format(name string, line int) {
	if !slices.ContainsFunc(f.rec.Formats, func(x Format) bool { return x.Name == name }) {
		f.rec.Formats = append(f.rec.Formats, Format{name, line})
	}
}

// Record is everything, with the lists of GPUs made one.
func (f *Facts) Record() *Record {
	f.follow()
	f.rec.GPUs = mergeGPUs(f.gpus)
	slices.SortStableFunc(f.rec.Formats, func(a, b Format) int { return cmp.Compare(a.Line, b.Line) })
	return &f.rec
}

// named is 1 for a list that has the name of a GPU, 0 for one without.
func named(l *gpuList) int {
	if l != nil && slices.ContainsFunc(l.list, func(g GPU) bool { return g.Name != "" }) {
		return 1
	}
	return 0
}

// mergeGPUs takes the list of the highest rank, the longest among equals, and
// fills in what another list knows of a GPU of the same name.
func mergeGPUs(lists []gpuList) []GPU {
	var best *gpuList
	for i := range lists {
		l := &lists[i]
		if named(l) < named(best) { // a compute capability alone
			continue
		}
		if best == nil || named(l) > named(best) || l.rank > best.rank || l.rank == best.rank && len(l.list) > len(best.list) {
			best = l
		}
	}
	if best == nil {
		return nil
	}
	out := slices.Clone(best.list)
	for i := range out {
		for _, l := range lists {
			for j, g := range l.list {
				if !sameGPU(g.Name, out[i].Name) && !(len(l.list) == len(out) && i == j && (g.Name == "" || out[i].Name == "")) {
					continue
				}
				out[i].Name = cmp.Or(out[i].Name, g.Name)
				if strings.HasSuffix(out[i].Name, "...") && !strings.HasSuffix(g.Name, "...") {
					out[i].Name = g.Name // nvidia-smi's table cuts long names
				}
				out[i].ComputeCapability = cmp.Or(out[i].ComputeCapability, g.ComputeCapability)
				out[i].MemoryMiB = cmp.Or(out[i].MemoryMiB, g.MemoryMiB)
			}
		}
	}
	return out
}
