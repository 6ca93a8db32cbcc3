package dump

import (
	"strings"

	"strata/internal/lazyregexp"
)

// gpuName notes the GPU of a key that could hold other things too.
func gpuName(r *reading, p *pair, rank Rank) bool { return r.gpu(p, rank, false) }

// gpuSure notes the GPU of a key that holds nothing else.
func gpuSure(r *reading, p *pair, rank Rank) bool { return r.gpu(p, rank, true) }

// gpuNamed notes the GPU of a key that names any kind of thing.
func gpuNamed(r *reading, p *pair, rank Rank) bool {
	return vendorHead.MatchString(p.value) && !board.MatchString(p.value) && r.gpu(p, rank, true)
}

var (
	// (arch=7.5) of detectron2, (CC=7.5) of CTranslate2, "| SM89 |" of the cuDNN frontend, [75] behind a name
	inBrackets  = lazyregexp.New(`\((?:arch|CC|cc|sm)[=: ](\d{1,2}\.\d)|\b(?:SM|sm)_?(\d{2,3})\b|(?:\[|\barch:)(\d{2,3})(?:\](?: |$)| mem:)`)
	numberAlone = lazyregexp.New(`^(10[5-8]0|16[56]0|20[6-8]0|30[5-9]0|40[5-9]0|50[5-9]0)(?: ?[Tt][Ii])?(?: [Ss][Uu][Pp][Ee][Rr])?(?: [Ll]aptop(?: GPU)?)?$`)
	driverTail  = lazyregexp.New(`(?:  |\()(\d{3}\.\d{2,3}(?:\.\d{2})?)\)?$`)
	torchDevice = lazyregexp.New(`^cuda:\d (?:NVIDIA|GeForce|Tesla|Quadro|TITAN) \S|^(?:NVIDIA|GeForce|Tesla|Quadro|TITAN) .* \(cuda:\d\)`)
	vendorHead  = lazyregexp.New(`^(?:NVIDIA|GeForce|Tesla|Quadro|TITAN|GRID) \S`)
	board       = lazyregexp.New(`(?i)corporation$|developer kit|module|driver|control panel|physx|nvlink|audio|installer|experience|container|display|framework|toolkit|cuda|persistence|release`)
)

// modelList are the names of "NVIDIA H100, NVIDIA H100"; nil where a value is no such list.
func modelList(s string) []string {
	if !strings.Contains(s, ", ") {
		return nil
	}
	parts := strings.Split(s, ", ")
	for i, part := range parts {
		if !vendorHead.MatchString(part) {
			return nil
		}
		if parts[i], _ = modelName(part, false); parts[i] == "" {
			return nil
		}
	}
	return parts
}

func (r *reading) gpu(p *pair, rank Rank, sure bool) bool {
	value, ids := busHead.ReplaceAllString(p.value, ""), numbers(p.key)
	if k, v, ok := strings.Cut(value, ":"); ok && len(k) <= 80 { // "GPU 0: Tesla T4" as a value, "cuda:0 Tesla T4"
		if inner := numbers(k); inner != nil && hasLetters(v) {
			value, ids = strings.TrimSpace(v), inner
		} else if len(k) <= 2 && isDigits(k) { // 0: NVIDIA GeForce RTX 2080 Ti
			value, ids = strings.TrimSpace(v), []int{atoi(k)}
		}
	}
	if m := torchDevice.FindStringSubmatch(value); m != nil { // cuda:0 NVIDIA A10 : native, which PyTorch prints of what it uses
		availability(r, true, p, Prose)
	}
	value = strings.TrimPrefix(strings.TrimPrefix(value, "cuda:0 "), "cuda ")
	if size, rest, ok := strings.Cut(value, " | "); ok && isDigit(size[0]) && memoryOf(size) > 0 { // 11177MB | GeForce GTX 1080 Ti
		value = rest
	}
	if n, rest, ok := strings.Cut(value, ", "); ok && len(n) <= 2 && isDigits(n) && ids == nil { // Device: 0, NVIDIA A100-SXM4-40GB
		value, ids = rest, []int{atoi(n)}
	}
	if strings.HasSuffix(value, ", skipped") { // hashcat finds it again by another interface
		return true
	}
	if strings.HasPrefix(value, "[PhysicalDevice(") && strings.Contains(value, ":GPU:") || value == "[]" { // TensorFlow's list
		return availability(r, strings.Contains(value, "GPU:"), p, rank)
	}
	if r.none[value] {
		return false
	}
	if names := modelList(value); names != nil {
		for i, n := range names {
			r.d.name(listKey(p.key), n, i, true, rank, p.line, r.f.At(p.line, p.text))
		}
		return true
	}
	if m := numberAlone.FindStringSubmatch(value); m != nil { // 3090, 4060 Ti
		value = series(m[1]) + value
	}
	name, count := modelName(value, sure)
	if name == "" {
		if len(r.none) < 256 {
			r.none[value] = true
		}
		return false
	}
	if rank <= Keyed {
		name = withoutSize(name)
	}
	if m := driverTail.FindStringSubmatch(p.value); m != nil { // NVIDIA GeForce GTX 1650 (3.62 GiB)  550.90.07
		r.set(&r.f.rec.Driver, driverOf(m[1]), p, min(rank, Keyed))
	}
	list := listKey(p.key)
	if p.index >= 0 {
		list += " of a list"
	}
	from := r.f.At(p.line, p.text)
	if p.index >= 0 && ids == nil && count == 1 {
		ids = []int{p.index}
	}
	if ids == nil && count == 1 {
		ids = []int{-1}
	}
	for n := range count {
		if ids == nil {
			r.d.name(list, name, n, true, rank, p.line, from)
		}
	}
	for _, id := range ids {
		r.d.name(list, name, id, r.bus, rank, p.line, from)
	}
	r.bus = false
	if m := memoryOf(p.value); m > 0 {
		for _, id := range ids {
			r.d.attribute(id, m, "", p.line, from)
		}
	}
	if i := strings.Index(lowerASCII(p.value), "capability"); i > 0 {
		for _, id := range ids {
			r.d.attribute(id, 0, capabilityOf(strings.TrimLeft(p.value[i+len("capability"):], " :=")), p.line, from)
		}
	} else if m := inBrackets.FindStringSubmatch(p.value); m != nil {
		for _, id := range ids {
			r.d.attribute(id, 0, capabilityOf(m[1]+m[2]+m[3]), p.line, from)
		}
	}
	return true
}

// listKey is a key without its number: all GPUs of one program's list have it.
func listKey(key string) string {
	return strings.Map(func(c rune) rune {
		if '0' <= c && c <= '9' || c == ',' {
			return -1
		}
		return c
	}, keyOf(key))
}

func (r *reading) index(p *pair) int {
	if ids := numbers(p.key); len(ids) > 0 {
		return ids[0]
	}
	return p.index
}

func gpuMemory(r *reading, p *pair, rank Rank) bool {
	m := memoryOf(p.value)
	if key := keyOf(p.key); m == 0 && (strings.HasSuffix(key, "mib") || strings.HasSuffix(key, "mb")) || m == 0 && strings.HasPrefix(p.key, "nvidia.com/gpu") {
		m = atoi(p.value)
	}
	if m == 0 {
		return false
	}
	r.d.attribute(r.index(p), m, "", p.line, r.f.At(p.line, p.text))
	return true
}

// memoryOfGPU takes a total under a heading that a GPU's memory and the host's
// both have: only below a word for GPUs.
func memoryOfGPU(r *reading, p *pair, rank Rank) bool {
	for _, h := range p.path {
		if h = lowerASCII(h); strings.Contains(h, "gpu") || strings.Contains(h, "device") || strings.Contains(h, "cuda") || strings.Contains(h, "nvidia") {
			return gpuMemory(r, p, rank)
		}
	}
	return true // the host's, so that no other meaning is looked for
}

func capability(r *reading, p *pair, rank Rank) bool {
	cc := capabilityOf(p.value)
	if cc == "" {
		return false
	}
	ids := numbers(p.key)
	if len(ids) < 2 {
		ids = []int{r.index(p)}
	}
	for _, id := range ids {
		r.d.attribute(id, 0, cc, p.line, r.f.At(p.line, p.text))
	}
	return true
}

// capabilityPart is one of the two numbers of a compute capability, which OpenCL's lists have under a key each.
func capabilityPart(r *reading, p *pair, _ Rank) bool {
	if !isDigits(p.value) || len(p.value) > 2 {
		return false
	}
	if strings.Contains(keyOf(p.key), "major") {
		r.major, r.majorLine = p.value, p.line
		return true
	}
	if r.major == "" || p.line-r.majorLine > 3 {
		return false
	}
	r.d.attribute(r.index(p), 0, capabilityOf(r.major+"."+p.value), p.line, r.f.At(p.line, p.text))
	r.major = ""
	return true
}

func available(r *reading, p *pair, rank Rank) bool {
	v, _, _ := strings.Cut(lowerASCII(p.value), " ")
	switch strings.Trim(v, ".,;'\"`()[]!") {
	case "true", "yes", "available", "ok", "y", "[ok]":
		return availability(r, true, p, rank)
	case "false", "no", "unavailable", "none", "n", "[no]":
		return availability(r, false, p, rank)
	case "not":
		return strings.HasPrefix(lowerASCII(p.value), "not ") && availability(r, false, p, rank)
	}
	return false
}

// torchCUDA is "torch cuda": the release that PyTorch was built for, whether it
// can be used, or both: 11.8 / is available.
func torchCUDA(r *reading, p *pair, rank Rank) bool {
	version, word, _ := strings.Cut(p.value, " / ")
	if !builtTorch(r, &pair{value: version, line: p.line, text: p.text}, rank) {
		return available(r, p, rank)
	}
	q := *p
	q.value = strings.TrimPrefix(word, "is ")
	available(r, &q, rank)
	return true
}

// provider is what a program's configuration asks ONNX Runtime for. A list of
// the providers that a build has is none.
func provider(r *reading, p *pair, rank Rank) bool {
	v := strings.TrimSuffix(lowerASCII(p.value), "executionprovider")
	if v != "cpu" && v != "cuda" && v != "tensorrt" {
		return false
	}
	if v == "cpu" { // which is one of the words for nothing
		if !r.f.rec.Provider.Known() {
			r.f.rec.Provider = Value{Text: v, From: r.f.At(p.line, p.text), Rank: rank}
		}
		return true
	}
	return r.set(&r.f.rec.Provider, v, p, rank)
}

// availability notes whether a program could use the GPU.
func availability(r *reading, yes bool, p *pair, rank Rank) bool {
	word := "unavailable" // "false" would be one of the words for nothing
	if yes {
		word = "true"
	}
	return r.set(&r.f.rec.GPUAvailable, word, p, rank)
}

// gpuCount is how many there are of the GPU that a report names once.
func gpuCount(r *reading, p *pair, rank Rank) bool {
	if !deviceCount(r, p, rank) {
		return false
	}
	if n := atoi(p.value); r.d.count == 0 && n > 1 && n <= 16 {
		r.d.count = n
	}
	return true
}

// deviceCount notes that there are GPUs, or none; TensorFlow's tutorial prints a number.
func deviceCount(r *reading, p *pair, rank Rank) bool {
	if p.value == "" || !isDigit(p.value[0]) || len(p.value) > 2 {
		return false
	}
	return availability(r, atoi(p.value) > 0, p, Prose)
}
