package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// ortCPU is what shows that ONNX Runtime has or uses the CPU provider alone.
func ortCPU() []*Signature {
	return []*Signature{
		{
			ID: "ort-cpu-provider-listed", Product: "onnxruntime",
			Literals:    []string{"AzureExecutionProvider", "['CPUExecutionProvider']", `["CPUExecutionProvider"]`, "get_device()"},
			Pattern:     `(?i)(?:(?:available|get|all|supported)[_ ]?(?:available_)?providers?|\b(?:only|just)(?: \w+)? (?:loads?|has|have|lists?|shows?|gives?|returns?|sees?|offers?|gets?|reports?|prints?)(?: \w+)?)\W{0,30}(?:\(\))?\W{0,12}\[['"](?:AzureExecutionProvider['"], ['"])?CPUExecutionProvider['"]\]|\bget_device\(\)\W{0,4}(?:(?:returns?|gives|is|prints|->|=>|>>>)\W{0,4})*['"]?CPU\b|^\s*(?:[-•*>]+\s*)*\[['"]AzureExecutionProvider['"], ['"]CPUExecutionProvider['"]\]`,
			Layer:       rule.FrameworkBuild,
			Where:       on(Not(Seen("ort-cuda-provider-not-created"))), // then the list is of a session, not of the build
			ExplainedBy: []string{"PKG001", "FRM001"},
			Meaning:     "The onnxruntime that was imported lists no provider for GPUs.",
			Causes:      ortCPUCauses("the imported onnxruntime lists the CPU provider alone"),
			Samples: []string{
				"Available providers: ['AzureExecutionProvider', 'CPUExecutionProvider']",
				">>> onnxruntime.get_available_providers()\n['CPUExecutionProvider']",
				"  • ['AzureExecutionProvider', 'CPUExecutionProvider']",
				"onnxruntime.get_device() returns 'CPU'",
				"the container only lists ['AzureExecutionProvider', 'CPUExecutionProvider']",
			},
			Misses: []string{"Applied providers: ['CPUExecutionProvider'], with options: {'CPUExecutionProvider': {}}", "['TensorrtExecutionProvider', 'CUDAExecutionProvider', 'CPUExecutionProvider']"},
			Source: "https://github.com/yakhyo/uniface/issues/77",
		},
		{
			ID: "ort-applied-cpu", Product: "insightface",
			Literals: []string{"Applied providers:", "ONNX Runtime is using the CPU"},
			Pattern:  `Applied providers: \['CPUExecutionProvider'\]|ONNX Runtime is using the CPU`,
			Role:     Consequence,
			Layer:    rule.FrameworkBuild,
			Meaning:  "A session runs on the CPU provider alone.",
			Causes: causes(
				Cause{
					When:     on(Lists("onnxruntime", "onnxruntime-gpu")),
					Layer:    rule.PackageConflict,
					Title:    "onnxruntime and onnxruntime-gpu are both installed: the session runs on the CPU",
					Text:     "Both packages write the module onnxruntime; the one that was installed last wins.",
					Remedies: []Remedy{fix("uninstall both and install onnxruntime-gpu alone", "pip", "python -m pip uninstall -y onnxruntime onnxruntime-gpu", "pip", "python -m pip install onnxruntime-gpu")},
				},
				Cause{
					Confidence: rule.Possible,
					Title:      "the ONNX Runtime session runs on the CPU: its CUDA provider is not in the package, was not asked for, or could not be loaded",
					Text:       "With onnxruntime-gpu alone installed, most often its CUDA or cuDNN libraries are not found: then importing torch first, or onnxruntime.preload_dlls(), helps where those bring the right major releases.",
					Remedies: []Remedy{
						fix("install the GPU package alone, with its libraries", "pip", "python -m pip uninstall -y onnxruntime onnxruntime-gpu", "pip", "python -m pip install 'onnxruntime-gpu[cuda,cudnn]'"),
						fix("call onnxruntime.preload_dlls() before the first session, and pass providers=['CUDAExecutionProvider', 'CPUExecutionProvider']"),
					},
					Ask: "python -c 'import onnxruntime as o; print(o.__version__, o.get_available_providers())', and the E:onnxruntime lines",
				},
			),
			Samples: []string{"Applied providers: ['CPUExecutionProvider'], with options: {'CPUExecutionProvider': {}}"},
			Misses:  []string{"Applied providers: ['CUDAExecutionProvider', 'CPUExecutionProvider'], with options"},
			Source:  "https://github.com/deepinsight/insightface/issues/2394",
		},
	}
}
