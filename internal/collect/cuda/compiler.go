package cuda

import (
	"path"
	"strconv"
	"strings"

	"strata/internal/collect/environment"
	"strata/internal/machine"
	"strata/internal/stack"
)

// compiler finds the host compiler nvcc would take: NVCC_CCBIN, else g++ or
// gcc of PATH (nvcc's documentation, --compiler-bindir). Its major version is
// read from names, since running it is out of the question.
func compiler(m *machine.Machine) stack.Fact[stack.Compiler] {
	dirs := []string{"/usr/local/bin", "/usr/bin"}
	for _, v := range environment.Variables(m).Value {
		switch {
		case v.Name == "NVCC_CCBIN" && path.IsAbs(v.Value):
			// A directory, or the compiler itself.
			if info, err := m.Stat(v.Value); err == nil && !info.IsDir() {
				if c := describe(m, path.Clean(v.Value)); c.Major > 0 {
					return stack.Know(c, v.From, stack.File(c.Path))
				}
			} else if err == nil {
				dirs = append([]string{v.Value}, dirs...)
			}
		case v.Name == "PATH":
			dirs = append(strings.Split(v.Value, ":"), dirs...)
		}
	}
	if len(dirs) > maxPath {
		dirs = dirs[:maxPath]
	}
	for _, dir := range dirs {
		for _, name := range []string{"g++", "gcc", "c++"} {
			p := path.Join(dir, name)
			if !path.IsAbs(dir) || !m.Exists(p) {
				continue
			}
			c := describe(m, p)
			if c.Major == 0 {
				return stack.Broken[stack.Compiler]("the version of "+p+" is in no file name", stack.File(p))
			}
			return stack.Know(c, stack.From("link", p, 0, "version "+strconv.Itoa(c.Major)))
		}
	}
	return stack.None[stack.Compiler](stack.File("/usr/bin/g++"), stack.File("/usr/bin/gcc"))
}

// describe reads a compiler's version from the name it is a link to
// (x86_64-linux-gnu-g++-12), else from the newest directory of its own
// installation (lib/gcc/x86_64-redhat-linux/11).
func describe(m *machine.Machine, name string) stack.Compiler {
	c := stack.Compiler{Name: "gcc", Path: name}
	real, err := m.Real(name)
	if err != nil {
		return c
	}
	base := path.Base(real)
	if strings.Contains(base, "clang") {
		c.Name = "clang"
	}
	if i := strings.LastIndexByte(base, '-'); i >= 0 {
		c.Major = major(base[i+1:])
	}
	if c.Major > 0 || c.Name != "gcc" {
		return c
	}
	prefix := path.Dir(path.Dir(real))
	if prefix == "/" {
		prefix = "/usr" // /bin is a link to /usr/bin on merged systems
	}
	found, _ := m.Glob(path.Join(escape(prefix), "lib*/gcc/*/[0-9]*"))
	for _, d := range found {
		c.Major = max(c.Major, major(path.Base(d)))
	}
	return c
}

// major reads "12" and "4.8.5"; 0 for anything else.
func major(s string) int {
	first, _, _ := strings.Cut(s, ".")
	n, err := strconv.Atoi(first)
	if err != nil || n < 0 || n > 99 { // GCC counts majors by year: 16 in 2026
		return 0
	}
	return n
}
