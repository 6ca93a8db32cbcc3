package kernel

import (
	"strings"

	"strata/internal/machine"
	"strata/internal/stack"
)

// maxMakeLog bounds how much of one build log is read. NVIDIA's have 0.2 to
// 2 MiB; the first error is what counts.
const maxMakeLog = 8 << 20

// failedBuild is what a make.log of DKMS says about a build that failed.
type failedBuild struct {
	release string // of the kernel it was for, empty where the log does not say
	line    int
	text    string // the first error
	// kernelCompiler and compiler are what built the kernel and what this build
	// used, in the log's words; empty where it does not warn that they differ.
	kernelCompiler, compiler string
}

func buildFailure(m *machine.Machine, name string) (*failedBuild, stack.Source) {
	data, _, err := m.ReadHead(name, maxMakeLog)
	if err != nil {
		return nil, stack.Source{}
	}
	f := parseMakeLog(string(data))
	if f == nil {
		return nil, stack.Source{}
	}
	return f, stack.Line(name, f.line, f.text)
}

// parseMakeLog returns nil for a build without errors. It quotes the
// compiler's first error rather than make's "*** [target] Error 2", which is
// the same for every cause.
func parseMakeLog(text string) *failedBuild {
	release, built, used := "", "", ""
	var compiler, driver failedBuild // driver is make, or DKMS itself
	n := 0
	for line := range strings.Lines(text) {
		n++
		line = strings.TrimSpace(line)
		switch {
		// "DKMS make.log for nvidia-535.129.03 for kernel 6.5.0-14-generic (x86_64)",
		// since DKMS 3 "DKMS (dkms-3.0.11) make.log for nvidia/535.129.03 for kernel …".
		case release == "" && strings.HasPrefix(line, "DKMS "):
			if _, after, ok := strings.Cut(line, " for kernel "); ok {
				release, _, _ = strings.Cut(after, " ")
			}
		// "warning: the compiler differs from the one used to build the kernel" and its two lines.
		case strings.HasPrefix(line, "The kernel was built by: "):
			built = strings.TrimPrefix(line, "The kernel was built by: ")
		case strings.HasPrefix(line, "You are using: "):
			used = strings.TrimSpace(strings.TrimPrefix(line, "You are using: "))
		case compiler.line == 0 && isCompilerError(line):
			compiler = failedBuild{line: n, text: line}
		case driver.line == 0 && isMakeError(line):
			driver = failedBuild{line: n, text: line}
		}
	}
	f := compiler
	if f.line == 0 {
		f = driver
	}
	if f.line == 0 {
		return nil
	}
	f.release = release
	if built != "" && used != "" && built != used {
		f.kernelCompiler, f.compiler = built, used
	}
	return &f
}

func isCompilerError(line string) bool {
	return strings.Contains(line, ": error: ") || strings.Contains(line, "fatal error: ") || strings.HasPrefix(line, "ERROR: ")
}

func isMakeError(line string) bool {
	return strings.HasPrefix(line, "make") && strings.Contains(line, "*** ") ||
		strings.Contains(line, "Bad return status") || strings.HasPrefix(line, "Error! ")
}
