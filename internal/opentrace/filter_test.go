package opentrace

import (
	"testing"

	"golang.org/x/sys/unix"
)

// judge runs a filter as the kernel does, as far as ours goes.
func judge(t *testing.T, prog []unix.SockFilter, nr, arch uint32, args ...uint32) uint32 {
	t.Helper()
	data := map[uint32]uint32{offsetNr: nr, offsetArch: arch}
	for i, a := range args {
		data[offsetArgs+8*uint32(i)] = a
	}
	var acc uint32
	for pc := 0; pc < len(prog); pc++ {
		f := prog[pc]
		yes := false
		switch f.Code {
		case unix.BPF_LD | unix.BPF_W | unix.BPF_ABS:
			acc = data[f.K]
			continue
		case unix.BPF_RET | unix.BPF_K:
			return f.K
		case unix.BPF_JMP | unix.BPF_JA:
			pc += int(f.K)
			continue
		case unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K:
			yes = acc == f.K
		case unix.BPF_JMP | unix.BPF_JSET | unix.BPF_K:
			yes = acc&f.K != 0
		default:
			t.Fatalf("code %#x", f.Code)
		}
		if yes {
			pc += int(f.Jt)
		} else {
			pc += int(f.Jf)
		}
	}
	t.Fatal("the program has no end")
	return 0
}

// TestFilter asks the filters of both processors about every call there is.
func TestFilter(t *testing.T) {
	const i386, x32 = 0x40000003, 0x40000000
	for name, a := range abis {
		prog := filter(a)
		held := func(nr, arch uint32, args ...uint32) bool {
			switch r := judge(t, prog, nr, arch, args...); r {
			case unix.SECCOMP_RET_ALLOW:
				return false
			case unix.SECCOMP_RET_USER_NOTIF:
				return true
			default:
				t.Fatalf("%s: answer %#x", name, r)
				return false
			}
		}
		for nr := range uint32(600) {
			want := nr == a.openat || nr == a.openat2 || a.hasOpen && nr == a.open
			if got := held(nr, a.arch, 0, 0, 0); got != want {
				t.Errorf("%s: call %d is held: %v", name, nr, got)
			}
			if held(nr, i386, 0, 0, 0) || held(nr|x32, a.arch, 0, 0, 0) {
				t.Errorf("%s: call %d of another ABI is held", name, nr)
			}
		}
		for flags, want := range map[uint32]bool{unix.O_RDONLY: true, unix.O_RDWR | unix.O_CLOEXEC: true, unix.O_CREAT | unix.O_WRONLY: false, unix.O_DIRECTORY: false, unix.O_TMPFILE: false} {
			if got := held(a.openat, a.arch, 0, unix.O_CREAT|unix.O_DIRECTORY, flags); got != want {
				t.Errorf("%s: openat with %#x is held: %v", name, flags, got)
			}
			if got := held(a.open, a.arch, unix.O_CREAT, flags, unix.O_CREAT); a.hasOpen && got != want {
				t.Errorf("%s: open with %#x is held: %v", name, flags, got)
			}
		}
	}
}

func TestOlder(t *testing.T) {
	for release, want := range map[string]bool{"4.18.0-553.el8_10.x86_64": true, "5.8.0": true, "5.9.0-rc1": false, "5.15.0-91-generic": false, "6.18": false, "5.9+": false, "10.0.1": false, "3.10": true, "": false, "odd": false} {
		if got := older(release, 5, 9); got != want {
			t.Errorf("%q is older: %v", release, got)
		}
	}
}
