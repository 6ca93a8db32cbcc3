package dump

import (
	"net/url"
	"strings"

	"strata/internal/lazyregexp"
	"strata/internal/transcript"
)

// pythonPackages reads lists of Python and Conda packages: pip list, freeze and
// show, conda list and its exports, environment and lock files, what pip says
// when it installs, and pins in prose.
var pythonPackages = reader{name: "packages", read: readPackages, whole: true, form: mayBePackage, words: []string{
	"/linux-64/", "/linux-aarch64/", "/linux-ppc64le/", "/win-64/", "/noarch/", "/osx-64/", "/osx-arm64/", "onnxruntime",
	"Successfully installed ", "Requirement already satisfied", "but you have ", "PackageReference ", ", installed: ", ".whl",
}}

// mayBePackage tells quickly whether a line can be a row of a list, a pin, or the name over a version.
func mayBePackage(l *transcript.Line) bool {
	body := l.Message
	if i := strings.IndexByte(body, '='); i > 0 && i+1 < len(body) {
		if strings.Contains(body[i:], "==") {
			return true
		}
		if isDigit(body[i+1]) && strings.IndexByte(body[i:], ' ') < 0 && strings.IndexByte(strings.TrimLeft(strings.TrimSpace(body), "- "), ' ') < 0 {
			return true
		}
	}
	name := strings.TrimPrefix(unindented(body), `"`)
	return strings.HasPrefix(name, "Name") || strings.HasPrefix(name, "name") || behindName(body) != ""
}

var (
	pinForm    = lazyregexp.New(`(?:^|[\s"'(,\[\]])([A-Za-z][A-Za-z0-9._-]*)(?:\[[\w, -]*\])? ?===? ?v?(\d[0-9A-Za-z.+!_-]*)`)
	rowForm    = lazyregexp.New(`^\s*(?:\[(?:conda|pip3?|uv)\]\s+)?(_?[A-Za-z0-9][\w.-]*)\s+v?(\d[\w.+!-]*)(?:\s+(\S+))?(?:\s+(\S+))?\s*$`)
	condaPin   = lazyregexp.New(`^\s*(?:-\s+)?(?:[\w./-]+::)?"?([a-z][\w.-]*)==?(\d[\w.]*)(?:=([\w.]+))?"?\s*$`)
	condaURL   = lazyregexp.New(`/(?:linux-64|linux-aarch64|linux-ppc64le|win-64|noarch|osx-64|osx-arm64)/([A-Za-z_][\w.-]*)-([^-/\s]+)-([^-/\s]+?)(?:\.tar\.bz2|\.conda)\b`)
	wheelForm  = lazyregexp.New(`([A-Za-z0-9][A-Za-z0-9_.]*)-(\d[^-/\s]*)-(?:\d\w*-)?(?:cp|py)\d[\w.]*-[\w.]+-[\w.]+\.whl`)
	reference  = lazyregexp.New(`Include="([\w.-]+)" Version="(\d[\w.-]*)"`)
	coordinate = lazyregexp.New(`['"(][\w.-]+\.[\w.-]+:([\w.-]+):(\d[\w.-]*)['")@]`)
	treeForm   = lazyregexp.New(`([A-Za-z][\w.-]*) \[required: [^\]]*, installed: (\d[^\]\s]*)\]`)
	// A name, a version and a description, in columns: poetry show.
	columns     = lazyregexp.New(`^\s*([A-Za-z][\w.-]*)\s+(?:\(!\)\s+)?v?(\d[\w.+!-]*)\s{2,}(?:[A-Za-z]\S* \S.*|\S+(?:\s+\S+){2,6})\s*$`)
	satisfied   = lazyregexp.New(`Requirement already satisfied: ([A-Za-z][\w.-]*)\S*.* \((\d[^() ]*)\)\s*$`)
	youHave     = lazyregexp.New(`but you have ([A-Za-z][\w.-]*) (\d\S*) which`)
	installedAs = lazyregexp.New(`^([A-Za-z][\w.]*(?:-[A-Za-z_][\w.]*)*(?:-\d+[a-z]\w*|-cu\d+)?)-(\d[\w.+!]*)$`)
	nameLine    = lazyregexp.New(`^\s*"?[Nn]ame"?\s*[:=]\s*"?([A-Za-z][\w.-]*)"?,?\s*$`)
	versionLine = lazyregexp.New(`^\s*"?[Vv]ersion"?\s*[:=]\s*"?(\d[\w.+!-]*)"?,?\s*$`)
)

// list is where the reader is in a list of rows.
type list struct {
	f    *Facts
	run  []Package // rows one after the other, not yet known to be packages
	head bool      // a line above says that they are
	last int       // the last row's line
	gone map[string]bool
}

func readPackages(t *transcript.Text, f *Facts) {
	s := &list{f: f, gone: replaced(t)}
	name, named := "", 0
	for _, l := range t.Lines {
		if l.Text == "" || len(l.Text) > 64<<10 {
			continue
		}
		body := l.Message
		if m := rowOf(body); m != nil && len(body) < 300 {
			s.row(m, body, l)
			continue
		}
		s.end()
		low := strings.TrimSpace(body)
		switch {
		case strings.HasPrefix(low, "Package ") && strings.Contains(low, "Version"), strings.HasPrefix(low, "# Name"), strings.HasPrefix(low, "Name  ") && strings.Contains(low, "Version"):
			s.head, s.last = true, l.N
			continue
		case strings.HasPrefix(low, "---"), strings.HasPrefix(low, "==="):
			s.last = l.N
			continue
		}
		if l.N-s.last > 1 {
			s.head = false
		}
		switch {
		case strings.Contains(body, "=="):
			s.pins(body, l)
		case strings.IndexByte(body, '=') > 0 && strings.IndexByte(strings.TrimLeft(low, "- "), ' ') < 0: // one word
			if m := condaPin.FindStringSubmatch(body); m != nil && (hasDot(m[2]) || m[3] != "") && (m[3] != "" || !setting(m[1])) {
				s.add(Package{Name: m[1], Version: m[2], Build: m[3], Manager: "conda"}, Stated, l)
			}
		case strings.Contains(body, "://"):
			if m := condaURL.FindStringSubmatch(body); m != nil {
				s.add(Package{Name: m[1], Version: m[2], Build: m[3], Manager: "conda"}, Stated, l)
			}
		}
		if strings.Contains(body, "onnxruntime") && strings.Contains(body, ":") {
			if m := coordinate.FindStringSubmatch(body); m != nil {
				s.foreign(m[1], m[2], l)
			}
		}
		s.said(body, l)
		if !strings.Contains(body, "ame") && !strings.Contains(body, "ersion") {
			continue
		}
		if m := nameLine.FindStringSubmatch(body); m != nil {
			name, named = m[1], l.N
		} else if m := versionLine.FindStringSubmatch(body); m != nil && name != "" && l.N-named <= 2 {
			s.add(Package{Name: name, Version: m[1], Manager: "pip"}, Stated, l)
			name = ""
		}
	}
	s.end()
}

// behindName is what stands behind the first word of a line, or of one with a mark in brackets the second, if it begins
// with a number that has a dot; "" if it does not.
func behindName(body string) string {
	s := unindented(body)
	if strings.HasPrefix(s, "[") {
		_, s, _ = strings.Cut(s, " ")
		s = unindented(s)
	}
	i := strings.IndexByte(s, ' ')
	if tab := strings.IndexByte(s, '\t'); i < 0 || tab >= 0 && tab < i {
		i = tab
	}
	if i <= 0 || strings.HasPrefix(s, "NVIDIA-SMI") {
		return ""
	}
	rest := unindented(s[i:])
	if rest == "" || !isDigit(rest[0]) && rest[0] != 'v' && rest[0] != '(' {
		return ""
	}
	rest = strings.TrimPrefix(rest, "(!) ")
	if rest = strings.TrimLeft(rest, " \tv"); rest == "" || !isDigit(rest[0]) {
		return ""
	}
	if number := rest[:len(rest)-len(strings.TrimLeft(rest, versionBytes))]; !hasDot(number) {
		return ""
	}
	return rest
}

// versionBytes are the bytes of a version in a list.
const versionBytes = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_.+!-"

// rowOf is rowForm, or columns, with a quick look before.
func rowOf(body string) []string {
	rest := behindName(body)
	if rest == "" {
		return nil
	}
	if m := rowForm.FindStringSubmatch(body); m != nil {
		return m
	}
	if strings.Contains(rest, "  ") {
		if m := columns.FindStringSubmatch(body); m != nil {
			build := ""
			if w := strings.Fields(rest); len(w) > 2 && buildForm.MatchString(w[1]) {
				build = w[1]
			}
			return []string{m[0], m[1], m[2], build}
		}
	}
	return nil
}

// setting tells whether a name is a key of something else than a package: driver=535.183.01 of an INI file.
func setting(name string) bool {
	key := keyOf(name)
	return under[key] || keys[key] != nil && key != "python" && !knownPackage(name) && packageOf(key) == "" && !strings.HasPrefix(key, "cu") && key != "nccl"
}

func hasDot(s string) bool { return strings.IndexByte(s, '.') > 0 }

// replaced are packages of which the text says that an installer put another version in.
func replaced(t *transcript.Text) map[string]bool {
	out := map[string]bool{}
	for _, l := range t.Lines {
		if rest, ok := strings.CutPrefix(strings.TrimLeft(l.Text, " "), "+ "); ok {
			if name, _, ok := strings.Cut(rest, "=="); ok {
				out[normalName(name)] = true
			}
		}
	}
	return out
}

// row notes a line of a name and a version. Alone it is a package if the name
// is known or its columns are those of Conda; in a run one known name is enough.
func (s *list) row(m []string, body string, l transcript.Line) {
	if len(s.run) > 0 && l.N-s.last > 1 {
		s.end()
	}
	p := Package{Name: m[1], Version: m[2], From: s.f.At(l.N, l.Text)}
	switch {
	case strings.HasPrefix(strings.TrimSpace(body), "[conda]"):
		p.Manager, p.Build = "conda", m[3]
	case buildForm.MatchString(m[3]):
		p.Manager, p.Build = "conda", m[3]
		if m[3] == "pypi_0" {
			p.Manager, p.Build = "pip", ""
		}
	}
	s.run, s.last = append(s.run, p), l.N
}

var buildForm = lazyregexp.New(`^(?:py\d|pypi_0$|h[0-9a-f]{6,}|cuda|gpu_|cpu_|\d+$|\w*_\d+$)`)

func (s *list) end() {
	known := s.head
	for _, p := range s.run {
		known = known || knownPackage(p.Name)
	}
	for _, p := range s.run {
		if known && (s.head || len(s.run) > 2 || p.Manager != "" || knownPackage(p.Name)) {
			s.note(p, Stated)
		}
	}
	s.run = s.run[:0]
}

func knownPackage(name string) bool {
	n := normalName(name)
	return plain[n] || frameworks[n] || strings.HasPrefix(n, "nvidia-") || strings.HasPrefix(n, "cupy") || n == "cudatoolkit" || n == "cudnn" || n == "pytorch-cuda" || n == "pytorch" ||
		strings.HasPrefix(n, "torch") || strings.HasPrefix(n, "tensorflow") || n == "cuda-version"
}

// pins takes name==version, wherever it stands in a line that does not speak
// of what something asks for.
func (s *list) pins(body string, l transcript.Line) {
	low := lowerASCII(body)
	for _, w := range [...]string{"require", "depend", "could not find", "no matching", "satisfie", "collecting ", "conflict", "available", "instead", "please", "should", "try ", "upgrade", "downgrade", "recommend"} {
		if strings.Contains(low, w) {
			return
		}
	}
	rank := Stated
	if strings.Contains(low, "install ") || strings.Contains(low, "uv add") {
		// What somebody installs stands in a Dockerfile or behind a prompt; elsewhere it is advice.
		if t := strings.TrimSpace(low); !strings.HasPrefix(t, "run ") && !strings.HasPrefix(t, "$ ") && !strings.HasPrefix(t, "&& ") {
			return
		}
		rank = Prose
	}
	for _, m := range pinForm.FindAllStringSubmatch(body, -1) {
		if strings.HasPrefix(strings.TrimLeft(body, " "), "- ") && s.gone[normalName(m[1])] {
			continue
		}
		s.add(Package{Name: m[1], Version: m[2], Manager: "pip"}, rank, l)
	}
}

// said takes what pip says when it installs.
func (s *list) said(body string, l transcript.Line) {
	switch {
	case strings.Contains(body, "Successfully installed "):
		_, rest, _ := strings.Cut(body, "Successfully installed ")
		for w := range strings.FieldsSeq(rest) {
			if m := installedAs.FindStringSubmatch(w); m != nil {
				s.add(Package{Name: m[1], Version: m[2], Manager: "pip"}, Proper, l)
			}
		}
	case strings.Contains(body, "Requirement already satisfied"):
		if m := satisfied.FindStringSubmatch(body); m != nil {
			s.add(Package{Name: m[1], Version: m[2], Manager: "pip"}, Stated, l)
		}
	case strings.Contains(body, "but you have "):
		if m := youHave.FindStringSubmatch(body); m != nil {
			s.add(Package{Name: m[1], Version: m[2], Manager: "pip"}, Stated, l)
		}
	case strings.Contains(body, "PackageReference "):
		if m := reference.FindStringSubmatch(body); m != nil {
			s.foreign(m[1], m[2], l)
		}
	case strings.Contains(body, ", installed: "):
		if m := treeForm.FindStringSubmatch(body); m != nil {
			s.add(Package{Name: m[1], Version: m[2], Manager: "pip"}, Stated, l)
		}
	case strings.Contains(body, " @ ") && strings.Contains(body, ".whl"):
		if m := wheelForm.FindStringSubmatch(body); m != nil {
			v, err := url.PathUnescape(m[2])
			if err != nil {
				v = m[2]
			}
			s.add(Package{Name: m[1], Version: v, Manager: "pip"}, Stated, l)
		}
	}
}

// foreign notes a package of .NET or of Java's repositories, where it is one of
// a framework that is known by another name.
func (s *list) foreign(name, version string, l transcript.Line) {
	if pkg := packageOf(keyOf(name)); pkg != "" {
		s.add(Package{Name: pkg, Version: version, Manager: "foreign"}, Stated, l)
	}
}

func (s *list) add(p Package, rank Rank, l transcript.Line) {
	p.From = s.f.At(l.N, l.Text)
	s.note(p, rank)
}

// note notes a package with the facts that some packages are.
func (s *list) note(p Package, rank Rank) {
	p.Version = strings.TrimRight(p.Version, ".-_+")
	if !IsVersion(p.Version) || strings.HasPrefix(p.Name, "_") { // _libgcc_mutex and the like hold no files

		return
	}
	s.f.Package(p, rank)
	if p.Manager == "conda" || p.Manager == "" {
		s.conda(p, rank)
	}
}

// conda notes what Conda installs beside Python's packages.
func (s *list) conda(p Package, rank Rank) {
	rec := &s.f.rec
	switch normalName(p.Name) {
	case "python":
		s.f.Set(&rec.Python, pythonOf(p.Version), rank, p.From)
	case "cudatoolkit", "cuda-cudart":
		release, _ := cudaOf(p.Version)
		s.f.Set(&rec.CUDARuntime, release, Keyed, p.From)
	case "cuda-nvcc", "cuda-toolkit":
		_, full := cudaOf(p.Version)
		s.f.Set(&rec.Toolkit, full, Keyed, p.From)
	case "pytorch-cuda":
		release, _ := cudaOf(p.Version)
		s.f.FrameworkCUDA("torch", release, Stated, p.From)
	case "cudnn":
		s.f.Set(&rec.CUDNN, cudnnOf(p.Version), Keyed, p.From)
	case "nccl":
		s.f.Set(&rec.NCCL, ncclOf(p.Version), Keyed, p.From)
	}
}
