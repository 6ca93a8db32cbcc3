package python

import (
	"path"
	"slices"

	"strata/internal/machine"
	"strata/internal/stack"
)

// system describes the distribution's Pythons under /usr, or those installed
// beside them under /usr/local, one for each version.
func system(m *machine.Machine, c candidate, prefix string) []stack.Environment {
	minors := versions(m, path.Join(prefix, "lib"))
	for _, v := range versions(m, path.Join(prefix, "lib64")) {
		if !slices.Contains(minors, v) {
			minors = append(minors, v)
		}
	}
	if prefix == "/usr" {
		// An image may hold packages for a Python whose library was slimmed away;
		// but Debian also makes empty dist-packages for Pythons it never had.
		slim := len(minors) == 0
		for _, v := range versions(m, "/usr/local/lib") {
			if !slices.Contains(minors, v) && m.Exists("/usr/local/lib/python"+v+"/dist-packages") && (slim || m.Exists("/usr/bin/python"+v)) {
				minors = append(minors, v)
			}
		}
		if len(minors) == 0 && m.Exists("/usr/lib/python3/dist-packages") {
			minors = []string{""}
		}
	}
	var all []stack.Environment
	for _, v := range minors {
		if prefix == "/usr/local" && !ownsLocal(m, v) && m.Exists("/usr/lib/python"+v) {
			continue // these directories belong to /usr's Python
		}
		sites := systemSites(m, prefix, v)
		if len(sites) == 0 {
			continue
		}
		e := stack.Environment{Prefix: prefix, Kind: "system", Site: sites, From: c.from}
		if v != "" {
			e.Python = pythonVersion(m, prefix, v)
		}
		for _, name := range []string{"bin/python" + v, "bin/python3"} {
			if _, err := m.Lstat(path.Join(prefix, name)); err == nil && (name != "bin/python3" || len(minors) == 1) {
				e.Interpreter = path.Join(prefix, name)
				break
			}
		}
		all = append(all, e)
	}
	return all
}

// systemSites is sys.path of a system Python as far as it holds packages:
// Debian's patched site module looks in dist-packages, local ones first;
// Fedora's pip installs into /usr/local although the prefix is /usr.
func systemSites(m *machine.Machine, prefix, v string) []string {
	if prefix == "/usr/local" && ownsLocal(m, v) {
		return existing(m, []string{"/usr/local/lib/python" + v + "/site-packages"})
	}
	var dirs []string
	if v != "" {
		dirs = append(dirs, "/usr/local/lib/python"+v+"/dist-packages")
		if !ownsLocal(m, v) {
			dirs = append(dirs, "/usr/local/lib64/python"+v+"/site-packages", "/usr/local/lib/python"+v+"/site-packages")
		}
	}
	if prefix == "/usr" {
		if v != "" {
			dirs = append(dirs, "/usr/lib64/python"+v+"/site-packages", "/usr/lib/python"+v+"/site-packages")
		}
		dirs = append(dirs, "/usr/lib/python3/dist-packages")
		if v != "" {
			dirs = append(dirs, "/usr/lib/python"+v+"/dist-packages")
		}
	}
	var list, reals []string
	for _, d := range existing(m, dirs) {
		// /usr/lib64 is a link to lib in some images.
		if real, err := m.Real(d); err == nil && !slices.Contains(reals, real) {
			list, reals = append(list, d), append(reals, real)
		}
	}
	return list
}

// ownsLocal tells whether /usr/local has a Python of its own, as in the
// official Python images.
func ownsLocal(m *machine.Machine, v string) bool {
	return v != "" && (m.Exists("/usr/local/lib/python"+v+"/os.py") || m.Exists("/usr/local/bin/python"+v))
}

// userSite describes what pip install --user left in a home. The system's
// packages are visible from there as well.
func userSite(m *machine.Machine, c candidate, prefix string) []stack.Environment {
	var all []stack.Environment
	for _, v := range versions(m, path.Join(prefix, "lib")) {
		site := siteOf(prefix, []string{v})[0]
		if !m.Exists(site) {
			continue
		}
		e := stack.Environment{Prefix: prefix, Kind: "user", From: c.from, Base: "/usr"}
		if ownsLocal(m, v) {
			e.Base = "/usr/local"
		}
		e.Python = pythonVersion(m, e.Base, v)
		e.Site = append([]string{site}, systemSites(m, e.Base, v)...)
		all = append(all, e)
	}
	return all
}
