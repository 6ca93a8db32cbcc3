package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// libTorch is what programs in C++, Rust and R on libtorch say where its CUDA part is not there or not linked.
func libTorch() []*Signature {
	return []*Signature{
		{
			ID: "libtorch-cuda-not-linked", Product: "libtorch",
			Literals: []string{"without ATen_cuda library", "without ATen_hip library"},
			Pattern:  `(?:Cannot|Could not) (?:initialize|query|get|create)[^\n]{0,60}? without ATen_cuda library`,
			Layer:    rule.FrameworkBuild, Strength: Strong,
			Meaning: "libtorch's CUDA library is not loaded in this process.",
			Causes: causes(
				Cause{
					When:  on(Says("tch::", "tch-rs", "torch-sys", "cargo", "rust")),
					Title: "The libtorch in this program is the CPU build, or its libtorch_cuda was dropped at linking",
					Text:  "tch downloads the CPU build of libtorch unless TORCH_CUDA_VERSION names a CUDA or LIBTORCH a libtorch with CUDA. With a CUDA build the linker drops libtorch_cuda where nothing calls it directly (-Wl,--no-as-needed keeps it). Driver and toolkit are not at fault.",
					Remedies: []Remedy{
						fix("name a CUDA build and build anew", "shell", "export TORCH_CUDA_VERSION=cu124; cargo clean; cargo build --release"),
						fix("or unpack a libtorch with CUDA and point to it", "shell", "export LIBTORCH=/opt/libtorch LD_LIBRARY_PATH=/opt/libtorch/lib:$LD_LIBRARY_PATH"),
						fix("where it is the CUDA build, keep the library at linking: -Wl,--no-as-needed -ltorch_cuda in build.rs"),
					},
					Ask: "ldd on the program: is libtorch_cuda.so among its libraries",
				},
				Cause{
					Title: "libtorch's CUDA library is not loaded: this is the CPU build of libtorch, or the linker dropped libtorch_cuda",
					Text:  "libtorch has its CPU and its CUDA part in two libraries. The zip for the CPU has the first alone; with the CUDA zip the linker leaves libtorch_cuda out where nothing calls it directly. Driver and GPU are not at fault.",
					Remedies: []Remedy{
						fix("use the libtorch archive for CUDA, and link with all of TORCH_LIBRARIES; keep the library with -Wl,--no-as-needed (MSVC: /INCLUDE:?warp_size@cuda@at@@YAHXZ)"),
					},
					Ask: "ls lib/libtorch_cuda* (torch_cuda.dll) in the libtorch directory, and ldd on the program",
				},
			),
			Samples: []string{"Cannot initialize CUDA without ATen_cuda library. PyTorch splits its backend into two shared libraries: a CPU library and a CUDA library"},
			Misses:  []string{"ATen_cuda library loaded"},
			Source:  "https://github.com/LaurentMazare/tch-rs/issues/177",
		},
		{
			ID: "tch-no-cuda", Product: "tch",
			Literals: []string{"Cuda::is_available", "cuda_if_available", "tch::Cuda", "tch::utils::has_cuda"},
			Pattern:  `(?:tch::)?(?:Cuda::is_available|Device::cuda_if_available|tch::utils::has_cuda)`,
			Layer:    rule.FrameworkBuild, Role: Context,
			Meaning: "A Rust program asks libtorch for CUDA.",
			Causes: causes(Cause{
				When:  on(Says("false", "not available", "is cpu", "cpu only", "returns cpu", "not linked", "not work"), Not(Says("ATen_cuda library"))),
				Title: "tch finds no CUDA: its libtorch is the CPU build, which it downloads by default, or libtorch_cuda was dropped at linking",
				Text:  "tch takes the libtorch that LIBTORCH names, or downloads one: without TORCH_CUDA_VERSION the build for the CPU. That Python's torch sees the GPU says that the driver[ {driver}] is in order. With a CUDA build the linker drops libtorch_cuda unless build.rs keeps it (-Wl,--no-as-needed, as in tch's own build.rs).",
				Remedies: []Remedy{
					fix("name a CUDA build that the driver[ {driver}] runs, and build anew", "shell", "export TORCH_CUDA_VERSION=cu124; cargo clean; cargo build --release"),
					fix("or point to a libtorch with CUDA (the cxx11 ABI archive on Linux), or to Python's torch", "shell", "export LIBTORCH=/opt/libtorch LD_LIBRARY_PATH=/opt/libtorch/lib:$LD_LIBRARY_PATH", "shell", "export LIBTORCH_USE_PYTORCH=1"),
					fix("where ldd on the program shows no libtorch_cuda.so, add tch's build.rs to the project"),
				},
				Ask: "ldd on the program: is libtorch_cuda.so among its libraries",
			}),
			Samples: []string{`println!("{}", tch::Cuda::is_available());`, "let device = Device::cuda_if_available();"},
			Misses:  []string{"torch.cuda.is_available()"},
			Source:  "https://github.com/LaurentMazare/tch-rs/issues/213",
		},
		{
			ID: "r-torch-lantern", Product: "r torch",
			Literals: []string{"Lantern is not loaded", "liblantern.so", "lantern.dll"},
			Beside:   []string{"lantern is not loaded", "cannot open shared object", "procedure could not be found", "module could not be found", "unable to load shared object"},
			Pattern:  `Lantern is not loaded|(?:liblantern\.so|lantern\.dll)'?[^\n]{0,12}(?:- |:)[^\n]{0,80}(?:cannot open shared object|could not be found|not found)`,
			Layer:    rule.FrameworkBuild,
			Meaning:  "R's torch has no native library, or it does not load.",
			Causes: causes(Cause{
				Title: "R's torch does not load its libraries (Lantern and libtorch): the builds that were downloaded do not fit this system[ or its CUDA {toolkit}], or are not complete",
				Text:  "install_torch() takes libtorch and Lantern for the CUDA that it finds (CUDA_HOME, nvcc); each release of the R package has builds for two or three CUDA releases alone, and both archives must be of the same. The driver is not at fault.",
				Remedies: []Remedy{
					fix("install both anew for a CUDA that this release has, in a fresh session", "R", `Sys.setenv(CUDA = "12.4"); torch::install_torch(reinstall = TRUE)`),
					fix("see what is missing", "R", `Sys.setenv(TORCH_INSTALL_DEBUG = 1); torch::install_torch(reinstall = TRUE)`, "shell", "ldd $(Rscript -e 'cat(torch::torch_install_path())')/lib/liblantern.so | grep 'not found'"),
				},
				Ask: "the release of the R package torch, nvcc --version, and ldd on liblantern.so",
			}),
			Samples: []string{"  Lantern is not loaded. Please use `install_torch()` to install additional dependencies.", `C:\Users\me\torch/lib\lantern.dll - The specified procedure could not be found.`},
			Misses:  []string{"Lantern is loaded and initialized"},
			Source:  "https://github.com/mlverse/torch/issues/1410",
		},
	}
}
