package fatbin_test

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strata/internal/fatbin"
	"strings"
	"testing"
	"time"
)

func TestReal(t *testing.T) {
	root := "/tmp/fatbin/libs"
	re := regexp.MustCompile(`\.((?:sm_|compute_)\d+[af]?)\.(cubin|ptx)$`)
	okN := 0
	filepath.Walk(root, func(p string, fi os.FileInfo, err error) error {
		if err != nil || !fi.Mode().IsRegular() {
			return nil
		}
		f, _ := os.Open(p)
		defer f.Close()
		t0 := time.Now()
		s, err := fatbin.ScanELF(f, fi.Size())
		d := time.Since(t0)
		if err != nil {
			fmt.Println("ERR", p, err)
			return nil
		}
		if s.Containers == 0 {
			return nil
		}
		rel, _ := filepath.Rel(root, p)
		parts := strings.Split(rel, "/")
		name := parts[0] + " " + parts[len(parts)-1]
		var list []string
		mine := map[string]int{}
		for _, c := range s.Codes {
			list = append(list, fmt.Sprintf("%s:%s%s:%s x%d/%d", c.Kind, c.Arch, c.ISA, c.Compression, c.Containers, c.Entries))
			a := strings.TrimPrefix(strings.TrimPrefix(c.Arch, "sm_"), "compute_")
			if c.Kind == "cubin" {
				a = strings.TrimSuffix(a, "f")
			}
			mine[c.Kind+a] += c.Entries
		}
		theirs := map[string]int{}
		o := "/tmp/fatbin/cuo/" + strings.ReplaceAll("libs/"+rel, "/", "_")
		n := 0
		if g, err := os.Open(o); err == nil {
			sc := bufio.NewScanner(g)
			sc.Buffer(nil, 1<<20)
			for sc.Scan() {
				if m := re.FindStringSubmatch(sc.Text()); m != nil {
					n++
					theirs[m[2]+strings.TrimPrefix(strings.TrimPrefix(m[1], "sm_"), "compute_")]++
				}
			}
		}
		verdict := "SAME"
		if n == 0 {
			verdict = "NOCUO"
		} else if fmt.Sprint(mine) != fmt.Sprint(theirs) {
			verdict = "DIFF"
			fmt.Println(mine)
			fmt.Println(theirs)
		} else {
			okN++
		}
		fmt.Printf("%s %s %dMB c=%d e=%d g=%d cuo=%d %v problems=%q %v\n", verdict, name, fi.Size()>>20, s.Containers, s.Entries, s.Grouped, n, d.Round(10*time.Microsecond), s.Problems, list)
		return nil
	})
	fmt.Println("same:", okN)
}
