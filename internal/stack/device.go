package stack

// Devices is what a process could open, and what it was told to see.
type Devices struct {
	Nodes Fact[[]DeviceNode] `json:"nodes"` // /dev/nvidia*, /dev/dxg, /dev/nvidia-caps/*
	// User is who asks; NotCollected for a root directory.
	User Fact[User] `json:"user"`
	// CgroupRules are the device rules where cgroup v1 shows them ("c 195:* rwm").
	CgroupRules Fact[[]string] `json:"cgroup_rules"`
	// CharLinks tells whether /dev/char has links for the NVIDIA nodes, which
	// systemd needs to keep a container's access over a reload.
	CharLinks Fact[bool] `json:"char_links"`
	// Modprobe tells whether nvidia-modprobe is installed set-uid root. The first
	// CUDA program then loads nvidia_uvm and makes the device nodes by itself.
	Modprobe Fact[bool] `json:"modprobe"`
	// MIG are the instances under /proc/driver/nvidia/capabilities.
	MIG Fact[[]MIGInstance] `json:"mig"`
}

// DeviceNode is one device file.
type DeviceNode struct {
	Path  string `json:"path"`
	Kind  string `json:"kind"` // char; file where a root holds a stand-in
	Major int    `json:"major"`
	Minor int    `json:"minor"`
	Mode  uint32 `json:"mode"` // permission bits
	UID   int    `json:"uid"`
	GID   int    `json:"gid"`
	From  Source `json:"from"`
}

// User is the Unix user that asks for the GPU.
type User struct {
	UID    int            `json:"uid"`
	GIDs   []int          `json:"gids"`
	Groups map[int]string `json:"groups,omitempty"` // names of groups that own nodes
}

// MIGInstance is one compute instance of a GPU in MIG mode.
type MIGInstance struct {
	GPU      int    `json:"gpu"`
	Instance string `json:"instance"` // gi1/ci0
	Minor    int    `json:"minor"`    // of /dev/nvidia-caps/nvidia-capN
	From     Source `json:"from"`
}
