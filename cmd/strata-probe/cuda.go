package main

import (
	"fmt"

	"strata/internal/nvlib"
	"strata/internal/probe"
)

// cuda is the driver rung by libcuda: it loads, initialises, and names the devices.
func cuda(c *climb) {
	c.rung = probe.Driver
	if !c.openCUDA() {
		return
	}
	var n int32
	if !c.call("cuDeviceGetCount", "", func(s *probe.Step) { set(s, "count", n) }, &n) {
		return
	}
	for i := range int(n) {
		c.device = &i
		c.cudaDevice(i)
	}
}

// openCUDA loads libcuda and initialises it.
func (c *climb) openCUDA() bool {
	if !c.load(c.libcuda, "cuInit") {
		return false
	}
	c.describe = cudaError(c.lib)
	var v int32
	c.call("cuDriverGetVersion", "", func(s *probe.Step) { set(s, "cuda", cudaVersion(int(v))) }, &v)
	return c.call("cuInit", "", nil, 0)
}

// cudaError names codes of the driver API.
func cudaError(lib *nvlib.Library) func(int) (string, string) {
	ask := func(symbol string, code int) string {
		var at uintptr
		if r, err := lib.Status(symbol, code, &at); err != nil || r != 0 {
			return ""
		}
		return nvlib.Text(at)
	}
	return func(code int) (string, string) { return ask("cuGetErrorName", code), ask("cuGetErrorString", code) }
}

// cudaVersion writes 12040 as 12.4.
func cudaVersion(v int) string { return fmt.Sprintf("%d.%d", v/1000, v%1000/10) }

// attributes of a device that are asked for, with their numbers in CUdevice_attribute.
var attributes = []struct {
	name   string
	number int
}{
	{"compute_major", 75}, {"compute_minor", 76}, {"multiprocessors", 16}, {"compute_mode", 20}, {"ecc", 32}, {"integrated", 18},
	{"pci_domain", 50}, {"pci_bus", 33}, {"pci_device", 34},
}

// computeModes are the words for CUcomputemode.
var computeModes = map[int32]string{0: "default", 1: "exclusive", 2: "prohibited", 3: "exclusive-process"}

func (c *climb) cudaDevice(i int) {
	var dev int32
	if !c.call("cuDeviceGet", "", nil, &dev, i) {
		return
	}
	name := nvlib.NewCString(256)
	c.call("cuDeviceGetName", "", func(s *probe.Step) { set(s, "name", name) }, []byte(name), len(name), dev)
	c.step("cuDeviceGetUuid", "", func(s *probe.Step) {
		id := make([]byte, 16)
		symbol := "cuDeviceGetUuid_v2" // since CUDA 11.4; it tells a MIG instance's own
		if !c.lib.Has(symbol) {
			symbol = "cuDeviceGetUuid"
		}
		if c.status(s, symbol, id, dev) {
			set(s, "uuid", fmt.Sprintf("GPU-%x-%x-%x-%x-%x", id[:4], id[4:6], id[6:8], id[8:10], id[10:]))
		}
	})
	var total uint64
	c.call("cuDeviceTotalMem_v2", "", func(s *probe.Step) { set(s, "memory_mib", total>>20) }, &total, dev)
	c.step("cuDeviceGetAttribute", "", func(s *probe.Step) {
		got := map[string]int32{}
		for _, a := range attributes {
			var v int32
			if !c.status(s, "cuDeviceGetAttribute", &v, a.number, dev) {
				return
			}
			got[a.name] = v
		}
		set(s, "compute_capability", fmt.Sprintf("%d.%d", got["compute_major"], got["compute_minor"]))
		set(s, "multiprocessors", got["multiprocessors"])
		set(s, "compute_mode", computeModes[got["compute_mode"]])
		set(s, "ecc", onOff(got["ecc"]))
		set(s, "integrated", onOff(got["integrated"]))
		set(s, "pci", fmt.Sprintf("%04x:%02x:%02x.0", got["pci_domain"], got["pci_bus"], got["pci_device"]))
	})
}

func onOff(v int32) string {
	if v == 0 {
		return "off"
	}
	return "on"
}
