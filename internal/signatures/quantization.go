package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// quantization is what the packages of quantised models and optimisers say where their compiled part is missing.
func quantization() []*Signature {
	return []*Signature{
		{
			ID: "gptq-extension-missing", Product: "auto-gptq",
			Literals: []string{"CUDA extension not installed", "kernels for auto_gptq are not installed", "Exllama kernel is not installed", "name 'autogptq_cuda", "No module named 'autogptq_cuda", "No module named 'exllama_kernels", "No module named 'exllamav2_ext", "No module named 'awq_ext", "No module named 'awq_inference_engine", "could not load GEMM kernels extension", "could not load GEMV kernels extension", "name 'exllama_kernels'", "name 'quant_cuda'", "No module named 'quant_cuda'"},
			Pattern:  `(?i)CUDA extension not installed|CUDA kernels for (?P<pkg>auto_gptq) are not installed|(?P<what>Exllama) kernel is not installed|(?:name|No module named) '(?P<what>autogptq_cuda\w*|exllamav2_ext|exllama_kernels|awq_ext|awq_inference_engine|quant_cuda)'|AutoAWQ could not load (?P<what>GEM[MV]) kernels extension`,
			Layer:    rule.FrameworkBuild,
			Meaning:  "A package for quantised models is installed without its compiled CUDA part, and runs slowly or not at all.",
			Causes: causes(
				Cause{
					When:     on(Any(Is("torch", `\+cpu`), Says("torch.version.cuda None", "CUDA used to build PyTorch: None"))),
					Title:    "The CUDA extension of the package[ ({what})] is missing, since PyTorch {torch} is a CPU build",
					Text:     "The extension is compiled against a CUDA build of PyTorch.",
					Remedies: []Remedy{fix("install a CUDA build of torch first, then the package again", "pip", "python -m pip install --force-reinstall torch --index-url https://download.pytorch.org/whl/cu126")},
				},
				Cause{
					Title: "auto-gptq (or the AWQ or ExLlama package) is installed without its CUDA extension[: {what} is missing]",
					Text:  "The wheel on the general index was made for one torch and one CUDA, or for Python alone; with another torch the extension does not load, and models run slowly or not at all. The driver is not at fault.",
					Remedies: []Remedy{
						fix("install the wheel whose name has this torch and CUDA[ (torch {torch}, cu{torch_cuda|major})], from the project's releases or index, or build it from source with nvcc of PyTorch's CUDA", "pip", "python -m pip uninstall -y auto-gptq; python -m pip install auto-gptq --no-build-isolation --no-cache-dir --no-binary auto-gptq"),
						fix("auto-gptq is no longer kept up: GPTQModel takes its place", "pip", "python -m pip install gptqmodel --no-build-isolation"),
					},
					Ask: "python -c 'import torch; print(torch.__version__, torch.version.cuda)'; nvcc --version",
				},
			),
			Samples: []string{"WARNING:auto_gptq.nn_modules.qlinear_cuda:CUDA extension not installed.", "NameError: name 'autogptq_cuda_64' is not defined", "ModuleNotFoundError: No module named 'exllamav2_ext'", "UserWarning: AutoAWQ could not load GEMM kernels extension."},
			Misses:  []string{"the browser extension is not installed"},
			Source:  "https://github.com/AutoGPTQ/AutoGPTQ/issues/249",
		},
		{
			ID: "deepspeed-operator", Product: "deepspeed",
			Literals: []string{"has no attribute 'ds_opt_adam'", "has no attribute 'create_adam'", "has no attribute 'ds_opt_lion'", "has no attribute 'ds_opt_adagrad'", "Unable to JIT load the", "No module named 'deepspeed.ops.op_builder"},
			Pattern:  `'(?P<class>DeepSpeedCPU\w+)' object has no attribute 'ds_opt_\w+'|module '(?P<class>cpu_\w+)' has no attribute 'create_\w+'|Unable to JIT load the (?P<class>\w+) op`,
			Layer:    rule.Toolkit,
			Meaning:  "An operator of DeepSpeed was not compiled or not loaded; the exception before says why.",
			Causes: causes(Cause{
				Confidence: rule.Possible,
				Title:      "DeepSpeed's operator {class} is not there: it could not be compiled or loaded, mostly for want of an nvcc of PyTorch's CUDA[ ({torch_cuda})]",
				Text:       "DeepSpeed compiles its operators when they are first used, with nvcc of CUDA_HOME and a C++ compiler. This exception is only what follows: an exception of the build or of the import stands before it. An operator of an older torch in the cache does not load either.",
				Remedies: []Remedy{
					fix("see what it finds, and install a CUDA toolkit of PyTorch's CUDA major release and a C++ compiler", "check", "ds_report; nvcc --version; python -c 'import torch; print(torch.version.cuda)'"),
					fix("empty the cache and install DeepSpeed anew", "shell", "rm -rf ~/.cache/torch_extensions; python -m pip install --force-reinstall --no-cache-dir deepspeed"),
					fix("or use PyTorch's own optimiser (adamw_torch), or no offload of the optimiser to the CPU"),
				},
				Ask: "the first exception, before this one",
			}),
			Samples: []string{"AttributeError: 'DeepSpeedCPUAdam' object has no attribute 'ds_opt_adam'", "RuntimeError: Unable to JIT load the async_io op due to it not being compatible due to hardware/software issue."},
			Misses:  []string{"AttributeError: 'Adam' object has no attribute 'step'"},
			Source:  "https://github.com/deepspeedai/DeepSpeed/issues/2901",
		},
	}
}
