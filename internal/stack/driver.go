package stack

import "strata/internal/version"

// Driver is NVIDIA's user-space driver as found on disk.
type Driver struct {
	// Libraries are all copies of libcuda, libnvidia-ml and
	// libnvidia-ptxjitcompiler that were found, wherever they lie.
	Libraries Fact[[]Library] `json:"libraries"`
	// History are lines of package managers' logs that changed the driver, log after
	// log, each oldest first.
	History Fact[[]PackageEvent] `json:"history"`
	// Assumed is a driver version that the user vouches for (--assume driver=…).
	Assumed Fact[version.Driver] `json:"assumed"`
}

// PackageEvent is one line of a package manager's log.
type PackageEvent struct {
	When    string `json:"when"`   // as the log writes it
	Action  string `json:"action"` // install, upgrade, remove
	Package string `json:"package"`
	Old     string `json:"old,omitempty"`
	New     string `json:"new,omitempty"`
	From    Source `json:"from"`
}
