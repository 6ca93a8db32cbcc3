package lookup

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"strata/internal/kb"
	"strata/internal/version"
)

var driverSubject = Subject{
	Name: "driver", About: "Driver branches and versions", Examples: []string{"535", "535.129.03"},
	aliases: []string{"drivers", "branch"}, find: findDriver, names: driverNames,
}

func driverNames(base *kb.Base) (names []string) {
	for _, r := range kb.Rows[kb.DriverBranch](base) {
		names = append(names, strconv.Itoa(r.Branch))
	}
	return names
}

func findDriver(b *builder, name string) error {
	if len(name) > 1 && strings.ContainsAny(name[:1], "rR") { // R535
		name = name[1:]
	}
	d, err := version.ParseDriver(name)
	if err != nil {
		return b.missing(driverNames)
	}
	whole := strings.Contains(name, ".")
	title := fmt.Sprintf("NVIDIA driver branch R%d", d.Branch())
	if whole {
		title = fmt.Sprintf("NVIDIA driver %s, branch R%d", d, d.Branch())
	}
	a := b.Branch(d.Branch())
	switch {
	case a.Beyond:
		return b.beyond(title, a.Why, a.Ref, driverNames)
	case !a.Known:
		return b.windowsDriver(d)
	}
	branch := a.Value
	b.cite(a.Ref)
	b.Title = title
	if whole && windowsOnly(b.Base, d) {
		b.note("Linux knows no driver %s; if it is one for Windows, its numbers are another series", d)
	}
	at := d // what the floors are compared with
	if !whole {
		at = branch.Latest
		if at.IsZero() {
			at = branch.First
		}
	}
	b.field("branch", "", branch.Branch)
	b.say("type", "Type", branch.Type, map[kb.BranchType]string{
		kb.NewFeatureBranch: "new feature branch", kb.ProductionBranch: "production branch", kb.LongTermSupport: "long-term support branch", kb.LegacyBranch: "legacy branch",
	}[branch.Type])
	b.dated("first", "First build", branch.First, branch.FirstDate)
	b.dated("latest", "Newest known build", branch.Latest, branch.LatestDate)
	b.endOfLife(branch.EOL, a.Ref.AsOf)
	b.driverCUDA(branch.Branch, d, whole)
	b.field("runs_cuda", "Starts CUDA programs", b.startedBy(at))
	b.driverPTX(at)
	b.field("oldest_architecture", "Oldest architecture", branch.Oldest)
	b.field("dropped", "No longer supported", branch.Dropped)
	b.field("compute_capabilities", "Compute capability", b.supportedBy(branch.Branch))
	b.say("modules", "Kernel modules", branch.Modules, map[kb.KernelModules]string{
		kb.ProprietaryModules: "proprietary", kb.BothModules: "proprietary and open", kb.OpenModules: "open",
	}[branch.Modules])
	b.forwardCompat(branch.Branch)
	b.unpacks(at)
	b.note("%s", sentence(branch.Note))
	switch {
	case whole && !branch.Latest.IsZero() && branch.Latest.Less(d):
		b.note("%s is newer than the newest build of R%d that is known", d, branch.Branch)
	case whole && !branch.First.IsZero() && d.Less(branch.First):
		b.note("%s is older than the first build of R%d that is known", d, branch.Branch)
	}
	b.driverSecurity(branch.Branch, d, whole)
	return nil
}

// endOfLife adds the month or year in which support ends, and says where that is past on the day of the table.
func (b *builder) endOfLife(eol, today string) {
	if eol == "" {
		return
	}
	past := eol < today[:min(len(eol), len(today))]
	b.say("end_of_life", "End of support", eol, map[bool]string{true: eol + ", past", false: eol}[past])
	b.field("end_of_life_past", "", past)
}

// driverCUDA adds the newest CUDA that nvidia-smi prints: of one driver, or of a branch, where early builds may differ.
func (b *builder) driverCUDA(branch int, d version.Driver, whole bool) {
	if whole {
		if v, ok := take(b, "The newest CUDA", b.Base.DriverCUDA(d)); ok {
			b.field("max_cuda", "Newest CUDA", v)
		}
		return
	}
	var list []string
	for _, r := range kb.Rows[kb.DriverRange](b.Base) {
		if r.Platform == kb.Linux && r.Branch == branch {
			b.cite(kb.RefTo(b.Base, r))
			list = append(list, r.MaxCUDA.String())
			if len(list) > 1 {
				b.note("From %s on the newest CUDA is %s", r.From, r.MaxCUDA)
			}
		}
	}
	if len(list) == 1 {
		b.field("max_cuda", "Newest CUDA", list[0])
	} else {
		b.field("max_cuda", "Newest CUDA", list)
	}
}

// startedBy are the CUDA releases whose programs start on driver d: every minor of a major whose floor it meets.
func (b *builder) startedBy(d version.Driver) (list []string) {
	if d.IsZero() {
		return nil
	}
	for _, r := range kb.Rows[kb.MinorCompat](b.Base) {
		if d.Less(r.Linux) {
			continue
		}
		b.cite(kb.RefTo(b.Base, r))
		text := fmt.Sprintf("%d.x", r.Major)
		if last := b.MinDriverForMajor(r.Major); last.Known && d.Less(last.Value.Linux) {
			text = r.From.String() // 11.0 alone has a floor of its own
		}
		if !slices.Contains(list, text) {
			list = append(list, text)
		}
		if r.FeatureBranch > d.Branch() {
			b.note("What CUDA %s and newer brought needs R%d; other code of these toolkits starts", r.From, r.FeatureBranch)
		}
	}
	return list
}

func (b *builder) driverPTX(d version.Driver) {
	if d.IsZero() {
		return
	}
	if v, ok := take(b, "The newest PTX ISA", b.PTXForDriver(d)); ok {
		b.field("ptx_isa", "Newest PTX ISA", v)
	}
}

// supportedBy are the compute capabilities of GPUs that a branch drives, without those whose driver comes with JetPack. Nil for a branch
// older than the first of which the table says what it brought.
func (b *builder) supportedBy(branch int) (list []string) {
	oldest := 0
	for _, r := range kb.Rows[kb.Architecture](b.Base) {
		if r.FirstBranch != 0 && (oldest == 0 || r.FirstBranch < oldest) {
			oldest = r.FirstBranch
		}
	}
	if branch < oldest {
		return nil
	}
	for _, r := range kb.Rows[kb.Architecture](b.Base) {
		began := r.FirstBranch != 0 && r.FirstBranch <= branch || r.FirstBranch == 0 && r.LastBranch != 0
		if !r.Tegra && began && (r.LastBranch == 0 || r.LastBranch >= branch) {
			b.cite(kb.RefTo(b.Base, r))
			list = append(list, r.ComputeCapability.String())
		}
	}
	return list
}

// unpacks adds the kinds of compression of GPU code that driver d can unpack.
func (b *builder) unpacks(d version.Driver) {
	var list []string
	for _, r := range kb.Rows[kb.FatbinCompression](b.Base) {
		if r.Kind != "none" && !d.Less(r.MinDriver) {
			list = append(list, r.Kind)
		}
		b.cite(kb.RefTo(b.Base, r))
	}
	if !d.IsZero() {
		b.field("unpacks", "Unpacks GPU code", list)
	}
}

func (b *builder) forwardCompat(branch int) {
	var list []string
	beyond := true
	for _, r := range kb.Rows[kb.ForwardCompat](b.Base) {
		if r.BaseBranch != branch {
			continue
		}
		beyond = false
		switch {
		case r.Status == kb.Supported:
			list = append(list, r.CUDA.String())
		case r.Status == kb.Unlisted && r.CUDA.IsZero():
			b.note("The current guide no longer tests cuda-compat packages over R%d; packages of its time supported it", branch)
		case r.Status == kb.Native:
			continue
		}
		b.cite(kb.RefTo(b.Base, r))
	}
	slices.Reverse(list) // the table has the newest first
	b.field("forward_compat", "cuda-compat over it", list)
	if beyond {
		if d, err := version.ParseDriver(strconv.Itoa(branch)); err == nil {
			if a := b.ForwardCompat(version.CUDA{}, d); a.Beyond {
				b.note("cuda-compat packages over it: not known, since %s", a.Why)
			}
		}
	}
}

// windowsDriver is the card of a number that only Windows has.
func (b *builder) windowsDriver(d version.Driver) error {
	a := b.WindowsDriverCUDA(d)
	if !a.Known {
		return b.missing(driverNames)
	}
	b.cite(a.Ref)
	b.Title = fmt.Sprintf("NVIDIA driver %s for Windows", d)
	b.field("max_cuda", "Newest CUDA", a.Value)
	for _, r := range kb.Rows[kb.DriverRange](b.Base) {
		if r.Platform == kb.Windows && (version.Range[version.Driver]{Min: r.From, Max: r.Below}).Contains(d) {
			b.branch("branch", "Branch", r.Branch, "")
		}
	}
	b.note("Linux has no driver branch R%d; the numbers of Windows are another series", d.Branch())
	return nil
}

func windowsOnly(base *kb.Base, d version.Driver) bool {
	return !base.DriverCUDA(d).Known && base.WindowsDriverCUDA(d).Known
}

// sentence starts a note of a table with a capital, unless its first word is a name with its own spelling.
func sentence(s string) string {
	first, _, _ := strings.Cut(s, " ")
	if s == "" || strings.ToLower(first) != first || strings.ContainsAny(first, "0123456789_-./") {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
