package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// desktopPrograms are programs on desktops that talk, encode, decode or render on the GPU.
func desktopPrograms() []*Signature {
	return []*Signature{
		{
			ID: "koboldcpp-library", Product: "koboldcpp",
			Literals: []string{"koboldcpp_cublas.dll", "koboldcpp_cublas.so", "koboldcpp_hipblas.dll"},
			Beside:   []string{"failed to load dynlib", "could not find module", "undefined symbol", "winerror"},
			Pattern:  `(?:Failed to load dynlib/dll|Could not find module) '[^'\n]*(?P<file>koboldcpp_cublas\.(?:dll|so))'|(?P<file>koboldcpp_cublas\.so): undefined symbol: (?P<symbol>\w+)`,
			Layer:    rule.FrameworkBuild, Strength: Strong,
			Meaning: "KoboldCpp's CUDA library did not load.",
			Causes: causes(
				Cause{
					When: on(Has("symbol")), Layer: rule.PythonEnv,
					Title:    "KoboldCpp's {file} wants {symbol}, which the C library of this system does not have: the binary is too new for it",
					Text:     "The release was built on a newer distribution. CUDA and the driver are not at fault.",
					Remedies: []Remedy{fix("use an older release, the build for old systems, or build it here", "shell", "make LLAMA_CUBLAS=1")},
				},
				Cause{
					Title: "KoboldCpp's CUDA library {file} does not load: this build does not fit the machine",
					Text:  "The file is unpacked into a temporary directory at start; its start fails (WinError 1114) or one of its own DLLs is not found. Usual reasons: a CPU without AVX2, which needs the build oldpc (koboldcpp-oldpc, CUDA 11 and AVX1); the Visual C++ runtime or system DLLs are missing; a virus scanner takes files away; or the driver is older than the build's CUDA[ (here CUDA {driver_cuda})]. A CUDA toolkit is not needed.",
					Remedies: []Remedy{
						fix("try the build for older CPUs (koboldcpp-oldpc), or nocuda to see that the rest works"),
						fix("install the newest Visual C++ redistributable (x64) and NVIDIA driver"),
					},
					Ask: "the CPU's model (does it have AVX2), and nvidia-smi",
				},
			),
			Samples: []string{`pyimod03_ctypes.PyInstallerImportError: Failed to load dynlib/dll 'C:\\Users\\me\\AppData\\Local\\Temp\\_MEI12\\koboldcpp_cublas.dll'. Most likely this dynlib/dll was not found when the application was frozen.`},
			Misses:  []string{"Initializing dynamic library: koboldcpp_cublas.dll"},
			Source:  "https://github.com/LostRuins/koboldcpp/issues/1555",
		},
		{
			ID: "gstreamer-nv-element", Product: "gstreamer",
			Literals: []string{"no element \"nv", "No such element or plugin 'nv", "no element \\\"nv"},
			Pattern:  `(?i)no (?:such )?element (?:or plugin )?\\?["'](?P<element>nv\w+)`,
			Layer:    rule.FrameworkBuild,
			Meaning:  "GStreamer has no element of NVIDIA's by that name.",
			Causes: causes(
				Cause{
					When: on(OnJetson), Layer: rule.ContainerRuntime,
					Title: "GStreamer on this Jetson has no {element}: its plugin comes from the host's L4T[ {l4t}] and did not get into the container, or does not load there",
					Text:  "The plugins of nvvidconv, nvv4l2decoder and others are mounted by the NVIDIA container runtime from the host; with an image of another L4T they are missing or do not load (GLIBC, libraries). GStreamer keeps a list of plugins that failed once in its cache.",
					Remedies: []Remedy{
						fix("use an image of the host's L4T with --runtime nvidia, and clear the cache", "jetson", "cat /etc/nv_tegra_release; docker info | grep -i runtime", "container", "rm -rf ~/.cache/gstreamer-1.0; gst-inspect-1.0 {element}"),
					},
				},
				Cause{
					When: on(Is("element", `^(nvh26|nvdec|nvav1|nvvp|nvcuda|nvjpeg|nvmpeg)`)), Layer: rule.Driver, Confidence: rule.Possible,
					Title: "GStreamer has no {element}: its plugin nvcodec is not installed, or does not load because the driver's video libraries are not found",
					Text:  "nvcodec (gst-plugins-bad) registers its elements where libcuda, libnvcuvid and libnvidia-encode of the driver load; in a container they need NVIDIA_DRIVER_CAPABILITIES with video.",
					Remedies: []Remedy{
						fix("see why, after clearing GStreamer's cache", "shell", "rm -rf ~/.cache/gstreamer-1.0; GST_DEBUG=*nvcodec*:4,*cuda*:4 gst-inspect-1.0 nvcodec"),
						fix("in a container pass the video libraries in", "docker", "docker run --gpus all -e NVIDIA_DRIVER_CAPABILITIES=compute,utility,video {image}"),
					},
				},
				Cause{
					Title: "GStreamer has no {element}: DeepStream's plugins are not installed here, or do not load",
					Text:  "nvstreammux, nvinfer, nvvideoconvert and others come with DeepStream (in /usr/lib/x86_64-linux-gnu/gstreamer-1.0/deepstream). A plugin whose libraries (libcuda, TensorRT, CUDA) were not found once stays on GStreamer's list of failures.",
					Remedies: []Remedy{
						fix("see why it does not load, after clearing GStreamer's cache", "shell", "rm -rf ~/.cache/gstreamer-1.0; gst-inspect-1.0 {element}; gst-inspect-1.0 -b"),
						fix("run DeepStream's container with the GPU", "docker", "docker run --gpus all {image} nvidia-smi"),
					},
					Ask: "the output of gst-inspect-1.0 -b, and the lines with Failed to load plugin",
				},
			),
			Samples: []string{`WARNING: erroneous pipeline: no element "nvvideoconvert"`, "No such element or plugin 'nvh264enc'"},
			Misses:  []string{`no element "x264enc"`},
			Source:  "https://github.com/msys2/MINGW-packages/issues/17091",
		},
		{
			ID: "obs-nvenc-failed", Product: "obs",
			Literals: []string{"does not support this NVENC version", "reason=outdated_driver", "Too many concurrent sessions", "Failed to open NVENC codec", "Failed to initialize NVENC because"},
			Pattern:  `(?:driver|It) (?:version )?does not support this NVENC version|(?P<sessions>Too many concurrent sessions)|reason=(?P<reason>outdated_driver|no_nvml|no_supported_gpus)|Failed to open NVENC codec: (?P<text>[A-Z][a-zA-Z ]{3,40})`,
			Layer:    rule.Driver,
			Meaning:  "OBS could not open the GPU's encoder.",
			Causes: causes(
				Cause{
					When: on(Has("sessions")), Layer: rule.Application,
					Title:    "NVENC has no session left: GeForce drivers limit how many encodes run at once",
					Text:     "Other recorders (ShadowPlay, Game DVR, Discord) hold some.",
					Remedies: []Remedy{fix("end other recordings, or update the driver, which raised the limit", "check", "nvidia-smi")},
				},
				Cause{
					When: on(Is("text", `^Unknown error|^Generic error|^Operation not|^Invalid`)), Layer: rule.DeviceExposure, Confidence: rule.Possible,
					Title:    "OBS cannot open NVENC ({text}): the process does not reach the driver[ {driver}], or the driver's video libraries are not there",
					Text:     "After an update or sleep nvidia_uvm has to be loaded anew; a Flatpak needs the runtime extension org.freedesktop.Platform.GL.nvidia of exactly the driver's release; distributions have libnvidia-encode in a package of its own.",
					Remedies: []Remedy{fix("restart after a driver update, and update the Flatpak's driver extension", "shell", "flatpak update; flatpak list --runtime | grep -i nvidia; nvidia-smi"), fix("install the package with libnvidia-encode.so.1 (libnvidia-encode, nvidia-compute)")},
					Ask:      "nvidia-smi; flatpak list --runtime | grep nvidia",
				},
				Cause{
					Title: "The driver[ {driver}] is too old for the NVENC interface of this OBS",
					Text:  "OBS 30 and newer ask for NVENC 12.x, OBS 31 and 32 in the Flatpak for 13.0 (driver 570). GPUs of Kepler times[ (here {gpu})] have no driver for it: 470 is their last.",
					Remedies: []Remedy{
						fix("update the NVIDIA driver to the newest for the GPU (570 or newer for NVENC 13.0)", "check", "nvidia-smi"),
						fix("or use an older OBS, or the distribution's build, which asks for an older NVENC (29 for Kepler)"),
					},
				},
			),
			Samples: []string{"NVENC Error: Your current video card driver does not support this NVENC version, try updating your drivers.", "reason=outdated_driver", "warning: [NVENC encoder: 'streaming_h264'] Failed to open NVENC codec: Function not implemented"},
			Misses:  []string{"NVENC session opened"},
			Source:  "https://github.com/obsproject/obs-studio/issues/13793",
		},
		{
			ID: "cycles-kernel-crash", Product: "blender",
			Literals: []string{"in CUDA queue", "in OptiX queue", "No compatible GPUs found for Cycles", "Found no Cycles device of the specified type"},
			Pattern:  `(?P<error>Illegal address|Launch failed|Launch exceeded timeout|Out of memory|System is out of GPU memory|Invalid value|Misaligned address|Unknown error) in (?:CUDA|OptiX) queue|Found (?P<none>no Cycles device) of the specified type`,
			Layer:    rule.Application, Strength: Weak,
			Meaning: "A kernel of Cycles failed while it ran, or Cycles has no GPU of the kind that was asked for.",
			Causes: causes(
				Cause{
					When: on(Has("none")), Layer: rule.DeviceExposure,
					Title:    "Cycles finds no GPU of the type that was asked for, and renders on the CPU",
					Text:     "--cycles-device CUDA or OPTIX wants an NVIDIA GPU with a driver: on a machine, in a notebook or in a container without one there is none.",
					Remedies: []Remedy{fix("see that the process has a GPU", "check", "nvidia-smi"), fix("or render with --cycles-device CPU")},
				},
				Cause{
					When:     on(Is("error", `(?i)memory`)),
					Title:    "Not the stack: the GPU's memory[ of the {gpu}] is too small for the scene",
					Text:     "Textures, geometry and the render buffers together need more than is free.",
					Remedies: []Remedy{fix("simplify the scene, lower the texture limit, or render on the CPU", "check", "nvidia-smi")},
				},
				Cause{
					When: on(Is("error", `timeout`)), Layer: rule.Driver,
					Title:    "Windows' time limit for the display driver ended a kernel of Cycles",
					Text:     "A GPU that also drives the display may work for two seconds at a time (TDR).",
					Remedies: []Remedy{fix("raise TdrDelay in the registry, or use another GPU for the display")},
				},
				Cause{
					Title:    "A kernel of Cycles failed on the GPU[ {gpu}]: {error}",
					Text:     "A fault of this Blender or driver release[ {driver}] with the scene, memory that is nearly full, or a GPU that is unstable (overclocked, hot).",
					Remedies: []Remedy{fix("try another Blender and driver release, OptiX in place of CUDA, and standard clocks", "check", "nvidia-smi")},
				},
			),
			Samples: []string{"Illegal address in CUDA queue copy_from_device (integrator_init_from_camera)", "Error: Found no Cycles device of the specified type. Falling back to CPU..."},
			Misses:  []string{"Rendered 1/128 samples"},
			Source:  "https://github.com/drmichaeldouglass/blenderGoogleGPU/issues/5",
		},
		{
			ID: "sunshine-no-encoder", Product: "sunshine",
			Literals: []string{"find any encoder", "find any working encoder", "Encoder [nvenc] failed"},
			Pattern:  `Couldn't find any (?:working )?encoder(?: matching \[(?P<encoder>\w+)\])?|Encoder \[(?P<encoder>nvenc)\] failed`,
			Layer:    rule.FrameworkBuild, Strength: Weak,
			Meaning: "Sunshine found no hardware encoder that works.",
			Causes: causes(
				Cause{
					When: on(Not(Is("encoder", "nvenc")), Says("GPU Type: AMD", "Type AMD", "radeon", "rx 6", "rx 7"), Not(Says("geforce", "rtx ", "gtx "))), Layer: rule.Hardware,
					Title:    "The GPU is AMD's: NVENC and CUDA are not for it, Sunshine needs VAAPI there",
					Text:     "Lines about libcuda and NVENC can be passed over on this machine.",
					Remedies: []Remedy{fix("install the VAAPI driver of Mesa, and see that it lists encoders", "check", "vainfo")},
				},
				Cause{
					Title: "Sunshine cannot use NVENC[ on the {gpu}]: this build is without CUDA, cannot capture the screen into CUDA, or the driver[ {driver}] is too old for it",
					Text:  "Packages of some distributions are built without CUDA; old releases had no NVENC on Linux at all. The lines after Trying encoder [nvenc] say which: libcuda is not found, the NVENC interface is newer than the driver, or a frame could not be converted.",
					Remedies: []Remedy{
						fix("use the project's own package, which is built with CUDA, and update the NVIDIA driver", "check", "nvidia-smi; strings $(which sunshine) | grep -c sm_"),
						fix("try another way of capture (capture = kms, x11 or nvfbc)"),
					},
					Ask: "Sunshine's log from Trying encoder [nvenc] on",
				},
			),
			Samples: []string{"Fatal: Couldn't find any encoder matching [nvenc]", "Info: Encoder [nvenc] failed"},
			Misses:  []string{"Found H.264 encoder: h264_nvenc [nvenc]"},
			Source:  "https://github.com/loki-47-6F-64/sunshine/issues/95",
		},
		{
			ID: "nvdec-lacks-capability", Product: "ffmpeg",
			Literals: []string{"Hardware is lacking required capabilities", "Cannot load cuvidGetDecodeStatus"},
			Pattern:  `Hardware is lacking required capabilities|(?P<old>Cannot load cuvidGetDecodeStatus)`,
			Layer:    rule.Hardware, Strength: Strong,
			Meaning: "NVDEC of this GPU or driver does not decode this video.",
			Causes: causes(
				Cause{
					When: on(Has("old")), Layer: rule.Driver,
					Title:    "The driver[ {driver}] has no cuvidGetDecodeStatus: it is older than this FFmpeg wants",
					Text:     "GPUs of Fermi times[ (here {gpu})] have no newer driver than 390, and FFmpeg falls back to the CPU there.",
					Remedies: []Remedy{fix("update the driver, where the GPU has a newer one", "check", "nvidia-smi"), fix("or decode on the CPU (take -hwaccel off), or with an older FFmpeg")},
				},
				Cause{
					Title:    "The GPU's decoder (NVDEC)[ of the {gpu}] does not do this codec, profile, bit depth or size",
					Text:     "Each generation decodes a list of codecs: HEVC from GM206 (GTX 950, 960) and Pascal on, AV1 from Ampere, H.264 with 10 bit or 4:2:2 from Blackwell alone. FFmpeg goes on with the CPU. Driver and CUDA are in order.",
					Remedies: []Remedy{fix("decode such files on the CPU (take -hwaccel cuda off for them), and encode on the GPU all the same"), fix("look the codec up for the GPU in NVIDIA's support matrix for video decode", "check", "ffprobe -v error -select_streams v -show_entries stream=codec_name,profile,pix_fmt,width,height FILE")},
				},
			),
			Samples: []string{"[hevc @ 0x555ae51e4900] Hardware is lacking required capabilities", "[ffmpeg/video] h264: Cannot load cuvidGetDecodeStatus"},
			Misses:  []string{"Loaded sym: cuvidGetDecodeStatus"},
			Source:  "https://github.com/meta-pytorch/torchcodec/pull/350",
		},
		{
			ID: "resolve-gpu-mode", Product: "davinci resolve",
			Literals: []string{"nsupported GPU Processing Mode", "nsupported GPU processing mode", "nsuported GPU processing mode", "GPU failed to perform image processing"},
			Pattern:  `(?i)unsupp?orted GPU processing mode|GPU failed to perform image processing(?:[^\n]{0,40}Error code: (?P<error>\d+))?`,
			Layer:    rule.Driver, Strength: Usual,
			Meaning: "DaVinci Resolve finds no GPU for CUDA or OpenCL that it can use.",
			Causes: causes(
				Cause{
					When: on(Not(Has("driver")), Says("radeon", "amd", "rx 6", "rx 7", "intel arc"), Not(Says("nvidia"))), Layer: rule.Hardware,
					Title:    "The graphics card is not NVIDIA's: DaVinci Resolve wants its OpenCL (ROCm) there",
					Text:     "CUDA is not concerned.",
					Remedies: []Remedy{fix("install the OpenCL runtime of the card", "check", "clinfo -l")},
				},
				Cause{
					When: on(Any(InContainer, Says("distrobox", "davincibox", "toolbox"))), Layer: rule.ContainerRuntime, Confidence: rule.Possible,
					Title:    "DaVinci Resolve finds no CUDA of the host's driver[ {driver}] in its container",
					Text:     "nvidia-smi may work in it all the same. The container has to have the host's libcuda and its companions (libnvidia-ptxjitcompiler, libnvidia-nvvm, OpenCL) of the very same release, /dev/nvidia-uvm, and SELinux must let it. On machines with two GPUs the NVIDIA one has to be chosen.",
					Remedies: []Remedy{fix("create the container anew with the driver passed in", "distrobox", "distrobox create --nvidia --image ghcr.io/zelikos/davincibox:latest -n davincibox"), fix("choose the NVIDIA GPU, and look at what is there", "shell", "__NV_PRIME_RENDER_OFFLOAD=1 __GLX_VENDOR_LIBRARY_NAME=nvidia /opt/resolve/bin/resolve", "check", "ls -l /dev/nvidia*; ldconfig -p | grep -e libcuda -e libnvidia-ptxjit; getenforce")},
					Ask:      "nvidia-smi on the host and in the container; ls -l /dev/nvidia*",
				},
				Cause{
					Confidence: rule.Possible,
					Title:      "DaVinci Resolve finds no GPU for CUDA[ (error {error})]: the driver[ {driver}] is not NVIDIA's own, is too old, or its CUDA and OpenCL libraries are not installed",
					Text:       "It needs libcuda and libnvidia-opencl of the driver (distributions pack them apart: nvidia-compute, opencl-nvidia, xorg-x11-drv-nvidia-cuda) and nvidia_uvm; nouveau does not serve.",
					Remedies:   []Remedy{fix("install the driver with its CUDA libraries, and see that nvidia-smi works", "check", "nvidia-smi; ldconfig -p | grep libcuda; clinfo -l; lsmod | grep nvidia_uvm")},
					Ask:        "nvidia-smi; clinfo -l",
				},
			),
			Samples: []string{"Unsupported GPU Processing Mode. Please review the GPU drivers and GPU configuration under preferences."},
			Misses:  []string{"GPU processing mode: CUDA"},
			Source:  "https://github.com/89luca89/distrobox/issues/816",
		},
	}
}
