package stack

// Hardware is the GPUs as the bus and the driver show them.
type Hardware struct {
	// PCI lists NVIDIA's functions on the bus (vendor 10de), GPUs and NVSwitches alike.
	PCI Fact[[]PCIDevice] `json:"pci"`
	// Proc lists /proc/driver/nvidia/gpus/*: what the loaded module claims.
	Proc Fact[[]ProcGPU] `json:"proc"`
	// Assumed are GPUs that the user vouches for (--assume gpu=…).
	Assumed Fact[[]AssumedGPU] `json:"assumed"`
}

// PCIDevice is one function on the PCI bus; identifiers as in pci.ids.
type PCIDevice struct {
	Address   string `json:"address"` // 0000:65:00.0
	Vendor    uint16 `json:"vendor"`
	Device    uint16 `json:"device"`
	SubVendor uint16 `json:"subvendor"`
	SubDevice uint16 `json:"subdevice"`
	Class     uint32 `json:"class"` // 24 bits: 0x030000 VGA, 0x030200 3D, 0x068000 bridge (NVSwitch)
	// Driver is the kernel driver bound to the function; empty where none is.
	Driver   string `json:"driver,omitempty"`
	NUMANode int    `json:"numa_node"` // -1 where the platform does not say
	Virtual  bool   `json:"virtual"`   // an SR-IOV virtual function
	// Responds tells whether the configuration space answers; one that reads as
	// all ones belongs to a device that is gone from the bus. NotCollected for a
	// device that sleeps, since reading would wake it.
	Responds Fact[bool] `json:"responds"`
	From     Source     `json:"from"`
}

// ProcGPU is one /proc/driver/nvidia/gpus/ADDRESS/information.
type ProcGPU struct {
	Address  string `json:"address"`
	Model    string `json:"model"`
	UUID     string `json:"uuid,omitempty"`
	VBIOS    string `json:"vbios,omitempty"`
	Minor    int    `json:"minor"` // the N of /dev/nvidiaN; -1 where not said
	Excluded bool   `json:"excluded,omitempty"`
	From     Source `json:"from"`
}

// AssumedGPU is a GPU that the user vouches for: a name, or only a compute capability.
type AssumedGPU struct {
	Name              string `json:"name,omitempty"`
	ComputeCapability string `json:"compute_capability,omitempty"` // 8.0
	From              Source `json:"from"`
}
