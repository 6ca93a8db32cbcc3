package dump

import (
	"strings"

	"strata/internal/lazyregexp"
)

// modelForm are words that NVIDIA's GPU names have.
var modelForm = lazyregexp.New(`(?i)\b(?:nvidia|geforce|tesla|quadro|titan|jetson|(?:RTX|GTX|GTS|MX|GT) ?-?(?:PRO |A)?\d{3,4}(?:ti|super)?|RTX[- ]?A?\d{4}|[AHLBTVPKM]\d{1,3}[GSM]?|GB\d{3}|GH\d{3}|GB10|DGX|Orin|Xavier|Thor|NVS|GRID|CMP \d+HX|A800|H800|H20|L20|L2|B300)\b`)

// otherVendor are graphics that are not NVIDIA's. A laptop's report names both.
var otherVendor = lazyregexp.New(`(?i)\b(?:intel|amd|radeon|ati|advanced micro|llvmpipe|matrox|aspeed|microsoft|apple|virtio|vmware|qxl|cirrus|softpipe|gfx\d+|instinct|mi\d{3}x?)\b`)

// uuidTail, sizeTail and the like stand behind a name in one program's list or another's.
var (
	nameTail  = lazyregexp.New(`(?i)\s*(?:[(\[,;|@]|/PCIe|\bwith (?:compute|CUDA)\b|\bcompute cap| - \d| \d+/\d+ ?MHz|: cudaMalloc|: native|\bVRAM\b|\bMax memory\b).*$`)
	timesHead = lazyregexp.New(`^(?:\()?(\d{1,2})\s*(?:x|X|×|\*)\s*`)
	timesTail = lazyregexp.New(`\s*(?:\(?[x×*]\s*(\d{1,2})\)?|\(?(\d{1,2})x\)?)$`)
	countTail = lazyregexp.New(`[,(] ?(\d{1,2}) (?:GPUs?|gpus?|cards?|devices?)\b`)
	countHead = lazyregexp.New(`^(\d{1,2}) ((?:NVIDIA|GeForce|Tesla|Quadro|RTX|GTX|TITAN) \S.*|[AHVLTB]\d{1,3}S?\b.*)$`)
	sizeTail  = lazyregexp.New(`(?i)\s+\(?\d{1,3} ?(?:G|GB|GiB|Go)(?: (?:VRAM|memory|RAM|OC(?: Edition)?))?\)?$`)
	busInside = lazyregexp.New(`\b[0-9A-Fa-f]{2}:[0-9A-Fa-f]{2}\.[0-9A-Fa-f]\b`)
	busHead   = lazyregexp.New(`^(?:#\d+ )?(?:[0-9A-Fa-f]{4,8}:)?[0-9A-Fa-f]{2}:[0-9A-Fa-f]{2}\.[0-9A-Fa-f]\s+`)
	bracketed = lazyregexp.New(`\[((?:GeForce|Quadro|Tesla|TITAN|NVIDIA|RTX|GTX|[ALHTVPKB]\d)[^\]]*)\]`)
)

// modelName is the name of a GPU as the programs of NVIDIA write it, without
// what a list or a person put around it, and how many there are of it. "" is a
// value that names no GPU of NVIDIA's. sure says that the key can only hold a
// GPU's name; else the value must have a word that names of NVIDIA's have.
func modelName(s string, sure bool) (name string, count int) {
	count = 1
	if s = trimMarks(s); len(s) > 200 || !sure && !modelForm.MatchString(s) {
		return "", 0
	}
	s = strings.TrimSpace(busHead.ReplaceAllString(s, ""))
	if rest, ok := strings.CutPrefix(s, "NVIDIA Corporation "); ok && vendorHead.MatchString(rest) {
		s = rest
	}
	if m := bracketed.FindStringSubmatch(s); m != nil { // pci.ids: GA102 [GeForce RTX 3090]
		s = m[1]
	}
	if m := timesHead.FindStringSubmatch(s); m != nil {
		count, s = atoi(m[1]), s[len(m[0]):]
	}
	if m := timesTail.FindStringSubmatch(s); m != nil && count == 1 && strings.HasSuffix(s[:len(s)-len(m[0])], ")") { // TITAN RTX (24 GB) x 2
		count, s = atoi(m[1]+m[2]), s[:len(s)-len(m[0])]
	}
	if m := countTail.FindStringSubmatch(s); m != nil && count == 1 { // NVIDIA A100-SXM4-40GB, 8 GPUs
		count = atoi(m[1])
	} else if m := countHead.FindStringSubmatch(s); m != nil && count == 1 { // 4 Tesla T4
		count, s = atoi(m[1]), m[2]
	}
	s = nameTail.ReplaceAllString(s, "")
	if m := timesTail.FindStringSubmatch(s); m != nil && count == 1 {
		count, s = atoi(m[1]+m[2]), s[:len(s)-len(m[0])]
	}
	s = strings.Trim(trimMarks(s), ".:,;- ")
	if s == "" || len(s) > 64 || strings.HasPrefix(s, "NVIDIA-SMI") || strings.Contains(s, ":") && busInside.MatchString(s) || Nothing(s) || otherVendor.MatchString(s) || !hasLetters(s) || count < 1 || count > 32 {
		return "", 0
	}
	if !sure && !modelForm.MatchString(s) || len(strings.Fields(s)) > 8 || strings.ContainsAny(s, "=<>{}") {
		return "", 0
	}
	switch lowerASCII(s) {
	case "yes", "no", "true", "false", "nvidia", "cuda", "gpu", "nvidia gpu", "nvidia corporation", "geforce", "available", "default", "auto", "all", "nvidia-smi",
		"enabled", "disabled", "tesla", "quadro", "jetson", "nvidia cuda", "gpu0", "cuda0", "ok", "nvidia driver":
		return "", 0
	}
	return s, count
}

// withoutSize is a name without a size that a person wrote behind it. NVIDIA's
// own names have sizes too, "Tesla V100-PCIE-32GB", joined by dashes or before
// the name of a memory.
func withoutSize(s string) string {
	short := sizeTail.ReplaceAllString(s, "")
	low := lowerASCII(s)
	if short == s || strings.Contains(low, "a100") || strings.Contains(low, "h100") || strings.Contains(low, "v100") || strings.Contains(low, "p100") || strings.Contains(low, "1060") || strings.Contains(low, "gh200") || strings.Contains(low, "orin") {
		return s
	}
	return short
}

func atoi(s string) int {
	n := 0
	for i := 0; i < len(s) && i < 9; i++ {
		if !isDigit(s[i]) {
			return 0
		}
		n = n*10 + int(s[i]-'0')
	}
	return n
}
