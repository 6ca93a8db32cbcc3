package opentrace

import (
	"os/exec"
	"strconv"
	"testing"
)

const manyOpens = `
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>
int main(int argc, char **argv) {
	int n = atoi(argv[1]);
	for (int i = 0; i < n; i++) { int fd = open(argv[2], O_RDONLY); if (fd >= 0) close(fd); }
	return 0;
}`

// BenchmarkOpen is what one open costs: of no interest, of a library that is missing, and with nobody looking on.
func BenchmarkOpen(b *testing.B) {
	p := program(b, manyOpens, "-static")
	for name, path := range map[string]string{"other": "/etc/passwd", "missing": "/nowhere/libcuda.so.1", "there": p + ".so"} {
		b.Run(name, func(b *testing.B) {
			cmd := exec.Command(p, strconv.Itoa(b.N), path)
			run(b, cmd)
		})
	}
	b.Run("alone", func(b *testing.B) {
		if err := exec.Command(p, strconv.Itoa(b.N), "/etc/passwd").Run(); err != nil {
			b.Fatal(err)
		}
	})
}
