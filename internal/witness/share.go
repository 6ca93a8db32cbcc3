package witness

import (
	"crypto/rand"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// forUsers makes a folder inside one of root's where a process that becomes another user can write, as the entry points of many
// containers do: where its linker cannot, it writes to the command's own output. The folder without that, where it cannot be made.
//
// Who is no process of the command does not find it: its name cannot be listed or guessed. Who does, cannot have root's
// linker write elsewhere by a link: that is what the sticky bit is for (proc(5), protected_symlinks).
func forUsers(dir string) string {
	shared := filepath.Join(dir, rand.Text())
	if err := os.Mkdir(shared, 0o700); err != nil {
		return dir
	}
	// The file that root's process began is written on under the same number after a change of user. A default ACL (acl(5)) of rw for all stands
	// instead of the umask: version 2, then tag, permissions and no number for owner, group and others.
	acl := []byte{2, 0, 0, 0}
	for _, tag := range []byte{0x01, 0x04, 0x20} {
		acl = append(acl, tag, 0, 6, 0, 0xff, 0xff, 0xff, 0xff)
	}
	_ = unix.Setxattr(shared, "system.posix_acl_default", acl, 0) // a file system without has it write to the output then
	if os.Chmod(shared, 0o733|os.ModeSticky) != nil || os.Chmod(dir, 0o711) != nil {
		return dir
	}
	return shared
}
