package dump

import (
	"regexp"
	"strconv"
	"strings"

	"strata/internal/stack"
	"strata/internal/transcript"
)

// keyValue reads every line that has the form of a key and its value, whatever
// made it: "Driver Version : 535.104.05", "cuda_version = 12.1", "- Python
// version: 3.11", `"gpu.name": "Tesla T4",`, "| torch | 2.4.0 |".
var keyValue = reader{name: "key and value", read: readKeyValue}

// pair takes a line apart. The key may have dots, spaces, dashes and brackets.
var pair = regexp.MustCompile(`^[\s*\-•|#]*"?'?([A-Za-z][A-Za-z0-9 ._/()+\-\[\]]{0,60}?)"?'?\s*(?::|=|\|)\s*"?'?(.*?)"?'?[,;|]?\s*$`)

func readKeyValue(t *transcript.Text, f *Facts) {
	for _, l := range t.Lines {
		if len(l.Text) > maxKeyLine {
			continue
		}
		m := pair.FindStringSubmatch(transcript.Message(l.Text))
		if m == nil || Nothing(m[2]) {
			continue
		}
		if take, ok := keys[keyOf(m[1])]; ok {
			take(f, strings.TrimSpace(m[2]), f.At(l.N, l.Text))
		}
	}
}

// maxKeyLine is the longest line that is looked at as a key and a value; such lines are short.
const maxKeyLine = 400

// keyOf makes the ways to write one key the same: lower case, one space for
// every mark between words.
func keyOf(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case 'A' <= r && r <= 'Z':
			return r + 'a' - 'A'
		case 'a' <= r && r <= 'z', '0' <= r && r <= '9':
			return r
		}
		return ' '
	}, s)
	return strings.Join(strings.Fields(s), " ")
}

// keys are what is known to be meant by a key.
var keys = map[string]func(*Facts, string, stack.Source){
	"os": text(func(r *Record) *Value { return &r.OS }), "os name": text(func(r *Record) *Value { return &r.OS }),
	"operating system": text(func(r *Record) *Value { return &r.OS }), "linux distribution": text(func(r *Record) *Value { return &r.OS }),
	"kernel": text(func(r *Record) *Value { return &r.Kernel }), "kernel version": text(func(r *Record) *Value { return &r.Kernel }),
	"python version": number(func(r *Record) *Value { return &r.Python }), "python": number(func(r *Record) *Value { return &r.Python }),
	"driver version": number(func(r *Record) *Value { return &r.Driver }), "nvidia driver version": number(func(r *Record) *Value { return &r.Driver }),
	"nvidia driver":     number(func(r *Record) *Value { return &r.Driver }),
	"is cuda available": availability, "cuda available": availability, "torch cuda is available": availability,
	"pytorch version": framework("torch"), "torch version": framework("torch"), "torch": framework("torch"),
	"cuda used to build pytorch": built("torch"),
	"gpu":                        gpuName, "gpu name": gpuName, "gpu models and configuration": gpuName,
	"cudnn version": number(func(r *Record) *Value { return &r.CUDNN }),
	"cuda runtime version": func(f *Facts, v string, from stack.Source) {
		f.Set(&f.rec.CUDARuntime, firstVersion(v), Keyed, from)
	},
}

var anyVersion = regexp.MustCompile(`\d+(?:\.\d+)+[0-9A-Za-z.+_-]*`)

// firstVersion is the first word of a value that has the form of a version with a dot.
func firstVersion(s string) string { return strings.TrimRight(anyVersion.FindString(s), ".-_+") }

func text(field func(*Record) *Value) func(*Facts, string, stack.Source) {
	return func(f *Facts, v string, from stack.Source) { f.Set(field(&f.rec), v, Keyed, from) }
}

func number(field func(*Record) *Value) func(*Facts, string, stack.Source) {
	return func(f *Facts, v string, from stack.Source) { f.Set(field(&f.rec), firstVersion(v), Keyed, from) }
}

func framework(pkg string) func(*Facts, string, stack.Source) {
	return func(f *Facts, v string, from stack.Source) { f.Framework(pkg, firstVersion(v), Keyed, from) }
}

func built(pkg string) func(*Facts, string, stack.Source) {
	return func(f *Facts, v string, from stack.Source) { f.FrameworkCUDA(pkg, firstVersion(v), Keyed, from) }
}

func availability(f *Facts, v string, from stack.Source) {
	switch strings.ToLower(v) {
	case "true", "yes":
		f.Set(&f.rec.GPUAvailable, "true", Keyed, from)
	case "false", "no":
		// The word for "no" is no nothing here.
		if !f.rec.GPUAvailable.Known() || f.rec.GPUAvailable.Rank < Keyed {
			f.rec.GPUAvailable = Value{"unavailable", from, Keyed}
		}
	}
}

var gpuIndex = regexp.MustCompile(`^GPU (\d+):\s*`)

func gpuName(f *Facts, v string, from stack.Source) {
	v = gpuIndex.ReplaceAllString(v, "")
	if _, err := strconv.Atoi(v); err == nil || !hasLetters(v) {
		return
	}
	f.GPUs([]GPU{{Name: v, From: from}}, Keyed)
}

func hasLetters(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' })
}
