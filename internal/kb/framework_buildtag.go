package kb

import (
	"fmt"
	"regexp"
	"strings"

	"strata/internal/version"
)

// BuildTag is what the local version of a wheel says about its build.
type BuildTag struct {
	Format string       // name of the row that read it
	CPU    bool         // says that there is no GPU code
	CUDA   version.CUDA // major alone where the tag says no more; zero: does not say
	CUDNN  version.Lib
	Torch  version.PEP440 // minor release; zero: does not say
	ABI    string         // "TRUE" or "FALSE" for the C++11 ABI of libstdc++, "" where the tag does not say
}

// buildTag is a shape of local versions.
type buildTag struct {
	Row
	Name     string   `kb:"name,key"`
	Pattern  pattern  `kb:"pattern,required"`
	Example  string   `kb:"example,required"`
	Packages []string `kb:"packages,required"` // that use it
}

type pattern struct{ *regexp.Regexp }

// UnmarshalText compiles a regular expression.
func (p *pattern) UnmarshalText(text []byte) (err error) {
	p.Regexp, err = regexp.Compile(string(text))
	return err
}

var buildTags = csvFile("frameworks/build_tags.csv", checkBuildTags)

// maxTag bounds a local version. The longest known tag has 30 bytes.
const maxTag = 128

// BuildTag reads the local version of a wheel, "cu12torch2.6cxx11abiFALSE". A tag of no known shape is not known, which says nothing
// about the build.
func (b *Base) BuildTag(local string) Answer[BuildTag] {
	t := buildTags.in(b)
	if local == "" || len(local) > maxTag {
		return notFound[BuildTag](t, "no local version of usable length given")
	}
	for _, r := range t.Rows {
		if tag, ok := r.read(local); ok {
			return found(b, t, r.Row, tag)
		}
	}
	return notFound[BuildTag](t, "local version %q has no known shape", local)
}

func (r buildTag) read(local string) (BuildTag, bool) {
	m := r.Pattern.FindStringSubmatch(local)
	if m == nil {
		return BuildTag{}, false
	}
	group := func(name string) string {
		if i := r.Pattern.SubexpIndex(name); i >= 0 {
			return m[i]
		}
		return ""
	}
	tag := BuildTag{Format: r.Name, ABI: strings.ToUpper(group("abi")), CPU: r.Name == "pytorch-cpu"}
	if digits := group("cuda"); digits != "" {
		var ok bool
		if tag.CUDA, ok = version.ParseCUDATag("cu" + digits); !ok {
			tag.CUDA, _ = version.ParseCUDA(digits) // "12", a major
		}
	}
	if digits := group("cudnn"); digits != "" { // each digit is a part: 89, 805
		tag.CUDNN, _ = version.ParseLib(strings.Join(strings.Split(digits, ""), "."))
	}
	if torch := group("torch"); torch != "" {
		if !strings.Contains(torch, ".") { // 26 and 213: the major has one digit
			torch = torch[:1] + "." + torch[1:]
		}
		tag.Torch, _ = version.ParsePEP440(torch)
	}
	return tag, true
}

func checkBuildTags(_ *Base, t *Table[buildTag]) (problems []Problem) {
	for _, r := range t.Rows {
		if _, ok := r.read(r.Example); !ok {
			problems = append(problems, Problem{t.Name, r.Line, fmt.Sprintf("pattern does not match its example %q", r.Example)})
		}
	}
	return problems
}
