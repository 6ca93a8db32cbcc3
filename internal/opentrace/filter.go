package opentrace

import "golang.org/x/sys/unix"

// abi is how a processor's programs call the kernel to open a file.
type abi struct {
	arch    uint32
	openat  uint32
	openat2 uint32
	open    uint32
	hasOpen bool // newer processors have openat alone
}

// abis are those that a filter is made for (the kernel's syscall_64.tbl, and asm-generic/unistd.h for arm64).
var abis = map[string]abi{
	"amd64": {arch: unix.AUDIT_ARCH_X86_64, openat: 257, openat2: 437, open: 2, hasOpen: true},
	"arm64": {arch: unix.AUDIT_ARCH_AARCH64, openat: 56, openat2: 437},
}

// passed are the flags of an open that cannot miss a library or a device: one that makes the file, and one of a directory.
const passed = unix.O_CREAT | unix.O_DIRECTORY

// The offsets in struct seccomp_data. Of an argument the low half is read: both processors are little-endian.
const (
	offsetNr   = 0
	offsetArch = 4
	offsetArgs = 16
)

// filter is the program that the kernel runs before each call. It lets through what does not open a file to read it, and all calls of
// other processors' programs, 32-bit ones and x32 among them, whose numbers mean other things.
func filter(a abi) []unix.SockFilter {
	const (
		load = unix.BPF_LD | unix.BPF_W | unix.BPF_ABS
		jeq  = unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K
		jset = unix.BPF_JMP | unix.BPF_JSET | unix.BPF_K
		ja   = unix.BPF_JMP | unix.BPF_JA
		ret  = unix.BPF_RET | unix.BPF_K
	)
	open := a.open
	if !a.hasOpen {
		open = a.openat // decided above, so that it never matches
	}
	return []unix.SockFilter{
		0:  {Code: load, K: offsetArch},
		1:  {Code: jeq, K: a.arch, Jf: 10 - 2},
		2:  {Code: load, K: offsetNr},
		3:  {Code: jeq, K: a.openat2, Jt: 11 - 4}, // its flags are in the program's memory
		4:  {Code: jeq, K: a.openat, Jt: 8 - 5},
		5:  {Code: jeq, K: open, Jf: 10 - 6},
		6:  {Code: load, K: offsetArgs + 8*1},
		7:  {Code: ja, K: 9 - 8},
		8:  {Code: load, K: offsetArgs + 8*2},
		9:  {Code: jset, K: passed, Jf: 11 - 10},
		10: {Code: ret, K: unix.SECCOMP_RET_ALLOW},
		11: {Code: ret, K: unix.SECCOMP_RET_USER_NOTIF},
	}
}
