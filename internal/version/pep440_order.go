package version

import "strings"

// Bytes of an order key that stand for "absent" before or after what may be
// present, and for the kinds of part in a local version.
const (
	keyFirst   = 0x00
	keyPresent = 0x01
	keyNumber  = 0x02 // after keyPresent: a number follows letters in a local version
	keyLast    = 0xff
)

// keyEnds are the lengths of the prefixes of an order key that reach to the end
// of the named segment.
type keyEnds struct {
	release, pre, post int
	public             int // all but the local version
}

// orderKey encodes v so that byte order is version order. A key makes PEP440
// comparable, safe to share, and cheap to sort.
func orderKey(v PEP440) (string, keyEnds) {
	var ends keyEnds
	k := appendNumber(make([]byte, 0, 32), v.epochText())
	for part := range strings.SplitSeq(trimZeros(v.releaseText()), ".") {
		k = appendNumber(append(k, keyPresent), part)
	}
	k = append(k, keyFirst)
	ends.release = len(k)

	post, hasPost := after(v.Public(), ".post")
	dev, hasDev := after(v.Public(), ".dev")
	switch pre := v.preText(); {
	case pre != "":
		letters := strings.TrimRight(pre, "0123456789") // a, b or rc: already in order
		k = appendNumber(append(k, letters[0]), pre[len(letters):])
	case hasDev && !hasPost: // 1.0.dev1 comes before 1.0a1
		k = append(k, keyFirst)
	default:
		k = append(k, keyLast)
	}
	ends.pre = len(k)
	if hasPost {
		k = appendNumber(append(k, keyPresent), post)
	} else {
		k = append(k, keyFirst)
	}
	ends.post = len(k)
	if hasDev {
		k = appendNumber(append(k, keyPresent), dev)
	} else {
		k = append(k, keyLast)
	}
	ends.public = len(k)

	if local := v.Local(); local != "" {
		for part := range strings.SplitSeq(local, ".") {
			if digits(part) == len(part) {
				k = appendNumber(append(k, keyNumber), part)
			} else {
				k = append(append(append(k, keyPresent), part...), keyFirst)
			}
		}
	}
	return string(append(k, keyFirst)), ends
}

// appendNumber writes the count of significant digits first, so that a longer
// number sorts later. maxLen keeps the count within a byte.
func appendNumber(k []byte, num string) []byte {
	num = strings.TrimLeft(num, "0")
	return append(append(k, byte(len(num))), num...)
}

// trimZeros drops trailing zero parts: 1.0 and 1 are the same release.
func trimZeros(release string) string {
	for {
		short, ok := strings.CutSuffix(release, ".0")
		if !ok {
			return release
		}
		release = short
	}
}

// after returns the digits that follow the marker in a normal form.
func after(public, marker string) (num string, ok bool) {
	_, rest, ok := strings.Cut(public, marker)
	return rest[:digits(rest)], ok
}
