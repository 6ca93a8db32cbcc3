package dump

import (
	"strings"

	"strata/internal/lazyregexp"
	"strata/internal/transcript"
)

// gpuWord is a GPU of NVIDIA's in a sentence. Short names, T4 or A10, need the
// vendor or the word GPU beside them, since other things are called so.
var gpuWord = lazyregexp.New(`(?:(\d{1,2}) ?[x×*] ?|(\d) (?:of )?|\b([Dd]ual|[Tt]wo|[Ff]our|[Ee]ight) )?` +
	`((?:NVIDIA |Nvidia |nvidia )?(?:` +
	`(?:GeForce |Geforce )?(?:RTX|GTX|rtx|gtx) ?\d{3,4}(?:M\b)?(?: ?(?:Ti|TI|ti))?(?: ?(?:SUPER|Super))?(?: D\b)?(?: (?:Laptop(?: GPU)?|Mobile|Max-Q))?` +
	`|RTX ?A\d{4}(?: Ada)?|RTX (?:PRO )?\d{4}(?: Ada(?: Generation)?| Blackwell(?: (?:Workstation|Server|Max-Q Workstation) Edition)?)` +
	`|(?:GeForce|Geforce) (?:GT|GTS|MX)? ?\d{3,4}(?:MX?\b)?` +
	`|(?:Tesla|Quadro|QUADRO|quadro)[ -](?:RTX |FX |NVS |GV|GP)?[A-Za-z]?\d{1,4}[A-Zcmtx]{0,2}(?:-(?:SXM\d|PCI[eE])(?:-\d{2}GB)?)?` +
	`|(?:A100|A800|H100|H800|H200|B100|B200|B300|GB200|GB300|GH200|V100S?|L40S?|A6000|A10G)(?:[ -](?:SXM\d?|PCI[eE]|NVL|\d{2,3} ?GB|HBM\d?e?))*` +
	`|T[Ii][Tt][Aa][Nn] (?:RTX|V|Xp|X)` +
	`|Jetson (?:AGX |Orin |Xavier )?(?:Orin|Xavier|NX|Nano|TX[12]|Thor)(?: (?:NX|Nano|AGX))?|DGX Spark` +
	`)|(?:NVIDIA |Nvidia |nvidia )(?:T4G?|L4|A10|A16|A2|A30|A40|P4|P40|P100|M60|M40|K80|K40|L20|H20|T1000|T600)` +
	`|(?:T4|L4|A10|A16|A30|A40|P40|P100|K80|M60) GPUs?)`)

// gpuHints is one word of each form of gpuWord, in lower case; shortHints are
// those that mean a GPU beside its vendor or the word only.
var (
	gpuHints   = strings.Fields("rtx gtx geforce tesla quadro titan jetson dgx a100 a800 h100 h800 h200 b100 b200 b300 gb200 gb300 gh200 v100 l40 a6000 a10g")
	shortHints = strings.Fields("t4 l4 a10 a16 a2 a30 a40 p4 m60 m40 k80 k40 l20 h20 p100 t1000 t600")
)

// gpuHinted tells whether a line in lower case can name a GPU.
func gpuHinted(lower string) bool {
	return hasAny(lower, gpuHints) || hasBareNumber(lower) || (strings.Contains(lower, "nvidia ") || strings.Contains(lower, " gpu")) && hasAny(lower, shortHints)
}

// hasBareNumber tells whether one of bareNumbers stands by itself, and not within a longer number.
func hasBareNumber(s string) bool {
	for _, n := range bareNumbers {
		for at := 0; ; {
			i := strings.Index(s[at:], n)
			if i < 0 {
				break
			}
			i += at
			at = i + len(n)
			if (i == 0 || !isDigit(s[i-1])) && (at == len(s) || !isDigit(s[at])) {
				return true
			}
		}
	}
	return false
}

// bareGPU is a GeForce by its number alone: a 4060 Ti, my 3090, the 5080 GPU.
var bareGPU = lazyregexp.New(`(?:\b(?i:an?|my|our|the|nvidia) |显卡(?:是|型号)?[ ：:]?|\b(?i:gpu) ?(?:is |[:：=]?) ?)((?:10[5-8]|16[56]|20[6-8]|30[5-9]|40[5-9]|50[5-9])0(?: ?(?i:ti)(?: (?i:super))?| (?i:super)|\b(?: (?:GPU|card|laptop|graphics)\b|[,.;)](?:\s|$)|[，。；、）]|$)))`)

var bareTail = lazyregexp.New(` (?:GPU|card|laptop|graphics)$`)

var bareNumbers = strings.Fields("1050 1060 1070 1080 1650 1660 2060 2070 2080 3050 3060 3070 3080 3090 4050 4060 4070 4080 4090 5050 5060 5070 5080 5090")

// gpuUnsaid are words before a GPU that make it another machine's.
var gpuUnsaid = lazyregexp.New(`(?i)\b(?:than|e\.g\.?|such as|like|instead of|work(?:s|ed|ing)?(?: \w+)? (?:on|with)|tested (?:on|with)|supports?|supported|another|other|previous|old|if|requires?|needs?|recommended|compared? (?:to|with)|vs\.?|versus|or)[\w ]{0,16}$`)

// gpuRefused are words before a GPU that something does not work on: it is this one.
var gpuRefused = lazyregexp.New(`(?i)(?:n't|\bnot|\bnever|\bcannot|\bfails? to|\bunable to)(?: yet| officially)? (?:work|run|support)\w*(?: \w+)?(?: (?:on|with))?[\w ]{0,16}$`)

var orBetter = lazyregexp.New(`(?i)^ ?(?:\+|or (?:better|newer|higher|later|above|equivalent|similar)|\(?recommended|is (?:required|recommended))`)

// series is what stands before the number of a GeForce in its name.
func series(number string) string {
	if number[0] == '1' {
		return "GTX "
	}
	return "RTX "
}

// gpusOf are the GPUs that a line of prose names.
func gpusOf(f *Facts, l transcript.Line) (list []GPU) {
	line := l.Text
	if m := bareGPU.FindStringSubmatch(line); m != nil && !gpuWord.MatchString(line) {
		return []GPU{{Name: series(m[1]) + strings.TrimRight(bareTail.ReplaceAllString(m[1], ""), " .,;)，。；、）"), From: f.At(l.N, line)}}
	}
	unsaid, upTo := strings.Index(line, "(e.g"), 0 // a template's examples
	if unsaid >= 0 {
		upTo = unsaid + strings.IndexByte(line[unsaid:]+")", ')')
	}
	for _, m := range gpuWord.FindAllStringSubmatchIndex(line, 6) {
		from, to := m[8], m[9]
		if from > unsaid && from < upTo {
			continue
		}
		if from > 0 && strings.IndexByte("/-_.=@", line[from-1]) >= 0 || m[0] > 0 && isWord(line[m[0]-1]) {
			continue
		}
		if to < len(line) && (strings.IndexByte("_/=-", line[to]) >= 0 || isWord(line[to]) && line[to] != '.') {
			continue
		}
		if before := line[max(0, m[0]-40):m[0]]; gpuUnsaid.MatchString(before) && !gpuRefused.MatchString(before) || orBetter.MatchString(line[to:]) {
			continue
		}
		count := 1
		switch {
		case m[2] >= 0:
			count = atoi(line[m[2]:m[3]])
		case m[4] >= 0:
			count = atoi(line[m[4]:m[5]])
		case m[6] >= 0:
			count = map[string]int{"dual": 2, "two": 2, "four": 4, "eight": 8}[lowerASCII(line[m[6]:m[7]])]
		}
		name := strings.TrimSpace(line[from:to])
		if !strings.HasSuffix(name, "Laptop GPU") {
			name = strings.TrimSuffix(strings.TrimSuffix(name, " GPUs"), " GPU")
		}
		name = spaced.ReplaceAllString(name, "$1 $2")
		for range max(1, min(count, 16)) {
			list = append(list, GPU{Name: name, From: f.At(l.N, line)})
		}
	}
	return list
}

// spaced puts the space into RTX4090, as the driver writes the name.
var spaced = lazyregexp.New(`\b(RTX|GTX|rtx|gtx)(A?\d)`)
