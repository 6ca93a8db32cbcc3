package loader

// WellKnown are places where libraries of the driver and of the GPU stack lie,
// although the loader may not be told of them: that they are there and not
// found is often the finding. The patterns are those of machine.Glob.
var WellKnown = []struct {
	Pattern string
	// Place is the pattern's kind, in the words of stack.Library; the path that
	// matched may tell a better one.
	Place string
}{
	{"/usr/lib/x86_64-linux-gnu", "system"},
	{"/usr/lib/aarch64-linux-gnu", "system"},
	{"/usr/lib64", "system"},
	{"/usr/lib", "system"},
	{"/lib/x86_64-linux-gnu", "system"},
	{"/lib/aarch64-linux-gnu", "system"},
	{"/lib64", "system"},
	{"/lib", "system"},
	{"/usr/lib/*-linux-gnu/nvidia", "system"},   // Jetson since JetPack 6
	{"/usr/lib/*-linux-gnu/nvidia/*", "system"}, // Debian (current, tesla-470), behind update-alternatives
	{"/usr/lib/*-linux-gnu/tegra", "system"},    // Jetson until JetPack 5
	{"/usr/lib/nvidia*", "system"},              // Ubuntu until 16.04, SUSE
	{"/usr/lib64/nvidia*", "system"},
	{"/usr/lib/nvidia/tesla", "system"}, // Bottlerocket; once in a directory per version
	{"/usr/lib/nvidia/tesla/*", "system"},
	{"/usr/lib64/tls", "system"},
	{"/usr/local/lib", "system"},
	{"/usr/local/lib64", "system"},
	{"/usr/local/lib/*-linux-gnu", "system"},
	{"/usr/local/nvidia/lib", "other"}, // mounted by nvidia-docker 1 and by GKE
	{"/usr/local/nvidia/lib64", "other"},
	{"/home/kubernetes/bin/nvidia/lib64", "other"}, // GKE's nodes
	{"/var/lib/nvidia/lib64", "other"},             // Container-Optimized OS
	{"/opt/nvidia/current/usr/lib64", "other"},     // Flatcar
	{"/opt/nvidia/current/lib64", "other"},
	{"/usr/local/glibc/usr/lib", "other"}, // Talos
	{"/run/nvidia/driver/usr/lib/*-linux-gnu", "other"},
	{"/run/nvidia/driver/usr/lib64", "other"}, // the GPU operator's driver container
	{"/run/opengl-driver/lib", "other"},       // NixOS
	{"/usr/lib/wsl/lib", "wsl"},
	{"/usr/lib/wsl/drivers/*", "wsl"},
	{"/usr/local/cuda*/compat", "compat"},
	{"/usr/local/cuda*/compat_orin", "compat"},
	{"/opt/cuda*/compat", "compat"},
	{"/opt/cuda-compat*", "compat"},
	{"/opt/nvidia/cuda-compat*", "compat"},
	{"/opt/nvidia/hpc_sdk/Linux_*/*/cuda/*/compat", "compat"},
	{"/opt/conda/cuda-compat", "compat"},
	{"/usr/local/cuda/lib64", "toolkit"},
	{"/usr/local/cuda-*/lib64", "toolkit"},
	{"/usr/local/cuda*/targets/*/lib", "toolkit"},
	{"/usr/local/cuda*/extras/CUPTI/lib64", "toolkit"},
	{"/opt/cuda/lib64", "toolkit"}, // Arch
	{"/opt/cuda/targets/*/lib", "toolkit"},
	{"/usr/local/cuda*/lib64/stubs", "stubs"},
	{"/usr/local/cuda*/targets/*/lib/stubs", "stubs"},
	{"/opt/cuda*/lib64/stubs", "stubs"},
	{"/opt/cuda*/targets/*/lib/stubs", "stubs"},
	{"/opt/nvidia/hpc_sdk/Linux_*/*/cuda/*/targets/*/lib/stubs", "stubs"},
	{"/usr/lib/*-linux-gnu/stubs", "stubs"}, // nvidia-cuda-dev of Debian and Ubuntu
	{"/opt/conda/lib/stubs", "stubs"},
}
