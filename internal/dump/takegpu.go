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
	// (arch=7.5) of detectron2, (CC=7.5) of CTranslate2, "| SM89 |" of the cuDNN frontend
	inBrackets = lazyregexp.New(`\((?:arch|CC|cc|sm)[=: ](\d{1,2}\.\d)|\b(?:SM|sm)_?(\d{2,3})\b`)
	vendorHead = lazyregexp.New(`^(?:NVIDIA|GeForce|Tesla|Quadro|TITAN|GRID) \S`)
	board      = lazyregexp.New(`(?i)corporation$|developer kit|module|driver|control panel|physx|nvlink|audio|installer|experience|container|display|framework|toolkit|cuda|persistence|release`)
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
	value, ids := p.value, numbers(p.key)
	if k, v, ok := strings.Cut(value, ":"); ok && len(k) <= 80 { // "GPU 0: Tesla T4" as a value, "cuda:0 Tesla T4"
		if inner := numbers(k); inner != nil && hasLetters(v) {
			value, ids = strings.TrimSpace(v), inner
		}
	}
	value = strings.TrimPrefix(strings.TrimPrefix(value, "cuda:0 "), "cuda ")
	if r.none[value] {
		return false
	}
	if names := modelList(value); names != nil {
		for i, n := range names {
			r.d.name(listKey(p.key), n, i, true, rank, p.line, r.f.At(p.line, p.text))
		}
		return true
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
	list := listKey(p.key)
	if p.index >= 0 {
		list += " of a list"
	}
	from := r.f.At(p.line, p.text)
	if p.index >= 0 && ids == nil {
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
			r.d.attribute(id, 0, capabilityOf(m[1]+m[2]), p.line, from)
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
	if m == 0 && strings.HasSuffix(keyOf(p.key), "mib") || m == 0 && strings.HasPrefix(p.key, "nvidia.com/gpu") {
		m = atoi(p.value)
	}
	if m == 0 {
		return false
	}
	r.d.attribute(r.index(p), m, "", p.line, r.f.At(p.line, p.text))
	return true
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

// availability notes whether a program could use the GPU.
func availability(r *reading, yes bool, p *pair, rank Rank) bool {
	word := "unavailable" // "false" would be one of the words for nothing
	if yes {
		word = "true"
	}
	return r.set(&r.f.rec.GPUAvailable, word, p, rank)
}

// deviceCount notes that there are GPUs, or none; TensorFlow's tutorial prints a number.
func deviceCount(r *reading, p *pair, rank Rank) bool {
	if p.value == "" || !isDigit(p.value[0]) || len(p.value) > 2 {
		return false
	}
	return availability(r, atoi(p.value) > 0, p, Prose)
}
