package kb

import (
	"fmt"
	"slices"
	"strings"

	"strata/internal/version"
)

// Install is a command that the makers of a framework give to install it, filled in for one release.
type Install struct {
	Framework string   // distribution
	OS        []string // linux, windows, wsl, macos
	Manager   InstallManager
	Variant   string // cu126, cuda13, cpu; "" where there is one build only
	Command   string
	Check     string // tells afterwards whether the GPU is used
	Note      string
}

// installRow is one rule of how a range of releases is installed. Command and Check may hold {version}, {variant}, {cuda} (12.4) and the
// torch release's {torchvision} and {torchaudio}.
type installRow struct {
	Row
	releases[version.PEP440]
	Framework string   `kb:"framework,key"`
	OS        []string `kb:"os,required,key"`
	// Variants are those that the row holds for: "pypi" is the build that PyPI has of a torch release, "cuda" all of its CUDA builds and
	// "all" the CPU one too.
	Variants []string       `kb:"variants,key"`
	Manager  InstallManager `kb:"manager,required,key"`
	Command  string         `kb:"command,required"`
	Check    string         `kb:"check"`
	Note     string         `kb:"note"`
}

// InstallManager is what runs a command.
type InstallManager string

// The managers in the table.
const (
	InstallPip    InstallManager = "pip"
	InstallUV     InstallManager = "uv"
	InstallConda  InstallManager = "conda"
	InstallDocker InstallManager = "docker"
	InstallNPM    InstallManager = "npm"
	InstallNuGet  InstallManager = "nuget"
)

// UnmarshalText accepts these and nothing else.
func (m *InstallManager) UnmarshalText(text []byte) error {
	return unmarshalWord(m, text, InstallPip, InstallUV, InstallConda, InstallDocker, InstallNPM, InstallNuGet)
}

var installs = csvFile("frameworks/install_commands.csv", checkInstalls)

// Install returns the official commands for release v of a framework, a distribution name such as "torch", in one variant or, where that
// is "", in all of them. Commands name no prefix: a remedy for a machine names its interpreter.
func (b *Base) Install(framework string, v version.PEP440, variant string) Answer[[]Install] {
	t := *installs.in(b)
	t.Rows = slices.DeleteFunc(slices.Clone(t.Rows), func(r installRow) bool { return r.Framework != version.NormalName(framework) })
	asked := "how to install " + framework + " " + v.String()
	rows := lookupAll(b, &t, asked, released(v), func(installRow) bool { return true })
	if !rows.Known {
		return Answer[[]Install]{Beyond: rows.Beyond, Why: rows.Why, Ref: rows.Ref}
	}
	var list []Install
	var first Row
	for _, r := range rows.Value {
		for _, filled := range b.fillInstall(r, released(v)) {
			if variant == "" || filled.Variant == variant {
				list = append(list, filled)
				first = r.Row
			}
		}
	}
	if list == nil {
		return notFound[[]Install](&t, "%s for %q is not in the table", asked, variant)
	}
	return found(b, &t, first, list)
}

// InstallFrameworks returns the frameworks that Install knows, in the order of the table.
func (b *Base) InstallFrameworks() []string {
	var names []string
	for _, r := range installs.in(b).Rows {
		if !slices.Contains(names, r.Framework) {
			names = append(names, r.Framework)
		}
	}
	return names
}

// fillInstall makes the commands of a row for release v, one for each variant that v has.
func (b *Base) fillInstall(r installRow, v version.PEP440) []Install {
	var list []Install
	for _, variant := range b.installVariants(r, v) {
		in := Install{Framework: r.Framework, OS: r.OS, Manager: r.Manager, Variant: variant, Note: r.Note}
		words := []string{"{version}", v.String(), "{variant}", variant}
		if cuda, ok := version.ParseCUDATag(variant); ok {
			words = append(words, "{cuda}", cuda.String())
		}
		for _, pkg := range []string{"torchvision", "torchaudio"} {
			if c := b.TorchCompanion(v, pkg); r.Framework == "torch" && c.Known {
				words = append(words, "{"+pkg+"}", c.Value.Versions[len(c.Value.Versions)-1].String())
			}
		}
		fill := strings.NewReplacer(words...)
		in.Command, in.Check = fill.Replace(r.Command), fill.Replace(r.Check)
		if !strings.Contains(in.Command, "{") { // what has no companion has no such command
			list = append(list, in)
		}
	}
	return list
}

// installVariants are the variants of release v that row r is for.
func (b *Base) installVariants(r installRow, v version.PEP440) []string {
	if len(r.Variants) == 0 {
		return []string{""}
	}
	if r.Framework != "torch" {
		return r.Variants
	}
	var list []string
	for _, build := range b.TorchBuilds(v).Value {
		rule := ""
		switch {
		case build.Channel == TorchUnlisted:
			continue
		case build.OnPyPI:
			rule = "pypi"
		}
		if slices.Contains(r.Variants, build.Variant) || slices.Contains(r.Variants, rule) || slices.Contains(r.Variants, "all") || slices.Contains(r.Variants, "cuda") && !build.CUDA.IsZero() {
			list = append(list, build.Variant)
		}
	}
	return list
}

var installSystems = []string{"linux", "windows", "wsl", "macos"}

func checkInstalls(b *Base, t *Table[installRow]) (problems []Problem) {
	report := func(r installRow, format string, args ...any) {
		problems = append(problems, Problem{t.Name, r.Line, fmt.Sprintf(format, args...)})
	}
	for i, r := range t.Rows {
		if r.From.Compare(r.Below) >= 0 {
			report(r, "from is not below below")
		}
		for _, name := range r.OS {
			if !slices.Contains(installSystems, name) {
				report(r, "unknown system %q", name)
			}
		}
		for _, o := range t.Rows[:i] {
			if o.Framework == r.Framework && o.Manager == r.Manager && o.span().Overlaps(r.span()) && share(o.OS, r.OS) && (share(o.Variants, r.Variants) || len(o.Variants)+len(r.Variants) == 0) {
				report(r, "overlaps line %d", o.Line)
			}
		}
		if r.Framework == "torch" {
			problems = append(problems, checkTorchInstall(b, t.Name, r)...)
		}
	}
	return problems
}

// checkTorchInstall checks that each release of a row has the variants that the row names, so that no command asks an index for a build
// that was never made.
func checkTorchInstall(b *Base, table string, r installRow) (problems []Problem) {
	for _, v := range b.TorchReleases() {
		if !r.span().Contains(v) {
			continue
		}
		var have []string
		for _, build := range b.TorchBuilds(v).Value {
			have = append(have, build.Variant)
		}
		for _, variant := range r.Variants {
			if !slices.Contains([]string{"pypi", "cuda", "all"}, variant) && !slices.Contains(have, variant) {
				problems = append(problems, Problem{table, r.Line, fmt.Sprintf("torch %s has no build %q in pytorch.csv", v, variant)})
			}
		}
	}
	return problems
}

func share(a, b []string) bool {
	return slices.ContainsFunc(a, func(s string) bool { return slices.Contains(b, s) })
}
