package triage

import (
	"slices"
	"testing"
)

// TestFactsOfText holds that the rules of check judge what a text tells: no
// message is in these texts, and still a rule names what is broken.
func TestFactsOfText(t *testing.T) {
	for _, c := range []struct{ name, text, rule string }{
		{"table of nvidia-smi and a list of packages", "| NVIDIA-SMI 450.119.03   Driver Version: 450.119.03   CUDA Version: 11.0     |\n" +
			"|   0  Tesla T4            On   | 00000000:3B:00.0 Off |                    0 |\n\nPackage Version\n------- -------\ntorch   2.2.0+cu121\n", "DRV002"},
		{"collect_env", "PyTorch version: 2.3.1+cu121\nCUDA used to build PyTorch: 12.1\nOS: Ubuntu 20.04.6 LTS (x86_64)\nPython version: 3.10.12\n" +
			"GPU models and configuration: GPU 0: NVIDIA GeForce RTX 3080\nNvidia driver version: 470.239.06\n", "DRV002"},
		{"Blackwell under a wheel for CUDA 12.6", "> PyTorch version: 2.6.0+cu126\n> GPU 0: NVIDIA GeForce RTX 5080\n> Nvidia driver version: 572.83\n", "ARC001"},
		{"a capability without a name", "torch==2.6.0+cu126\nDriver Version: 575.64.03\nDevice 0 Compute Capability: 120\n", "ARC001"},
		{"a wheel without CUDA", "- PyTorch version (GPU?): 2.4.1+cpu (False)\n- GPU type: NVIDIA GeForce RTX 3060\nDriver Version: 550.54.14\n", "FRM001"},
		{"Conda's build without CUDA", "[conda] pytorch 2.2.0 cpu_generic_py39h7e2bcb0_1 conda-forge\nGPU 0: NVIDIA A10 (UUID: GPU-0)\nDriver Version: 535.54.03\n", "FRM001"},
		{"a pair of releases", "torch==2.4.0\ntorchvision==0.16.2\n", "PKG007"},
		{"two packages with the same files", "name: x\ndependencies:\n  - pip:\n    - onnxruntime==1.18.0\n    - onnxruntime-gpu==1.18.0\n", "PKG001"},
		{"TensorFlow", "tensorflow==2.16.1\nDriver Version: 418.126.02\nGPU: Tesla V100\n", "DRV002"},
		{"JAX with a plugin", "jax: 0.4.31\njaxlib: 0.4.31\njax-cuda12-plugin: 0.4.31\nDriver Version: 470.82.01\nGPU 0: Tesla T4 (UUID: GPU-0)\n", "DRV002"},
		{"CuPy", "CuPy Version                 : 13.1.0\nCUDA Build Version           : 12040\nNVIDIA driver: 470.82.01\nDevice 0 Name                : Tesla T4\n", "DRV002"},
		{"labels of a node and a requirements file", `{"nvidia.com/gpu.product": "Tesla-P40", "nvidia.com/cuda.driver-version.full": "570.133.20"}` + "\ntorch==2.8.0+cu128\n", "ARC001"},
	} {
		t.Run(c.name, func(t *testing.T) {
			doc, err := Text(c.name, c.text, options())
			if err != nil {
				t.Fatal(err)
			}
			if doc.Verdict.Finding != c.rule {
				t.Errorf("the verdict names %q, not %s: %s", doc.Verdict.Finding, c.rule, doc.Verdict.Summary)
			}
			if len(doc.Findings) > 0 && len(doc.Findings[0].Evidence) == 0 && slices.Contains([]string{"DRV002", "ARC001"}, c.rule) {
				t.Errorf("%s has no line of the text as evidence", c.rule)
			}
		})
	}
}
