// Package framework is the fourth rung of a probe: a framework in its own interpreter. Each is a small script in Python that imports it, looks
// for its devices, computes on CPU and GPU and holds both against plain loops. The scripts download nothing and write only into the child's
// temporary folder.
package framework

import (
	"cmp"
	"context"
	"encoding/base64"
	"os"
	"slices"
	"time"

	"strata/internal/probe"
)

// Workload is a framework in an environment.
type Workload struct {
	ID        string // as check names it: pytorch in /opt/venv
	Framework string // by Strata's name
	Python    string // the interpreter
	// Dir is the folder of the environment, for a person.
	Dir string
}

// Options bound the children.
type Options struct {
	Env    []string // nil for this process's
	Limit  time.Duration
	Memory int64
	Saw    func(probe.Step)
}

const (
	// DefaultLimit is for one framework: TensorFlow takes a minute to be imported from a cold disk.
	DefaultLimit = 3 * time.Minute
	// DefaultMemory is above what a framework and a CUDA context take in the host's memory.
	DefaultMemory = 12 << 30
	// Most is how many workloads are tried: more are a build machine's, and each takes seconds.
	Most = 16
)

// Names are the frameworks that there is a script for, in the order in which they are tried.
func Names() []string {
	return []string{"pytorch", "tensorflow", "jax", "cupy", "onnxruntime", "ctranslate2", "vllm"}
}

// Known tells whether there is a script for a framework.
func Known(name string) bool { return slices.Contains(Names(), name) }

// boot is what the interpreter is told: the script itself is too long for a command line that a person reads.
const boot = "import os; exec(compile(os.environ.pop('STRATA_PROBE_SCRIPT'), 'strata-probe', 'exec'))"

// Climb tries the workloads one after the other, so that they do not share memory or a GPU. An interpreter that cannot be started is a step that
// failed, since others may start.
func Climb(ctx context.Context, list []Workload, opts Options) []probe.Run {
	var runs []probe.Run
	for _, w := range list {
		if ctx.Err() != nil {
			break
		}
		c := w.child(opts)
		run, err := c.Exec(ctx)
		run.Workload = w.ID
		if err != nil {
			run.Steps = append(run.Steps, probe.Step{Rung: probe.Framework, Name: "start", Subject: w.Python, State: probe.Failed, Detail: err.Error()})
		}
		runs = append(runs, run)
	}
	return runs
}

func (w Workload) child(opts Options) probe.Child {
	env := opts.Env
	if env == nil {
		env = os.Environ()
	}
	env = append(env[:len(env):len(env)], offline...)
	env = append(env, "STRATA_PROBE_SCRIPT="+Script(w.Framework), "STRATA_PROBE_PART="+w.Framework)
	if w.Framework == "onnxruntime" {
		env = append(env, "STRATA_PROBE_MODEL="+base64.StdEncoding.EncodeToString(Model()))
	}
	return probe.Child{
		Rung: probe.Framework, Part: w.Framework, Path: w.Python, Argv: []string{w.Python, "-B", "-X", "faulthandler", "-c", boot},
		Env: env, Limit: cmp.Or(opts.Limit, DefaultLimit), Memory: cmp.Or(opts.Memory, DefaultMemory), Saw: opts.Saw,
	}
}

// offline are variables by which frameworks neither download nor report, beside those that a script sets to its temporary folder.
var offline = []string{
	"PYTHONDONTWRITEBYTECODE=1", "PYTHONUNBUFFERED=1", "PYTHONIOENCODING=utf-8",
	"HF_HUB_OFFLINE=1", "TRANSFORMERS_OFFLINE=1", "HF_DATASETS_OFFLINE=1", "HF_HUB_DISABLE_TELEMETRY=1", "DO_NOT_TRACK=1", "VLLM_NO_USAGE_STATS=1",
	"WANDB_MODE=offline",
}

// Script is what is run for a framework, to be read by whoever wants to know.
func Script(name string) string {
	data, err := scripts.ReadFile("scripts/" + name + ".py")
	if err != nil {
		return ""
	}
	return prelude + "\n\n" + string(data)
}

// Model is the model that ONNX Runtime is given, as a file of ONNX.
func Model() []byte { return onnxModel.encode() }
