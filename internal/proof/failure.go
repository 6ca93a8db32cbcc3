package proof

import (
	"fmt"
	"path"
	"regexp"
	"strings"

	"strata/internal/probe"
)

// failure is the first thing that went wrong in a run.
type failure struct {
	run  *probe.Run
	step *probe.Step // nil where the child ended between steps
}

// failure finds it; nil where all went well.
func (b *builder) failure(r *probe.Run) *failure {
	for i := range r.Steps {
		s := &r.Steps[i]
		if s.State == probe.Wrong || s.State == probe.Failed && !trifle(s) {
			return &failure{r, s}
		}
	}
	if r.End.Stopped && r.Died() == nil {
		return nil // it was stopped between two steps: no call is to be named
	}
	if !r.InOrder() {
		return &failure{r, r.Died()}
	}
	return nil
}

// trifle tells whether a call of NVML failed that asks for one fact of many:
// what a user may not see, or a GPU does not have.
func trifle(s *probe.Step) bool {
	return strings.HasPrefix(s.Name, "nvml") && s.Name != "nvmlInit_v2" && s.Name != "nvmlDeviceGetCount_v2" && s.Name != "nvmlDeviceGetHandleByIndex_v2" &&
		!graveNVML[s.Code]
}

var driverCall = regexp.MustCompile(`^cu[A-Z]`)

// ofDriver tells whether it is the driver that failed, maybe within the climb of a library.
func (f *failure) ofDriver() bool {
	switch {
	case f.run.Rung != probe.Libraries:
		return true
	case f.step == nil:
		return false
	case f.run.Part == "cudart":
		return f.step.Name == "cudaGetDeviceCount" && f.step.Code == 100
	}
	return driverCall.MatchString(f.step.Name) || f.step.Name == "load" && strings.HasPrefix(path.Base(f.step.Subject), "libcuda.so")
}

// call is the step as a person reads it: the function, and of what library.
func (f *failure) call() string {
	switch {
	case f.step == nil && len(f.run.Steps) == 0:
		return "starting the probe of " + partName(f.run.Part)
	case f.step == nil:
		return "the probe of " + partName(f.run.Part)
	case f.step.Name == "load":
		return "loading " + f.step.Subject
	case f.step.Name == "compare":
		return "the result of " + f.step.Subject
	case f.step.Subject != "":
		return fmt.Sprintf("%s (%s)", f.step.Name, f.step.Subject)
	}
	return f.step.Name
}

// on names the GPU, with a space before, where there is one.
func (f *failure) on() string {
	d := f.run.Device
	if f.step != nil && f.step.Device != nil {
		d = f.step.Device
	}
	if d == nil {
		return ""
	}
	return fmt.Sprintf(" on GPU %d", *d)
}

// said is what the step or the system said: CUDA_ERROR_NO_DEVICE (100): no CUDA-capable device is detected.
func (f *failure) said() string {
	if f.step == nil || f.step.State == probe.Begin {
		return ending(&f.run.End)
	}
	s := f.step
	switch {
	case s.Error != "" && s.Detail != "":
		return fmt.Sprintf("%s (%d): %s", s.Error, s.Code, s.Detail)
	case s.Error != "":
		return fmt.Sprintf("%s (%d)", s.Error, s.Code)
	case s.Code != 0 && s.Detail != "":
		return fmt.Sprintf("error %d: %s", s.Code, s.Detail)
	case s.Code != 0:
		return fmt.Sprintf("error %d", s.Code)
	}
	return s.Detail
}

// gist is the failure in one line of the ladder.
func (f *failure) gist() string {
	if f.step == nil || f.step.State == probe.Begin {
		return fmt.Sprintf("%s: %s", f.call(), ending(&f.run.End))
	}
	if f.step.State == probe.Wrong {
		return "wrong result of " + f.step.Subject
	}
	if f.step.Name == "load" {
		return f.said()
	}
	return fmt.Sprintf("%s: %s", f.step.Name, f.said())
}

// ending is how a child ended, in words.
func ending(e *probe.End) string {
	switch {
	case e.Stuck:
		return "hangs in the kernel and cannot be ended"
	case e.Timeout:
		return fmt.Sprintf("did not return within %s", seconds(e.Micros))
	case e.MemoryMiB > 0:
		return fmt.Sprintf("took %d MiB of memory and was ended", e.MemoryMiB)
	case e.Stopped:
		return "was stopped"
	case e.Signal != "":
		return "ended by " + e.Signal
	case e.Exit != 0:
		return fmt.Sprintf("exited with status %d", e.Exit)
	}
	return "exited within the call"
}

func seconds(micros int64) string { return fmt.Sprintf("%.1f s", float64(micros)/1e6) }

// partName is a part as a person says it.
func partName(part string) string {
	if name, ok := partNames[part]; ok {
		return name
	}
	return part
}

var partNames = map[string]string{
	"cuda": "libcuda", "nvml": "NVML", "compute": "the GPU", "cudart": "CUDA runtime", "cublas": "cuBLAS", "cufft": "cuFFT", "cudnn": "cuDNN", "nccl": "NCCL",
	"pytorch": "PyTorch", "tensorflow": "TensorFlow", "jax": "JAX", "cupy": "CuPy", "onnxruntime": "ONNX Runtime", "ctranslate2": "CTranslate2", "vllm": "vLLM",
}
