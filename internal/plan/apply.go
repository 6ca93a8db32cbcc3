package plan

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"strata/internal/kb"
	"strata/internal/stack"
	"strata/internal/version"
)

// apply carries out one change. What a change brings along in practice is part
// of it, and each case says so: a driver package also brings Fabric Manager's
// partner and a new CDI specification.
func apply(s *stack.Stack, change stack.Change, base *kb.Base) {
	forget(s, change)
	switch c := change.(type) {
	case stack.SetDriver:
		setDriver(s, c.Version, c.Flavor)
	case stack.Reboot:
		reboot(s)
	case stack.LoadModule:
		loadModule(s, c.Name)
	case stack.BuildModule:
		buildModule(s, c.Release, c.Version)
	case stack.BlockModule:
		s.Kernel.Loaded.Value = slices.DeleteFunc(s.Kernel.Loaded.Value, func(m stack.LoadedModule) bool { return m.Name == c.Name })
		for i := range s.Hardware.PCI.Value {
			if s.Hardware.PCI.Value[i].Driver == c.Name {
				s.Hardware.PCI.Value[i].Driver = ""
			}
		}
		reboot(s)
	case stack.MakeNodes:
		makeNodes(s)
	case stack.Grant:
		for i := range s.Devices.Nodes.Value {
			s.Devices.Nodes.Value[i].Mode |= 0o666
		}
	case stack.RenewCache:
		renewCache(s)
	case stack.SetEnv:
		setEnv(s, c.Name, c.Value)
	case stack.UnsetEnv:
		s.Environment.Value = slices.DeleteFunc(s.Environment.Value, func(v stack.Variable) bool { return v.Name == c.Name })
	case stack.DropLibraryPath:
		dropLibraryPath(s, c.Dir)
	case stack.Install:
		eachEnv(s, c.Prefix, func(e *stack.Environment) { install(e, c.Package, c.Version, base) })
	case stack.Uninstall:
		eachEnv(s, c.Prefix, func(e *stack.Environment) { uninstall(e, c.Package) })
	case stack.RemoveLibrary:
		gone := func(l stack.Library) bool { return l.Path == c.Path || l.Real == c.Path }
		removeLibraries(s, gone)
	case stack.GiveGPU:
		giveGPU(s)
	case stack.Configure:
		for i := range s.Container.Engines.Value {
			if e := &s.Container.Engines.Value[i]; e.Name == c.Engine {
				e.NVIDIA = true
			}
		}
		if !s.Container.Toolkit.Known() {
			s.Container.Toolkit = planned(stack.ContainerToolkit{Programs: []string{"nvidia-ctk", "nvidia-container-runtime", "nvidia-container-cli"}, Mode: "auto"})
		}
	case stack.InstallCompat:
		installCompat(s, c)
	case stack.RenewCDI:
		renewCDI(s)
	case stack.InstallFirmware:
		s.Kernel.Firmware.State = stack.Known
		s.Kernel.Firmware.Value = append(s.Kernel.Firmware.Value, stack.Firmware{Version: c.Version, From: plannedSource})
	case stack.SetFabricManager:
		s.Kernel.FabricManager = planned(stack.FabricManager{Version: c.Version, Running: planned(true)})
	case stack.InstallToolkit:
		s.CUDA.Toolkits.State = stack.Known
		for i := range s.CUDA.Toolkits.Value {
			s.CUDA.Toolkits.Value[i].Default = false
		}
		root := "/usr/local/cuda-" + c.Version.String()
		s.CUDA.Toolkits.Value = append(s.CUDA.Toolkits.Value, stack.Toolkit{Root: root, Version: c.Version, NVCC: root + "/bin/nvcc", Default: true, From: plannedSource})
	case stack.SetContainerToolkit:
		s.Container.Toolkit.State = stack.Known
		s.Container.Toolkit.Value.Version = c.Version
	case stack.LinkNodes:
		s.Devices.CharLinks = planned(true)
	case stack.SetHostCompiler:
		s.CUDA.HostCompiler = planned(c.Compiler)
	case stack.InstallOSPackage:
		s.CUDA.Libraries.State = stack.Known
		for _, soname := range c.Brings {
			p := path.Join(systemDir(s), soname)
			s.CUDA.Libraries.Value = append(s.CUDA.Libraries.Value, stack.Library{
				Path: p, Real: p, Soname: soname, Size: 1, Place: "system", Owner: strings.Join(c.Names, " "), From: plannedSource,
			})
		}
		renewCache(s) // as the package's trigger does
	case stack.SetWants:
		for i := range s.Programs.Value {
			if p := &s.Programs.Value[i]; p.Path == c.Program {
				p.Wants = planned(c.Wants)
			}
		}
	case stack.RemoveOSPackage:
		s.Packages.Value = slices.DeleteFunc(s.Packages.Value, func(p stack.OSPackage) bool { return slices.Contains(c.Names, p.Name) })
		removeLibraries(s, func(l stack.Library) bool {
			name, _, _ := strings.Cut(l.Owner, " ")
			return name != "" && slices.Contains(c.Names, name)
		})
	}
}

// plannedSource marks facts that a remedy would bring about.
var plannedSource = stack.Source{Kind: "derived", Locator: "a remedy that was tried"}

func planned[T any](v T) stack.Fact[T] { return stack.Know(v, plannedSource) }

// setDriver installs module, libcuda and NVML of one version. The packages of
// a driver carry Fabric Manager of the same version, and the toolkit's refresh
// service writes the CDI specification anew when the driver changes.
func setDriver(s *stack.Stack, v version.Driver, flavor string) {
	if s.Driver.Assumed.Known() {
		s.Driver.Assumed = planned(v)
	}
	s.Kernel.Version = planned(v)
	if flavor != "" {
		s.Kernel.Flavor = planned(flavor)
	}
	if s.Kernel.Loaded.Known() {
		loadModule(s, "nvidia")
		loadModule(s, "nvidia_uvm")
	}
	for i := range s.Kernel.Loaded.Value {
		if m := &s.Kernel.Loaded.Value[i]; strings.HasPrefix(m.Name, "nvidia") {
			m.Version = v
		}
	}
	for i := range s.Kernel.Files.Value {
		s.Kernel.Files.Value[i].Version = v
		if flavor != "" {
			s.Kernel.Files.Value[i].Flavor = flavor
		}
	}
	// A driver's package builds its module for every kernel that is installed.
	if s.Kernel.Files.Known() {
		for _, release := range append([]string{s.Kernel.Release.Or("")}, s.Kernel.Installed.Value...) {
			buildModule(s, release, v)
		}
	}
	if s.Kernel.FabricManager.Known() {
		s.Kernel.FabricManager.Value.Version = v
	}
	if s.Kernel.Firmware.Known() {
		s.Kernel.Firmware.Value = append(s.Kernel.Firmware.Value, stack.Firmware{Version: v, From: plannedSource})
	}
	for i := range s.Driver.Libraries.Value {
		l := &s.Driver.Libraries.Value[i]
		if l.Place == "stubs" || l.Place == "compat" || l.Place == "wsl" {
			continue
		}
		l.Version, l.Fault = v.String(), ""
	}
	if s.Driver.Libraries.State != stack.NotCollected {
		addDriverLibraries(s, v)
	}
	if s.Kernel.Loaded.Known() && s.Devices.Nodes.State != stack.NotCollected {
		makeNodes(s) // by udev, or by the first program
	}
	renewCDI(s)
}

// addDriverLibraries adds those of the driver's libraries that the system's directories lack.
func addDriverLibraries(s *stack.Stack, v version.Driver) {
	dir := systemDir(s)
	s.Driver.Libraries.State = stack.Known
	for _, name := range []string{"libcuda.so", "libnvidia-ml.so", "libnvidia-ptxjitcompiler.so"} {
		if slices.ContainsFunc(s.Driver.Libraries.Value, func(l stack.Library) bool {
			return l.Soname == name+".1" && l.Fault == "" && l.Place == "system"
		}) {
			continue
		}
		s.Driver.Libraries.Value = append(s.Driver.Libraries.Value, stack.Library{
			Path: path.Join(dir, name+".1"), Real: path.Join(dir, name+"."+v.String()), Soname: name + ".1",
			Version: v.String(), Size: 1, Place: "system", From: plannedSource,
		})
	}
	renewCache(s) // as the package's trigger does
}

func loadModule(s *stack.Stack, name string) {
	s.Kernel.Loaded.State = stack.Known
	for _, m := range s.Kernel.Loaded.Value {
		if m.Name == name {
			return
		}
	}
	s.Kernel.Loaded.Value = append(s.Kernel.Loaded.Value, stack.LoadedModule{Name: name, Version: s.Kernel.Version.Value, From: plannedSource})
	for i := range s.Hardware.PCI.Value {
		if d := &s.Hardware.PCI.Value[i]; name == "nvidia" && d.Driver == "" {
			d.Driver = "nvidia"
		}
	}
	if name == "nvidia" && !s.Kernel.Version.Known() {
		if v, flavor, ok := bootVersion(s); ok {
			s.Kernel.Version = planned(v)
			if flavor != "" {
				s.Kernel.Flavor = planned(flavor)
			}
		}
	}
}

func makeNodes(s *stack.Stack) {
	s.Devices.Nodes.State = stack.Known
	major := 195 // NVIDIA's in Documentation/admin-guide/devices.txt; the others are dynamic
	add := func(p string, minor int) {
		if slices.ContainsFunc(s.Devices.Nodes.Value, func(n stack.DeviceNode) bool { return n.Path == p }) {
			return
		}
		s.Devices.Nodes.Value = append(s.Devices.Nodes.Value, stack.DeviceNode{Path: p, Kind: "char", Major: major, Minor: minor, Mode: 0o666, From: plannedSource})
	}
	if s.OS.WSL.Or(false) {
		add("/dev/dxg", 0)
		return
	}
	n := max(len(s.Hardware.Proc.Value), 1)
	gpus := 0
	for _, d := range s.Hardware.PCI.Value {
		if d.Class>>16 == 0x03 {
			gpus++
		}
	}
	for i := range max(n, gpus) {
		add("/dev/nvidia"+strconv.Itoa(i), i)
	}
	add("/dev/nvidiactl", 255)
	major = 0
	add("/dev/nvidia-uvm", 0)
	for _, i := range s.Devices.MIG.Value {
		add("/dev/nvidia-caps/nvidia-cap"+strconv.Itoa(i.Minor), i.Minor)
	}
}

func giveGPU(s *stack.Stack) {
	makeNodes(s)
	if s.Devices.CgroupRules.Known() {
		for _, n := range s.Devices.Nodes.Value {
			s.Devices.CgroupRules.Value = append(s.Devices.CgroupRules.Value, fmt.Sprintf("c %d:%d rwm", n.Major, n.Minor))
		}
	}
	for _, name := range []string{"NVIDIA_VISIBLE_DEVICES", "NVIDIA_DRIVER_CAPABILITIES"} {
		if v, ok := s.Getenv(name); ok && v.Value != "all" {
			setEnv(s, name, "all")
		}
	}
	if s.Kernel.Version.Known() && !slices.ContainsFunc(s.Driver.Libraries.Value, func(l stack.Library) bool {
		return l.Soname == "libcuda.so.1" && l.Fault == "" && l.Place != "stubs"
	}) {
		addDriverLibraries(s, s.Kernel.Version.Value)
	}
}

func renewCDI(s *stack.Stack) {
	for i := range s.Container.CDI.Value {
		c := &s.Container.CDI.Value[i]
		c.Missing = nil
		if s.Kernel.Version.Known() && len(c.Drivers) > 0 {
			c.Drivers = []version.Driver{s.Kernel.Version.Value}
		}
	}
}

func setEnv(s *stack.Stack, name, value string) {
	s.Environment.State = stack.Known
	for i := range s.Environment.Value {
		if s.Environment.Value[i].Name == name {
			s.Environment.Value[i].Value = value
			return
		}
	}
	s.Environment.Value = append(s.Environment.Value, stack.Variable{Name: name, Value: value, From: plannedSource})
}

func dropLibraryPath(s *stack.Stack, dir string) {
	dir = path.Clean(dir)
	if v, ok := s.Getenv("LD_LIBRARY_PATH"); ok {
		var keep []string
		for _, d := range stack.SplitLibraryPath(v.Value) {
			if path.Clean(d) != dir {
				keep = append(keep, d)
			}
		}
		setEnv(s, "LD_LIBRARY_PATH", strings.Join(keep, ":"))
	}
	s.Loader.Conf.Value = slices.DeleteFunc(s.Loader.Conf.Value, func(c stack.ConfDir) bool { return path.Clean(c.Dir) == dir })
	s.Loader.Cache.Value = slices.DeleteFunc(s.Loader.Cache.Value, func(e stack.CacheEntry) bool { return path.Dir(e.Path) == dir })
}

func removeLibraries(s *stack.Stack, gone func(stack.Library) bool) {
	s.Driver.Libraries.Value = slices.DeleteFunc(s.Driver.Libraries.Value, gone)
	s.CUDA.Libraries.Value = slices.DeleteFunc(s.CUDA.Libraries.Value, gone)
	for i := range s.Python.Value {
		s.Python.Value[i].Libraries.Value = slices.DeleteFunc(s.Python.Value[i].Libraries.Value, gone)
	}
}
