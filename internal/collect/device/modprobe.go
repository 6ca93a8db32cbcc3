package device

import (
	"errors"
	"io/fs"

	"strata/internal/machine"
	"strata/internal/stack"
)

// modprobe tells whether the driver's helper may make what is missing.
func modprobe(m *machine.Machine) stack.Fact[bool] {
	const helper = "/usr/bin/nvidia-modprobe"
	info, err := m.Stat(helper)
	switch {
	case err == nil:
		return stack.Know(info.Mode()&fs.ModeSetuid != 0, stack.From("file", helper, 0, info.Mode().String()))
	case errors.Is(err, fs.ErrNotExist) && m.Exists("/usr/bin"):
		return stack.Know(false, stack.From("file", helper, 0, "does not exist"))
	case errors.Is(err, fs.ErrNotExist):
		return stack.Fact[bool]{}
	}
	return stack.Miss[bool](err, helper)
}
