package rpmdb

import (
	"bytes"
	"slices"
	"strconv"
)

// Header is a package's header: an index of tags over a data area, all big
// endian (rpm's docs/manual/format_header.md, lib/header.c).
type Header struct {
	index []byte // entries of 16 bytes: tag, type, offset, count
	data  []byte
}

// The tags that are read (rpm's include/rpm/rpmtag.h).
const (
	tagName         = 1000
	tagVersion      = 1001
	tagRelease      = 1002
	tagEpoch        = 1003
	tagArch         = 1022
	tagOldFilenames = 1027 // whole paths, before rpm 4
	tagDirIndexes   = 1116
	tagBaseNames    = 1117
	tagDirNames     = 1118

	typeInt32       = 4
	typeString      = 6
	typeStringArray = 8
	typeI18NString  = 9
)

func parseHeader(blob []byte) (Header, error) {
	if len(blob) < 8 {
		return Header{}, malformed("a package header of %d bytes", len(blob))
	}
	entries, size := int64(be.Uint32(blob)), int64(be.Uint32(blob[4:]))
	if 8+entries*16+size > int64(len(blob)) {
		return Header{}, malformed("a package header of %d bytes claims %d tags and %d bytes of data", len(blob), entries, size)
	}
	return Header{blob[8 : 8+entries*16], blob[8+entries*16 : 8+entries*16+size]}, nil
}

// find returns the data from a tag's offset on, its type and count.
func (h Header) find(tag uint32) (data []byte, typ uint32, count int) {
	for e := h.index; len(e) >= 16; e = e[16:] {
		if be.Uint32(e) != tag {
			continue
		}
		off := int64(be.Uint32(e[8:]))
		if off >= int64(len(h.data)) {
			return nil, 0, 0
		}
		data = h.data[off:]
		// Every element takes at least a byte, so this bounds what follows.
		return data, be.Uint32(e[4:]), int(min(int64(be.Uint32(e[12:])), int64(len(data))))
	}
	return nil, 0, 0
}

func (h Header) text(tag uint32) string {
	data, typ, count := h.find(tag)
	if count == 0 || typ != typeString && typ != typeI18NString && typ != typeStringArray {
		return ""
	}
	s, _, _ := bytes.Cut(data, []byte{0})
	return string(s)
}

func (h Header) texts(tag uint32) []string {
	data, typ, count := h.find(tag)
	if typ != typeStringArray {
		return nil
	}
	list := make([]string, 0, min(count, 4096))
	for range count {
		s, rest, ok := bytes.Cut(data, []byte{0})
		if !ok {
			break
		}
		list = append(list, string(s))
		data = rest
	}
	return list
}

// Name is the package's name; empty in a damaged header.
func (h Header) Name() string { return h.text(tagName) }

// Arch is the package's architecture.
func (h Header) Arch() string { return h.text(tagArch) }

// EVR is [epoch:]version-release.
func (h Header) EVR() string {
	evr := h.text(tagVersion) + "-" + h.text(tagRelease)
	if data, typ, count := h.find(tagEpoch); typ == typeInt32 && count > 0 && len(data) >= 4 {
		if epoch := be.Uint32(data); epoch > 0 {
			evr = strconv.FormatUint(uint64(epoch), 10) + ":" + evr
		}
	}
	return evr
}

// Files lists the paths that the package ships, as the header has them: in a
// damaged one they need not be absolute.
func (h Header) Files() []string {
	bases := h.texts(tagBaseNames)
	if bases == nil {
		return slices.DeleteFunc(h.texts(tagOldFilenames), func(f string) bool { return f == "" })
	}
	dirs := h.texts(tagDirNames)
	indexes, typ, _ := h.find(tagDirIndexes)
	if typ != typeInt32 {
		return nil
	}
	files := make([]string, 0, len(bases))
	for i, base := range bases {
		if len(indexes) < 4*(i+1) {
			break
		}
		d := be.Uint32(indexes[4*i:])
		if int64(d) < int64(len(dirs)) && dirs[d]+base != "" {
			files = append(files, dirs[d]+base)
		}
	}
	return files
}
