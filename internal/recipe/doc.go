// Package recipe says what each framework loads, in which order and through
// whom, and lets package loader find out what it gets:
//
//	out := recipe.Run(m, linker, env, recipe.Workload{Framework: "pytorch", Python: "/opt/venv/bin/python3", Site: sites})
//	out.First   // the first library that is missing and matters, nil where all are there
//	out.Results // step by step: what was opened, by whom, what came of it, and where that is written
//
// A recipe is Go code that does what the framework's own code does. Where that
// is Python which lies on the machine (torch/__init__.py, jax_plugins,
// cuda.pathfinder), the lists of libraries are read out of it, so that each
// release is followed in its own words and a step can name the line; where it
// is compiled, the step names the source file. A framework without a recipe is
// its program alone.
//
// # How it is held against the truth
//
// internal/tools/loadtrace imports the real frameworks in the roots of
// realroots, asks them for CUDA and compares what the linker then says
// (LD_DEBUG) with the recipe: the same files in the same places, asked for by
// the same objects, and the same missing names in the same order. So it was with
// PyTorch 2.6 and 2.15, ONNX Runtime 1.24 and 1.27, TensorFlow 2.19, JAX 0.5, 0.6
// and 0.10, CuPy 13.6 and 14.2, CTranslate2 4.8 and bitsandbytes 0.50.
//
// Without a GPU most frameworks stop at cuInit. Steps that come after it are
// marked Later and rest on the sources alone, all but what cuDNN, NVRTC and
// cuSPARSE open and need by themselves, which is compared on its own. For
// PaddlePaddle, vLLM, flash-attn, xFormers, llama.cpp and Ollama nothing was run.
//
// # What it does not know
//
// Plugins of NCCL, profilers, what a program opens besides its framework, conda
// environments of cuda.pathfinder, and variables of a framework that change its
// ways (TORCH_USE_RTLD_GLOBAL, BNB_CUDA_VERSION, CUPY_CUDA_LIB_PATH, CUDA_PATH).
// Symbols are looked up where they carry the version of a CUDA library; others
// are not.
package recipe
