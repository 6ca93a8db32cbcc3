package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// packages is what pip, Conda and imports say of packages that are not to be had or exclude each other.
func packages() []*Signature {
	return []*Signature{
		{
			ID: "pip-no-version", Product: "pip",
			Literals: []string{"Could not find a version that satisfies the requirement", "No matching distribution found for", "no wheels with a matching", "has no wheels with a matching Python"},
			Pattern:  `(?:Could not find a version that satisfies the requirement|No matching distribution found for|(?:because|Because) ) ?(?P<package>torch|torchvision|torchaudio|xformers|triton|flash[-_]attn|tensorflow(?:-gpu)?|onnxruntime-gpu|jaxlib|nvidia-[\w-]+|cupy[\w-]*|paddlepaddle-gpu|vllm|bitsandbytes|tensorrt[\w-]*|mmcv(?:-full)?|pytorch-triton|torch-scatter|tensorflow-\w+)(?P<spec>[=<>~!][^\s(+]*(?:\+(?P<wheeltag>cu\d+|cpu|rocm[\d.]*\d))?[^\s(]*)?`,
			Layer:    rule.PythonEnv, Strength: Usual,
			Meaning: "The index has no file of this package for this version, Python and platform.",
			Causes: causes(
				Cause{
					When:  on(Is("spec", `\+(cu\d+|cpu|rocm)`)),
					Title: "{package}{spec} is not in the index that pip asked: this variant was never built, or only for other Pythons than this one[ ({python})]",
					Text:  "Variants with +cuNNN are in PyTorch's own index alone, and each release has only some of them. They exist for the Python releases of their time.",
					Remedies: []Remedy{
						fix("give PyTorch's index for that variant (--index-url https://download.pytorch.org/whl/{wheeltag}), and check that the release has it", "pip", "python -m pip install {package}{spec} --index-url https://download.pytorch.org/whl/{wheeltag}"),
						fix("or use a Python that the release has wheels for, or a newer release"),
					},
					Ask: "python --version; python -c 'import struct; print(struct.calcsize(\"P\")*8)'; uname -m",
				},
				Cause{
					When: on(Is("package", `^triton$`), Any(OnWindows, Says("on windows", "windows"))), Layer: rule.FrameworkBuild,
					Title:    "There is no triton[{spec}] for Windows: its own wheels are for Linux alone",
					Text:     "torch.compile and kernels written in Triton need it; without it programs run without them, only slower. The GPU and the driver are not the reason.",
					Remedies: []Remedy{fix("switch the option off that needs it (torch.compile), or use WSL2"), fix("or install the port for Windows, of the release for this torch[ {torch}]", "pip", "python -m pip install triton-windows")},
				},
				Cause{
					Title: "pip finds no {package}[{spec}] for this Python[ ({python})] and platform",
					Text:  "Wheels are made for certain Pythons and platforms: a Python that is newer than the release, 32-bit Python, Alpine (musl), an old pip or a release that was never published give this. The GPU and the driver are not concerned.",
					Remedies: []Remedy{
						fix("use a 64-bit Python that the release supports, in a fresh environment, with an up-to-date pip", "check", "python --version; python -m pip --version; python -m pip debug --verbose | head -40"),
					},
					Ask: "python --version; uname -m; the exact command",
				},
			),
			Samples: []string{
				"ERROR: Could not find a version that satisfies the requirement torch==1.8.0 (from versions: 2.2.0, 2.2.1, 2.2.2)",
				"ERROR: No matching distribution found for torch==2.4.1+cu129",
				"ERROR: Could not find a version that satisfies the requirement tensorflow-gpu (from versions: none)",
			},
			Misses: []string{"Could not find a version that satisfies the requirement six==9"},
			Source: "https://github.com/pytorch/pytorch/issues/160162",
		},
		{
			ID: "pip-unsupported-wheel", Product: "pip",
			Literals: []string{"is not a supported wheel on this platform"},
			Pattern:  `(?P<wheel>[\w.+-]+\.whl) is not a supported wheel on this platform`,
			Layer:    rule.PythonEnv, Strength: Strong,
			Meaning: "The wheel's tags do not fit this Python or platform.",
			Causes: causes(Cause{
				Title:    "The wheel {wheel} is for another Python or platform than this one[ (Python {python})]",
				Text:     "Its name says which: cp310 is Python 3.10, then the ABI, then the platform. The GPU is not concerned.",
				Remedies: []Remedy{fix("take the wheel for this Python and platform, or use the Python that its name says", "check", "python --version; python -m pip debug --verbose | head -40")},
			}),
			Samples: []string{"ERROR: flash_attn-2.5.8+cu122torch2.3cxx11abiFALSE-cp310-cp310-linux_x86_64.whl is not a supported wheel on this platform."},
			Misses:  []string{"this is not a supported wheel on this platform, says the test"},
			Source:  "https://github.com/Dao-AILab/flash-attention/issues/975",
		},
		{
			ID: "pip-resolution-conflict", Product: "pip",
			Literals: []string{"ResolutionImpossible", "conflicting dependencies", "which is incompatible.", "but you have torch", "but you have nvidia-", "have conflicting dependencies"},
			Pattern:  `(?:(?P<package>[\w.-]+) (?P<version>[\w.+]+) (?:requires|has requirement) (?P<need>(?:torch|torchvision|torchaudio|triton|nvidia-[\w-]+|numpy|xformers|protobuf)\b[^,]*), but you(?:'ll)? have (?P<have>[\w-]+ [\w.+]+) which is incompatible|ResolutionImpossible)`,
			Layer:    rule.PackageConflict, Strength: Weak,
			Meaning: "Two packages ask for different releases of a third.",
			Causes: causes(
				Cause{
					When:     on(Has("package")),
					Title:    "{package} {version} requires {need}, and {have} is installed",
					Text:     "pip goes on all the same; what fails later fails for this. One environment cannot hold both.",
					Remedies: []Remedy{fix("choose releases that agree, or put the two programs into environments of their own", "check", "python -m pip check")},
				},
				Cause{
					Title:    "pip finds no set of releases that suits all requirements (ResolutionImpossible)",
					Text:     "Two packages pin different releases of a third, often torch, NumPy or an nvidia wheel.",
					Remedies: []Remedy{fix("loosen one pin, or put the two programs into environments of their own")},
				},
			),
			Samples: []string{
				"xformers 0.0.23 requires torch==2.1.1, but you have torch 2.2.0+cu121 which is incompatible.",
				"ERROR: ResolutionImpossible: for help visit the user guide",
			},
			Misses: []string{"a newer pip resolves conflicting dependencies faster"},
			Source: "https://github.com/pytorch/pytorch/issues/134929",
		},
	}
}
