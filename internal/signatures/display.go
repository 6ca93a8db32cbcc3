package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

const (
	kmsSource = "https://github.com/NVIDIA/egl-wayland/issues/90"
	gbmSource = "https://github.com/Nitrux/maui-shell/issues/7"
)

// badPicture are words for a display that does not come up or is wrong.
var badPicture = Says("black screen", "blank", "flicker", "graphic bugs", "graphical bugs", "poor performance", "artifacts", "crash", "freez", "frozen", "not start", "won't start", "doesn't start", "does not start", "fails", "failed", "failing", "error", "llvmpipe", "software rendering", "glitch", "corrupt", "tearing", "stutter", "not working", "does not work", "doesn't work", "falls back", "no wayland", "only x11", "only xorg", "not detected", "not recognized", "segfault", "cursor", "hangs", "no display", "no output", "no signal", "slow", "lag")

// display is about Wayland, KMS and the picture on the screen.
func display() []*Signature {
	return []*Signature{
		{
			ID: "nvidia-drm-modeset-off", Product: "nvidia-drm",
			Literals: []string{"nvidia-drm.modeset", "nvidia_drm.modeset", "nvidia-drm modeset", "nvidia_drm modeset", "nvidia_drm/parameters/modeset", "DRM KMS is disabled", "kernel modesetting", "is modesetting enabled"},
			Pattern:  `(?i)nvidia[-_]drm[./ ](?:parameters/)?modeset[^\n]{0,40}(?:\b0\b|=0|\bN\b|not set|not enabled|missing|off\b|disabled)|DRM KMS is disabled|(?:no|without|missing|not set|did not set|did not have) nvidia[-_]drm[. ]modeset(?:=1)?`,
			Layer:    rule.KernelModule, Role: Context, Strength: Strong,
			Meaning: "nvidia-drm does not set modes (KMS), which Wayland and PRIME need.",
			Causes: causes(Cause{
				When:     on(Any(Says("wayland", "gnome", "plasma", "sway", "hyprland", "gbm", "gdm", "sddm", "drm", "prime"), badPicture)),
				Title:    "nvidia-drm runs without KMS: nvidia-drm.modeset=1 is not set, so there is no Wayland session (and no PRIME synchronisation)",
				Text:     "Before driver 560 the option is off by default. Compositors then find no DRM device of NVIDIA, and GDM offers Xorg alone.",
				Remedies: []Remedy{fix("set it for the module or on the kernel's command line, together with fbdev=1, rebuild the initramfs and restart", "shell", "echo 'options nvidia_drm modeset=1 fbdev=1' | sudo tee /etc/modprobe.d/nvidia-drm.conf", "fedora", "sudo grubby --update-kernel=ALL --args='nvidia-drm.modeset=1'", "check", "sudo cat /sys/module/nvidia_drm/parameters/modeset")},
			}),
			Samples: []string{"/sys/module/nvidia_drm/parameters/modeset says N", "I had not set nvidia-drm.modeset: nvidia-drm.modeset=0"},
			Misses:  []string{"nvidia-drm.modeset=1"},
			Source:  kmsSource,
		},
		{
			ID: "told-wayland", Product: "Wayland",
			Literals: []string{"wayland", "hyprland", "GBM_BACKEND", "egl-wayland", "wlroots", "gamescope"},
			Pattern:  `(?i)\b(?:x?wayland|hyprland|wlroots|gamescope|egl-wayland|GBM_BACKEND)\b`,
			Layer:    rule.Driver, Role: Told, Strength: Weak,
			Where:   on(Says("nvidia"), badPicture),
			Meaning: "Somebody tells of Wayland with NVIDIA's driver.",
			Causes: causes(
				Cause{
					When:     on(Says("flicker", "out of order", "stale frame", "jumping back", "explicit sync"), Below("driver", "555")),
					Title:    "XWayland flickers with driver {driver}: explicit sync came with driver 555",
					Text:     "NVIDIA's driver has no implicit synchronisation. Explicit sync needs driver 555 or newer, XWayland 24.1, and a compositor with the protocol (GNOME 46.1, Plasma 6.1, and others).",
					Remedies: []Remedy{fix("update the driver to 555 or newer, XWayland to 24.1 and the compositor")},
				},
				Cause{
					When: on(Says("modeset")), Confidence: rule.Possible,
					Title:    "Wayland on NVIDIA's driver[ {driver}] does not come up: nvidia-drm.modeset=1 (and fbdev=1) at the right time, GBM_BACKEND=nvidia-drm, or the module missing in the initramfs",
					Text:     "The compositor needs the DRM device of nvidia-drm with KMS before it starts; simpledrm or an integrated GPU can be taken in its place. Drivers before 495 have no GBM.",
					Remedies: waylandRemedies,
					Ask:      "sudo cat /sys/module/nvidia_drm/parameters/modeset; ls -l /dev/dri/by-path; journalctl -b | grep -i -e gbm -e egl -e nvidia | head -30",
				},
				Cause{
					Confidence: rule.Possible,
					Title:      "Wayland on NVIDIA's driver[ {driver}]: most likely KMS (nvidia-drm.modeset=1), GBM (GBM_BACKEND=nvidia-drm, __GLX_VENDOR_LIBRARY_NAME=nvidia) or egl-wayland is missing, or the driver is too old for the compositor",
					Text:       "Compositors talk to the driver by GBM since 495; explicit sync, against flicker in XWayland, came with 555. X11 does not need any of it. CUDA is not touched.",
					Remedies:   waylandRemedies,
					Ask:        "sudo cat /sys/module/nvidia_drm/parameters/modeset; the driver's release; journalctl -b | grep -i -e gbm -e egl | head",
				},
			),
			Samples: []string{"the Wayland session is a black screen with nvidia"},
			Misses:  []string{"by the way land"},
			Source:  gbmSource,
		},
		{
			ID: "drm-no-device", Product: "wlroots",
			Literals: []string{"Found 0 GPUs, cannot create backend", "Failed to open any DRM device", "Proprietary Nvidia drivers are NOT supported", "failed to create gbm device", "gbm_create_device failed", "Failed to create GBM device", "No suitable DRM device", "MESA-LOADER: failed to open nvidia-drm", "failed to open nvidia-drm"},
			Layer:    rule.Driver, Strength: Usual,
			Meaning: "The compositor finds no DRM device that works with GBM.",
			Causes: causes(Cause{
				Title:    "The compositor finds no usable DRM or GBM device of NVIDIA[ (driver {driver})]: nvidia-drm.modeset=1 or the driver's GBM part (nvidia-drm_gbm.so, egl-wayland) is missing",
				Text:     "MESA-LOADER: failed to open nvidia-drm means that Mesa's loader finds no gbm/nvidia-drm_gbm.so, because the driver's libraries are not whole or of another release; no GPU at all means that nvidia-drm runs without KMS.",
				Remedies: waylandRemedies,
			}),
			Samples: []string{"[backend/backend.c:217] Found 0 GPUs, cannot create backend", "MESA-LOADER: failed to open nvidia-drm: /usr/lib/gbm/nvidia-drm_gbm.so: cannot open shared object file"},
			Misses:  []string{"Found 2 GPUs"},
			Source:  gbmSource,
		},
		{
			ID: "egl-gpu-glvnd-order", Product: "EGL",
			Literals: []string{"libEGL warning: egl: failed to create dri2 screen", "libEGL warning: DRI2: failed to", "libEGL warning: MESA-LOADER", "failed to create dri2 screen", "pci id for fd", "failed to load driver: nvidia-drm", "ZINK: failed to choose pdev"},
			Pattern:  `(?i)libEGL warning: (?:egl: )?(?:DRI2: )?failed to (?:create dri2 screen|authenticate|get|create)|failed to create dri2 screen|driver \(null\)|failed to load driver: nvidia-drm|ZINK: failed to choose pdev`,
			Layer:    rule.Driver, Strength: Weak,
			Meaning: "Mesa's EGL was tried on NVIDIA's GPU.",
			Causes: causes(
				Cause{
					When: on(Any(InContainer, InKubernetes)), Layer: rule.ContainerRuntime,
					Title:    "Mesa's EGL is used in the container: NVIDIA's (libEGL_nvidia, 10_nvidia.json) is not there, since NVIDIA_DRIVER_CAPABILITIES lacks graphics",
					Text:     "The image's default is compute,utility.",
					Remedies: []Remedy{fix("start it with NVIDIA_DRIVER_CAPABILITIES=all (graphics), install libegl1 and libglvnd0, and see /usr/share/glvnd/egl_vendor.d/10_nvidia.json", "docker", "docker run --rm --gpus all -e NVIDIA_DRIVER_CAPABILITIES=all IMAGE eglinfo")},
				},
				Cause{
					Title:    "Mesa's EGL is used in place of NVIDIA's (libEGL warning, dri2 screen): the driver's GL part is missing, or libglvnd has no 10_nvidia.json",
					Text:     "Without libEGL_nvidia and its vendor file programs fall to Mesa, which cannot drive this GPU and renders in software.",
					Remedies: []Remedy{fix("install the driver's GL libraries of its release, and choose NVIDIA's vendor for a test", "ubuntu", "sudo apt-get install libnvidia-gl-{driver|branch}", "shell", "ls /usr/share/glvnd/egl_vendor.d; __EGL_VENDOR_LIBRARY_FILENAMES=/usr/share/glvnd/egl_vendor.d/10_nvidia.json eglinfo"), fix("install the driver's GL libraries (libnvidia-gl, nvidia-utils, xorg-x11-drv-nvidia-libs)")},
				},
			),
			Samples: []string{"libEGL warning: egl: failed to create dri2 screen", "pci id for fd 12: 10de:2684, driver (null)"},
			Misses:  []string{"libEGL debug: EGL user error"},
			Source:  "https://github.com/NVIDIA/libglvnd",
		},
	}
}

var waylandRemedies = []Remedy{
	fix("switch KMS on, with fbdev, and have the modules in the initramfs (nvidia nvidia_modeset nvidia_uvm nvidia_drm)", "shell", "echo 'options nvidia_drm modeset=1 fbdev=1' | sudo tee /etc/modprobe.d/nvidia-drm.conf", "check", "sudo cat /sys/module/nvidia_drm/parameters/modeset"),
	fix("set GBM_BACKEND=nvidia-drm and __GLX_VENDOR_LIBRARY_NAME=nvidia in /etc/environment, and install egl-wayland"),
	fix("use driver 555 or newer and a current compositor; X11 as a way out"),
}
