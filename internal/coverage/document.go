package coverage

import (
	"slices"
	"strings"

	"strata/internal/codefile"
	"strata/internal/derive"
	"strata/internal/fatbin"
	"strata/internal/kb"
	"strata/internal/report"
	"strata/internal/version"
)

// Schema names the contract of the JSON form of [Document].
const Schema = "strata.arch/1"

// Document is what strata arch reports.
type Document struct {
	Schema string      `json:"schema"`
	Tool   report.Tool `json:"tool"`
	// Driver is the Linux driver that is judged by, "" where none is.
	Driver string `json:"driver"`
	// Asked says that the GPUs were named or are in the machine; else they are all
	// architectures that a current driver supports.
	Asked    bool     `json:"asked"`
	GPUs     []GPU    `json:"gpus"`
	Files    []File   `json:"files"`
	Looked   int      `json:"looked"`  // files that were looked at
	Without  int      `json:"without"` // of these, libraries and programs without GPU code
	Problems []string `json:"problems"`
}

// GPU is a GPU to judge for.
type GPU struct {
	Name              string `json:"name"`
	ComputeCapability string `json:"compute_capability"`
}

// File is one file with its code and verdicts, one for each GPU of the document.
type File struct {
	Path    string      `json:"path"`
	Member  string      `json:"member"` // name inside the wheel at Path, or ""
	Kind    fatbin.Kind `json:"kind"`
	Members int         `json:"members"` // of a static library: how many hold GPU code
	Fatbins int         `json:"fatbins"`
	Entries int         `json:"entries"`
	// Relocatable says that device code has to go through the device linker first.
	Relocatable bool        `json:"relocatable"`
	CUDA        string      `json:"cuda"`      // that built it: "12.8", a major "12", or ""
	CUDAFrom    string      `json:"cuda_from"` // what tells it
	Codes       []Code      `json:"codes"`
	Verdicts    []GPUResult `json:"verdicts"`
	Problems    []string    `json:"problems"`
	Error       string      `json:"error"` // why the file could not be read, or ""
}

// Code is one kind of code for one target.
type Code struct {
	Kind        string   `json:"kind"` // cubin or ptx
	Target      string   `json:"target"`
	PTXISA      string   `json:"ptx_isa"`
	PTXCUDA     []string `json:"ptx_cuda"` // toolkits that write this ISA
	Compression string   `json:"compression"`
	Entries     int      `json:"entries"`
	Fatbins     int      `json:"fatbins"` // how many hold it
	// Linkable is PTX of the relocatable objects behind the linked code: the driver compiles it and links anew where no cubin fits.
	Linkable bool `json:"linkable"`
}

// GPUResult is a verdict.
type GPUResult struct {
	GPU         int      `json:"gpu"` // index into Document.GPUs
	Status      Status   `json:"status"`
	Native      int      `json:"native"`
	JIT         int      `json:"jit"`
	Blocked     int      `json:"blocked"`
	Of          int      `json:"of"`
	Sparse      bool     `json:"sparse"`
	Unpromised  bool     `json:"unpromised"`
	Beyond      bool     `json:"beyond"` // the driver is newer than what the knowledge base knows
	Via         []string `json:"via"`
	NeedsDriver string   `json:"needs_driver"`
	Summary     string   `json:"summary"`
	Why         string   `json:"why"`
	Sources     []string `json:"sources"` // rows of the knowledge base
}

// Fails tells whether the file certainly does not run on the GPU.
func (r GPUResult) Fails() bool { return Verdict{Status: r.Status}.Fails() }

// Report judges files for GPUs. Without GPUs it takes all architectures that a
// current driver supports.
func Report(base *kb.Base, tool report.Tool, found *codefile.Found, gpus []derive.GPU, driver version.Driver) *Document {
	d := &Document{
		Schema: Schema, Tool: tool, Driver: driver.String(), Asked: len(gpus) > 0, GPUs: []GPU{}, Files: []File{},
		Looked: found.Looked, Without: found.Without, Problems: list(found.Problems),
	}
	if !d.Asked {
		gpus = Current(base)
	}
	for _, g := range gpus {
		d.GPUs = append(d.GPUs, GPU{g.Name, g.Capability.String()})
	}
	for _, f := range found.Files {
		d.Files = append(d.Files, file(base, f, gpus, driver))
	}
	return d
}

// Current are the architectures that a current driver supports, and those of its
// last legacy branch.
func Current(base *kb.Base) (gpus []derive.GPU) {
	rows := kb.Rows[kb.Architecture](base)
	legacy := 0
	for _, r := range rows {
		legacy = max(legacy, r.LastBranch)
	}
	oldest := version.ComputeCapability{}
	for _, r := range rows {
		if r.LastBranch == legacy && (oldest.IsZero() || r.ComputeCapability.Less(oldest)) {
			oldest = r.ComputeCapability
		}
	}
	for _, r := range rows {
		if r.ComputeCapability.Less(oldest) || r.Products == "" || strings.HasPrefix(r.Products, "no ") {
			continue
		}
		gpus = append(gpus, derive.GPU{Name: r.Products, Capability: r.ComputeCapability, Minor: -1, Ref: kb.RefTo(base, r)})
	}
	return gpus
}

func file(base *kb.Base, f codefile.File, gpus []derive.GPU, driver version.Driver) File {
	out := File{Path: f.Path, Member: f.Member, Codes: []Code{}, Verdicts: []GPUResult{}, Problems: []string{}}
	if f.Err != nil {
		out.Error = f.Err.Error()
		return out
	}
	built := BuiltWith(base, f)
	out.Kind, out.Members, out.Fatbins, out.Entries = f.Code.Kind, f.Code.Members, f.Code.Containers, f.Code.Entries
	out.Relocatable, out.CUDA, out.CUDAFrom, out.Problems = f.Code.Relocatable, built.CUDA.String(), built.From, list(f.Code.Problems)
	with, first := withLinkable(f.Code)
	for i, c := range with.Codes {
		code := Code{Linkable: i >= first, Kind: c.Kind, Target: c.Arch, PTXISA: c.ISA, PTXCUDA: []string{}, Compression: c.Compression, Entries: c.Entries, Fatbins: c.Containers}
		if isa, err := version.ParsePTX(c.ISA); err == nil {
			for _, v := range Toolkits(base, isa) {
				code.PTXCUDA = append(code.PTXCUDA, v.String())
			}
		}
		out.Codes = append(out.Codes, code)
	}
	for i, g := range gpus {
		v := Judge(base, f, g, driver)
		r := GPUResult{
			GPU: i, Status: v.Status, Native: v.Native, JIT: v.JIT, Blocked: v.Blocked, Of: v.Of, Sparse: v.Sparse, Unpromised: v.Unpromised, Beyond: v.Beyond,
			Via: list(v.Via), NeedsDriver: v.Needs.String(), Summary: v.Summary, Why: v.Why, Sources: []string{},
		}
		for _, ref := range v.Refs {
			if text := ref.String(); !slices.Contains(r.Sources, text) {
				r.Sources = append(r.Sources, text)
			}
		}
		out.Verdicts = append(out.Verdicts, r)
	}
	return out
}

func list(l []string) []string {
	if l == nil {
		return []string{}
	}
	return l
}

// ResolveDriver reads a driver as a person names it. A branch alone, 570 or R570, is
// the newest known build of that branch.
func ResolveDriver(base *kb.Base, text string) (version.Driver, error) {
	d, err := version.ParseDriver(strings.TrimPrefix(strings.TrimPrefix(text, "R"), "r"))
	if err != nil {
		return d, err
	}
	if b := base.Branch(d.Branch()); !strings.Contains(d.String(), ".") && b.Known && !b.Value.Latest.IsZero() {
		return b.Value.Latest, nil
	}
	return d, nil
}
