package signatures

import (
	"slices"
	"strings"

	"strata/internal/rule"
	. "strata/internal/signature"
)

// jetson is what is met on NVIDIA's Jetson modules alone.
func jetson() []*Signature {
	return []*Signature{
		{
			ID: "jetson-nvgpu", Product: "nvgpu",
			Literals: []string{"nvgpu: ", "NvRmMemInitNvmap", "NvRmGpuLibOpen", "NvRmPrivate", "libnvrm_gpu", "NvRmMemMgrInit"},
			Pattern:  `NvRmMemInitNvmap failed[^\n]{0,80}|NvRmGpuLibOpen failed|NvRmMemMgrInit failed|(?P<lib>libnv(?:rm_gpu|rm_mem|os|sciipc)\.so)['"]?:? cannot open|nvgpu: [^\n]{0,60}(?:error|failed|timeout|fault)`,
			Layer:    rule.DeviceExposure,
			Meaning:  "A program on a Jetson does not reach the GPU of the chip.",
			Causes: causes(
				Cause{
					When:     on(Says("Permission denied", "Permission error", "not permitted")),
					Title:    "This user may not open the GPU of the Jetson (/dev/nvmap, /dev/nvhost-*)",
					Text:     "The nodes belong to the group video (and render).",
					Remedies: []Remedy{fix("add the user to the groups and log in anew", "shell", "sudo usermod -aG video,render $USER")},
				},
				Cause{
					When: on(InContainer), Layer: rule.ContainerRuntime,
					Title:    "The container does not have the GPU of the Jetson: its libraries or device nodes are not passed in",
					Text:     "On a Jetson containers need --runtime nvidia, and an image of the host's L4T release[ ({l4t})].",
					Remedies: []Remedy{fix("start it with the runtime, on an image of the same L4T release", "docker", "docker run --rm --runtime nvidia nvcr.io/nvidia/l4t-base:r36.2.0 ls /usr/lib/aarch64-linux-gnu/nvidia")},
				},
				Cause{
					Title:    "The program does not reach the GPU of the Jetson (nvmap or nvgpu failed)",
					Text:     "The packages of L4T are of several releases, the kernel is not NVIDIA's, or the user lacks the groups video and render.",
					Remedies: []Remedy{fix("see that L4T's packages are of one release, and the user's groups", "shell", "cat /etc/nv_tegra_release; dpkg -l | grep nvidia-l4t; id; sudo dmesg | grep -i nvgpu | tail")},
				},
			),
			Samples: []string{"NvRmMemInitNvmap failed with Permission denied", "NvRmGpuLibOpen failed, error=6", "libnvrm_gpu.so: cannot open shared object file: No such file or directory"},
			Misses:  []string{"nvgpu: 17000000.ga10b gk20a_pm_unrailgate done"},
			Source:  "https://github.com/anduril/jetpack-nixos/issues/118",
		},
		{
			ID: "jetson-l4t-mismatch", Product: "L4T",
			Literals: []string{"l4t-base:r", "l4t-pytorch:r", "l4t-ml:r", "l4t-tensorflow:r", "l4t-cuda:", "l4t-jetpack:r", "l4t-tensorrt:r", "l4t-text-generation:r", ":r32.", ":r34.", ":r35.", ":r36.", "l4t-r32.", "l4t-r35.", "l4t-r36.", "py3-r32.", "py3-r35."},
			Pattern:  `(?P<image>\S*(?:l4t-[\w-]+|jetson[\w-]*|dustynv/[\w-]+|[\w/.-]+):(?:\S*?)r(?P<tag>3[2-9])\.(?P<minor>\d+(?:\.\d+)?)\S*)`,
			Layer:    rule.Driver, Role: Context, Strength: Strong,
			Meaning: "The text names an image for a release of L4T.",
			Causes: causes(Cause{
				When: on(Has("l4t"), Not(Condition{Name: "the image is of the host's L4T major", Holds: func(c *Case) bool {
					a, _ := c.Variable("tag")
					b, _ := c.Variable("l4t|major")
					return a == b || a == "34" && b == "35"
				}})),
				Title: "The image is for L4T r{tag}.{minor}, and this Jetson has L4T {l4t}[ (JetPack {l4t|jetpack})]",
				Text:  "On a Jetson driver and CUDA come from the host's L4T, and an image has to be of the same release: r32 is JetPack 4, r34 and r35 are JetPack 5, r36 is JetPack 6. A desktop driver or cuda-compat does not help.",
				Remedies: []Remedy{
					fix("take the image's tag for L4T {l4t|minor} (or the nearest older one of r{l4t|major})", "jetson", "cat /etc/nv_tegra_release"),
					fix("or flash the Jetson with the JetPack of the image"),
				},
			}, Cause{
				When: on(Is("tag", "^32$"), Has("l4t"), Says("cannot open shared object", "file too short"), Condition{Name: "the image's minor release is not the host's", Holds: func(c *Case) bool {
					tag, _ := c.Variable("tag")
					minor, _ := c.Variable("minor")
					host, _ := c.Variable("l4t")
					// Patch releases share images: r32.7.1 is for every L4T 32.7.
					minor, _, _ = strings.Cut(minor, ".")
					return host != tag+"."+minor && !strings.HasPrefix(host, tag+"."+minor+".")
				}}),
				Title: "The image is for L4T r{tag}.{minor}, and this Jetson has L4T {l4t}[ (JetPack {l4t|jetpack})]: the CUDA libraries that the image expects from the host are not there",
				Text:  "Images of r32 hold no CUDA and cuDNN: the NVIDIA runtime mounts those of the host, as its CSV files list them. A host of an older minor release, or without JetPack's packages, lacks some.",
				Remedies: []Remedy{
					fix("take the image's tag for L4T r{l4t}, start it with --runtime nvidia, and install JetPack's libraries on the host", "jetson", "cat /etc/nv_tegra_release; sudo apt-get install nvidia-jetpack; ls /etc/nvidia-container-runtime/host-files-for-container.d"),
				},
			}, Cause{
				When: on(Any(Not(Has("l4t")), Condition{Name: "the release of L4T is known from the image alone", Holds: func(c *Case) bool {
					tag, _ := c.Variable("tag")
					minor, _ := c.Variable("minor")
					host, _ := c.Variable("l4t")
					return host == tag+"."+minor
				}}), otherL4T), Confidence: rule.Possible,
				Title:    "The image is for L4T r{tag}.{minor}, and the text tells of a Jetson with another release of L4T or JetPack",
				Text:     "On a Jetson driver and CUDA come from the host's L4T, and an image has to be of the same release: r32 is JetPack 4, r34 and r35 are JetPack 5, r36 is JetPack 6. A desktop driver or cuda-compat does not help.",
				Remedies: []Remedy{fix("take the image's tag for the host's L4T", "jetson", "cat /etc/nv_tegra_release"), fix("or flash the Jetson with the JetPack of the image")},
				Ask:      "cat /etc/nv_tegra_release",
			}),
			Samples: []string{"docker run --runtime nvidia nvcr.io/nvidia/l4t-pytorch:r35.2.1-pth2.0-py3", "FROM nvcr.io/nvidia/l4t-base:r32.7.1"},
			Misses:  []string{"image: registry/app:v35.2"},
			Source:  "https://github.com/dusty-nv/jetson-containers/issues/149",
		},
		{
			ID: "jetson-library-hostfile", Product: "NVIDIA container toolkit",
			Literals: []string{"host-files-for-container.d", "libnvinfer.so.8: file too short", "file too short", "libcudnn.so.8: file too short"},
			Pattern:  `(?P<lib>lib[\w-]+\.so[\w.]*): file too short|host-files-for-container\.d[^\n]{0,80}(?:error|fail|not found|no such)`,
			Layer:    rule.ContainerRuntime, Strength: Strong,
			Meaning: "A library is an empty file: a mount point that stayed behind, or a link to a file that was not mounted.",
			Causes: causes(
				Cause{
					When:     on(OnJetson),
					Title:    "{lib} in the container is an empty file: on this Jetson it was to be mounted from the host and was not",
					Text:     "Up to L4T r32 libraries come from the host by the CSV files of JetPack's packages. They are not there, the container runs without --runtime nvidia (also docker build without it as default), or the image is of another L4T release.",
					Remedies: []Remedy{fix("start with --runtime nvidia (make it the default runtime for builds), on an image of the host's release, and install JetPack's libraries on the host", "jetson", "cat /etc/nv_tegra_release; ls /etc/nvidia-container-runtime/host-files-for-container.d; sudo apt-get install nvidia-jetpack")},
				},
				Cause{
					When:     on(Is("lib", `^lib(cuda|nvidia|nvcuvid)`)),
					Title:    "{lib} is an empty file: a mount point that an earlier run with a GPU left in the image or container",
					Text:     "The toolkit mounts the driver's libraries over empty files. An image that was committed from such a container, or a container that runs without the GPU, keeps the empty ones.",
					Remedies: []Remedy{fix("remove the empty files from the image, and start the container with --gpus all", "container", "find / -xdev -name 'lib*nvidia*' -size 0 -o -xdev -name 'libcuda.so*' -size 0")},
				},
				Cause{
					Layer:    rule.CUDALibraries,
					Title:    "{lib} is damaged: the file is too short",
					Text:     "A download or copy was cut off, the disk was full, or a Git LFS pointer stands in its place.",
					Remedies: []Remedy{fix("install its package again", "shell", "ls -l $(find / -xdev -name {lib} 2>/dev/null); df -h")},
				},
			),
			Samples: []string{"ImportError: /usr/lib/aarch64-linux-gnu/libnvinfer.so.8: file too short", "OSError: /usr/lib/x86_64-linux-gnu/libcuda.so.1: file too short", "error while loading shared libraries: /usr/local/cuda/lib64/libcublas.so.12: file too short"},
			Misses:  []string{"video.mp4: file too short to be indexed"},
			Source:  "https://github.com/dusty-nv/jetson-containers/issues/149",
		},
		{
			ID: "jetson-tegrastats-missing", Product: "Jetson",
			Literals: []string{"tegrastats"},
			Pattern:  `(?i)tegrastats['"]?:? (?:command )?not found|No such file or directory:? ['"]?\S*tegrastats|tegrastats[^\n]{0,40}(?:not available|No such file|is not installed|executable file not found)`,
			Layer:    rule.Application,
			Meaning:  "The program tegrastats is not there.",
			Causes: causes(
				Cause{
					When:     on(InContainer),
					Title:    "tegrastats is not in the image: it belongs to the Jetson's host system, and GPU access does not depend on it",
					Text:     "Not the stack: the tool comes with L4T on the host.",
					Remedies: []Remedy{fix("run it on the host, or mount it in: -v /usr/bin/tegrastats:/usr/bin/tegrastats", "docker", "docker run --rm --runtime nvidia -v /usr/bin/tegrastats:/usr/bin/tegrastats IMAGE tegrastats")},
				},
				Cause{
					Title:    "tegrastats is not installed: it comes with L4T (nvidia-l4t-tools) on Jetsons alone",
					Text:     "Not the stack.",
					Remedies: []Remedy{fix("on a Jetson install it", "jetson", "sudo apt-get install nvidia-l4t-tools"), fix("on other machines use nvidia-smi")},
				},
			),
			Samples: []string{"bash: tegrastats: command not found", "FileNotFoundError: [Errno 2] No such file or directory: 'tegrastats'"},
			Misses:  []string{"tegrastats --interval 1000"},
			Source:  "https://docs.nvidia.com/jetson/archives/r36.4/DeveloperGuide/index.html",
		},
	}
}

// l4tWords are the ways in which people name a release of L4T, by its major.
var l4tWords = map[string][]string{
	"32": {" r32.", "JetPack 4", "L4T 32", "L4T R32"}, "34": {" r34.", "L4T 34", "JetPack 5.0.1"},
	"35": {" r35.", "JetPack 5.1", "L4T 35", "L4T R35"}, "36": {" r36.", "JetPack 6", "L4T 36", "L4T R36"},
}

// otherL4T holds where the text names another release of L4T than the image's tag.
var otherL4T = Condition{Name: "the text names another release of L4T", Words: slices.Concat(l4tWords["32"], l4tWords["34"], l4tWords["35"], l4tWords["36"]), Holds: func(c *Case) bool {
	tag, _ := c.Variable("tag")
	for major, words := range l4tWords {
		if major != tag && slices.ContainsFunc(words, c.Said) {
			return true
		}
	}
	return false
}}
