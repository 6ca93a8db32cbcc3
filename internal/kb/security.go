package kb

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"strata/internal/version"
)

// Bulletin is what one of NVIDIA's security bulletins says about one line of a product: the first release that has the fixes.
type Bulletin struct {
	Row
	Product  Product  `kb:"product,key"`
	Platform Platform `kb:"platform,key"`
	// Branch is the driver branch; 0 for products that have one line of releases.
	Branch int    `kb:"branch,key"`
	ID     string `kb:"bulletin,key"` // number of the answer on nvidia.custhelp.com
	// GPUs are the products of that branch that Fixed is for, where NVIDIA released them apart; none: all.
	GPUs []GPUClass `kb:"gpus,key"`
	// From is the first release that is affected; zero: every one before Fixed.
	From version.Lib `kb:"from,key"`
	// Mode is the mode of the container toolkit in which it is affected; "" in any.
	Mode  ToolkitMode `kb:"mode,key"`
	Fixed version.Lib `kb:"fixed,required"`
	Date  string      `kb:"date,required"` // first published, YYYY-MM-DD
	CVEs  []string    `kb:"cves,required"`
	CVSS  CVSS        `kb:"cvss,required"` // the highest base score of CVEs
	Note  string      `kb:"note"`
}

// Product is what a bulletin is about.
type Product string

// The products.
const (
	DisplayDriver    Product = "display-driver"
	ContainerToolkit Product = "container-toolkit"
	GPUOperator      Product = "gpu-operator"
)

// UnmarshalText accepts the products and nothing else.
func (p *Product) UnmarshalText(text []byte) error {
	return unmarshalWord(p, text, DisplayDriver, ContainerToolkit, GPUOperator)
}

// ToolkitMode is how the container toolkit hands out GPUs: by CDI specifications, or by its own hook.
type ToolkitMode string

// The modes. The zero value says that the mode is not known or does not matter.
const (
	ModeCDI    ToolkitMode = "cdi"
	ModeNotCDI ToolkitMode = "not-cdi"
)

// UnmarshalText accepts the modes and nothing else.
func (m *ToolkitMode) UnmarshalText(text []byte) error {
	return unmarshalWord(m, text, ModeCDI, ModeNotCDI)
}

// CVSS is a base score of the Common Vulnerability Scoring System in tenths: 78 for 7.8.
type CVSS int

// UnmarshalText reads a score such as 7.8.
func (c *CVSS) UnmarshalText(text []byte) error {
	score, err := strconv.ParseFloat(string(text), 64)
	if err != nil || len(text) > 4 || !(score >= 0 && score <= 10) {
		return fmt.Errorf("want a score from 0.0 to 10.0, not %q", text)
	}
	*c = CVSS(score*10 + 0.5)
	return nil
}

func (c CVSS) String() string { return fmt.Sprintf("%d.%d", c/10, c%10) }

// Severity is the word of the rating scale of CVSS 3.1 for c: low, medium, high or critical.
func (c CVSS) Severity() string {
	switch {
	case c >= 90:
		return "critical"
	case c >= 70:
		return "high"
	case c >= 40:
		return "medium"
	}
	return "low"
}

var bulletins = csvFile("nvidia/security_bulletins.csv", reaches[Bulletin]("date"), checkBulletins)

// Bulletins returns all rows about a product, in the order of the table: by platform, branch and date.
func (b *Base) Bulletins(p Product) []Bulletin {
	var list []Bulletin
	for _, r := range bulletins.in(b).Rows {
		if r.Product == p {
			list = append(list, r)
		}
	}
	return list
}

// CiteBulletin returns the source of r.
func (b *Base) CiteBulletin(r Bulletin) Ref { return refTo(b, bulletins.in(b), r.Row) }

// cveForm is what every entry of cves looks like.
const cveForm = "CVE-2024-0132"

func checkBulletins(_ *Base, t *Table[Bulletin]) (problems []Problem) {
	for i, r := range t.Rows {
		report := func(format string, args ...any) {
			problems = append(problems, Problem{t.Name, r.Line, fmt.Sprintf(format, args...)})
		}
		if _, err := time.Parse(time.DateOnly, r.Date); err != nil {
			report("want a day in date, not %q", r.Date)
		}
		if (r.Product == DisplayDriver) != (r.Branch > 0) {
			report("branch is for the display driver, and only for it")
		}
		if !r.From.IsZero() && !r.From.Less(r.Fixed) {
			report("from is not below fixed")
		}
		for _, cve := range r.CVEs {
			if len(cve) < len(cveForm) || cve[:4] != cveForm[:4] {
				report("want a CVE such as %q, not %q", cveForm, cve)
			}
		}
		for _, o := range t.Rows[:i] {
			same := o.Product == r.Product && o.ID == r.ID
			switch {
			case same && o.Date != r.Date:
				report("bulletin %s has another date on line %d", r.ID, o.Line)
			case same && o.Platform == r.Platform && o.Branch == r.Branch && o.From == r.From && o.Mode == r.Mode && sharesGPU(o, r):
				report("bulletin %s says it for the same releases on line %d", r.ID, o.Line)
			case o.Product == r.Product && o.Platform == r.Platform && o.Branch == r.Branch && o.Date < r.Date && r.Fixed.Less(o.Fixed) && sharesGPU(o, r):
				report("fixed is older than that of the earlier bulletin on line %d", o.Line)
			}
		}
	}
	return problems
}

func sharesGPU(a, b Bulletin) bool {
	return a.GPUs == nil || b.GPUs == nil || slices.ContainsFunc(a.GPUs, func(c GPUClass) bool { return slices.Contains(b.GPUs, c) })
}
