// Command codecheck holds package fatbin against NVIDIA's own tool: it asks both
// which GPU code each file holds, and counts.
//
//	codecheck -cuobjdump PATH [-payload] FILE|DIRECTORY…
//
// cuobjdump is in the package nvidia-cuda-cuobjdump of the Python package index,
// and in the CUDA toolkit. By default the lists of --list-elf and --list-ptx
// are compared, by kind and architecture. With -payload every code is extracted and
// unpacked, and what it says about itself (target with suffix, PTX ISA) is
// compared too. Exit status 1 where an answer differs.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"strata/internal/fatbin"
)

func main() {
	tool := flag.String("cuobjdump", "cuobjdump", "the `path` of cuobjdump")
	payload := flag.Bool("payload", false, "extract and compare what each code says about itself; slow, and needs room in $TMPDIR")
	verbose := flag.Bool("v", false, "print every file")
	flag.Parse()
	if err := run(dump{*tool}, flag.Args(), *payload, *verbose); err != nil {
		fmt.Fprintln(os.Stderr, "codecheck:", err)
		os.Exit(1)
	}
}

func run(d dump, args []string, payload, verbose bool) error {
	files, err := find(args)
	if err != nil {
		return err
	}
	var t tally
	for _, path := range files {
		r := check(d, path, payload)
		t.add(r)
		switch {
		case r.err != nil:
			fmt.Printf("GAVE UP %s: %v\n", path, r.err)
		case len(r.differences) > 0:
			fmt.Printf("DIFF %s\n", path)
			for _, line := range r.differences {
				fmt.Printf("     %s\n", line)
			}
		case verbose:
			fmt.Printf("same %s: %d codes\n", path, r.codes)
		}
	}
	fmt.Printf("%d files with GPU code, %d codes: %d agree, %d differ, %d cuobjdump gives up on; %d files without\n",
		t.files, t.codes, t.agree, t.differ, t.failed, t.none)
	if payload {
		fmt.Printf("%d codes unpacked; target and PTX ISA compared with what they say about themselves\n", t.unpacked)
	}
	if t.differ > 0 || t.files == 0 {
		return errors.New("not all agree")
	}
	return nil
}

type tally struct{ files, codes, agree, differ, failed, none, unpacked int }

func (t *tally) add(r result) {
	t.unpacked += r.unpacked
	switch {
	case r.err != nil:
		t.files++
		t.failed++
	case len(r.differences) > 0:
		t.files++
		t.codes += r.codes
		t.differ++
	case r.codes == 0:
		t.none++
	default:
		t.files++
		t.codes += r.codes
		t.agree++
	}
}

// find lists the files at and below paths that are of a kind that holds GPU code.
func find(args []string) (list []string, err error) {
	for _, arg := range args {
		err := filepath.WalkDir(arg, func(p string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() {
				return err
			}
			f, err := os.Open(p)
			if err != nil {
				return err
			}
			defer f.Close()
			head := make([]byte, fatbin.SniffLen)
			n, _ := f.ReadAt(head, 0)
			if fatbin.Sniff(head[:n]) != "" {
				list = append(list, p)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return list, nil
}
