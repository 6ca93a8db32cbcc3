package stack

import "strata/internal/version"

// A Change is one thing that a person can do to a machine, as data: rules
// propose changes, the planner carries them out on a copy. The set is closed.
type Change interface{ change() }

type (
	// SetDriver installs a driver: module, libcuda and NVML of one version.
	SetDriver struct {
		Version version.Driver
		Flavor  string // open or proprietary; empty keeps what is there
	}
	// Reboot loads the module that is installed on disk.
	Reboot struct{}
	// LoadModule loads a kernel module that is there.
	LoadModule struct{ Name string }
	// BuildModule builds and installs the nvidia module of a driver for one kernel.
	BuildModule struct {
		Release string
		Version version.Driver // zero for the driver's that is installed
	}
	// BlockModule keeps a module from loading and reboots.
	BlockModule struct{ Name string }
	// MakeNodes creates the device nodes that the loaded module serves: those of
	// the GPUs, of nvidia_uvm and of MIG instances; /dev/dxg in WSL.
	MakeNodes struct{}
	// Grant lets the user open the device nodes.
	Grant struct{}
	// RenewCache runs ldconfig.
	RenewCache struct{}
	// SetEnv sets a variable for the workload.
	SetEnv struct{ Name, Value string }
	// UnsetEnv removes a variable.
	UnsetEnv struct{ Name string }
	// DropLibraryPath takes one directory off LD_LIBRARY_PATH and ld.so.conf.
	DropLibraryPath struct{ Dir string }
	// Install puts a package into a Python environment, replacing what has its name.
	Install struct {
		Prefix  string // of the environment
		Package string
		Version string // with local label; empty for what the framework pins
	}
	// Uninstall removes a package from a Python environment.
	Uninstall struct{ Prefix, Package string }
	// RemoveLibrary takes a file off the disk.
	RemoveLibrary struct{ Path string }
	// GiveGPU starts the container with GPU access.
	GiveGPU struct{}
	// Configure registers the NVIDIA runtime with a container engine.
	Configure struct{ Engine string }
	// InstallCompat puts a forward-compatibility libcuda first on LD_LIBRARY_PATH.
	InstallCompat struct {
		CUDA     version.CUDA
		Driver   version.Driver // of the libcuda inside
		Branches []int          // of the kernel drivers it works with
	}
	// RenewCDI generates the CDI specification again.
	RenewCDI struct{}
	// InstallFirmware installs the GSP firmware of a driver.
	InstallFirmware struct{ Version version.Driver }
	// SetFabricManager installs and starts Fabric Manager of a version.
	SetFabricManager struct{ Version version.Driver }
	// InstallToolkit adds a CUDA toolkit.
	InstallToolkit struct{ Version version.CUDA }
	// SetContainerToolkit installs the NVIDIA container toolkit of a version.
	SetContainerToolkit struct{ Version string }
	// LinkNodes makes the links in /dev/char that systemd knows devices by.
	LinkNodes struct{}
	// SetHostCompiler makes nvcc take another host compiler.
	SetHostCompiler struct{ Compiler Compiler }
	// InstallOSPackage installs distribution packages that bring libraries where
	// the dynamic linker looks anyway.
	InstallOSPackage struct {
		Names  []string
		Brings []string // sonames
	}
	// SetWants configures a native program to ask for gpu, cpu or auto.
	SetWants struct{ Program, Wants string }
	// RemoveOSPackage removes distribution packages and the files they own.
	RemoveOSPackage struct{ Names []string }
)

func (SetDriver) change()           {}
func (Reboot) change()              {}
func (LoadModule) change()          {}
func (BuildModule) change()         {}
func (BlockModule) change()         {}
func (MakeNodes) change()           {}
func (Grant) change()               {}
func (RenewCache) change()          {}
func (SetEnv) change()              {}
func (UnsetEnv) change()            {}
func (DropLibraryPath) change()     {}
func (Install) change()             {}
func (Uninstall) change()           {}
func (RemoveLibrary) change()       {}
func (GiveGPU) change()             {}
func (Configure) change()           {}
func (InstallCompat) change()       {}
func (RenewCDI) change()            {}
func (InstallFirmware) change()     {}
func (SetFabricManager) change()    {}
func (InstallToolkit) change()      {}
func (SetContainerToolkit) change() {}
func (LinkNodes) change()           {}
func (SetHostCompiler) change()     {}
func (InstallOSPackage) change()    {}
func (SetWants) change()            {}
func (RemoveOSPackage) change()     {}
