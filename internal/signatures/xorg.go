package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// xorg is what display servers, OpenGL and Vulkan say about the driver.
func xorg() []*Signature {
	return []*Signature{
		{
			ID: "xorg-nvidia-module", Product: "Xorg",
			Literals: []string{"Failed to initialize the NVIDIA kernel module", "Failed to load module \"nvidia\"", "Failed to initialize the NVIDIA GPU", "The NVIDIA kernel module version"},
			Pattern:  `(?i)Failed to initialize the NVIDIA kernel module|Failed to load module "nvidia"|Failed to initialize the NVIDIA GPU at|NVIDIA kernel module version (?P<module>\d{3}\.[\d.]+).{0,80}(?:driver|does not match).{0,40}?(?P<driver>\d{3}\.\d[\d.]*)?`,
			Layer:    rule.KernelModule, ExplainedBy: []string{"KRN001", "KRN002", "KRN003", "KRN004", "KRN005"},
			Meaning: "The X server does not get NVIDIA's driver.",
			Causes: causes(
				Cause{
					When:     on(Has("module"), Has("driver")),
					Title:    "Xorg's NVIDIA driver ({driver}) and the kernel module ({module}) are of different releases",
					Text:     "The driver was updated without a restart, or two installations are mixed.",
					Remedies: []Remedy{fix("restart the machine", "check", "cat /proc/driver/nvidia/version; modinfo -F version nvidia")},
				},
				Cause{
					Title:    "Xorg cannot use NVIDIA's driver: the kernel module is not loaded or cannot start the GPU",
					Text:     "The kernel log says why: not built for this kernel, refused by Secure Boot, nouveau, another release, or a fault of the GPU.",
					Remedies: []Remedy{fix("make nvidia-smi work first", "shell", "sudo modprobe nvidia; nvidia-smi; sudo dmesg | grep -i -e nvrm -e nouveau | tail")},
					Ask:      "nvidia-smi; sudo dmesg | grep -i nvrm | tail",
				},
			),
			Samples: []string{"(EE) NVIDIA: Failed to initialize the NVIDIA kernel module. Please see the", "(EE) Failed to load module \"nvidia\" (module does not exist, 0)", "(EE) NVIDIA(GPU-0): Failed to initialize the NVIDIA GPU at PCI:1:0:0."},
			Misses:  []string{"(II) NVIDIA: Using 24576.00 MB of virtual memory for indirect memory"},
			Source:  "https://github.com/Bumblebee-Project/Bumblebee/issues/550",
		},
		{
			ID: "xorg-no-screens", Product: "Xorg",
			Literals: []string{"no screens found", "No devices detected."},
			Pattern:  `\(EE\) (?:no screens found|No devices detected)|Fatal server error:.{0,40}no screens found`,
			Layer:    rule.Driver, Strength: Weak, Role: Consequence,
			Meaning: "The X server found no output that it could drive.",
			Causes: causes(Cause{
				Title:    "Xorg finds no screen: its driver did not start, or its configuration names a GPU or output that is not there",
				Text:     "The lines with (EE) before it have the reason. Compute does not need an X server.",
				Remedies: []Remedy{fix("make nvidia-smi work, and move a stale /etc/X11/xorg.conf away", "shell", "nvidia-smi; grep '(EE)' /var/log/Xorg.0.log; ls /etc/X11/xorg.conf*")},
			}),
			Samples: []string{"(EE) no screens found(EE)", "(EE) No devices detected."},
			Misses:  []string{"display test: no screens found yet"},
			Source:  "https://gitlab.freedesktop.org/xorg/xserver",
		},
		{
			ID: "glx-driver-missing", Product: "OpenGL",
			Literals: []string{"failed to load driver: nvidia", "libGLX_nvidia.so", "libEGL_nvidia.so", "libGL error: failed to load", "Failed to initialize GLX", "failed to load driver: swrast", "failed to load driver: nouveau"},
			Pattern:  `(?i)failed to load driver: (?:nvidia|swrast|nouveau)|(?P<lib>lib(?:GLX|EGL)_nvidia\.so(?:\.0)?)['"]?:? (?:cannot open|not found|=> not found)`,
			Layer:    rule.Driver,
			Meaning:  "OpenGL does not find NVIDIA's part of it.",
			Causes: causes(
				Cause{
					When: on(Any(InContainer, InKubernetes)), Layer: rule.ContainerRuntime,
					Title:    "NVIDIA's OpenGL libraries are not in the container: NVIDIA_DRIVER_CAPABILITIES lacks graphics or display",
					Text:     "The toolkit mounts libGLX_nvidia and libEGL_nvidia with the capability graphics alone; the default of images is compute,utility.",
					Remedies: []Remedy{fix("set NVIDIA_DRIVER_CAPABILITIES=all (or compute,utility,graphics,display) and create the container anew; install libglvnd (libgl1, libegl1) in the image")},
				},
				Cause{
					When:     on(inConda()),
					Title:    "Conda's libstdc++ or Mesa keeps OpenGL from loading the system's driver",
					Text:     "libGL error: failed to load driver comes where an older libstdc++ of the environment is found before the system's.",
					Layer:    rule.PythonEnv,
					Remedies: []Remedy{fix("update libstdcxx-ng in the environment", "conda", "conda install -c conda-forge libstdcxx-ng")},
				},
				Cause{
					Title:    "NVIDIA's OpenGL libraries are missing, or Mesa's are used in their place",
					Text:     "They are in libnvidia-gl on Ubuntu, which headless and server installations leave out. Over a remote X connection the server's own GL is used. Compute does not need them.",
					Remedies: []Remedy{fix("install libnvidia-gl of the driver's branch", "ubuntu", "sudo apt-get install libnvidia-gl-{driver|branch}"), fix("install the OpenGL part of the driver's release")},
				},
			),
			Samples: []string{"libGL error: failed to load driver: swrast", "libGLX_nvidia.so.0: cannot open shared object file: No such file or directory"},
			Misses:  []string{"Selecting /usr/lib/x86_64-linux-gnu/libEGL_nvidia.so.550.54.15"},
			Source:  "https://docs.nvidia.com/datacenter/cloud-native/container-toolkit/latest/docker-specialized.html",
		},
		{
			ID: "egl-no-device", Product: "EGL",
			Literals: []string{"Cannot initialize a EGL", "eglInitialize", "eglGetPlatformDisplay", "eglQueryDevices", "Unable to initialize EGL", "EGL_NOT_INITIALIZED", "EGL_BAD_", "cannot initialize an EGL", "EGL device", "EGL error"},
			Pattern:  `(?i)Cannot initialize an? (?:headless )?EGL|(?:Unable|failed) to initialize EGL|eglInitialize\(?\)?.{0,20}(?:fail|error|return)|EGL_NOT_INITIALIZED|(?:no|could not find.{0,20}) EGL device|Invalid device ID \(\d+\).{0,40}EGL|EGL error \d+.{0,40}eglInit|eglQueryDevicesEXT.{0,20}(?:fail|no )`,
			Layer:    rule.DeviceExposure, Strength: Weak,
			Meaning: "EGL finds no GPU to render on without a display.",
			Causes: causes(
				Cause{
					When: on(Any(InContainer, InKubernetes)), Layer: rule.ContainerRuntime,
					Title:    "EGL finds no GPU in the container: the capability graphics or the EGL vendor file is missing",
					Text:     "Rendering needs libEGL_nvidia (NVIDIA_DRIVER_CAPABILITIES with graphics), libglvnd in the image (libegl1) and /usr/share/glvnd/egl_vendor.d/10_nvidia.json.",
					Remedies: []Remedy{fix("set NVIDIA_DRIVER_CAPABILITIES=all, install libegl1 and libglvnd0 in the image, and create the container anew", "check", "ls /usr/share/glvnd/egl_vendor.d; ldconfig -p | grep EGL")},
				},
				Cause{
					Title:    "EGL finds no GPU: NVIDIA's EGL part is missing, or the user may not open /dev/dri/renderD*",
					Text:     "Headless rendering (MUJOCO_GL=egl, pyrender) needs libEGL_nvidia of the driver's release and the render node.",
					Remedies: []Remedy{fix("install the driver's GL part and join the group render, or render in software (MUJOCO_GL=osmesa)", "shell", "ls /usr/share/glvnd/egl_vendor.d /dev/dri; sudo usermod -aG render,video $USER")},
					Ask:      "ls /usr/share/glvnd/egl_vendor.d; ls -l /dev/dri; ldconfig -p | grep EGL_nvidia",
				},
			),
			Samples: []string{"ImportError: Cannot initialize a EGL device display. This likely means that your EGL driver does not support", "RuntimeError: Unable to initialize EGL"},
			Misses:  []string{"EGL device 0 was chosen"},
			Source:  "https://github.com/google-deepmind/mujoco/blob/main/python/mujoco/egl/__init__.py",
		},
		{
			ID: "vulkan-no-device", Product: "Vulkan",
			Literals: []string{"VK_ERROR_INCOMPATIBLE_DRIVER", "VK_ERROR_INITIALIZATION_FAILED", "Could not get 'vkCreateInstance' via 'vk_icdGetInstanceProcAddr'", "Found no drivers", "libGLX_nvidia.so.0 which is not"},
			Pattern:  `VK_ERROR_INCOMPATIBLE_DRIVER|VK_ERROR_INITIALIZATION_FAILED|Could not get 'vkCreateInstance'|(?i)vkCreateInstance.{0,40}Found no drivers`,
			Layer:    rule.Driver, Strength: Weak,
			Meaning: "The Vulkan loader finds no driver that works.",
			Causes: causes(
				Cause{
					When: on(Any(InContainer, InKubernetes)), Layer: rule.ContainerRuntime,
					Title: "Vulkan finds no driver in the container: the capability graphics or nvidia_icd.json is missing",
					Text:  "The toolkit mounts the Vulkan part with the capability graphics (display for windows).",
					Remedies: []Remedy{
						fix("set NVIDIA_DRIVER_CAPABILITIES=all and create the container anew (with --runtime=nvidia); install libvulkan1 in the image", "check", "ls /etc/vulkan/icd.d /usr/share/vulkan/icd.d; ldconfig -p | grep GLX_nvidia"),
						fix("where it is set already: libGLX_nvidia needs X11 libraries (libxext6, libx11-6), so without a display let the ICD file name libEGL_nvidia.so.0 in its place, with libegl1 and libglvnd0 in the image"),
					},
				},
				Cause{
					Title:    "Vulkan finds no driver that works (VK_ERROR_INCOMPATIBLE_DRIVER or INITIALIZATION_FAILED)",
					Text:     "The driver's Vulkan part (libnvidia-gl with nvidia_icd.json) is not installed, is of another release than the kernel module, or the GPU has no Vulkan. CUDA does not need it.",
					Remedies: []Remedy{fix("install the driver's GL part and restart after a driver update", "ubuntu", "sudo apt-get install libnvidia-gl-{driver|branch} vulkan-tools && vulkaninfo --summary"), fix("install the driver's graphics libraries of the same release, and see vulkaninfo --summary")},
				},
			),
			Samples: []string{"vkCreateInstance failed: VK_ERROR_INCOMPATIBLE_DRIVER", "ERROR: [Loader Message] Code 0 : loader_scanned_icd_add: Could not get 'vkCreateInstance' via 'vk_icdGetInstanceProcAddr' for ICD libGLX_nvidia.so.0"},
			Misses:  []string{"VK_SUCCESS"},
			Source:  "https://github.com/KhronosGroup/Vulkan-Loader/blob/main/loader/loader.c",
		},
	}
}

// inConda is InConda without the words that the images of Conda themselves put into a path.
func inConda() Condition { return Says("libstdc++", "libstdcxx", "GLIBCXX", "envs/") }
