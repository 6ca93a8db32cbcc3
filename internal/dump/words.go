package dump

import (
	"strings"
)

// Nothing tells whether a value is one of the words that tools print where they
// know none.
func Nothing(s string) bool {
	switch lowerASCII(strings.Trim(strings.TrimSpace(s), ".()<>[]'\"")) {
	case "", "n/a", "na", "none", "null", "unknown", "not found", "could not collect", "no cuda", "not installed", "not available",
		"not detected", "not specified", "undefined", "-", "--", "nan", "no", "not applicable", "cpu", "false", "not present", "error":
		return true
	}
	return false
}

// normalName writes a package's name as PEP 503 does, but keeps dots, which Julia's and Java's names have.
func normalName(s string) string {
	return strings.ReplaceAll(lowerASCII(strings.TrimSpace(s)), "_", "-")
}

// frameworks are the packages that are a framework, or an extension of one that
// reports are about. The names are those of the packages.
var frameworks = map[string]bool{
	"torch": true, "pytorch": true, "torchvision": true, "torchaudio": true, "tensorflow": true, "tensorflow-gpu": true, "tensorflow-cpu": true,
	"tf-nightly": true, "jax": true, "jaxlib": true, "jax-cuda12-plugin": true, "jax-cuda13-plugin": true, "cupy": true, "onnxruntime": true, "onnxruntime-gpu": true,
	"onnxruntime-genai": true, "onnxruntime-genai-cuda": true, "ctranslate2": true, "faster-whisper": true, "vllm": true, "sglang": true, "flash-attn": true,
	"xformers": true, "bitsandbytes": true, "triton": true, "deepspeed": true, "transformer-engine": true, "tensorrt": true, "tensorrt-llm": true,
	"paddlepaddle": true, "paddlepaddle-gpu": true, "numba": true, "numba-cuda": true, "mxnet": true, "llama-cpp-python": true, "accelerate": true,
	"transformers": true, "keras": true, "apex": true, "lightning": true, "pytorch-lightning": true, "peft": true, "diffusers": true, "unsloth": true,
	"cudf": true, "cuml": true, "rmm": true, "caffe": true, "caffe2": true, "mmcv": true, "mmcv-full": true, "fairseq": true,
	"ollama": true, "llama.cpp": true, "ultralytics": true, "detectron2": true, "lmdeploy": true, "tritonserver": true, "flax": true, "trl": true,
	"flashinfer": true, "flashinfer-python": true, "comfyui": true, "mmdet": true, "mmengine": true, "horovod": true, "dgl": true, "jax-cuda12-pjrt": true,
	"optimum": true, "llamafactory": true, "nemo": true, "megatron": true, "torchao": true, "torchtext": true, "cupy-cuda": true, "whisper.cpp": true,
	"auto-gptq": true, "autoawq": true, "exllamav2": true, "cugraph": true, "spacy": true, "catboost": true, "xgboost": true, "lightgbm": true,
	"cupy-cuda11x": true, "cupy-cuda12x": true, "cupy-cuda13x": true, "cupy-cuda102": true, "cupy-cuda110": true, "cupy-cuda111": true, "cupy-cuda112": true,
	"cupy-cuda113": true, "cupy-cuda114": true, "cupy-cuda115": true, "cupy-cuda116": true, "cupy-cuda117": true,
}

// IsVersion tells whether a word has the form of a version: it begins with a
// digit, has letters and digits, and single marks between them.
func IsVersion(s string) bool {
	s = strings.TrimPrefix(s, "v")
	if s == "" || len(s) > 63 || !isDigit(s[0]) {
		return false
	}
	mark := false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case isDigit(c), 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z':
			mark = false
		case c == '.', c == '+', c == '_', c == '-':
			if mark {
				return false
			}
			mark = true
		default:
			return false
		}
	}
	return !mark
}

// sameGPU tells whether two names mean one model: the vendor's name, marks and
// the memory's size may be there or not.
func sameGPU(a, b string) bool {
	a, b = modelOf(a), modelOf(b)
	if cut, ok := strings.CutSuffix(a, "..."); ok {
		return strings.HasPrefix(b, strings.TrimRight(cut, " "))
	}
	if cut, ok := strings.CutSuffix(b, "..."); ok {
		return strings.HasPrefix(a, strings.TrimRight(cut, " ")) && a != ""
	}
	return a != "" && (a == b || strings.HasPrefix(a, b+" ") || strings.HasPrefix(b, a+" "))
}

var vendorWords = strings.NewReplacer("nvidia", " ", "corporation", " ", "geforce", " ", "tesla", " ", "quadro", " ", "(r)", " ", "(tm)", " ", "-", " ", "_", " ", ",", " ")

func modelOf(s string) string {
	return strings.Join(strings.Fields(vendorWords.Replace(lowerASCII(s))), " ")
}

// CUDAOfNumber turns the integer form of CUDA's releases, 1000 × major + 10 × minor,
// into words: 12040 is 12.4. It gives "" for anything else.
func CUDAOfNumber(n int) string {
	if n < 3000 || n > 30000 || n%10 != 0 || n%1000 > 990 {
		return ""
	}
	return itoa(n/1000) + "." + itoa(n%1000/10)
}

// CUDNNOfNumber turns cuDNN's integer form into words: 8902 is 8.9.2, and since
// 9.0, 1e4 × major + 100 × minor + patch: 90100 is 9.1.0.
func CUDNNOfNumber(n int) string {
	switch {
	case n >= 90000 && n < 1000000:
		return itoa(n/10000) + "." + itoa(n%10000/100) + "." + itoa(n%100)
	case n >= 2000 && n < 9000:
		return itoa(n/1000) + "." + itoa(n%1000/100) + "." + itoa(n%100)
	}
	return ""
}

func itoa(n int) string {
	if n < 10 {
		return string(rune('0' + n))
	}
	return itoa(n/10) + string(rune('0'+n%10))
}

// lowerASCII puts the ASCII letters of a text in lower case and leaves its length as it is: an offset in the one is
// an offset in the other, which does not hold of strings.ToLower (İ gets a byte longer).
func lowerASCII(s string) string {
	i := 0
	for i < len(s) && (s[i] < 'A' || s[i] > 'Z') {
		i++
	}
	if i == len(s) {
		return s
	}
	b := []byte(s)
	for ; i < len(b); i++ {
		if 'A' <= b[i] && b[i] <= 'Z' {
			b[i] += 'a' - 'A'
		}
	}
	return string(b)
}
