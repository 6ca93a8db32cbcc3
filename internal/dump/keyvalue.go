package dump

import (
	"slices"
	"strings"

	"strata/internal/transcript"
)

// keyValue reads every key and its value, whatever made them: lines of many
// forms, items under headings, JSON, XML, tables.
var keyValue = reader{name: "key and value", read: readKeyValue}

func readKeyValue(t *transcript.Text, f *Facts) {
	r := newReading(f)
	readLines(t, r)
	readJSON(t, r)
	readXML(t, r)
	readTables(t, r)
	r.d.give(f)
}

// take gives a pair to what its key means. It tries the key under its heading,
// the key, the key without brackets, and at the lowest rank the key without
// the words that add nothing.
func (r *reading) take(p *pair) bool {
	if p.value == "" || len(p.value) > maxValue || !mayMean(p.key) {
		return false
	}
	key := keyOf(p.key)
	if key == "" {
		return false
	}
	// A key in several words of one script, driverVersion, is met in JSON and code.
	camel := key
	if hasHump(p.key) {
		camel = camelKey(p.key)
	}
	if i := strings.LastIndexByte(p.key, '/'); i > 0 && strings.IndexByte(p.key, ' ') < 0 && strings.IndexByte(p.key[:i], '.') > 0 {
		if r.known(keyOf(p.key), p, 0) || r.known(keyOf(p.key[i+1:]), p, Keyed) { // a label: nvidia.com/gpu.product
			return true
		}
	}
	for i := len(p.path) - 1; i >= 0 && i >= len(p.path)-3; i-- {
		head := headingOf(p.path[i])
		list, ok := headed[head+" > "+key]
		if ok && (list == nil || r.all(list, p, 0)) {
			return list != nil
		}
		if i == len(p.path)-1 && (r.known(head+" "+key, p, 0) || under[key] && r.packaged(head, p, Keyed)) {
			return true
		}
	}
	for i, k := range [...]string{key, camel} {
		if i > 0 && k == key {
			break
		}
		if r.known(k, p, 0) || r.packaged(k, p, Keyed) {
			return true
		}
	}
	if i := strings.IndexAny(p.key, "(["); i > 0 {
		if k := keyOf(p.key[:i]); r.known(k, p, 0) || r.known(withoutNumber(k), p, Keyed) || r.packaged(bare(k), p, Keyed) {
			return true
		}
	}
	forms := [...]string{withoutNumber(key), ofDevice(p.key), bare(key), camel}
	if camel != key {
		forms[3] = bare(camel)
	}
	for i, k := range forms {
		if k != "" && k != key && k != camel && !slices.Contains(forms[:i], k) && (r.known(k, p, Keyed) || r.packaged(k, p, Keyed)) {
			return true
		}
	}
	return false
}

// maxValue is the longest value in bytes that is looked at. collect_env's line
// of the kernel's build is among the longest that hold a fact.
const maxValue = 400

// under are keys that say nothing without their heading.
var under = map[string]bool{"version": true, "ver": true, "release": true}

func headingOf(s string) string {
	key := withoutNumber(keyOf(s))
	return strings.TrimSuffix(strings.TrimSuffix(key, " information"), " info")
}

// withoutNumber drops the number of a device out of a key: "device 0 name" is "device name".
func withoutNumber(key string) string {
	if !hasDigit(key) {
		return key
	}
	words := strings.Fields(key)
	out := words[:0]
	for _, w := range words {
		if w = strings.TrimRight(w, "0123456789"); w != "" {
			out = append(out, w)
		}
	}
	return strings.Join(out, " ")
}

// ofDevice is what a key says of a device with a number, without the words in
// brackets: "CUDA capability" of "GPU 0 CUDA capability (maj.min)". It gives ""
// for a key of anything else.
func ofDevice(s string) string {
	if !hasDigit(s) {
		return ""
	}
	if i := strings.IndexAny(s, "([{"); i > 0 {
		s = s[:i]
	}
	words := strings.Fields(withoutNumber(keyOf(s)))
	if len(words) < 3 || words[0] != "gpu" && words[0] != "device" {
		return ""
	}
	return strings.Join(words[1:], " ")
}

// known takes a pair for what its key means in the vocabulary. most is the
// highest rank that it may have; 0 for the vocabulary's.
func (r *reading) known(key string, p *pair, most Rank) bool { return r.all(keys[key], p, most) }

func (r *reading) all(list []meaning, p *pair, most Rank) bool {
	took := false
	for _, m := range list {
		rank := m.rank
		if most > 0 {
			rank = min(rank, most)
		}
		took = m.take(r, p, rank) || took
	}
	return took
}

// packageKey is the package that a key names, with or without the word "version"; "" where it names none.
func packageKey(key string) string {
	return packageOf(strings.TrimSuffix(strings.TrimSuffix(key, " version"), " ver"))
}

func (r *reading) packaged(key string, p *pair, rank Rank) bool {
	name := packageKey(key)
	return name != "" && r.pkg(name, p, rank)
}
