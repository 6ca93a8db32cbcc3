package machine

import (
	"io/fs"
	"syscall"
)

// Ownership is who owns a file and, for a device node, its number.
type Ownership struct {
	UID, GID     int
	Major, Minor int // 0:0 for anything but a device node
}

// Owner reads the ownership out of a FileInfo of any machine; false where the
// file system does not tell.
func Owner(info fs.FileInfo) (Ownership, bool) {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return Ownership{}, false
	}
	o := Ownership{UID: int(st.Uid), GID: int(st.Gid)}
	if info.Mode()&fs.ModeDevice != 0 {
		// The layout of Linux's dev_t (makedev(3)): low 8 bits of the minor,
		// then 12 of the major, then the rest of both.
		dev := uint64(st.Rdev)
		o.Major = int(dev >> 8 & 0xfff)
		o.Minor = int(dev&0xff | dev>>12&^0xff)
	}
	return o, true
}
