package triage

import (
	"strings"

	"strata/internal/lazyregexp"
	"strata/internal/signature"
)

// ofOwnModule are commands for a machine with a kernel module of its own: they load or build one, or install a driver
// with one.
var ofOwnModule = lazyregexp.New(`\bmodprobe\b|\brmmod\b|\bdkms (?:autoinstall|install|build)\b|\bakmods\b|\bubuntu-drivers (?:auto)?install\b|\bupdate-initramfs\b|\bmokutil --import\b|` +
	`\binstall\b[^;|&]*(?:linux-headers|kernel-devel|nvidia-(?:driver|dkms|open)\b)`)

// ofWSL are the four numbers that kernels of WSL have, as people paste them: 5.15.153.1.
var ofWSL = lazyregexp.New(`^\d+\.\d+\.\d+\.\d+(?:-\d+)?$`)

// unfit tells whether a command does harm, or nothing, where the text comes from: in WSL the driver is that of Windows,
// and a Linux driver hides its libraries.
func unfit(c *signature.Case, run string) bool {
	return ofOwnModule.MatchString(run) && fromWSL(c)
}

// fromWSL tells whether the machine of a text is a WSL. Who only mentions it beside another kernel is on Linux.
func fromWSL(c *signature.Case) bool {
	if kernel := strings.ToLower(c.Record.Kernel.Text); kernel != "" && !strings.Contains(kernel, "microsoft") && !ofWSL.MatchString(kernel) {
		return false
	}
	return c.Record.WSL.Known() || signature.OnWSL.Holds(c)
}
