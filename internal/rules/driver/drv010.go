package driver

import (
	"fmt"

	"strata/internal/kb"
	"strata/internal/rule"
	"strata/internal/rules/remedy"
	"strata/internal/stack"
	"strata/internal/version"
)

var drv010 = &rule.Rule{
	ID:       "DRV010",
	Slug:     "driver-security-bulletins",
	Layer:    rule.Driver,
	Severity: rule.Note,
	Title:    "The driver lacks the fixes of security bulletins",
	Scope:    rule.PerMachine,
	Needs:    []rule.Need{needHostDriver},
	After:    []string{"KRN002", "KRN003", "KRN004", "KRN010", "DRV005", "DRV006"},
	Since:    "0.1",
	Cites: []rule.Cite{
		{Title: "NVIDIA product security: bulletins", URL: "https://github.com/NVIDIA/product-security", Date: "2026-11-30"},
		{Title: "Security bulletin 5861: GPU Display Driver, September 2026", URL: "https://github.com/NVIDIA/product-security/blob/main/2026/5861/5861.md", Date: "2026-11-30"},
	},
	Doc: `About every quarter NVIDIA publishes a security bulletin for the GPU display driver. It names, for each branch that
is still maintained, the first release with the fixes. Most of the defects let a local user who may open /dev/nvidia* crash the
kernel, read its memory or become root; the programs that run on the GPU notice nothing. That is why this is a note and changes no
verdict: nothing is broken, and whether it matters depends on who may use the machine.

The way out is a newer release of the same branch. It runs the same CUDA, supports the same GPUs and needs one restart. A branch past
its end of life gets no such release, and bulletins no longer name it. NVIDIA says that branches a bulletin does not name may be
affected, too, and should be left for a newer one; check first that it still supports the GPU: 580 is the last for Maxwell, Pascal
and Volta, 470 for Kepler.

Strata compares version numbers with the bulletins it knows, and does not tell whether a distribution has carried a fix into an older
release.`,
	Check: func(in *rule.Input) rule.Verdict {
		driver := hostDriver(in)
		if in.GPUsSeen.State == stack.Known && len(in.GPUs) == 0 {
			return rule.NA()
		}
		var classes []kb.GPUClass
		for _, g := range in.GPUs {
			if g.Class != "" {
				classes = append(classes, kb.GPUClass(g.Class))
			}
		}
		a := in.KB.DriverSecurity(kb.Linux, driver.Value, classes...)
		switch {
		case !a.Known:
			return rule.FromAnswer(a)
		case len(a.Value.Lacks)+len(a.Value.Silent) == 0:
			return rule.Clean()
		}
		f := rule.Finding{
			Summary:  insecurity(driver.Value, a.Value),
			Cause:    whyInsecure(in, driver.Value, a.Value),
			Evidence: driver.Sources,
			Remedies: patched(in, driver.Value, a.Value),
		}
		for _, b := range append(a.Value.Lacks, a.Value.Silent...) {
			f.Refs = append(f.Refs, in.KB.CiteBulletin(b))
		}
		if len(a.Value.Lacks) == 0 {
			f.Confidence = rule.Likely // that a branch is affected which a bulletin does not name
		}
		return rule.Found(f)
	},
}

// hostDriver is the driver whose release can be changed here: the loaded module's, where the defects are, else that of the libraries.
// A driver that the user vouches for is of another machine, and so is the one inside a container. Within WSL it is the one of
// Windows, whose number is not seen, and JetPack numbers by itself.
func hostDriver(in *rule.Input) stack.Fact[version.Driver] {
	s := in.Stack
	if s.Driver.Assumed.Known() || s.Container.Inside.Known() || s.OS.WSL.Or(false) || s.OS.Jetson.Known() {
		return stack.None[version.Driver]()
	}
	return kernelDriver(in)
}

var needHostDriver = rule.Need{Name: "the driver's version", Seen: func(in *rule.Input) stack.Seen { return hostDriver(in).Seen() }}

// insecurity says it in one line of 80 columns: nearly every driver is behind the newest bulletin by some.
func insecurity(d version.Driver, s kb.Security) string {
	switch n := len(s.Lacks); {
	case len(s.Silent) > 0:
		return fmt.Sprintf("driver %s: no security updates come for branch %d any more", d, d.Branch())
	case n == 1:
		return fmt.Sprintf("driver %s lacks a security update; %s has it", d, s.Fixed)
	default:
		return fmt.Sprintf("driver %s lacks %d security updates; %s has them", d, n, s.Fixed)
	}
}

func whyInsecure(in *rule.Input, d version.Driver, s kb.Security) string {
	why := ""
	if n := len(s.Lacks); n > 0 {
		worst := s.Lacks[0].CVSS
		for _, b := range s.Lacks {
			worst = max(worst, b.CVSS)
		}
		last := s.Lacks[n-1]
		why = fmt.Sprintf("NVIDIA's bulletin %s of %s names %s as the first release of branch %d with its fixes", last.ID, last.Date, last.Fixed, d.Branch())
		if n > 1 {
			why += fmt.Sprintf(", and %d earlier ones name releases before it", n-1)
		}
		why += fmt.Sprintf(". The highest score is %s of 10 (%s). ", worst, worst.Severity())
	}
	if n := len(s.Silent); n > 0 {
		why += fmt.Sprintf("Bulletin %s of %s names newer branches only: no fix comes for branch %d", s.Silent[n-1].ID, s.Silent[n-1].Date, d.Branch())
		if b := in.KB.Branch(d.Branch()); b.Known && b.Value.EOL != "" {
			why += ", whose end of life is " + b.Value.EOL
		}
		why += ". "
	}
	return why + "Most of these defects let a local user who may open the device files crash the kernel or become root; programs on the GPU are not affected."
}

// patched offers a release with the fixes: of the same branch while bulletins name it, else of one that is maintained and supports the
// GPUs. Where there is none it is the last release of the branch, as advice.
func patched(in *rule.Input, d version.Driver, s kb.Security) []rule.Remedy {
	fixed, _ := version.ParseDriver(s.Fixed.String()) // zero where nothing of this branch is missing
	if len(s.Silent) == 0 {
		if b := in.KB.Branch(d.Branch()); b.Known {
			return []rule.Remedy{remedy.Driver(in, b.Value, remedy.Flavor(in, b.Value), fixed)}
		}
		return nil
	}
	if b, ok := remedy.Branch(in, d.Branch()+1, 0); ok {
		if a := in.KB.DriverSecurity(kb.Linux, b.Latest); a.Known && len(a.Value.Lacks)+len(a.Value.Silent) == 0 {
			return []rule.Remedy{remedy.Driver(in, b, remedy.Flavor(in, b), version.Driver{})}
		}
	}
	if fixed.IsZero() {
		return nil
	}
	return []rule.Remedy{{
		Summary:  fmt.Sprintf("install %s, the last release of branch %d with fixes: no newer branch supports this GPU and is maintained", fixed, d.Branch()),
		Layer:    rule.Driver,
		Commands: remedy.DriverPackages(in, d.Branch(), in.Stack.Kernel.Flavor.Value),
	}}
}
