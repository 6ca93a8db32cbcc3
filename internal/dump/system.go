package dump

import (
	"strings"

	"strata/internal/lazyregexp"
	"strata/internal/transcript"
)

// system reads what names the operating system and its kernel: uname, os-release,
// /etc/issue, lsb_release, hostnamectl, ver and systeminfo of Windows.
var system = reader{name: "operating system", read: readSystem, messages: true, form: mayBeRelease, words: append([]string{
	"Linux ", "Kernel:", "Kernel Version:", "NAME=", "VERSION=", "DISTRIB_DESCRIPTION=", "BOOT_IMAGE=", "Windows", "Description:", "Operating System:", "OS Image:",
}, systemNames...)}

// distributions begin the names of Linux systems as their release files write them.
const distributions = `Ubuntu|Debian GNU/Linux|Debian|CentOS|Red Hat|RHEL|Rocky Linux|AlmaLinux|Fedora|openSUSE|SUSE|SLES|Linux Mint|Pop!_OS|Arch Linux|Manjaro|Kali|Amazon Linux|Oracle Linux|EndeavourOS|Garuda|Zorin OS|elementary OS|NixOS|Gentoo|Raspbian|Parrot|Scientific Linux|Alpine Linux|Container-Optimized OS|Flatcar|Bottlerocket|Photon|Azure Linux|CBL-Mariner|Nobara|Void|Solus|Clear Linux|TencentOS|openEuler|Anolis|Kylin|UnionTech|Deepin|NVIDIA DGX|DGX OS`

var systemNames = strings.Split(distributions, "|")

var (
	// Linux HOST 5.15.0-91-generic #101-Ubuntu SMP …
	unameLine   = lazyregexp.New(`\bLinux (?:\S+ )?(\d+\.\d+(?:\.\d+)?[0-9A-Za-z.+_~-]*) (#\d\S*)(?: |$)`)
	procVersion = lazyregexp.New(`\bLinux version (\d+\.\d+\.\d+\S*)`)
	imageKernel = lazyregexp.New(`BOOT_IMAGE=\S*vmlinuz-(\d+\.\d+\.\d+[0-9A-Za-z.+_~-]*)`)
	// A line that is nothing but a release, as uname -r prints it.
	bareKernel   = lazyregexp.New(`^\d+\.\d+\.\d+\S*?(?:-(?:generic|lowlatency|amd64|aws|azure|gcp|oracle|gke|nvidia|tegra|arch\d\S*|zen\d\S*|pve|MANJARO|hwe|default|microsoft-standard-WSL2)|\.(?:el\d|fc\d|amzn\d)\S*)$`)
	releaseField = lazyregexp.New(`^(PRETTY_NAME|NAME|VERSION|DISTRIB_DESCRIPTION)=["']?([^"']+)["']?$`)
	describedOS  = lazyregexp.New(`^(?:Description:\s+|Operating System:\s+|OS Image:\s+)?((?:` + distributions + `)\b[^:;,"'{}|]*)$`)
	issueTail    = lazyregexp.New(`\s*(?:\\[a-z]\s*)+$`)
	ubuntuBuild  = lazyregexp.New(`#\d+(?:~[\d.]+)?-(Ubuntu)\b`)
	otherThan    = lazyregexp.New(`(?i)\b(?:python|cuda|nvidia|torch|pytorch|tensorflow|driver)\b`) // of somebody's list in a line
	osVersion    = lazyregexp.New(`\d`)
	hostKernel   = lazyregexp.New(`^\s*Kernel(?: Version)?:\s+(?:Linux )?(\d+\.\d+\.\d+\S*)\s*$`)
	windowsName  = lazyregexp.New(`(?:^|OS Name:\s+|Caption\s*[:=]\s*|Operating System:\s+|OS:\s+)(?:Microsoft )?(Windows (?:10|11|7|8(?:\.1)?|Server \d{4})[^,;(\[\\*]*?)\s*(?:\(|\[|64-bit|\\|$)`)
	windowsBuild = lazyregexp.New(`Microsoft Windows \[Version (\d+\.\d+\.\d+)`)
)

func readSystem(t *transcript.Text, f *Facts) {
	var name, versionOf, vendor claim
	for _, l := range t.Lines {
		line := strings.TrimSpace(l.Text)
		if line == "" || len(line) > 600 {
			continue
		}
		if strings.Contains(line, "Linux") {
			if m := unameLine.FindStringSubmatch(line); m != nil {
				rank := Proper
				if strings.Contains(line, "Build Operating System") {
					rank = Prose
				}
				f.note(&f.rec.Kernel, m[1], rank, l)
				if u := ubuntuBuild.FindStringSubmatch(line); u != nil && !vendor.known() {
					vendor = claim{u[1], l}
				}
			} else if m := procVersion.FindStringSubmatch(line); m != nil {
				f.note(&f.rec.Kernel, m[1], Proper, l)
			}
		}
		switch c := line[0]; {
		case '0' <= c && c <= '9' && bareKernel.MatchString(line):
			f.note(&f.rec.Kernel, line, Stated, l)
			continue
		case c == '-' && len(line) > 8 && bareKernel.MatchString(line[2:]): // an item of a list
			f.note(&f.rec.Kernel, line[2:], Keyed, l)
			continue
		case c == 'K':
			if m := hostKernel.FindStringSubmatch(line); m != nil {
				f.note(&f.rec.Kernel, m[1], Stated, l)
			}
		case c == 'P' || c == 'N' || c == 'V' || c == 'D':
			if m := releaseField.FindStringSubmatch(line); m != nil {
				switch m[1] {
				case "NAME": // an environment has such a variable, too
					if describedOS.MatchString(m[2]) {
						name = claim{m[2], l}
					}
				case "VERSION":
					if strings.HasSuffix(m[2], ")") {
						versionOf = claim{m[2], l}
					}
				default:
					f.note(&f.rec.OS, m[2], Proper, l)
				}
				continue
			}
		}
		if strings.Contains(line, "BOOT_IMAGE=") {
			if m := imageKernel.FindStringSubmatch(line); m != nil {
				f.note(&f.rec.Kernel, m[1], Prose, l)
			}
		}
		readSystemName(f, l, line)
	}
	readReleaseParts(f, name, versionOf, vendor)
}

// mayBeRelease tells quickly whether a line is one word that begins as a kernel's release does, or an item of such.
func mayBeRelease(l *transcript.Line) bool {
	line := strings.TrimSpace(l.Message)
	if strings.HasPrefix(line, "-") && len(line) > 2 {
		line = line[2:]
	}
	return line != "" && isDigit(line[0]) && strings.IndexByte(line, ' ') < 0
}

// readSystemName reads a line that is a system's name, alone or behind a key that only says so.
func readSystemName(f *Facts, l transcript.Line, line string) {
	if len(line) > 120 {
		return
	}
	if strings.Contains(line, "Windows") {
		if m := windowsName.FindStringSubmatch(line); m != nil {
			f.note(&f.rec.OS, strings.TrimSpace(m[1]), Stated, l)
		} else if m := windowsBuild.FindStringSubmatch(line); m != nil {
			f.note(&f.rec.OS, "Windows "+m[1], Keyed, l)
		}
		return
	}
	if !beginsAsSystem(line) {
		return
	}
	plain := issueTail.ReplaceAllString(line, "")
	m := describedOS.FindStringSubmatch(plain)
	if m == nil || otherThan.MatchString(m[1]) || !osVersion.MatchString(m[1]) && !strings.Contains(plain, "Operating System") || len(strings.Fields(m[1])) > 8 {
		return
	}
	f.note(&f.rec.OS, strings.TrimSpace(strings.TrimSuffix(m[1], ".")), Stated, l)
}

// beginsAsSystem tells quickly whether describedOS can match.
func beginsAsSystem(line string) bool {
	for _, key := range []string{"Description:", "Operating System:", "OS Image:"} {
		if strings.HasPrefix(line, key) {
			return true
		}
	}
	for _, d := range systemNames {
		if strings.HasPrefix(line, d) {
			return true
		}
	}
	return false
}

// readReleaseParts names the system where a text has its version and its name
// apart, or only the version and a kernel that says whose it is.
func readReleaseParts(f *Facts, name, versionOf, vendor claim) {
	if !versionOf.known() || !osVersion.MatchString(versionOf.text) {
		return
	}
	if !name.known() {
		name = vendor
	}
	v, _, _ := strings.Cut(versionOf.text, " (")
	if name.known() {
		f.note(&f.rec.OS, name.text+" "+v, Stated, versionOf.line)
	}
}
