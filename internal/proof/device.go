package proof

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"strata/internal/probe"
)

// devices puts together what CUDA and NVML said of each GPU. Both name it by its UUID.
func devices(runs []probe.Run) []Device {
	var out []Device
	for _, part := range []string{"cuda", "nvml"} {
		for i := range runs {
			if r := &runs[i]; r.Part == part && r.Rung == probe.Driver {
				for _, d := range named(r) {
					out = merge(out, d)
				}
			}
		}
	}
	return out
}

// named are the devices of one run, in their order.
func named(r *probe.Run) []Device {
	values := map[int]map[string]string{}
	for _, s := range r.Steps {
		if s.Device == nil || s.State != probe.OK {
			continue
		}
		v := values[*s.Device]
		if v == nil {
			v = map[string]string{}
			values[*s.Device] = v
		}
		for k, x := range s.Values {
			if s.Name == "nvmlDeviceGetTotalEccErrors" {
				k += "_" + s.Subject
			}
			v[k] = x
		}
	}
	var out []Device
	for _, i := range slices.Sorted(maps.Keys(values)) {
		v := values[i]
		d := Device{
			Name: v["name"], UUID: v["uuid"], PCI: v["pci"], ComputeCapability: v["compute_capability"], ComputeMode: v["compute_mode"],
			Persistence: v["persistence"], MIG: v["mig"], ECC: v["ecc"], RowsFailed: v["failed"],
			BusyPercent: number(v, "busy_percent"), Processes: number(v, "processes"), Instances: number(v, "instances"),
			UncorrectedErrors: number(v, "uncorrected_volatile"), LifetimeErrors: number(v, "uncorrected_aggregate"),
		}
		if n := number(v, "memory_mib"); n != nil {
			d.MemoryMiB = *n
		}
		if n := number(v, "used_mib"); n != nil {
			d.UsedMiB = *n
		}
		if r.Part == "cuda" {
			d.Ordinal = &i
		} else {
			d.Index = &i
		}
		out = append(out, d)
	}
	return out
}

func number(v map[string]string, key string) *int {
	n, err := strconv.Atoi(v[key])
	if err != nil {
		return nil
	}
	return &n
}

// merge adds what NVML says to the device that CUDA named, or a new one.
func merge(list []Device, d Device) []Device {
	for i := range list {
		x := &list[i]
		if d.Index == nil || x.UUID == "" || !strings.EqualFold(x.UUID, d.UUID) {
			continue
		}
		x.Index, x.UsedMiB, x.Persistence, x.MIG, x.RowsFailed = d.Index, d.UsedMiB, d.Persistence, d.MIG, d.RowsFailed
		x.BusyPercent, x.Processes, x.Instances = d.BusyPercent, d.Processes, d.Instances
		x.UncorrectedErrors, x.LifetimeErrors = d.UncorrectedErrors, d.LifetimeErrors
		if d.ECC != "" {
			x.ECC = d.ECC
		}
		return list
	}
	return append(list, d)
}
