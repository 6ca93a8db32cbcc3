package redact

import (
	"net/netip"
	"strings"

	"strata/internal/lazyregexp"
)

// Foreign is Line for a text that somebody else's machine wrote: the names of
// users and hosts, mail addresses and addresses of the network go, too. Versions, which look
// like addresses, and the paths of libraries stay.
func Foreign(text string) string {
	// What is taken out can leave a new form behind, as of a@b.c@d.e: until nothing is.
	for range maxRounds {
		before := text
		if text = foreignOnce(text); text == before {
			break
		}
	}
	return text
}

// maxRounds bounds how often a text is cleaned again; each round takes one word of a chain, and real lines need two.
const maxRounds = 64

func foreignOnce(text string) string {
	text = replace(Line(text), foreign)
	if strings.Count(text, ".") < 3 {
		return text
	}
	return ipv4.ReplaceAllStringFunc(text, func(s string) string {
		a, err := netip.ParseAddr(s)
		if err != nil || a.IsLoopback() || a.IsUnspecified() || !looksRouted(s) {
			return s
		}
		return "ADDRESS"
	})
}

// looksRouted tells an address from a version with four numbers: no CUDA
// library's version has a first number of 24 and more (cuBLAS 13.2.0.9, cuFFT
// 12.0.1.4), but 10.x is both, so that one counts as an address where it is of
// the private range's usual form with a last number above 0 and a second one above 9.
func looksRouted(s string) bool {
	first, rest, _ := strings.Cut(s, ".")
	if len(first) >= 3 || first > "23" && len(first) == 2 {
		return true
	}
	second, _, _ := strings.Cut(rest, ".")
	return first == "10" && len(second) >= 2
}

var ipv4 = lazyregexp.New(`\b\d{1,3}(?:\.\d{1,3}){3}\b`)

var foreign = []pattern{
	// name@host.tld, and the prompt name@host:~$; image@sha256 and package@version are neither
	{[]string{"@"}, lazyregexp.New(`\b[A-Za-z_][A-Za-z0-9._-]*@[A-Za-z][A-Za-z0-9-]*(?:\.[A-Za-z][A-Za-z0-9-]*)+\b`), "USER@HOST"},
	{[]string{"@"}, lazyregexp.New(`\b[A-Za-z_][A-Za-z0-9._-]*@[A-Za-z][A-Za-z0-9.-]*(:[~/])`), "USER@HOST$1"},
	{[]string{"@"}, lazyregexp.New(`\[[A-Za-z_][A-Za-z0-9._-]*@[A-Za-z][A-Za-z0-9.-]* `), "[USER@HOST "},
	// home directories; a name with a space is told by the path that goes on
	{[]string{"users"}, lazyregexp.New(`([A-Za-z]:\\{1,2}Users\\{1,2})[^\\/:;"']{1,64}(\\)`), "${1}USER$2"},
	{[]string{"users"}, lazyregexp.New(`(/Users/|[A-Za-z]:\\{1,2}Users\\{1,2})[^/\\\s:;"',)]+`), "${1}USER"},
	{[]string{"/home/"}, lazyregexp.New(`(/home/)[^/\\\s:;"',)]+`), "${1}USER"},
	// the host of syslog and journalctl: Feb 04 13:15:38 HOST kernel:
	{[]string{":"}, lazyregexp.New(`^((?:> )*(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) [ 0-3]\d \d\d:\d\d:\d\d )[A-Za-z0-9][A-Za-z0-9._-]*( [A-Za-z0-9_./-]+(?:\[\d+\])?:)`), "${1}HOST$2"},
	{[]string{"name"}, lazyregexp.New(`(?i)\b(host ?name["']?\s*[:=]\s*["']?|node ?name["']?\s*[:=]\s*["']?)[A-Za-z0-9][A-Za-z0-9._-]*`), "${1}HOST"},
	// cloud hosts: ip-10-0-0-1.region.compute.internal
	{[]string{"ip-"}, lazyregexp.New(`\bip-\d+-\d+-\d+-\d+(?:\.[a-z0-9.-]+)?`), "HOST"},
	{[]string{"."}, lazyregexp.New(`\b[A-Za-z0-9][A-Za-z0-9-]*(?:\.[A-Za-z0-9-]+)*\.(?:internal|local|lan|corp|localdomain)\b`), "HOST"},
	// identifiers of one piece of hardware
	{[]string{"-"}, lazyregexp.New(`\b(GPU|MIG)-[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}\b`), "$1-UUID"},
	{[]string{"serial"}, lazyregexp.New(`(?i)\b(serial(?: number)?["']?\s*[:=]\s*["']?)[0-9A-Z][0-9A-Z-]{5,}`), "${1}SERIAL"},
	{[]string{":"}, lazyregexp.New(`\b(?:[0-9A-Fa-f]{2}:){5}[0-9A-Fa-f]{2}\b`), "ADDRESS"},
}
