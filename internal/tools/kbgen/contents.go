package main

import (
	"archive/zip"
	"cmp"
	"fmt"
	"io"
	"maps"
	"os"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"strata/internal/elfx"
	"strata/internal/fatbin"
	"strata/internal/version"
)

// record measures the wheel at path and puts its rows.
func (g *generator) record(m measured, w wheel, path string) error {
	z, err := zip.OpenReader(path)
	if err != nil {
		return err
	}
	defer z.Close()
	c := contents{own: map[string]bool{}, needed: map[string]bool{}}
	for _, f := range z.File {
		if err := c.read(f, g.tmp); err != nil {
			return fmt.Errorf("reading %s: %w", f.Name, err)
		}
	}
	var rows [][]string
	for _, l := range c.libraries {
		rows = append(rows, []string{w.Name, l.path, l.soname, strings.Join(l.needed, ";"), strconv.Itoa(l.containers), l.codes, indexSource, "high"})
	}
	m.libraries.put(rows...)
	day, _, _ := strings.Cut(w.Uploaded, "T")
	m.artefacts.put([]string{
		w.Name, w.pkg, w.version.String(), platformOf(w.Name), cmp.Or(day, g.today), strconv.FormatInt(w.Size, 10), w.Hashes["sha256"],
		c.cuda, c.cudnn, c.glibc.String(), c.glibcxx.String(), strings.Join(c.missing(), ";"), indexSource, "high",
	})
	fmt.Printf("%s: %d libraries, cuda %s\n", w.Name, len(rows), cmp.Or(c.cuda, "-"))
	return nil
}

// contents is what one wheel holds.
type contents struct {
	libraries   []library
	own, needed map[string]bool // names of libraries that it brings and asks for
	glibc       version.Glibc
	glibcxx     version.Lib
	cuda, cudnn string
}

// library is one shared library with something about CUDA.
type library struct {
	path, soname string
	needed       []string // CUDA libraries
	containers   int
	codes        string
}

// build are the files in which a wheel says what it was built with.
var build = []struct {
	file        *regexp.Regexp
	cuda, cudnn *regexp.Regexp
}{
	{regexp.MustCompile(`^torch(vision|audio)?/version\.py$`), regexp.MustCompile(`(?m)^cuda(?:: .*)? = '([\d.]+)'`), nil},
	{regexp.MustCompile(`^onnxruntime/capi/build_and_package_info\.py$`), regexp.MustCompile(`cuda_version = ['"]([\d.]+)['"]`), regexp.MustCompile(`cudnn_version = ['"]([\d.]+)['"]`)},
	{regexp.MustCompile(`^tensorflow/python/platform/build_info\.py$`), regexp.MustCompile(`["']cuda_version["'][,:] ?["']([\d.]+)["']`), regexp.MustCompile(`["']cudnn_version["'][,:] ?["']([\d.]+)["']`)},
	{regexp.MustCompile(`^paddle/version/__init__\.py$`), regexp.MustCompile(`cuda_version\s*=\s*'([\d.]+)'`), regexp.MustCompile(`cudnn_version\s*=\s*'([\d.]+)'`)},
	{regexp.MustCompile(`^xformers/cpp_lib\.json$`), regexp.MustCompile(`"cuda": ?"?([\d.]+)"?`), nil},
}

// sharedLibrary are the names of ELF libraries in a wheel.
var sharedLibrary = regexp.MustCompile(`\.so(\.\d+)*$`)

func (c *contents) read(f *zip.File, tmp string) error {
	for _, b := range build {
		if !b.file.MatchString(f.Name) {
			continue
		}
		text, err := readMember(f)
		if err != nil {
			return err
		}
		if m := b.cuda.FindSubmatch(text); m != nil {
			c.cuda = string(m[1])
			if n, err := strconv.Atoi(c.cuda); err == nil && n >= 1000 { // xFormers writes 12.8 as 1208
				c.cuda = fmt.Sprintf("%d.%d", n/100, n%100)
			}
		}
		if b.cudnn != nil {
			if m := b.cudnn.FindSubmatch(text); m != nil {
				c.cudnn = string(m[1])
			}
		}
	}
	if !sharedLibrary.MatchString(f.Name) || f.UncompressedSize64 == 0 {
		return nil
	}
	c.own[path.Base(f.Name)] = true
	spool, err := spool(f, tmp)
	if err != nil {
		return err
	}
	defer os.Remove(spool.Name())
	defer spool.Close()
	return c.readLibrary(f.Name, spool, int64(f.UncompressedSize64))
}

// spool writes a member to a file, since the walk over fat binaries jumps.
func spool(f *zip.File, tmp string) (*os.File, error) {
	r, err := f.Open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	out, err := os.CreateTemp(tmp, "kbgen-*.so")
	if err != nil {
		return nil, err
	}
	if _, err := io.Copy(out, r); err != nil {
		out.Close()
		os.Remove(out.Name())
		return nil, err
	}
	return out, nil
}

func (c *contents) readLibrary(name string, r io.ReaderAt, size int64) error {
	e, err := elfx.Read(r, size)
	if err != nil {
		warn("%s: %v", name, err)
		return nil // a text file or a stub with the name of a library
	}
	for _, need := range e.Needs {
		for _, v := range need.Versions {
			if text, ok := strings.CutPrefix(v, "GLIBC_"); ok {
				if g, err := version.ParseGlibc(text); err == nil && c.glibc.Less(g) {
					c.glibc = g
				}
			}
			if text, ok := strings.CutPrefix(v, "GLIBCXX_"); ok {
				if g, err := version.ParseLib(text); err == nil && c.glibcxx.Less(g) {
					c.glibcxx = g
				}
			}
		}
	}
	l := library{path: name, soname: e.Soname}
	for _, n := range e.Needed {
		if cudaLibrary.MatchString(n) {
			l.needed = append(l.needed, n)
			c.needed[n] = true
		}
	}
	s, err := fatbin.ScanELF(r, size)
	if err != nil {
		return err
	}
	for _, p := range s.Problems {
		warn("%s: %s", name, p)
	}
	l.containers, l.codes = s.Containers, codesOf(s)
	if l.containers > 0 || l.needed != nil || cudaLibrary.MatchString(l.soname) {
		c.libraries = append(c.libraries, l)
	}
	return nil
}

// cudaLibrary are the sonames of NVIDIA's libraries, with the hash that auditwheel adds to a copy. libnv alone would take in libnvpair
// and other strangers.
var cudaLibrary = regexp.MustCompile(`^lib(cuda|cudart|cublas|cublasLt|cudnn\w*|cufft\w*|curand|cusolver\w*|cusparse\w*|cupti|nccl|nvrtc\S*|nvJitLink|nvjpeg|nvToolsExt|nvinfer\w*|nvonnxparser|nvshmem\w*|nvidia-ml|npp\w+|cufile\w*|nvfatbin|nvblas|checkpoint|pcsamplingutil|nvperf_\w+|cutensor\w*|cudss\w*)(-[0-9a-f]{8})?\.so`)

// codesOf writes the codes of a library as the table has them.
func codesOf(s *fatbin.Summary) string {
	var list []string
	for _, code := range s.Codes {
		item := fmt.Sprintf("%s:%d:%s", code.Arch, code.Containers, code.Compression)
		if code.ISA != "" {
			item += ":" + code.ISA
		}
		list = append(list, item)
	}
	for _, code := range s.Linkable { // counts as PTX of every container: see internal/fatbin
		list = append(list, fmt.Sprintf("%s:%d:%s:%s", code.Arch, s.Containers, code.Compression, code.ISA))
	}
	return strings.Join(list, ";")
}

// missing returns the libraries that are asked for and not brought. A wheel's own copies have names of their own, as auditwheel
// gives them ("libcudart-a7b20f20.so.11.0"), and are asked for by these.
func (c *contents) missing() []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(c.needed)), func(n string) bool { return c.own[n] })
}

// platformOf returns the platform of a wheel by its tag: linux-x86_64.
func platformOf(name string) string {
	tag := strings.TrimSuffix(name, ".whl")
	tag = tag[strings.LastIndex(tag, "-")+1:]
	for _, processor := range []string{"x86_64", "aarch64"} {
		if strings.HasSuffix(tag, processor) {
			return "linux-" + processor
		}
	}
	return tag
}
