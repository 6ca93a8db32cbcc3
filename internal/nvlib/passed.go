package nvlib

import (
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// usual are the directories that hold a driver's libraries on hosts and in containers.
var usual = []string{
	"/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/lib64", "/usr/lib", "/lib", "/usr/local/nvidia/lib64", "/usr/lib/wsl/lib",
}

// PassedOver finds a file of a library's name that the dynamic linker did not
// take because it is for another processor or word size: it says then that there
// is none. The answer is the path and what it is for; empty where there is no such file.
func PassedOver(name string) string {
	dirs := append(strings.FieldsFunc(os.Getenv("LD_LIBRARY_PATH"), func(r rune) bool { return r == ':' || r == ';' }), usual...)
	if strings.Contains(name, "/") {
		dirs = []string{""}
	}
	for _, dir := range dirs {
		path := filepath.Join(dir, name)
		if machine := machineOf(path); machine != "" && machine != machines[own] {
			return fmt.Sprintf("%s (%s)", path, machine)
		}
	}
	return ""
}

// machines are the words for the class and machine of an ELF header.
var machines = map[[2]uint16]string{
	{1, 3}: "32-bit x86", {1, 40}: "32-bit ARM", {2, 62}: "x86-64", {2, 183}: "AArch64", {2, 21}: "POWER", {2, 243}: "RISC-V",
}

var own = map[string][2]uint16{"amd64": {2, 62}, "arm64": {2, 183}}[runtime.GOARCH]

// machineOf reads the first bytes of an ELF file.
func machineOf(path string) string {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return ""
	}
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	head := make([]byte, 20)
	if _, err := io.ReadFull(f, head); err != nil || string(head[:4]) != "\x7fELF" || head[5] != 1 {
		return ""
	}
	key := [2]uint16{uint16(head[4]), binary.LittleEndian.Uint16(head[18:])}
	if name, ok := machines[key]; ok {
		return name
	}
	return fmt.Sprintf("machine %d, class %d", key[1], key[0])
}
