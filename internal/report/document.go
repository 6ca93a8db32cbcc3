// Package report is the document that every output is made of. Its JSON form
// is a published contract: schema names the version, and a published version
// never changes its meaning.
package report

import (
	"strata/internal/rule"
	"strata/internal/stack"
)

// Schema names the contract of this document.
const Schema = "strata.report/1"

// Document is one report.
type Document struct {
	Schema    string        `json:"schema"`
	Tool      Tool          `json:"tool"`
	Subject   stack.Subject `json:"subject"`
	Verdict   Verdict       `json:"verdict"`
	Layers    []Layer       `json:"layers"` // shared by all workloads
	Workloads []Workload    `json:"workloads"`
	Findings  []Finding     `json:"findings"`
	// Environment is the short record that people paste into bug reports.
	Environment Environment `json:"environment"`
	Unknowns    []Unknown   `json:"unknowns"`
	// Probe is what trying it showed; only of strata check --probe.
	Probe *Probed `json:"probe,omitempty"`
	// Run is what happened when a command ran, by its record; only of strata check --run.
	Run   *Probed      `json:"run,omitempty"`
	Stack *stack.Stack `json:"stack,omitempty"`
}

// Tool says what made the report.
type Tool struct {
	Version string `json:"version"`
	KB      string `json:"kb"` // version of the knowledge base
	// KBDir is the directory that the knowledge base was read from, empty for the built-in one.
	KBDir string `json:"kb_dir,omitempty"`
	// KBOlderThan is the version of the built-in knowledge base where that is newer than the one in use.
	KBOlderThan string `json:"kb_older_than,omitempty"`
}

// Status is the outcome for a workload or the whole.
type Status string

const (
	OK       Status = "ok"
	Broken   Status = "broken"
	AtRisk   Status = "at-risk"
	NotStack Status = "not-stack" // the evidence says that the software stack is not at fault
	Unsure   Status = "unknown"
)

// Verdict is the answer: the first broken layer, or none.
type Verdict struct {
	Status     Status     `json:"status"`
	Layer      rule.Layer `json:"layer"`   // empty where nothing is broken
	Finding    string     `json:"finding"` // ID of the deciding finding, or empty
	Summary    string     `json:"summary"` // one sentence
	Confidence string     `json:"confidence"`
}

// LayerStatus is how one layer stands.
type LayerStatus string

const (
	LayerOK      LayerStatus = "ok"
	LayerBroken  LayerStatus = "broken"
	LayerAtRisk  LayerStatus = "at-risk"
	LayerBlocked LayerStatus = "blocked" // waits for a broken layer below it
	LayerUnknown LayerStatus = "unknown"
	LayerAbsent  LayerStatus = "absent" // not there and not needed
)

// Layer is one rung of a ladder.
type Layer struct {
	ID      rule.Layer  `json:"layer"`
	Name    string      `json:"name"` // as a person says it
	Status  LayerStatus `json:"status"`
	Summary string      `json:"summary"`
	// Where the fact was read; empty where there is none.
	Source string `json:"source,omitempty"`
	// Finding is the ID of the finding that decides the status.
	Finding string `json:"finding,omitempty"`
}

// Workload is one framework in one environment with its own ladder.
type Workload struct {
	Name        string  `json:"name"`
	Environment string  `json:"environment"` // prefix of the Python environment, or path of the program
	Framework   string  `json:"framework"`   // the distribution: torch, onnxruntime-gpu
	Version     string  `json:"version"`
	Python      string  `json:"python,omitempty"`
	Extends     string  `json:"extends,omitempty"` // the framework that this one is an extension of
	Verdict     Verdict `json:"verdict"`
	Layers      []Layer `json:"layers"`
	// Probe is what trying it showed, where that was asked for; Verdict stays what files predict.
	Probe *Probed `json:"probe,omitempty"`
}

// Probed is what happened when something was tried, beside what was predicted of it.
type Probed struct {
	Verdict Verdict `json:"verdict"`
	// Agrees tells whether what happened is what was predicted: yes, no, or unknown where one of them says nothing.
	Agrees string `json:"agrees"`
	// GPU is used, not-built, failed or unknown, as in strata.probe/1; empty for the machine as a whole.
	GPU string `json:"gpu,omitempty"`
}

// Finding is one thing that is wrong, with its proof and what mends it.
type Finding struct {
	ID         string      `json:"id"`
	Layer      rule.Layer  `json:"layer"`
	Severity   string      `json:"severity"`
	Confidence string      `json:"confidence"`
	Title      string      `json:"title"`
	Summary    string      `json:"summary"`
	Cause      string      `json:"cause"`
	Workloads  []string    `json:"workloads"` // names with place; empty where it concerns the machine
	Evidence   []Evidence  `json:"evidence"`
	Remedies   []Remedy    `json:"remedies"`
	References []Reference `json:"references"`
	// Blocks are the layers that wait for this one.
	Blocks []rule.Layer `json:"blocks"`
	// Because is the ID of the finding that this one follows from, where a text shows both; empty for others.
	Because string `json:"because,omitempty"`
}

// Evidence is where something was read.
type Evidence struct {
	Source  string `json:"source"`  // file, elf, env, flag, …
	Locator string `json:"locator"` // path or name
	Line    int    `json:"line,omitempty"`
	Text    string `json:"text,omitempty"`
}

// Remedy is one way to mend a finding.
type Remedy struct {
	Summary  string         `json:"summary"`
	Layer    rule.Layer     `json:"layer"`
	Commands []rule.Command `json:"commands"`
	// Checked is true where the rules were asked again on a changed copy and
	// the finding was gone with nothing new in its place.
	Checked bool `json:"checked"`
}

// Reference is a published source.
type Reference struct {
	Title string `json:"title"`
	URL   string `json:"url"`
}

// Unknown is something that could not be judged.
type Unknown struct {
	Layer      rule.Layer `json:"layer"`
	What       string     `json:"what"`
	Why        string     `json:"why"`
	HowToAllow string     `json:"how_to_allow,omitempty"`
	Rules      []string   `json:"rules"`
	Workloads  []string   `json:"workloads,omitempty"`
}

// Environment is what is known of the machine in one short record. Fields that
// are not known are left out.
type Environment struct {
	OS                  string            `json:"os,omitempty"`
	Kernel              string            `json:"kernel,omitempty"`
	GPUs                []GPU             `json:"gpus,omitempty"`
	DriverVersion       string            `json:"driver_version,omitempty"`
	DriverCUDA          string            `json:"driver_cuda,omitempty"`
	KernelModuleVersion string            `json:"kernel_module_version,omitempty"`
	ModuleFlavor        string            `json:"module_flavor,omitempty"`
	CUDARuntime         string            `json:"cuda_runtime,omitempty"`
	Toolkit             string            `json:"toolkit,omitempty"`
	CUDNN               string            `json:"cudnn,omitempty"`
	NCCL                string            `json:"nccl,omitempty"`
	TensorRT            string            `json:"tensorrt,omitempty"`
	Frameworks          map[string]string `json:"frameworks,omitempty"`
	FrameworkCUDA       map[string]string `json:"framework_cuda,omitempty"`
	Python              string            `json:"python,omitempty"`
	ContainerImage      string            `json:"container_image,omitempty"`
	NotablePackages     map[string]string `json:"notable_packages,omitempty"`
	GPUAvailable        *bool             `json:"gpu_available,omitempty"`
}

// GPU is one GPU of the environment.
type GPU struct {
	Name              string `json:"name"`
	ComputeCapability string `json:"compute_capability,omitempty"`
	MemoryMiB         int    `json:"memory_mib,omitempty"`
}
