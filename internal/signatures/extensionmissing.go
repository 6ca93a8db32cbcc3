package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// extensionMissing is what a Python package says whose compiled part is not there.
func extensionMissing() []*Signature {
	return []*Signature{
		{
			ID: "extension-module-missing", Product: "pytorch",
			Literals: []string{"cannot import name '_C' from", "cannot import name '_ext' from", "name '_C' is not defined", "_cuda' is not defined", "_cuda_core' is not defined", "_ext' is not defined", "_kernels' is not defined", "找不到", "No module named '", "fused_adam", "cpu_adam"},
			Pattern: `cannot import name '(?P<module>_C|_ext|\w+_cuda|_cuda\w*)' from (?:partially initialized module )?'(?P<package>\w+)[\w.]*'` +
				`|name '(?P<module>_C|\w+_(?:cuda|cuda_\w+|ext|kernels?))' is not defined` +
				`|找不到 ?['"“]?(?P<module>\w+_(?:cuda|ext)\w*)` +
				`|No module named '(?P<package>[a-z]\w*)(?:\.\w+)*\.(?P<module>_C|_ext|_\w*cuda\w*)'` +
				`|No module named '(?P<module>MultiScaleDeformableAttention|(?:flash_attn|selective_scan|causal_conv1d|mamba|rasterizer|deform_conv|roi_pool\w*|nms|correlation|spatial_correlation_sampler|pointnet2|iou3d|ball_query|roiaware_pool3d|fused_bias_act|upfirdn2d|emd|chamfer|knn|tiny|gridencoder|raymarching|freqencoder|shencoder|bev_pool|voxel_layer|softmax|dcn|DCN)\w*_(?:cuda|ext|C))'` +
				`|No module named '(?P<module>fused_adam|cpu_adam|cpu_adagrad|fused_lamb|transformer_inference|async_io|fused_lion|upfirdn2d_plugin|bias_act_plugin|nvdiffrast_plugin|gptq_kernels|torchsparse_backend)'|(?P<module>fused_adam|cpu_adam|transformer_inference|fused_lamb) is not compiled`,
			Layer:   rule.FrameworkBuild,
			Meaning: "A package is there without the module that is compiled for torch and CUDA.",
			Causes: causes(
				Cause{
					When:  on(Is("package", `^(?:vllm|sglang|sgl_kernel|torchvision|xformers)$`)),
					Title: "{package} is there without its compiled part ({module}): it was not built, or Python imports a source directory in its place",
					Text:  "The wheel brings {package}.{module}; a checkout of the source with the same name in the working directory hides it, and a build without CUDA leaves it out.",
					Remedies: []Remedy{
						fix("run from another directory than the source checkout, and install the wheel for this torch[ {torch}] and CUDA[ {torch_cuda}]", "pip", "python -m pip install --force-reinstall --no-deps {package}", "check", "cd / && python -c 'import {package}; print({package}.__file__)'"),
						fix("or build it where it is", "pip", "python -m pip install -e . --no-build-isolation"),
					},
				},
				Cause{
					When:  on(Is("module", `^(?:fused_adam|cpu_adam|cpu_adagrad|fused_lamb|transformer_inference|async_io|fused_lion|\w+_plugin)$`)),
					Layer: rule.Toolkit,
					Title: "{module} was not compiled: PyTorch builds it with nvcc and ninja when it is first used, and that build failed before",
					Text:  "The import finds nothing because the build's own error stands further above, or a lock and half a build are left in the cache. nvcc must be of torch's CUDA[ ({torch_cuda})] and the host compiler one that it takes.",
					Remedies: []Remedy{
						fix("clear the cache, build again and read the first error", "shell", "rm -rf ~/.cache/torch_extensions; which nvcc ninja; nvcc --version"),
						fix("for DeepSpeed see what it lacks, or build its operators when it is installed", "shell", "ds_report; DS_BUILD_FUSED_ADAM=1 DS_BUILD_CPU_ADAM=1 python -m pip install --force-reinstall --no-cache-dir deepspeed"),
					},
				},
				Cause{
					Title: "The compiled extension [{package}.{module} || {module}] is missing: the package was installed without its CUDA code, or was not compiled for this torch[ {torch}]",
					Text:  "Such packages compile when they are installed. Without nvcc and CUDA_HOME, or without a GPU in an image build, some of them go on and leave the CUDA part out.",
					Remedies: []Remedy{
						fix("reinstall it where nvcc of torch's CUDA[ ({torch_cuda})] is found, with CUDA_HOME set, and without isolation", "shell", "export CUDA_HOME=/usr/local/cuda; python -m pip install --force-reinstall --no-cache-dir --no-build-isolation --no-deps .", "check", "nvcc --version; python -c 'import torch; print(torch.__version__, torch.version.cuda)'"),
						fix("in an image build, where no GPU is visible, name the GPU's architecture and ask for the CUDA part", "shell", "export TORCH_CUDA_ARCH_LIST=\"8.6\" FORCE_CUDA=1"),
						fix("or install a ready wheel of it for this torch and CUDA"),
					},
				},
			),
			Samples: []string{
				"ImportError: cannot import name '_C' from 'groundingdino'",
				"NameError: name '_C' is not defined",
				"NameError: name 'scan_cuda_core' is not defined",
				"运行时找不到chamfer_cuda",
				"ModuleNotFoundError: No module named 'diff_gaussian_rasterization._C'",
				"ModuleNotFoundError: No module named 'MultiScaleDeformableAttention'",
				"ModuleNotFoundError: No module named 'flash_attn_2_cuda'",
			},
			Misses: []string{"No module named 'my_ops'", "cannot import name 'cuda' from 'numba'"},
			Source: "https://github.com/IDEA-Research/GroundingDINO/issues/8",
		},
	}
}
