package kb

import (
	"fmt"

	"strata/internal/version"
)

// DriverBranch is one driver branch, such as R580.
type DriverBranch struct {
	Row
	Branch    int            `kb:"branch,key"`
	Type      BranchType     `kb:"type,required"`
	First     version.Driver `kb:"first"`
	FirstDate string         `kb:"first_date"` // YYYY-MM or YYYY-MM-DD
	// Latest is the newest build known on the day of the table. There may be newer ones.
	Latest     version.Driver `kb:"latest"`
	LatestDate string         `kb:"latest_date"`
	// EOL is when support ends, YYYY-MM or YYYY; "" where NVIDIA gave no date, as for new feature branches.
	EOL    string `kb:"eol"`
	Oldest string `kb:"oldest_architecture,required"` // oldest GPU architecture it supports
	// Dropped are the architectures that the branch before still supported. GPUs of these disappear on an upgrade.
	Dropped []string      `kb:"dropped"`
	Modules KernelModules `kb:"modules,required"`
	Note    string        `kb:"note"`
}

// BranchType is how long NVIDIA supports a branch.
type BranchType string

// The branch types, in NVIDIA's words.
const (
	NewFeatureBranch BranchType = "new-feature"
	ProductionBranch BranchType = "production"
	LongTermSupport  BranchType = "lts"
	LegacyBranch     BranchType = "legacy"
)

// UnmarshalText accepts the branch types and nothing else.
func (t *BranchType) UnmarshalText(text []byte) error {
	return unmarshalWord(t, text, NewFeatureBranch, ProductionBranch, LongTermSupport, LegacyBranch)
}

// KernelModules says which flavours of the kernel modules a branch ships.
type KernelModules string

// The flavours.
const (
	ProprietaryModules KernelModules = "proprietary"
	BothModules        KernelModules = "both"
	OpenModules        KernelModules = "open"
)

// UnmarshalText accepts the flavours and nothing else.
func (m *KernelModules) UnmarshalText(text []byte) error {
	return unmarshalWord(m, text, ProprietaryModules, BothModules, OpenModules)
}

var driverBranches = csvFile("nvidia/driver_branches.csv", reaches[DriverBranch]("driver"))

// Branch returns what is known about driver branch n, 580 for R580.
func (b *Base) Branch(n int) Answer[DriverBranch] {
	t := driverBranches.in(b)
	for _, r := range t.Rows {
		if r.Branch == n {
			return found(b, t, r.Row, r)
		}
	}
	if d, err := version.ParseDriver(fmt.Sprint(n)); err == nil && driverBeyond(t, d) {
		return beyond[DriverBranch](t, fmt.Sprintf("driver branch R%d", n))
	}
	return notFound[DriverBranch](t, "no driver branch R%d is known", n)
}
