package library

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"strata/internal/elfx"
	"strata/internal/machine"
)

// linkFault words why a path leads nowhere.
func linkFault(m *machine.Machine, name string, err error) string {
	if errors.Is(err, fs.ErrNotExist) {
		if target, lerr := m.ReadLink(name); lerr == nil {
			return fmt.Sprintf("broken link: its target %s does not exist", target)
		}
		return "file does not exist"
	}
	return openFault(err)
}

func openFault(err error) string {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		err = pe.Err
	}
	if errors.Is(err, fs.ErrPermission) {
		return "permission denied"
	}
	return err.Error()
}

// contentFault words what is wrong inside a file. The loader tells these
// apart too: it stops at a file that is not ELF, where it would pass over one
// of another machine.
func contentFault(r io.ReaderAt, size int64, err error) string {
	switch {
	case size == 0:
		return "empty file"
	case errors.Is(err, elfx.ErrNotELF), errors.Is(err, elfx.ErrTooShort):
		head := make([]byte, min(size, 256))
		n, _ := r.ReadAt(head, 0)
		if what := describe(head[:n]); what != "" {
			return "not an ELF file: " + what
		}
		if errors.Is(err, elfx.ErrTooShort) {
			return fmt.Sprintf("truncated: %d bytes are too short for an ELF file", size)
		}
		return "not an ELF file"
	case errors.Is(err, elfx.ErrTruncated):
		return "truncated: " + strings.TrimPrefix(err.Error(), elfx.ErrTruncated.Error()+": ")
	}
	return err.Error()
}

// describe says what stands where a library should be: what a download or a
// checkout leaves behind when it went wrong.
func describe(head []byte) string {
	text := strings.ToLower(string(bytes.TrimSpace(head)))
	switch {
	case strings.HasPrefix(text, "version https://git-lfs.github.com/"):
		return "a Git LFS pointer; the library itself was not fetched"
	case strings.HasPrefix(text, "/* gnu ld script"), strings.HasPrefix(text, "input("), strings.HasPrefix(text, "input ("),
		strings.HasPrefix(text, "group("), strings.HasPrefix(text, "group ("):
		return "a linker script, for building only"
	case strings.HasPrefix(text, "<!doctype html"), strings.HasPrefix(text, "<html"):
		return "an HTML page"
	case strings.HasPrefix(text, "xsym"), strings.HasPrefix(text, "!<symlink>"):
		return "a symbolic link saved as a file"
	case bytes.HasPrefix(head, []byte{0x1f, 0x8b}), bytes.HasPrefix(head, []byte("PK\x03\x04")):
		return "a compressed archive"
	case bytes.HasPrefix(head, []byte("!<arch>\n")):
		return "a static library"
	case len(bytes.Trim(head, "\x00")) == 0:
		return "nothing but NUL bytes"
	case isLinkText(head):
		return "a text file that names another library: a link that was copied as a file"
	}
	return ""
}

// isLinkText recognises what a copy over a file system without links, or a
// Git checkout with core.symlinks off, makes of a link: a file whose whole
// text is the target.
func isLinkText(head []byte) bool {
	_, _, ok := cut(string(bytes.TrimSpace(head[bytes.LastIndexByte(head, '/')+1:])))
	return ok
}
