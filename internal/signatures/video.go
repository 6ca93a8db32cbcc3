package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// video is what FFmpeg, OBS and other users of NVENC and NVDEC say.
func video() []*Signature {
	return []*Signature{
		{
			ID: "nvenc-api-version", Product: "ffmpeg",
			Literals: []string{"does not support the required nvenc API version", "minimum required Nvidia driver for nvenc", "NV_ENC_ERR_INVALID_VERSION", "Minimum required Nvidia driver is", "Required: NVENC", "Required: 1"},
			Beside:   []string{"nvenc", "nv_enc", "nvidia driver"},
			Pattern:  `does not support the required nvenc API version\. Required: (?P<need>\d+\.\d+) Found: (?P<have>\d+\.\d+)(?:.{0,120}?driver for nvenc is (?P<mindrv>\d+\.\d+(?:\.\d+)?))?|(?i:minimum required Nvidia driver(?: for nvenc)? is) (?P<mindrv>\d+\.\d+(?:\.\d+)?)|Required: (?:NVENC (?:API )?)?(?P<need>1[0-3]\.\d)\s+Found: (?:NVENC (?:API )?)?(?P<have>\d+\.\d)|NV_ENC_ERR_INVALID_VERSION`,
			Layer:    rule.Driver,
			Strength: Strong,
			Where:    on(Not(Seen("driver-video-library-missing"))), // FFmpeg names the least driver there too
			Meaning:  "The program was built for a newer NVENC interface than the driver has.",
			Causes: causes(
				Cause{
					When:     on(Is("need", `^13`)),
					Title:    "the driver[ {driver}] has NVENC {have}, the program needs {need}: driver 570 or newer",
					Text:     "NVENC 13.0 came with driver 570. The program (FFmpeg, or an image or Python package that brings it) was built with newer headers. CUDA installations do not matter.",
					Remedies: []Remedy{fix("update the driver to 570 or newer"), fix("or use a build with nv-codec-headers of {have} or older; GPUs of Kepler and older keep their last driver branch and need such a build")},
				},
				Cause{
					When:     on(Has("need")),
					Title:    "the driver[ {driver}] has NVENC {have}, the program needs {need}[: driver {mindrv} or newer]",
					Text:     "Each NVENC release needs a least driver: 11.1 needs 470.57 (Linux), 12.0 needs 520.56, 12.1 needs 530.41, 12.2 needs 550.54, 13.0 needs 570. In a container the host's driver counts.",
					Remedies: []Remedy{fix("update the driver to the one that NVENC {need} needs"), fix("or use a build of the program with nv-codec-headers of {have} or older")},
				},
				Cause{
					When: on(Has("mindrv"), AtLeast("driver", "{mindrv}")), Confidence: rule.Possible,
					Title:    "NVENC does not open, and the driver {driver} is new enough ({mindrv} is asked for): the driver's video library is not there for this program",
					Text:     "FFmpeg prints the least driver whenever libnvidia-encode.so.1 does not load or refuses. In a container the capability video brings it in; distributions pack it apart (libnvidia-encode).",
					Remedies: []Remedy{fix("see whether the library is found where the program runs", "check", "ldconfig -p | grep -e libnvidia-encode -e libcuda; nvidia-smi"), fix("in a container start it with NVIDIA_DRIVER_CAPABILITIES=compute,utility,video", "docker", "docker run --gpus all -e NVIDIA_DRIVER_CAPABILITIES=compute,utility,video {image}")},
				},
				Cause{
					Title:    "the driver[ {driver}] is too old for the NVENC release that the program was built for[: {mindrv} or newer is needed]",
					Text:     "The interface's release in the program is newer than the driver's.",
					Remedies: []Remedy{fix("update the driver, or use an older build of the program")},
				},
			),
			Samples: []string{
				"[hevc_nvenc @ 0x5601] Driver does not support the required nvenc API version. Required: 12.2 Found: 12.1",
				"[h264_nvenc @ 0x7ff3] The minimum required Nvidia driver for nvenc is 550.54.14 or newer",
			},
			Misses: []string{"The minimum required Nvidia driver for nvenc is (unknown) or newer"},
			Source: "https://github.com/GyanD/codexffmpeg/issues/161",
		},
		{
			ID: "nvenc-open-session", Product: "ffmpeg",
			Literals: []string{"OpenEncodeSessionEx failed", "No capable devices found", "No NVENC capable devices found", "NV_ENC_ERR_OUT_OF_MEMORY", "NV_ENC_ERR_UNSUPPORTED_DEVICE", "incompatible client key"},
			Pattern:  `OpenEncodeSessionEx failed: (?P<text>[^\n]{3,60})|No (?:NVENC )?capable devices found|NV_ENC_ERR_(?P<text>UNSUPPORTED_DEVICE|OUT_OF_MEMORY)`,
			Layer:    rule.Application,
			Meaning:  "NVENC gave no session.",
			Causes: causes(
				Cause{
					When:     on(Is("text", `(?i)out of memory|incompatible client key`)),
					Title:    "NVENC has no session left: GeForce drivers limit how many encodes run at once",
					Text:     "The limit of the driver for consumer GPUs (3, later 5 and 8 sessions) is reached, or the GPU's memory is full. In LXC containers and with sleep it is also printed where /dev/nvidia-uvm or nvidia-caps are missing.",
					Remedies: []Remedy{fix("end other encodes, or update the driver, which raised the limit", "bash", "nvidia-smi encodersessions")},
				},
				Cause{
					When:     on(Is("text", `(?i)unsupported device|invalid encoder|no encode device|UNSUPPORTED`)),
					Layer:    rule.Hardware,
					Title:    "the GPU[ {gpu}] has no NVENC for this",
					Text:     "Some GPUs have no encoder (A100, H100, MX, GT 1030) or not the codec or profile (AV1 needs RTX 40 or newer).",
					Remedies: []Remedy{fix("use another codec (h264_nvenc), or encode on the CPU or another GPU")},
				},
				Cause{
					Title:    "no GPU here can encode what was asked[: {text}]",
					Text:     "The lines before say which device was left out and why: no such codec, pixel format or resolution in its NVENC, or no GPU at all in the container.",
					Remedies: []Remedy{fix("see the reasons with -loglevel verbose, and use yuv420p and a codec of this GPU")},
				},
			),
			Samples: []string{"[h264_nvenc @ 0x55] OpenEncodeSessionEx failed: out of memory (10): (no details)", "[hevc_nvenc @ 0x55] No capable devices found", "[h264_nvenc @ 0x1] No NVENC capable devices found"},
			Misses:  []string{"NVENC capable device found"},
			Source:  "https://github.com/obsproject/obs-studio/issues/2636",
		},
		{
			ID: "ffmpeg-cuda-init", Product: "ffmpeg",
			Literals: []string{"cu->cuInit(0) failed", "Could not dynamically load CUDA", "cuvid decode callback error", "Cannot load libcuda.so.1", "hwaccel initialisation returned error", "Device creation failed"},
			Pattern:  `cu->cuInit\(0\) failed(?: -> (?P<error>CUDA_ERROR_\w+))?|Could not dynamically load CUDA|Cannot load libcuda\.so\.1|cu->cuCtxCreate\w*\([^)]*\) failed(?: -> (?P<error>CUDA_ERROR_\w+))?`,
			Layer:    rule.Driver,
			Strength: Strong,
			Meaning:  "FFmpeg could not start the CUDA driver.",
			Causes: causes(
				Cause{
					When:     on(InContainer, Not(Has("error"))),
					Layer:    rule.ContainerRuntime,
					Title:    "FFmpeg finds no CUDA driver in the container",
					Text:     "The container was started without the GPU, or its capabilities leave compute or video out.",
					Remedies: []Remedy{fix("start it with --gpus all and NVIDIA_DRIVER_CAPABILITIES=compute,utility,video", "docker", "docker run --gpus all -e NVIDIA_DRIVER_CAPABILITIES=compute,utility,video {image}")},
				},
				Cause{
					When:     on(Is("error", `NO_DEVICE|UNKNOWN|NOT_INITIALIZED`)),
					Layer:    rule.DeviceExposure,
					Title:    "FFmpeg cannot start CUDA: {error}",
					Text:     "libcuda is there and finds no usable GPU: none in the container, /dev/nvidia-uvm is missing or may not be opened, or nvidia_uvm lost its state after sleep.",
					Remedies: []Remedy{fix("check device nodes and module", "bash", "ls -l /dev/nvidia*; sudo nvidia-modprobe -u -c=0")},
					Ask:      "nvidia-smi where FFmpeg runs",
				},
				Cause{
					When:     on(Is("error", `OUT_OF_MEMORY`)),
					Layer:    rule.Application,
					Title:    "not the stack: the GPU's memory is full",
					Text:     "Decoders and encoders need a context and surfaces of their own.",
					Remedies: []Remedy{fix("end other processes on the GPU", "bash", "nvidia-smi")},
				},
				Cause{
					Title:    "FFmpeg finds no CUDA driver[: {error}]",
					Text:     "libcuda.so.1 of the NVIDIA driver cannot be loaded or does not start.",
					Remedies: []Remedy{fix("install the driver until nvidia-smi works", "bash", "nvidia-smi")},
				},
			),
			Samples: []string{"[AVHWDeviceContext @ 0x55] cu->cuInit(0) failed -> CUDA_ERROR_NO_DEVICE: no CUDA-capable device is detected", "[AVHWDeviceContext @ 0x55] Could not dynamically load CUDA", "[h264_nvenc @ 0x55] Cannot load libcuda.so.1"},
			Misses:  []string{"Device creation failed: -542398533."},
			Source:  "https://github.com/FFmpeg/FFmpeg/blob/master/libavutil/hwcontext_cuda.c",
		},
		{
			ID: "ffmpeg-no-nvenc", Product: "ffmpeg",
			Literals: []string{"Unknown encoder 'h264_nvenc'", "Unknown encoder 'hevc_nvenc'", "Unknown encoder 'av1_nvenc'", "Unknown decoder 'h264_cuvid'", "Unknown decoder 'hevc_cuvid'", "Unrecognized hwaccel: cuda"},
			Pattern:  `Unknown (?:encoder|decoder) '(?P<codec>\w+_(?:nvenc|cuvid))'|Unrecognized hwaccel: (?P<codec>cuda|nvdec|cuvid)`,
			Layer:    rule.FrameworkBuild,
			Strength: Strong,
			Meaning:  "This FFmpeg was built without NVENC or NVDEC.",
			Causes: causes(Cause{
				Title:    "this FFmpeg is built without {codec}",
				Text:     "The driver and the GPU do not matter for that: support is chosen when FFmpeg is built. Conda's ffmpeg often comes first on PATH and has none.",
				Remedies: []Remedy{fix("use a build with it: that of the distribution, or one configured with --enable-nvenc and --enable-cuvid", "bash", "which -a ffmpeg; ffmpeg -hide_banner -encoders | grep nvenc")},
			}),
			Samples: []string{"Unknown encoder 'h264_nvenc'", "Unrecognized hwaccel: cuda."},
			Misses:  []string{"Unknown encoder 'libx264'"},
			Source:  "https://github.com/FFmpeg/FFmpeg/blob/master/fftools/ffmpeg_opt.c",
		},
	}
}
