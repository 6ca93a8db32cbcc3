package dump

import (
	"strings"

	"strata/internal/lazyregexp"
	"strata/internal/transcript"
)

// debian reads what dpkg and apt print and log.
var debian = reader{name: "dpkg", read: readDebian, messages: true, form: mayBeDebian, words: []string{
	"Installed: ", "Install: ", "Upgrade: ", "Downgrade: ", "Remove: ", "Purge: ", "Setting up ", "status installed ", "status not-installed ", "remove ", "purge ",
}}

var (
	// ii  libcudnn8:amd64  8.9.7.29-1+cuda12.2  amd64  cuDNN runtime libraries
	dpkgLine = lazyregexp.New(`^\s*([uirph][nicuUhHfFwWtT][R ]?)\s+([a-z0-9][a-z0-9+._-]+(?::\w+)?)\s+(\d\S*)(?:\s|$)`)
	// libcudnn8/unknown,now 8.9.7.29-1+cuda12.2 amd64 [installed,upgradable to: …]
	aptLine    = lazyregexp.New(`^\s*([a-z0-9][a-z0-9+.-]+)/\S+\s+(\S+)\s+\w+\s+\[([^\]]*)\]`)
	aptFrom    = lazyregexp.New(`upgradable from:\s*(\S+)`)
	dpkgLog    = lazyregexp.New(`^(?:\S+ \S+ )?(status installed|status not-installed|remove|purge) ([a-z0-9][a-z0-9+.-]+)(?::\w+)? (\S+)`)
	historyKey = lazyregexp.New(`^(Install|Upgrade|Reinstall|Downgrade|Remove|Purge): (.*)$`)
	historyOne = lazyregexp.New(`([a-z0-9][a-z0-9+.-]+)(?::\w+)? \(([^,() ]+)(?:, ([^,() ]+))?(?:, automatic)?\)`)
	settingUp  = lazyregexp.New(`^Setting up ([a-z0-9][a-z0-9+.-]+)(?::\w+)? \(([^()]+)\) \.\.\.`)
	policyName = lazyregexp.New(`^([a-z0-9][a-z0-9+.-]+)(?::[a-z0-9]+)?:$`)
	policyHas  = lazyregexp.New(`^\s*Installed: (\S+)`)
)

func readDebian(t *transcript.Text, f *Facts) {
	var list systemPackages
	policy, package_, status := "", "", false
	for _, l := range t.Lines {
		line := l.Text
		if len(line) < 6 {
			continue
		}
		if m := policyHas.FindStringSubmatch(line); m != nil && policy != "" {
			list.add(Package{Name: policy, Version: m[1], Manager: "dpkg", Status: "ii", From: f.At(l.N, line)})
			f.Format("apt policy", l.N)
		}
		switch {
		case strings.Contains(line, "["):
			if m := aptLine.FindStringSubmatch(line); m != nil {
				f.Format("apt list", l.N)
				v := m[2]
				if from := aptFrom.FindStringSubmatch(m[3]); from != nil {
					v = from[1]
				} else if !strings.HasPrefix(m[3], "installed") {
					continue // only offered
				}
				list.add(Package{Name: m[1], Version: v, Manager: "dpkg", Status: "ii", From: f.At(l.N, line)})
			}
			continue
		case strings.Contains(line, ": ") && strings.Contains(line, "("):
			if m := historyKey.FindStringSubmatch(line); m != nil {
				f.Format("apt history", l.N)
				readHistory(f, &list, m[1], m[2], l)
				continue
			}
		case strings.HasPrefix(line, "Setting up "):
			if m := settingUp.FindStringSubmatch(line); m != nil {
				list.add(Package{Name: m[1], Version: m[2], Manager: "dpkg", Status: "ii", From: f.At(l.N, line)})
			}
		case strings.HasSuffix(line, ":") && policyName.MatchString(line):
			policy = policyName.FindStringSubmatch(line)[1]
			continue
		}
		if m := dpkgLine.FindStringSubmatch(line); m != nil {
			if state := m[1][1]; m[1][0] != 'u' && m[1][0] != 'p' && state != 'c' && state != 'n' {
				f.Format("dpkg -l", l.N)
				if name, _, _ := strings.Cut(m[2], ":"); notable.MatchString(name) && !list.known(name) {
					list.add(Package{Name: m[2], Version: m[3], Manager: "dpkg", Status: strings.TrimSpace(m[1]), From: f.At(l.N, line)})
				}
			}
			continue
		}
		if line[0] == 's' || line[0] == 'r' || line[0] == 'p' {
			if m := dpkgLog.FindStringSubmatch(line); m != nil {
				f.Format("dpkg log", l.N)
				if m[1] == "status installed" {
					list.add(Package{Name: m[2], Version: m[3], Manager: "dpkg", Status: "ii", From: f.At(l.N, line)})
				} else {
					list.remove(m[2])
				}
			}
		}
		// dpkg -s: a package, its state and its version on lines of their own
		switch key, value, _ := strings.Cut(line, ": "); key {
		case "Package":
			package_, status = strings.TrimSpace(value), false
		case "Status":
			status = strings.HasPrefix(value, "install ok installed")
		case "Version":
			// People ask apt for JetPack's version. There is no other word that it is installed.
			if status && package_ != "" || package_ == "nvidia-jetpack" {
				list.add(Package{Name: package_, Version: strings.TrimSpace(value), Manager: "dpkg", Status: "ii", From: f.At(l.N, line)})
				status = false
			}
		}
	}
	list.give(f)
}

// mayBeDebian tells quickly whether a line can be a row of dpkg -l or apt list, the name over an answer of apt policy, or
// one of the three keys of dpkg -s.
func mayBeDebian(l *transcript.Line) bool {
	line := l.Message
	if len(line) < 6 || line[len(line)-1] == ':' {
		return len(line) >= 6
	}
	switch line[0] {
	case 'P':
		return strings.HasPrefix(line, "Package")
	case 'S':
		return strings.HasPrefix(line, "Status")
	case 'V':
		return strings.HasPrefix(line, "Version")
	}
	s := unindented(line)
	if len(s) > 2 && (s[2] == ' ' || s[2] == '\t' || s[2] == 'R') && strings.IndexByte("uirph", s[0]) >= 0 && strings.IndexByte("nicuUhHfFwWtT", s[1]) >= 0 {
		return true
	}
	if strings.IndexByte(s, '[') < 0 {
		return false
	}
	i := 0
	for i < len(s) && (isDigit(s[i]) || 'a' <= s[i] && s[i] <= 'z' || s[i] == '+' || s[i] == '.' || s[i] == '-') {
		i++
	}
	return i > 0 && i < len(s) && s[i] == '/'
}

// readHistory reads one action of apt's history: each package with its version,
// or with the old and the new one.
func readHistory(f *Facts, list *systemPackages, action, rest string, l transcript.Line) {
	for _, m := range historyOne.FindAllStringSubmatch(rest, maxSystemPackages) {
		if action == "Remove" || action == "Purge" {
			list.remove(m[1])
			continue
		}
		v := m[2]
		if m[3] != "" && m[3] != "automatic" {
			v = m[3]
		}
		if notable.MatchString(m[1]) {
			list.add(Package{Name: m[1], Version: v, Manager: "dpkg", Status: "ii", From: f.At(l.N, l.Text)})
		}
	}
}
