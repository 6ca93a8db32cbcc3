package kb

import (
	"strings"
	"testing"
	"testing/fstest"
)

// linted decodes rows that a test writes out and returns what a check says of them. The first row is in line 4.
func linted[T any](t *testing.T, check func(*Base, *Table[T]) []Problem, horizon, header string, rows ...string) []Problem {
	t.Helper()
	text := "# as_of: 2026-11-30\n# horizon: " + horizon + "\n" + header + "\n" + strings.Join(rows, "\n") + "\n"
	table, problems := decode[T](fstest.MapFS{"t.csv": {Data: []byte(text)}}, "t.csv", nil)
	if problems != nil {
		t.Fatal(problems)
	}
	return check(Default(), table)
}

// compareProblems wants a problem in each line of want, with its text, and none elsewhere.
func compareProblems(t *testing.T, problems []Problem, want map[int]string) {
	t.Helper()
	seen := map[int]bool{}
	for _, p := range problems {
		if text, ok := want[p.Line]; !ok || !strings.Contains(p.Msg, text) {
			t.Errorf("line %d: %q, want %q", p.Line, p.Msg, text)
		}
		seen[p.Line] = true
	}
	for line, text := range want {
		if seen[line] {
			continue
		}
		t.Errorf("line %d: nothing said, want %q", line, text)
	}
}

func TestCheckConsumers(t *testing.T) {
	const header = "package,from,below,cuda,cudnn,cudnn_major,torch,requires,min_driver,cc_min,archs,ptx,archs_aarch64,sonames,python_min,python_max,glibc,src,confidence"
	problems := linted(t, checkConsumers, "date 2026-11-30", header,
		"a,1.0,2.0,12.4;12.6,none,,==2.9.1,,,,,,,,3.10,3.14,2.28,s,high",
		"a,1.0,2.0,12.8,none,,,,,,,,,,,,,s,high",   // other CUDA releases: no contradiction
		"a,1.5,1.6,12,none,,,,,,,,,,,,,s,high",     // a major holds for its minors
		"b,1.0,2.0,,none,,,,,,,,,,,,,s,high",       //
		"b,1.9,3.0,11,none,,,,,,,,,,,,,s,high",     // what holds for any CUDA holds for 11
		"c,2.0,2.0,,none,,,,,,,,,,,,,s,high",       //
		"d,1.0,2.0,,none,9,,,,,,,,,,,,s,high",      //
		"e,1.0,2.0,,,,,,,,,,,,3.12,3.9,,s,high",    //
		"f,1.0,2.0,13,,,,,535,,,,,,,,,s,high",      //
		"g,1.0,2.0,12,,,==2.9.7,,,,,,,,,,,s,high",  // no such torch
		"h,1.0,2.0,12,,,==2.99.0,,,,,,,,,,,s,high", // beyond the table of torch
		"i,1.0,2.0,12,,,==2.9.*,,,,,,,,,,,s,high",
	)
	compareProblems(t, problems, map[int]string{
		6: "overlaps line", 8: "overlaps line 7", 9: "from is not below", 10: "cudnn is none", 11: "python_max 3.9",
		12: "does not start CUDA 13", 13: "torch 2.9.7 is not in pytorch.csv",
	})
}

func TestCheckCompanions(t *testing.T) {
	problems := linted(t, checkCompanions, "pep440 2.15.0", "torch,package,versions,src,confidence",
		"2.9.1,torchvision,0.24.1,s,high",
		"2.9.1,triton,3.5.1,s,high",
		"2.9.7,torchvision,0.24.7,s,high",
	)
	compareProblems(t, problems, map[int]string{6: "torch 2.9.7 is not in pytorch.csv"})
	wrong := linted(t, checkCompanions, "pep440 2.15.0", "torch,package,versions,src,confidence", "2.9.1,triton,3.5.0,s,high")
	if len(wrong) == 0 || !strings.Contains(wrong[0].Msg, "triton 3.5.1") {
		t.Errorf("another triton than in pytorch.csv: %v", wrong)
	}
}

func TestCheckInstalls(t *testing.T) {
	const header = "framework,from,below,os,variants,manager,command,check,note,src,confidence"
	problems := linted(t, checkInstalls, "date 2026-11-30", header,
		"torch,2.8.0,2.9.0,linux,cu128,pip,x,,,s,high",
		"torch,2.8.0,2.9.0,linux,cu118,pip,x,,,s,high",  // 2.8.0 has none
		"torch,2.8.0,2.9.0,windows,all,pip,x,,,s,high",  //
		"torch,2.7.1,2.8.1,linux,cu128,pip,y,,,s,high",  // a second answer
		"torch,2.8.0,2.8.0,linux,cu126,uv,x,,,s,high",   //
		"jax,0.8.0,0.12.1,plan9,cuda12,pip,x,,,s,high",  //
		"jax,0.8.0,0.9.0,linux,cuda12,conda,x,,,s,high", //
	)
	compareProblems(t, problems, map[int]string{5: `no build "cu118"`, 7: "overlaps line 4", 8: "from is not below", 9: `unknown system "plan9"`})
}

func TestCheckJAX(t *testing.T) {
	const header = "from,below,cuda_major,package,cuda,cuda_min,cudnn,cudnn_min,cudnn_below,nccl_min,cc_min,archs,ptx,python_min,python_max,glibc,src,confidence"
	problems := linted(t, checkJAX, "pep440 0.12.0.1", header,
		"0.8.0,0.9.0,12,jax-cuda12-plugin,12.9.1,12.1,9.8,9.8,10,,,,,3.11,3.14,,s,high",
		"0.9.0,0.10.0,12,jax-cuda12-plugin,13.0,12.1,9.8,9.8,10,,,,,3.11,,,s,high",
		"0.10.0,0.11.0,12,jax-cuda12-plugin,12.1,12.3,9.8,9.8,10,,,,,3.11,,,s,high",
		"0.11.0,0.12.0,12,jax-cuda12-plugin,12.9,12.1,9.8,9.8,10,,,,,3.14,3.11,,s,high",
	)
	compareProblems(t, problems, map[int]string{5: "are not of major 12", 6: "older than what it accepts", 7: "python_max"})
}
