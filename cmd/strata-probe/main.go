// Command strata-probe loads NVIDIA's libraries and calls them, step by step,
// and prints each step as a line of JSON when it begins and when it ends. It is
// the only program of Strata that does so, and is always started as a child by
// strata: a library that crashes, hangs or exits ends this program alone.
//
//	strata-probe [--libcuda PATH] [--libnvml PATH] [--device N] [--every TIME] PART
//
// The part "sample" is no step of a ladder: it looks at the GPUs through NVML
// again and again, until its standard input ends, and prints each look.
//
// It changes nothing on the machine. Its exit status is 0 where it came to the
// end of the part, whatever the steps found, and 3 for wrong usage; 2 is the
// status with which Go reports a crash.
package main

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"strata/internal/probe"
)

// parts are what can be climbed, each in a process of its own.
var parts = map[string]func(*climb){
	"nvml": nvml, "cuda": cuda, // the driver rung
	"compute": compute,
	"cudart":  cudart, "cublas": cublas, "cufft": cufft, "cudnn": cudnn, "nccl": nccl, // the libraries rung
	"sample": sample, // beside a command
}

const exitUsage = 3

func init() {
	// A context of CUDA belongs to a thread: all calls are made on the first one.
	runtime.LockOSThread()
	// A crash in a library is told by its signal in one line; Go's stacks say nothing about C.
	debug.SetTraceback("none")
}

func main() {
	c := newClimb(os.Stdout)
	flag.StringVar(&c.libcuda, "libcuda", "libcuda.so.1", "`path` or soname of the CUDA driver's library")
	flag.StringVar(&c.libnvml, "libnvml", "libnvidia-ml.so.1", "`path` or soname of NVML")
	flag.IntVar(&c.ordinal, "device", 0, "`ordinal` of the device to work on, as CUDA counts")
	flag.DurationVar(&c.every, "every", probe.DefaultEvery, "`time` between two looks of the part sample")
	flag.Usage = func() {
		fmt.Fprintf(os.Stderr, "usage: strata-probe [flags] PART, with PART one of %s\n", names())
		flag.PrintDefaults()
	}
	flag.CommandLine.Init("strata-probe", flag.ContinueOnError)
	if err := flag.CommandLine.Parse(os.Args[1:]); err != nil {
		os.Exit(exitUsage)
	}
	part, ok := parts[flag.Arg(0)]
	if !ok || flag.NArg() != 1 {
		fmt.Fprintf(os.Stderr, "strata-probe: no part %q; there are %s\n", strings.Join(flag.Args(), " "), names())
		os.Exit(exitUsage)
	}
	part(c)
}

func names() string { return strings.Join(slices.Sorted(maps.Keys(parts)), ", ") }
