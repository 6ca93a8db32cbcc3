package dump

import "strings"

// spelled are the packages that reports name by other words than their own.
var spelled = map[string]string{
	"pytorch": "torch", "py torch": "torch", "torch": "torch", "libtorch": "torch", "tensor flow": "tensorflow", "tf": "tensorflow", "tensorflow": "tensorflow",
	"tensorflow gpu": "tensorflow-gpu", "tf nightly": "tf-nightly", "onnx runtime": "onnxruntime", "onnxruntime gpu": "onnxruntime-gpu", "onnx runtime gpu": "onnxruntime-gpu",
	"ort": "onnxruntime", "onnx runtime version or commit id": "onnxruntime", "onnxruntime genai": "onnxruntime-genai", "flash attn": "flash-attn", "flash attention": "flash-attn",
	"flash attention 2": "flash-attn", "flashattention": "flash-attn", "flashattn": "flash-attn", "llama cpp python": "llama-cpp-python", "huggingface hub": "huggingface-hub",
	"hugging face hub": "huggingface-hub", "pytorch lightning": "pytorch-lightning", "lightning": "lightning", "transformer engine": "transformer-engine", "tensorrt llm": "tensorrt-llm",
	"trt llm": "tensorrt-llm", "torch vision": "torchvision", "torch audio": "torchaudio", "scikit learn": "scikit-learn", "sklearn": "scikit-learn", "cu py": "cupy",
	"hf transformers": "transformers", "opencv": "opencv", "open cv": "opencv", "opencv python": "opencv-python", "deep speed": "deepspeed", "x formers": "xformers", "jax lib": "jaxlib",
	"bitsandbytes": "bitsandbytes", "bits and bytes": "bitsandbytes", "faster whisper": "faster-whisper", "ctranslate2": "ctranslate2", "c translate2": "ctranslate2", "keras": "keras",
	"ollama": "ollama", "ollama client": "ollama", "llama cpp": "llama.cpp", "mmcv full": "mmcv-full", "paddle": "paddlepaddle", "paddlepaddle": "paddlepaddle",
	"paddle paddle": "paddlepaddle", "paddlepaddle gpu": "paddlepaddle-gpu", "pillow": "pillow", "pil": "pillow", "triton": "triton", "numba cuda": "numba-cuda", "flax": "flax",
	"sentence transformers": "sentence-transformers", "nvidia container toolkit": "nvidia-container-toolkit", "triton server": "tritonserver", "tritonserver": "tritonserver", "microsoft ml onnxruntime gpu": "onnxruntime-gpu", "microsoft ml onnxruntime gpu linux": "onnxruntime-gpu", "microsoft ml onnxruntime gpu windows": "onnxruntime-gpu", "microsoft ml onnxruntime": "onnxruntime",
	"microsoft ml onnxruntime directml": "onnxruntime-directml", "paddle gpu": "paddlepaddle-gpu", "triton information": "tritonserver",
	"optimum nvidia": "optimum-nvidia", "cuda python": "cuda-python", "comfyui": "comfyui", "deepstream": "deepstream", "deep stream": "deepstream", "deepstream sdk": "deepstream", "julia": "julia", "vllm": "vllm", "docker": "docker", "jetpack": "jetpack", "l4t": "l4t",
	"dcgm": "dcgm", "fabric manager": "nvidia-fabricmanager", "nvidia peermem": "nvidia-peermem",
}

// plain are packages whose name a key writes as it is.
var plain = wordSet(`torchvision torchaudio torchtext torchdata torchao jax jaxlib cupy onnxruntime onnx vllm sglang deepspeed xformers mxnet numba
transformers accelerate diffusers peft trl datasets tokenizers safetensors huggingface-hub optimum evaluate numpy scipy pandas matplotlib sympy networkx
protobuf h5py gradio fastapi pydantic unsloth axolotl llamafactory lmdeploy mmengine mmcv mmdet mmdetection mmsegmentation mmpretrain mmpose fairseq apex
megatron nemo cudf cuml cugraph rmm dask ray horovod dgl torchmetrics torch-geometric fastai detectron2 ultralytics timm einops auto-gptq autoawq gptqmodel exllamav2
llvmlite cython cuda-python nvitop gpustat pynvml nvidia-ml-py flashinfer flashinfer-python outlines tiktoken sentencepiece openai xgboost lightgbm catboost spacy
whisper openai-whisper whisperx pyannote.audio insightface k2 espnet kornia pytorch3d nerfstudio gsplat tinycudann bitsandbytes triton lightning keras tensorboard
bentoml openllm nerfstudio openmm warp-lang taichi mindspore mindspore-gpu isaacsim isaaclab deepstream tensorrt-cu12 torch-tensorrt onnxsim onnxmltools skl2onnx polygraphy nvidia-modelopt nvidia-dali
pytorch-ignite nibabel itk torchio monai pytorch-metric-learning open-clip-torch clip segment-anything sam2 torchmultimodal torchrec fbgemm-gpu torchserve torch-model-archiver
cuspatial cuvs cuxfilter raft-dask dask-cudf dask-cuda ucx-py pylibraft pyarrow polars cuquantum-python cutensor nvmath-python pycuda pyopencl pyvista open3d trimesh
lerobot gymnasium stable-baselines3 mujoco rsl-rl sentence-transformers langchain llama-index litellm fastchat text-generation-inference tgi aphrodite-engine mlx
coqui-tts tts nemo-toolkit pyannote-audio demucs audiocraft speechbrain torchcodec decord av imageio opencv-contrib-python opencv-python-headless scikit-image
albumentations pycocotools supervision easyocr paddleocr paddlenlp paddledetection rembg gfpgan basicsr controlnet-aux invokeai wandb mlflow hydra-core omegaconf
liger-kernel cut-cross-entropy galore-torch hqq aqlm quanto optimum-quanto sageattention spas-sage-attn nunchaku causal-conv1d mamba-ssm grouped-gemm deep-ep deep-gemm
flash-linear-attention fla tilelang cutlass nvidia-cutlass nvidia-cutlass-dsl cudnn-frontend nvidia-cudnn-frontend nccl4py mpi4py pybind11 jaxtyping orbax optree numpyro
tensorflow-probability tf-keras optax flax equinox diffrax haiku chex tvm mlc-llm compressed-tensors sgl-kernel xgrammar hf-xet conda mamba cmake ninja setuptools pip wheel`)

func wordSet(s string) map[string]bool {
	out := map[string]bool{}
	for w := range strings.FieldsSeq(s) {
		out[w] = true
	}
	return out
}

// packageOf is the package that a key names, "torch" for "PyTorch version"; "" where it names none.
func packageOf(key string) string {
	if name, ok := spelled[key]; ok {
		return name
	}
	name := strings.ReplaceAll(key, " ", "-")
	if plain[name] || frameworks[name] {
		return name
	}
	return ""
}
