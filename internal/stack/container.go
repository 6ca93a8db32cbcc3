package stack

import "strata/internal/version"

// Container is both sides of a container: being inside one, and the runtime of a host.
type Container struct {
	// Inside is the engine, where the machine is the inside of a container: docker,
	// podman, containerd, cri-o, kubernetes, lxc, systemd-nspawn, singularity, unknown.
	Inside Fact[string] `json:"inside"`
	// Kubernetes is true where a pod's service account is mounted.
	Kubernetes Fact[bool] `json:"kubernetes"`
	// Toolkit is the NVIDIA container toolkit of a host.
	Toolkit Fact[ContainerToolkit] `json:"toolkit"`
	Engines Fact[[]Engine]         `json:"engines"`
	CDI     Fact[[]CDISpec]        `json:"cdi"`
	// Hook is the enable-cuda-compat hook or compat directory handling, where configured.
	Hook Fact[string] `json:"hook"`
}

// ContainerToolkit is the NVIDIA container toolkit as installed.
type ContainerToolkit struct {
	Version string `json:"version,omitempty"`
	// Programs are the binaries found: nvidia-ctk, nvidia-container-runtime, nvidia-container-cli, nvidia-cdi-hook.
	Programs []string `json:"programs"`
	// Mode is the runtime's mode in config.toml: auto, legacy, csv, cdi.
	Mode string `json:"mode,omitempty"`
	// NoCgroups is no-cgroups of config.toml, set for rootless engines.
	NoCgroups      bool `json:"no_cgroups,omitempty"`
	DisableRequire bool `json:"disable_require,omitempty"`
	// Fault is why config.toml could not be used; the fields from Mode on are then unknown.
	Fault string `json:"fault,omitempty"`
	From  Source `json:"from"`
}

// Engine is a container engine of a host with its NVIDIA configuration.
type Engine struct {
	Name string `json:"name"` // docker, containerd, cri-o, podman
	// Config is the file read; empty where the engine has none.
	Config string `json:"config,omitempty"`
	// NVIDIA is true where an nvidia runtime is registered.
	NVIDIA bool `json:"nvidia"`
	// Default is the default runtime's name, where set.
	Default string `json:"default,omitempty"`
	// CDI is true where the CDI feature is switched on, by its configuration or
	// because the engine has no switch for it (podman, CRI-O).
	CDI bool `json:"cdi"`
	// CgroupDriver is systemd or cgroupfs, where configured.
	CgroupDriver string `json:"cgroup_driver,omitempty"`
	Snap         bool   `json:"snap,omitempty"`
	Rootless     bool   `json:"rootless,omitempty"`
	// Fault is why the configuration could not be used; what it would have set is then unknown.
	Fault string `json:"fault,omitempty"`
	From  Source `json:"from"`
}

// CDISpec is one specification under /etc/cdi or /var/run/cdi.
type CDISpec struct {
	Path    string   `json:"path"`
	Kind    string   `json:"kind"` // nvidia.com/gpu
	Devices []string `json:"devices"`
	// Drivers are the driver versions in the names of the libraries it mounts.
	Drivers []version.Driver `json:"drivers,omitempty"`
	// Missing are host paths it names that do not exist.
	Missing []string `json:"missing,omitempty"`
	// Fault is why the specification could not be read.
	Fault string `json:"fault,omitempty"`
	From  Source `json:"from"`
}
