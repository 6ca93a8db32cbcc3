package python

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"path"
	"strings"

	"strata/internal/machine"
	"strata/internal/redact"
)

// metadata is the head of a METADATA file
// (https://packaging.python.org/en/latest/specifications/core-metadata/).
type metadata struct {
	name, version, python string
	requires              []string
}

const (
	// firstHead holds the headers of nearly every package; the description
	// below them, often ten times as long, is left alone.
	firstHead = 8 << 10
	// maxHead is far above the longest headers met (vLLM's, some 30 KB).
	maxHead = 1 << 20
	// maxRequires bounds the dependencies kept; the most met are some 400.
	maxRequires = 2000
	// maxField bounds one value: the License field may hold a whole licence text.
	maxField = 1000
)

func readMetadata(m *machine.Machine, name string) (metadata, error) {
	for _, limit := range []int64{firstHead, maxHead} {
		data, more, err := m.ReadHead(name, limit)
		if err != nil {
			return metadata{}, err
		}
		if bytes.IndexByte(data, 0) >= 0 {
			return metadata{}, fmt.Errorf("not a text file: it holds NUL bytes")
		}
		if head, ended := headers(data); ended || !more {
			md := parseMetadata(head)
			if md.name == "" && md.version == "" {
				return md, fmt.Errorf("no Name and no Version in its headers")
			}
			return md, nil
		}
	}
	return metadata{}, fmt.Errorf("its headers do not end within %d bytes", int64(maxHead))
}

// headers cuts off what follows the first blank line.
func headers(data []byte) (head []byte, ended bool) {
	i := bytes.Index(data, []byte("\n\n"))
	if j := bytes.Index(data, []byte("\n\r\n")); j >= 0 && (i < 0 || j < i) {
		i = j
	}
	if i < 0 {
		return data, false
	}
	return data[:i+1], true
}

// parseMetadata reads headers. Continuation lines belong to long texts
// (License, Description), none of which is wanted, and are passed over.
func parseMetadata(head []byte) metadata {
	var md metadata
	for line := range strings.Lines(string(head)) {
		key, value, ok := strings.Cut(line, ":")
		if !ok || line[0] == ' ' || line[0] == '\t' {
			continue
		}
		value = clip(value)
		switch strings.ToLower(key) {
		case "name":
			md.name = value
		case "version":
			md.version = value
		case "requires-python":
			md.python = value
		case "requires-dist":
			if len(md.requires) < maxRequires {
				md.requires = append(md.requires, value)
			}
		}
	}
	return md
}

func clip(s string) string {
	s = strings.TrimSpace(s)
	if len(s) > maxField {
		s = s[:maxField]
	}
	return strings.ToValidUTF8(s, "\uFFFD")
}

// parseWheelTags reads the Tag lines of a WHEEL file: cp311-cp311-manylinux_2_28_x86_64.
func parseWheelTags(text string) []string {
	var tags []string
	for line := range strings.Lines(text) {
		if value, ok := strings.CutPrefix(line, "Tag:"); ok && len(tags) < 64 {
			tags = append(tags, clip(value))
		}
	}
	return tags
}

// parseDirectURL reads where a package was installed from, where that was no
// index (PEP 610), without the secrets such URLs may hold; and, of an editable
// install, the directory that is used in place.
func parseDirectURL(data []byte) (origin, tree string) {
	var d struct {
		URL string `json:"url"`
		Dir struct {
			Editable bool `json:"editable"`
		} `json:"dir_info"`
	}
	if json.Unmarshal(data, &d) != nil {
		return "", ""
	}
	if u, err := url.Parse(d.URL); err == nil && d.Dir.Editable && u.Scheme == "file" && path.IsAbs(u.Path) {
		tree = path.Clean(u.Path)
	}
	return redact.Line(clip(d.URL)), tree
}
