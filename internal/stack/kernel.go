package stack

import "strata/internal/version"

// Kernel is the running kernel and everything about NVIDIA's modules.
type Kernel struct {
	Release     Fact[string]         `json:"release"`   // of the running kernel
	Installed   Fact[[]string]       `json:"installed"` // releases with a module tree, oldest first
	CommandLine Fact[string]         `json:"command_line"`
	SecureBoot  Fact[bool]           `json:"secure_boot"`
	Loaded      Fact[[]LoadedModule] `json:"loaded"`    // GPU-related lines of /proc/modules
	Blacklist   Fact[[]Blacklisted]  `json:"blacklist"` // modprobe.d
	// Version is the loaded nvidia module's: the kernel-mode driver.
	Version Fact[version.Driver] `json:"version"`
	// Flavor is open or proprietary.
	Flavor Fact[string] `json:"flavor"`
	// Files are nvidia module files on disk, for any installed kernel.
	Files Fact[[]ModuleFile] `json:"files"`
	DKMS  Fact[[]DKMSBuild]  `json:"dkms"`
	// Firmware are the drivers' GSP firmware on disk.
	Firmware Fact[[]Firmware] `json:"firmware"`
	// FabricManager is the NVSwitch service, where installed.
	FabricManager Fact[FabricManager] `json:"fabric_manager"`
	// Log are kernel messages about the GPU: NVRM, Xid, module signing, nouveau.
	Log Fact[[]LogLine] `json:"log"`
}

// LoadedModule is one line of /proc/modules, with /sys/module/NAME/version where it has one.
type LoadedModule struct {
	Name    string         `json:"name"` // nvidia, nvidia_uvm, nouveau, nova_core
	Version version.Driver `json:"version,omitzero"`
	Taints  string         `json:"taints,omitempty"` // (POE): proprietary, out of tree, unsigned
	From    Source         `json:"from"`
}

// Blacklisted is a module that modprobe.d or the kernel command line keeps from loading.
type Blacklisted struct {
	Module string `json:"module"`
	From   Source `json:"from"`
}

// ModuleFile is an nvidia kernel module on disk.
type ModuleFile struct {
	Path    string         `json:"path"`
	Release string         `json:"release"` // of the kernel it was built for
	Version version.Driver `json:"version,omitzero"`
	// Flavor is open (license "Dual MIT/GPL") or proprietary ("NVIDIA"); empty where it could not be read.
	Flavor string `json:"flavor,omitempty"`
	// Signed is true where a signature is appended; always false of a compressed file.
	Signed bool `json:"signed"`
	// Compression is the file's suffix after .ko: xz, zst or gz. Of such a file the
	// version is what DKMS built, where it did, and flavour and signature are not known.
	Compression string `json:"compression,omitempty"`
	// Fault is why the file is no kernel module; empty for a good one.
	Fault string `json:"fault,omitempty"`
	From  Source `json:"from"`
}

// DKMSBuild is one build that DKMS knows of.
type DKMSBuild struct {
	Version version.Driver `json:"version,omitzero"`
	Release string         `json:"release,omitempty"` // empty for sources that were only added
	State   string         `json:"state"`             // added, built, installed, failed
	// KernelCompiler and Compiler are what built the kernel and what a failed build used, where its log warns that they differ.
	KernelCompiler string `json:"kernel_compiler,omitempty"`
	Compiler       string `json:"compiler,omitempty"`
	From           Source `json:"from"`
}

// Firmware is the GSP firmware of one driver version.
type Firmware struct {
	Version version.Driver `json:"version"`
	Files   []string       `json:"files"` // gsp_ga10x.bin, …
	From    Source         `json:"from"`
}

// FabricManager is the service that sets up NVSwitch.
type FabricManager struct {
	Version version.Driver `json:"version,omitzero"`
	Path    string         `json:"path"`
	// Running is known only where processes can be seen.
	Running Fact[bool] `json:"running"`
}

// LogLine is one kernel message.
type LogLine struct {
	Text string `json:"text"`
	Xid  int    `json:"xid,omitempty"` // 0 where the line is no Xid
	From Source `json:"from"`
}
