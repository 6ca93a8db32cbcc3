package framework

import (
	"strings"

	"strata/internal/lazyregexp"
)

// pair is 'key': 'value' or ('key', 'value') with a string, a list of strings
// or one word as the value.
var pair = lazyregexp.New(`['"](\w+)['"][ \t\r\n]*[:,][ \t\r\n]*(?:'([^'\n]*)'|"([^"\n]*)"|(True|False|None)|\[([^\]\n]*)\])`)

// parseDict reads the pairs of a dictionary that a Python file sets at top
// level on one line: NAME = {'key': 'value'} or
// NAME = collections.OrderedDict([('key', 'value')]). It is nil where there is none.
func parseDict(text, name string) map[string]string {
	for line := range strings.Lines(text) {
		rest, ok := strings.CutPrefix(line, name)
		if !ok {
			continue
		}
		if rest, ok = strings.CutPrefix(strings.TrimLeft(rest, " \t"), "="); !ok || len(rest) > maxText {
			continue
		}
		found := map[string]string{}
		for _, g := range pair.FindAllStringSubmatch(rest, maxPairs) {
			found[g[1]] = g[2] + g[3] + g[4] + g[5]
		}
		return found
	}
	return nil
}

// maxPairs: TensorFlow's build_info has some 10.
const maxPairs = 200

// parseList reads "'sm_60', 'compute_90'" out of a pair's value.
func parseList(value string) []string {
	var list []string
	for item := range strings.SplitSeq(value, ",") {
		if item = strings.Trim(item, ` '"`); item != "" && len(list) < maxPairs {
			list = append(list, clip(item))
		}
	}
	return list
}
