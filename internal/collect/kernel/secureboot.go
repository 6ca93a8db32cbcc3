package kernel

import (
	"errors"
	"fmt"
	"io/fs"

	"strata/internal/machine"
	"strata/internal/stack"
)

// secureBootVariable has EFI's global variable GUID in its name (UEFI
// specification, "Globally Defined Variables").
const secureBootVariable = "/sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c"

// readSecureBoot reads the firmware's own word. Absent means that the machine
// did not boot by EFI, so there is no Secure Boot.
func readSecureBoot(m *machine.Machine) stack.Fact[bool] {
	data, err := m.ReadFile(secureBootVariable, 64)
	switch {
	case err == nil && len(data) < 5:
		return stack.Broken[bool](fmt.Sprintf("the SecureBoot variable has %d bytes, want 4 of attributes and 1 of value", len(data)), stack.File(secureBootVariable))
	case err == nil:
		on := data[4] == 1
		return stack.Know(on, stack.From("file", secureBootVariable, 0, fmt.Sprintf("value %d", data[4])))
	case !errors.Is(err, fs.ErrNotExist):
		return stack.Miss[bool](err, secureBootVariable)
	}
	if entries, err := m.ReadDir("/sys/firmware"); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return stack.Fact[bool]{}
		}
		return stack.Miss[bool](err, "/sys/firmware")
	} else if len(entries) == 0 {
		// Container engines put an empty file system over /sys/firmware.
		return stack.Refused[bool]("/sys/firmware is masked", "run on the host instead of in a container",
			stack.Source{Kind: "directory", Locator: "/sys/firmware"})
	}
	if !m.Exists("/sys/firmware/efi") {
		return stack.None[bool](stack.Source{Kind: "directory", Locator: "/sys/firmware/efi"})
	}
	if entries, err := m.ReadDir("/sys/firmware/efi/efivars"); err != nil || len(entries) == 0 {
		return stack.Refused[bool]("booted by EFI, but efivarfs is not mounted",
			"mount -t efivarfs efivarfs /sys/firmware/efi/efivars", stack.Source{Kind: "directory", Locator: "/sys/firmware/efi/efivars"})
	}
	// Firmware that does not know Secure Boot has no such variable.
	return stack.Know(false, stack.Source{Kind: "directory", Locator: "/sys/firmware/efi/efivars", Text: "no SecureBoot variable"})
}
