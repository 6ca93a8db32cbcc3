package main

import (
	"encoding/binary"
	"fmt"

	"strata/internal/nvlib"
	"strata/internal/probe"
)

// nvml is the driver rung by NVML, which works without CUDA and sees every GPU
// that the kernel module has, whatever CUDA_VISIBLE_DEVICES hides.
func nvml(c *climb) {
	c.rung = probe.Driver
	if !c.load(c.libnvml, "nvmlInit_v2") {
		return
	}
	c.describe = func(code int) (string, string) { return nvmlErrors[code], c.lib.Text("nvmlErrorString", code) }
	if !c.call("nvmlInit_v2", "", nil) {
		return
	}
	version := nvlib.NewCString(96)
	c.ask("nvmlSystemGetDriverVersion", "", func(s *probe.Step) { set(s, "driver", version) }, []byte(version), len(version))
	var cuda int32
	c.step("nvmlSystemGetCudaDriverVersion", "", func(s *probe.Step) {
		symbol := "nvmlSystemGetCudaDriverVersion_v2"
		if !c.lib.Has(symbol) {
			symbol = "nvmlSystemGetCudaDriverVersion"
		}
		if c.status(s, symbol, &cuda) {
			set(s, "cuda", cudaVersion(int(cuda)))
		}
	})
	var n uint32
	if c.call("nvmlDeviceGetCount_v2", "", func(s *probe.Step) { set(s, "count", n) }, &n) {
		for i := range int(n) {
			c.device = &i
			c.nvmlDevice(i)
		}
	}
	c.device = nil
	c.ask("nvmlShutdown", "", nil)
}

// nvmlErrors are the names of nvmlReturn_t, which NVML itself puts only into words.
var nvmlErrors = map[int]string{
	1: "NVML_ERROR_UNINITIALIZED", 2: "NVML_ERROR_INVALID_ARGUMENT", 3: "NVML_ERROR_NOT_SUPPORTED", 4: "NVML_ERROR_NO_PERMISSION",
	5: "NVML_ERROR_ALREADY_INITIALIZED", 6: "NVML_ERROR_NOT_FOUND", 7: "NVML_ERROR_INSUFFICIENT_SIZE", 8: "NVML_ERROR_INSUFFICIENT_POWER",
	9: "NVML_ERROR_DRIVER_NOT_LOADED", 10: "NVML_ERROR_TIMEOUT", 11: "NVML_ERROR_IRQ_ISSUE", 12: "NVML_ERROR_LIBRARY_NOT_FOUND",
	13: "NVML_ERROR_FUNCTION_NOT_FOUND", 14: "NVML_ERROR_CORRUPTED_INFOROM", 15: "NVML_ERROR_GPU_IS_LOST", 16: "NVML_ERROR_RESET_REQUIRED",
	17: "NVML_ERROR_OPERATING_SYSTEM", 18: "NVML_ERROR_LIB_RM_VERSION_MISMATCH", 19: "NVML_ERROR_IN_USE", 20: "NVML_ERROR_MEMORY",
	21: "NVML_ERROR_NO_DATA", 22: "NVML_ERROR_VGPU_ECC_NOT_SUPPORTED", 23: "NVML_ERROR_INSUFFICIENT_RESOURCES", 24: "NVML_ERROR_FREQ_NOT_SUPPORTED",
	25: "NVML_ERROR_ARGUMENT_VERSION_MISMATCH", 26: "NVML_ERROR_DEPRECATED", 27: "NVML_ERROR_NOT_READY", 28: "NVML_ERROR_GPU_NOT_FOUND",
	29: "NVML_ERROR_INVALID_STATE", 999: "NVML_ERROR_UNKNOWN",
}

// notSupported is what NVML says of what a GPU does not have: no failure.
const notSupported = 3

// ask is a call whose want of an answer is no failure: GeForce cards have no
// ECC, an older library lacks a function.
func (c *climb) ask(symbol, subject string, then func(*probe.Step), args ...any) bool {
	return c.step(symbol, subject, func(s *probe.Step) {
		switch {
		case !c.status(s, symbol, args...):
			if s.Code == notSupported {
				s.State = probe.Skipped
			}
		case then != nil:
			then(s)
		}
	})
}

func (c *climb) nvmlDevice(i int) {
	var dev uintptr
	if !c.call("nvmlDeviceGetHandleByIndex_v2", "", nil, i, &dev) {
		return
	}
	name, uuid := nvlib.NewCString(96), nvlib.NewCString(96)
	c.ask("nvmlDeviceGetName", "", func(s *probe.Step) { set(s, "name", name) }, dev, []byte(name), len(name))
	c.ask("nvmlDeviceGetUUID", "", func(s *probe.Step) { set(s, "uuid", uuid) }, dev, []byte(uuid), len(uuid))
	memory := make([]uint64, 3) // nvmlMemory_t: total, free, used, in bytes
	c.ask("nvmlDeviceGetMemoryInfo", "", func(s *probe.Step) {
		set(s, "memory_mib", memory[0]>>20)
		set(s, "used_mib", memory[2]>>20)
	}, dev, memory)
	var major, minor, mode, pending int32
	c.ask("nvmlDeviceGetCudaComputeCapability", "", func(s *probe.Step) {
		set(s, "compute_capability", fmt.Sprintf("%d.%d", major, minor))
	}, dev, &major, &minor)
	c.ask("nvmlDeviceGetComputeMode", "", func(s *probe.Step) { set(s, "compute_mode", computeModes[mode]) }, dev, &mode)
	c.ask("nvmlDeviceGetPersistenceMode", "", func(s *probe.Step) { set(s, "persistence", onOff(mode)) }, dev, &mode)
	use := make([]uint32, 2) // nvmlUtilization_t: GPU and memory, in percent
	c.ask("nvmlDeviceGetUtilizationRates", "", func(s *probe.Step) { set(s, "busy_percent", use[0]) }, dev, use)
	c.ask("nvmlDeviceGetEccMode", "", func(s *probe.Step) {
		set(s, "ecc", onOff(mode))
		set(s, "ecc_pending", onOff(pending))
	}, dev, &mode, &pending)
	var errors uint64
	// nvmlMemoryErrorType_t 1: uncorrected; nvmlEccCounterType_t 0: since the driver was loaded, 1: in the card's lifetime.
	c.ask("nvmlDeviceGetTotalEccErrors", "volatile", func(s *probe.Step) { set(s, "uncorrected", errors) }, dev, 1, 0, &errors)
	c.ask("nvmlDeviceGetTotalEccErrors", "aggregate", func(s *probe.Step) { set(s, "uncorrected", errors) }, dev, 1, 1, &errors)
	rows := make([]uint32, 4) // corrected, uncorrected, pending, failed
	c.ask("nvmlDeviceGetRemappedRows", "", func(s *probe.Step) {
		set(s, "uncorrected", rows[1])
		set(s, "pending", onOff(int32(rows[2])))
		set(s, "failed", onOff(int32(rows[3])))
	}, dev, &rows[0], &rows[1], &rows[2], &rows[3])
	c.processes(dev)
	c.mig(dev)
}

// processes counts who holds memory of the GPU.
func (c *climb) processes(dev uintptr) {
	const most, size = 256, 24 // of nvmlProcessInfo_v2_t: u32 pid, u64 memory, u32 and u32 of MIG
	list := make([]byte, most*size)
	n := uint32(most)
	c.ask("nvmlDeviceGetComputeRunningProcesses_v3", "", func(s *probe.Step) {
		set(s, "processes", n)
		used := uint64(0)
		for i := range min(int(n), most) {
			if m := binary.NativeEndian.Uint64(list[i*size+8:]); m != ^uint64(0) { // all ones: not known
				used += m
			}
		}
		set(s, "processes_mib", used>>20)
	}, dev, &n, list)
}

// mig lists the instances that a GPU is divided into.
func (c *climb) mig(dev uintptr) {
	var mode, pending int32
	if !c.ask("nvmlDeviceGetMigMode", "", func(s *probe.Step) {
		set(s, "mig", onOff(mode))
		set(s, "mig_pending", onOff(pending))
	}, dev, &mode, &pending) || mode == 0 {
		return
	}
	var most uint32
	c.step("nvmlDeviceGetMigDeviceHandleByIndex", "", func(s *probe.Step) {
		if !c.status(s, "nvmlDeviceGetMaxMigDeviceCount", dev, &most) {
			return
		}
		found := 0
		for i := range int(most) {
			var instance uintptr
			code, err := c.lib.Status("nvmlDeviceGetMigDeviceHandleByIndex", dev, i, &instance)
			if err != nil {
				s.State, s.Detail = probe.Skipped, err.Error()
				return
			}
			if code != 0 {
				continue // no instance has this number
			}
			uuid := nvlib.NewCString(96)
			if code, err := c.lib.Status("nvmlDeviceGetUUID", instance, []byte(uuid), len(uuid)); err == nil && code == 0 {
				set(s, fmt.Sprintf("instance_%d", found), uuid)
			}
			found++
		}
		set(s, "instances", found)
	})
}
