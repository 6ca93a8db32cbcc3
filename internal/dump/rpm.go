package dump

import (
	"cmp"
	"strings"

	"strata/internal/lazyregexp"
	"strata/internal/transcript"
)

// otherPackages reads the lists of the package managers that are not Debian's:
// rpm -qa, dnf and yum list, zypper, pacman -Q, apk.
var otherPackages = reader{name: "rpm and pacman", read: readOtherPackages, messages: true, form: mayBeRow, words: []string{
	".x86_64", ".noarch", ".aarch64", ".i686", ".ppc64le", "[installed", "Installed", "Available", "Upgraded", "Obsoleting",
}}

var (
	// nvidia-driver-cuda-libs-535.104.05-1.el8.x86_64
	rpmLine = lazyregexp.New(`^([A-Za-z][A-Za-z0-9+._-]*?)-(\d[A-Za-z0-9.+~^_]*)-([A-Za-z0-9.+~^_]+)\.(?:x86_64|noarch|aarch64|i686|ppc64le)(?:\s|$)`)
	// nvidia-driver.x86_64   3:535.104.05-1.el8   @cuda-rhel8-x86_64
	dnfLine = lazyregexp.New(`^([A-Za-z][A-Za-z0-9+._-]*)\.(?:x86_64|noarch|aarch64|i686|ppc64le)\s+((?:\d+:)?\d[^\s]*-\S+)\s+(@?\S+)$`)
	// i+ | nvidia-computeG06 | package | 535.129.03-lp155.9.1 | x86_64 | repository
	zypperLine = lazyregexp.New(`^i\+?\s*\|\s*([A-Za-z]\S*)\s*\|\s*(?:package\s*\|\s*)?(\d\S*)\s*\|`)
	// nvidia-utils 545.29.06-1, or extra/cudnn 9.5.1.17-1 [installed] among all that a repository has
	pacmanLine = lazyregexp.New(`^(local/|[a-z][a-z-]*/)?([a-z][a-z0-9@+._-]*) ((?:\d+:)?\d[A-Za-z0-9.+_]*-\d+(?:\.\d+)?)( \([a-z-]+\))?( \[installed(?:: (\S+))?\])?$`)
	// libc++ of Alpine: musl-1.2.4-r2 x86_64 {musl} (MIT) [installed]
	apkLine  = lazyregexp.New(`^([a-z][a-z0-9+._-]*?)-(\d[0-9A-Za-z._]*-r\d+) \S+ \{.*\[installed`)
	listHead = lazyregexp.New(`^(Installed|Available|Available Upgrades|Upgraded|Obsoleting)[ :]*(?:Packages|packages)?:?$`)
)

// unlisted is a line without indentation, and without the mark of somebody's list of what he has.
func unlisted(line string) string {
	return strings.TrimPrefix(strings.TrimPrefix(strings.TrimSpace(line), "- "), "* ")
}

// mayBeRow tells quickly whether a line can be one of zypper, which begins with "i" and a bar, or of pacman: a name in
// small letters and a number.
func mayBeRow(l *transcript.Line) bool {
	line := unlisted(l.Message)
	if line == "" || line[0] < 'a' || line[0] > 'z' {
		return false
	}
	if line[0] == 'i' && strings.HasPrefix(unindented(strings.TrimPrefix(line[1:], "+")), "|") {
		return true
	}
	i := strings.IndexByte(line, ' ')
	return i > 0 && i+1 < len(line) && isDigit(line[i+1]) && (strings.IndexByte(line[i+1:], ' ') < 0 || strings.HasSuffix(line, "]"))
}

func readOtherPackages(t *transcript.Text, f *Facts) {
	var list systemPackages
	offered := false
	add := func(name, version, manager, format string, l transcript.Line) {
		if !notable.MatchString(name) {
			return
		}
		f.Format(format, l.N)
		list.add(Package{Name: name, Version: version, Manager: manager, From: f.At(l.N, l.Text)})
	}
	for _, l := range t.Lines {
		line := unlisted(l.Text)
		if len(line) < 8 || len(line) > 300 {
			continue
		}
		if m := listHead.FindStringSubmatch(line); m != nil {
			offered = m[1] == "Available" || m[1] == "Available Upgrades"
			continue
		}
		switch {
		case strings.Contains(line, "|"):
			if m := zypperLine.FindStringSubmatch(line); m != nil {
				add(m[1], m[2], "rpm", "zypper", l)
			}
		case strings.Contains(line, ".x86_64") || strings.Contains(line, ".noarch") || strings.Contains(line, ".aarch64") || strings.Contains(line, ".i686") || strings.Contains(line, ".ppc64le"):
			if m := dnfLine.FindStringSubmatch(line); m != nil {
				if !offered {
					add(m[1], m[2], "rpm", "dnf list", l)
				}
			} else if m := rpmLine.FindStringSubmatch(line); m != nil {
				add(m[1], m[2]+"-"+m[3], "rpm", "rpm -qa", l)
			}
		case 'a' <= line[0] && line[0] <= 'z' && len(line) < 100 && (strings.Count(line, " ") == 1 || strings.HasSuffix(line, "]")):
			if m := pacmanLine.FindStringSubmatch(line); m != nil && (m[1] == "" || m[1] == "local/" || m[5] != "") {
				add(m[2], cmp.Or(m[6], m[3]), "pacman", "pacman -Q", l)
			}
		case strings.Contains(line, "[installed"):
			if m := apkLine.FindStringSubmatch(line); m != nil {
				add(m[1], m[2], "apk", "apk", l)
			}
		}
	}
	list.give(f)
}
