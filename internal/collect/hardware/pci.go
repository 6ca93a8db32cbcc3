package hardware

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strconv"
	"strings"

	"strata/internal/machine"
	"strata/internal/stack"
)

const (
	// sysPCI lists every function of every bus, as links into /sys/devices.
	sysPCI = "/sys/bus/pci/devices"
	// vendorNVIDIA is NVIDIA's number in https://pci-ids.ucw.cz/read/PC/10de.
	vendorNVIDIA = 0x10de
	// maxAttribute bounds one sysfs attribute; the kernel gives a page at most.
	maxAttribute = 4096
)

func readPCI(ctx context.Context, m *machine.Machine) stack.Fact[[]stack.PCIDevice] {
	entries, err := m.ReadDir(sysPCI)
	if errors.Is(err, fs.ErrNotExist) {
		if m.Exists("/sys/bus") {
			return stack.None[[]stack.PCIDevice](stack.Source{Kind: "directory", Locator: sysPCI})
		}
		return stack.Fact[[]stack.PCIDevice]{} // no sysfs: nobody could look
	}
	if err != nil && len(entries) == 0 {
		return stack.Miss[[]stack.PCIDevice](err, sysPCI)
	}
	devices := []stack.PCIDevice{}
	var lost []error
	for _, e := range entries {
		if ctx.Err() != nil {
			lost = append(lost, ctx.Err())
			break
		}
		d, ours, err := readFunction(m, path.Join(sysPCI, e.Name()))
		if err != nil {
			lost = append(lost, err)
		} else if ours {
			devices = append(devices, d)
		}
	}
	where := stack.Source{Kind: "directory", Locator: sysPCI, Text: fmt.Sprintf("%d PCI functions", len(entries))}
	if len(lost) == 0 {
		return stack.Know(devices, where)
	}
	why := fmt.Sprintf("%d of %d PCI functions could not be read: %v", len(lost), len(entries), lost[0])
	if len(devices) == 0 && !errors.Is(lost[0], fs.ErrPermission) {
		return stack.Broken[[]stack.PCIDevice](why, where) // what was lost may have been a GPU
	}
	if len(devices) == 0 {
		return stack.Miss[[]stack.PCIDevice](lost[0], sysPCI)
	}
	f := stack.Know(devices, where)
	f.Why = why
	return f
}

// readFunction reads one function and tells whether it is one of ours.
func readFunction(m *machine.Machine, dir string) (d stack.PCIDevice, ours bool, err error) {
	vendor, err := readHex(m, path.Join(dir, "vendor"))
	if err != nil || vendor != vendorNVIDIA {
		return d, false, err
	}
	class, err := readHex(m, path.Join(dir, "class"))
	if err != nil || !isGPUClass(class) {
		return d, false, err
	}
	device, err := readHex(m, path.Join(dir, "device"))
	if err != nil {
		return d, false, err
	}
	d = stack.PCIDevice{
		Address: path.Base(dir), Vendor: uint16(vendor), Device: uint16(device), Class: class,
		NUMANode: -1, From: stack.Source{Kind: "directory", Locator: dir},
	}
	// What follows is extra: a captured tree may lack it.
	if v, err := readHex(m, path.Join(dir, "subsystem_vendor")); err == nil {
		d.SubVendor = uint16(v)
	}
	if v, err := readHex(m, path.Join(dir, "subsystem_device")); err == nil {
		d.SubDevice = uint16(v)
	}
	if data, err := m.ReadFile(path.Join(dir, "numa_node"), maxAttribute); err == nil {
		if n, err := strconv.Atoi(strings.TrimSpace(string(data))); err == nil {
			d.NUMANode = n
		}
	}
	d.Responds = responds(m, dir)
	if target, err := m.ReadLink(path.Join(dir, "driver")); err == nil {
		d.Driver = path.Base(target)
	}
	// physfn is a link from a virtual function to its physical one.
	if _, err := m.Lstat(path.Join(dir, "physfn")); err == nil {
		d.Virtual = true
	}
	return d, true, nil
}

// responds reads the device's own identification, which the kernel does not
// cache: a read that nobody answers on PCI gives all ones. A device that sleeps
// is left alone, since the read would wake it.
func responds(m *machine.Machine, dir string) stack.Fact[bool] {
	status, err := m.ReadFile(path.Join(dir, "power/runtime_status"), maxAttribute)
	if err == nil && strings.HasPrefix(string(status), "suspend") {
		return stack.Fact[bool]{Why: "the device is suspended, and reading it would wake it"}
	}
	name := path.Join(dir, "config")
	head, _, err := m.ReadHead(name, 4) // vendor and device
	if errors.Is(err, fs.ErrNotExist) {
		return stack.Fact[bool]{}
	}
	if err != nil {
		return stack.Miss[bool](err, name)
	}
	if len(head) < 4 {
		return stack.Broken[bool](fmt.Sprintf("reading %q: %d bytes, want 4", name, len(head)), stack.File(name))
	}
	return stack.Know(string(head) != "\xff\xff\xff\xff", stack.From("file", name, 0, fmt.Sprintf("% x", head)))
}

// isGPUClass keeps display controllers (base class 03) and "other bridge"
// (0680), which is how an NVSwitch presents itself. The audio, USB and serial
// functions beside a GPU say nothing about the software stack. NVIDIA's nForce
// chipsets of before 2010 have 0680 functions too; the device number tells.
func isGPUClass(class uint32) bool { return class>>16 == 0x03 || class>>8 == 0x0680 }

func readHex(m *machine.Machine, name string) (uint32, error) {
	data, err := m.ReadFile(name, maxAttribute)
	if err != nil {
		return 0, err
	}
	text := strings.TrimSpace(string(data))
	n, err := strconv.ParseUint(strings.TrimPrefix(text, "0x"), 16, 32)
	if err != nil {
		return 0, fmt.Errorf("reading %q: %.20q is not a hexadecimal number", name, text)
	}
	return uint32(n), nil
}
