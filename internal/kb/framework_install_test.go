package kb

import (
	"slices"
	"strings"
	"testing"
)

func TestInstall(t *testing.T) {
	tests := []struct {
		framework, version, variant string
		manager                     InstallManager
		command                     string
	}{
		{"torch", "2.9.1", "cu130", InstallPip, "pip install torch==2.9.1 torchvision==0.24.1 torchaudio==2.9.1 --index-url https://download.pytorch.org/whl/cu130"},
		{"torch", "2.9.1+cu126", "cu126", InstallPip, "pip install torch==2.9.1 torchvision==0.24.1 torchaudio==2.9.1 --index-url https://download.pytorch.org/whl/cu126"},
		{"torch", "2.9.1", "cu128", InstallPip, "pip install torch==2.9.1 torchvision==0.24.1 torchaudio==2.9.1"}, // what PyPI has
		{"torch", "2.5.1", "cu124", InstallConda, "conda install pytorch==2.5.1 torchvision==0.20.1 torchaudio==2.5.1 pytorch-cuda=12.4 -c pytorch -c nvidia"},
		{"torch", "1.13.1", "cu117", InstallPip, "pip install torch==1.13.1+cu117 torchvision==0.14.1+cu117 torchaudio==0.13.1 --extra-index-url https://download.pytorch.org/whl/cu117"},
		{"tensorflow", "2.20.0", "cuda", InstallPip, "python3 -m pip install 'tensorflow[and-cuda]==2.20.0'"},
		{"jax", "0.8.1", "cuda13", InstallPip, `pip install -U "jax[cuda13]==0.8.1"`},
		{"onnxruntime-gpu", "1.26.0", "cuda12", InstallPip, "pip install onnxruntime-gpu==1.26.0"},
		{"onnxruntime-gpu", "1.19.2", "cuda11", InstallPip, "pip install onnxruntime-gpu==1.19.2 --extra-index-url https://aiinfra.pkgs.visualstudio.com/PublicPackages/_packaging/onnxruntime-cuda-11/pypi/simple/"},
		{"paddlepaddle-gpu", "3.3.0", "cu130", InstallPip, "python -m pip install paddlepaddle-gpu==3.3.0 -i https://www.paddlepaddle.org.cn/packages/stable/cu130/"},
		{"Flash_Attn", "2.8.3", "", InstallPip, "pip install flash-attn==2.8.3 --no-build-isolation"},
	}
	for _, tt := range tests {
		a := Default().Install(tt.framework, pep(tt.version), tt.variant)
		if !slices.ContainsFunc(a.Value, func(in Install) bool {
			return in.Manager == tt.manager && in.Variant == tt.variant && in.Command == tt.command
		}) {
			t.Errorf("%s %s %s: %+v (%s)", tt.framework, tt.version, tt.variant, a.Value, a.Why)
		}
	}
}

// Every variant that is offered for a torch release is one that was published, and every command is filled in.
func TestInstallTorchVariants(t *testing.T) {
	for _, v := range Default().TorchReleases() {
		a := Default().Install("torch", v, "")
		for _, in := range a.Value {
			if !Default().Torch(v, in.Variant).Known {
				t.Errorf("torch %s: %q is not a build", v, in.Variant)
			}
			if strings.ContainsAny(in.Command+in.Check, "{}") || in.Command == "" {
				t.Errorf("torch %s %s: %q is not filled in", v, in.Variant, in.Command)
			}
		}
	}
	if a := Default().Install("torch", pep("2.8.0"), "cu118"); a.Known || a.Beyond {
		t.Errorf("torch 2.8.0 has no build for cu118: %+v", a.Value)
	}
	if a := Default().Install("torch", pep("2.99"), ""); !a.Beyond {
		t.Errorf("torch 2.99 is not beyond: %+v", a)
	}
	if a := Default().Install("no-such-framework", pep("1.0"), ""); a.Known || a.Beyond {
		t.Errorf("a framework without rows: %+v", a)
	}
}

func TestONNXRuntimePackage(t *testing.T) {
	tests := []struct {
		host         PackageHost
		pkg, version string
		cuda, cudnn  int
		soname       string
	}{
		{Maven, "onnxruntime_gpu", "1.17.1", 11, 8, "libcudart.so.11.0"},
		{Maven, "onnxruntime_gpu", "1.18.0", 12, 8, "libcudnn.so.8"},
		{Maven, "onnxruntime_gpu", "1.20.0", 12, 9, "libcudnn_adv.so.9"},
		{Maven, "onnxruntime_gpu", "1.29.0", 12, 9, "libcublasLt.so.12"},
		{NuGet, "Microsoft.ML.OnnxRuntime.Gpu.Linux", "1.30.0", 12, 9, ""},
		{NPM, "onnxruntime-node", "1.30.0", 12, 9, ""},
	}
	for _, tt := range tests {
		a := Default().ONNXRuntimePackage(tt.host, tt.pkg, pep(tt.version))
		if r := a.Value; r.CUDAMajor != tt.cuda || r.CUDNNMajor != tt.cudnn || tt.soname != "" && !slices.Contains(r.Sonames, tt.soname) {
			t.Errorf("%s %s: CUDA %d, cuDNN %d, %q (%s)", tt.pkg, tt.version, r.CUDAMajor, r.CUDNNMajor, r.Sonames, a.Why)
		}
	}
	if a := Default().ONNXRuntimePackage(Maven, "onnxruntime_gpu", pep("1.32.0")); !a.Beyond {
		t.Errorf("1.32.0 is not beyond: %+v", a)
	}
}

func TestConsumerPins(t *testing.T) {
	tests := []struct{ pkg, version, torch, requires string }{
		{"vllm", "0.4.1", "==2.2.1", "xformers==0.0.25"},
		{"vllm", "0.5.3", "==2.3.1", "torchvision==0.18.1 xformers==0.0.27"},
		{"vllm", "0.16.0", "==2.9.1", "torchaudio==2.9.1 torchvision==0.24.1"},
		{"vllm", "0.32.0", "==2.13.0", "torchaudio==2.11.0 torchvision==0.28.0"},
		{"sglang", "0.5.23", "==2.14.1", "sglang-kernel==0.4.10"},
		{"tensorrt-llm", "1.2.1", ">=2.9.1,<=2.10.0a0", "tensorrt~=10.14.1 triton==3.5.1 nvidia-nccl-cu13>=2.27.7,<=2.28.9"},
		{"faster-whisper", "1.2.1", "", "ctranslate2>=4.0,<5"},
		{"xformers", "0.0.32.post1", "==2.8.0", ""},
	}
	for _, tt := range tests {
		a := Default().ConsumerRows(tt.pkg, pep(tt.version))
		if !a.Known {
			t.Errorf("%s %s: %s", tt.pkg, tt.version, a.Why)
			continue
		}
		var requires []string
		for _, d := range a.Value[0].Requires {
			requires = append(requires, d.String())
		}
		if torch := a.Value[0].Torch.String(); torch != tt.torch || strings.Join(requires, " ") != tt.requires {
			t.Errorf("%s %s: torch %q, %q", tt.pkg, tt.version, torch, requires)
		}
	}
	if d := Default().Consumer("cudf-cu12", pep("26.10.2"), toolkitOf("12.9")).Value; d.MinDriver.String() != "535" || d.CCMin != targetOf("7.0") {
		t.Errorf("cudf-cu12 26.10.2: driver %s, compute capability %s", d.MinDriver, d.CCMin)
	}
}
