package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// catBoost is what CatBoost says of its library for the GPU.
func catBoost() []*Signature {
	return []*Signature{
		{
			ID: "catboost-gpu-library", Product: "catboost",
			Literals: []string{"load GPU learning library", "Environment for task type [GPU] not found"},
			Pattern:  `Can't load GPU learning library|Environment for task type \[GPU\] not found`,
			Layer:    rule.FrameworkBuild,
			Meaning:  "CatBoost has no part for the GPU in this build, or CUDA refuses it.",
			Causes: causes(
				Cause{
					When:  on(Below("driver_cuda", "11.0")),
					Layer: rule.Driver,
					Title: "the driver[ {driver}] (CUDA {driver_cuda}) is too old for the CUDA that this CatBoost was built with",
					Text:  "CatBoost's wheels bring their CUDA runtime; the driver must support it.",
					Remedies: []Remedy{
						fix("update the driver (450.80.02 or newer for CUDA 11)", "check", "nvidia-smi"),
						fix("or install a CatBoost of the driver's time"),
					},
				},
				Cause{
					Title: "CatBoost cannot use the GPU: this build has no CUDA part (built from source, or a platform without one), or the CUDA that it was built with does not fit the driver[ {driver}]",
					Text:  "The wheels for x86-64 Linux and Windows have the GPU part and bring their own CUDA runtime, so a toolkit is not needed. Conda's package and own builds without a CUDA directory lack it; a driver that is older than the package's CUDA leads to the same message.",
					Remedies: []Remedy{
						fix("install CatBoost's wheel in place of it", "pip", "python -m pip install --force-reinstall --no-cache-dir catboost"),
						fix("update the driver where nvidia-smi shows an older CUDA than the package's, or take an older CatBoost", "check", "nvidia-smi; python -c 'import catboost; print(catboost.__version__)'"),
					},
					Ask: "how CatBoost was installed, and nvidia-smi",
				},
			),
			Samples: []string{"_catboost.CatBoostError: catboost/libs/train_lib/train_model.cpp:917: Can't load GPU learning library. Module was not compiled or CUDA version/driver  is incompatible with package.", "CatBoostError: Environment for task type [GPU] not found"},
			Misses:  []string{"GPU learning library loaded"},
			Source:  "https://github.com/catboost/catboost/issues/449",
		},
	}
}
