package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// driverParts are libraries of the driver that containers get only when they
// ask for the capability, and that slim installations leave out.
func driverParts() []*Signature {
	return []*Signature{
		{
			ID: "driver-video-library-missing", Product: "NVIDIA Video Codec",
			Literals: []string{"libnvcuvid.so", "libnvidia-encode.so", "libvdpau_nvidia.so", "nvcuvid.dll", "nvEncodeAPI64.dll", "load nvcuvid", "loading nvcuvid"},
			Pattern:  `(?i)(?P<lib>libvdpau_nvidia\.so(?:\.1)?|libnvcuvid\.so(?:\.1)?|libnvidia-encode\.so(?:\.1)?|nvcuvid\.dll|nvEncodeAPI64\.dll)['"]?:? (?:cannot open|not found|=> not found|is (?:missing|not found)|(?:could not|cannot|can't) be (?:found|loaded|opened))|Failed loading (?P<lib>nvcuvid)|(?:cannot|could not|failed to|unable to) (?:load|open|find)(?: library)?:? ['"]?(?P<lib>libnvcuvid\.so(?:\.1)?|libnvidia-encode\.so(?:\.1)?|nvcuvid\.dll|nvcuvid|nvEncodeAPI64\.dll)`,
			Strength: Strong,
			Layer:    rule.Driver,
			Meaning:  "The driver's library for video decoding (NVDEC) or encoding (NVENC) is not found.",
			Causes: causes(
				Cause{
					When:  on(Any(InContainer, InKubernetes, Says("NVIDIA_DRIVER_CAPABILITIES", "NVIDIA_VISIBLE_DEVICES", "jellyfin", "plex", "truenas", "frigate", "unraid", "tdarr", "unmanic", "docker", "podman"))),
					Layer: rule.ContainerRuntime,
					Title: "{lib|base} is not in the container: NVIDIA_DRIVER_CAPABILITIES lacks video",
					Text:  "The container toolkit mounts the driver's video libraries only for the capability video; the default of images is compute,utility. The driver of the host does have them.",
					Remedies: []Remedy{
						fix("set NVIDIA_DRIVER_CAPABILITIES=compute,utility,video (or all) for the container and create it anew", "docker", "docker run --gpus all -e NVIDIA_DRIVER_CAPABILITIES=compute,utility,video {image}"),
					},
				},
				Cause{
					When:  on(Says("flatpak", "flathub")),
					Title: "{lib|base} is not found in the Flatpak sandbox: the Flatpak extension of the NVIDIA driver is missing, or of another version than the host's driver",
					Text:  "A Flatpak does not see the host's libraries. It takes the driver's from org.freedesktop.Platform.GL.nvidia-VERSION, which has to be of the kernel module's version[ ({driver})]; with a driver from a PPA or a beta that extension may not exist yet.",
					Remedies: []Remedy{
						fix("update the Flatpaks, so that the extension follows the driver, and compare the two versions", "flatpak", "flatpak update; flatpak list | grep -i nvidia; cat /proc/driver/nvidia/version"),
						fix("or use the distribution's package of the program"),
					},
				},
				Cause{
					Title: "{lib|base} is not found: the driver's video libraries are not installed",
					Text:  "Distributions pack them apart from the compute libraries (libnvidia-decode and libnvidia-encode on Ubuntu and Debian). Headless and server flavours leave them out. In a container the capability video must be asked for.",
					Remedies: []Remedy{
						fix("install libnvidia-decode-{driver|branch} and libnvidia-encode-{driver|branch} of the same driver version", "apt", "sudo apt-get install libnvidia-decode-{driver|branch} libnvidia-encode-{driver|branch}"),
						fix("install the package of the driver's version that has the video libraries; in a container set NVIDIA_DRIVER_CAPABILITIES=compute,utility,video"),
					},
				},
			),
			Samples: []string{
				"[h264_cuvid @ 0x55d0] Cannot load libnvcuvid.so.1",
				"[h264_nvenc @ 0x561c] Cannot load libnvidia-encode.so.1",
				"ImportError: libnvcuvid.so.1: cannot open shared object file: No such file or directory",
				"Failed to open VDPAU backend libvdpau_nvidia.so: cannot open shared object file: No such file or directory",
				"[hevc_nvenc @ 000001] Cannot load nvEncodeAPI64.dll",
			},
			Misses: []string{"Loaded lib: libnvcuvid.so.1"},
			Source: "https://docs.nvidia.com/datacenter/cloud-native/container-toolkit/latest/docker-specialized.html",
		},
		{
			ID: "driver-ptx-compiler-missing", Product: "NVIDIA driver",
			Literals: []string{"libnvidia-ptxjitcompiler.so"},
			Pattern:  `(?i)libnvidia-ptxjitcompiler\.so(?:\.1)?['"]?:? (?:cannot open|not found|=> not found)`,
			Strength: Strong,
			Layer:    rule.Driver,
			Meaning:  "The driver needs its PTX compiler, libnvidia-ptxjitcompiler.so.1, and does not find it.",
			Causes: causes(
				Cause{
					When:     on(InContainer),
					Layer:    rule.ContainerRuntime,
					Title:    "libnvidia-ptxjitcompiler.so.1 is not in the container",
					Text:     "The container toolkit mounts it with the capability compute. It is missing where the libraries were copied or mounted by hand, or the capabilities leave compute out.",
					Remedies: []Remedy{fix("start the container with --gpus all and NVIDIA_DRIVER_CAPABILITIES=compute,utility instead of mounting libraries by hand")},
				},
				Cause{
					Title:    "libnvidia-ptxjitcompiler.so.1 of the driver is not found",
					Text:     "The program holds PTX that the driver has to compile, and the library for it is missing from the driver's installation[ ({driver})].",
					Remedies: []Remedy{fix("install the compute libraries of the same driver version (libnvidia-compute on Ubuntu), then run ldconfig", "apt", "sudo apt-get install --reinstall libnvidia-compute-{driver|branch}")},
				},
			),
			Samples: []string{"libnvidia-ptxjitcompiler.so.1: cannot open shared object file"},
			Misses:  []string{"/usr/lib/x86_64-linux-gnu/libnvidia-ptxjitcompiler.so.1"},
			Source:  "https://github.com/anduril/jetpack-nixos/issues/184",
		},
		{
			ID: "driver-nvvm-library-missing", Product: "NVIDIA driver",
			Literals: []string{"libnvidia-nvvm.so", "libnvoptix.so", "libnvidia-rtcore.so"},
			Pattern:  `(?i)(?P<lib>libnvidia-nvvm\.so[.0-9]*|libnvoptix\.so[.0-9]*|libnvidia-rtcore\.so[.0-9]*)['"]?:? (?:cannot open|not found|=> not found|(?:could|can)(?: not|not) be (?:loaded|found|opened))`,
			Strength: Strong,
			Layer:    rule.Driver,
			Meaning:  "A library of the driver for link-time optimisation or ray tracing is not found.",
			Causes: causes(
				Cause{
					When:     on(InContainer),
					Layer:    rule.ContainerRuntime,
					Title:    "{lib|base} is not in the container",
					Text:     "OptiX needs the capability graphics: the container toolkit mounts libnvoptix and libnvidia-rtcore only with it.",
					Remedies: []Remedy{fix("set NVIDIA_DRIVER_CAPABILITIES=compute,utility,graphics (or all) and create the container anew")},
				},
				Cause{
					Title:    "{lib|base} of the driver is not found",
					Text:     "It is part of the driver; distributions pack it with the OpenGL libraries (libnvidia-gl), which headless installations leave out.",
					Remedies: []Remedy{fix("install libnvidia-gl of the same driver version", "apt", "sudo apt-get install libnvidia-gl-{driver|branch}")},
				},
			),
			Samples: []string{"libnvoptix.so.1: cannot open shared object file: No such file or directory", "jit_optix_init(): libnvoptix.so.1 could not be loaded", "libnvidia-nvvm.so.4: cannot open shared object file: No such file or directory"},
			Misses:  []string{"mounting libnvoptix.so.1"},
			Source:  "https://docs.nvidia.com/datacenter/cloud-native/container-toolkit/latest/docker-specialized.html",
		},
	}
}
