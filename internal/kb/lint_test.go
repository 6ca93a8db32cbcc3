package kb

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

func TestDefaultLint(t *testing.T) {
	for _, p := range Default().Lint() {
		t.Error(p)
	}
}

// TestLintFinds breaks one fact of a copy of the embedded files at a time and holds Lint to saying so.
func TestLintFinds(t *testing.T) {
	whole := fstest.MapFS{}
	if err := copyData(whole); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		file, old, now string // a line of file starts with old, which becomes now
		want           string
	}{
		{"nvidia/driver_cuda.csv", "linux,520,520.61.05,525,11.8", "linux,520,520.61.05,525,11.4", "reports an older CUDA than the range before"},
		{"nvidia/driver_cuda.csv", "linux,550,550.40.07,555", "linux,550,550.40.07,556", "range starts inside the one before"},
		{"nvidia/driver_cuda.csv", "linux,550,550.40.07", "linux,550,545.40.07", "from is not of branch 550"},
		{"nvidia/driver_cuda.csv", "linux,555,555.42.02", "linux,556,556.42.02", "driver_branches.csv does not know R556"},
		{"nvidia/driver_cuda.csv", "linux,555,555.42.02,560,12.5", "linux,555,555.42.02,560,12.51", "cuda_releases.csv does not know CUDA 12.51"},
		{"nvidia/driver_branches.csv", "580,lts,580.65.06", "580,lts,580.995.06", "the latest driver is older than the first"},
		{"nvidia/driver_branches.csv", "580,lts,580.65.06", "580,lts,575.65.06", "driver 575.65.06 is of another branch"},
		{"nvidia/driver_branches.csv", "580,lts,580.65.06,2025-08-04", "580,lts,580.65.06,2031-08-04", "dates run backwards"},
		{"nvidia/driver_branches.csv", "580,lts", "556,lts", "is not newer than the row before"},
		{"nvidia/driver_branches.csv", "580,lts", "581,lts", "driver_cuda.csv does not know R581 on Linux"},
		{"nvidia/driver_branches.csv", "590,new-feature,590.44.01,2025-12-02,590.48.01,2025-12-18,,Turing,Maxwell;Pascal;Volta", "590,new-feature,590.44.01,2025-12-02,590.48.01,2025-12-18,,Turing,Maxwell;Pascal", "R590 drops Volta"},
		{"nvidia/driver_branches.csv", "590,new-feature,590.44.01,2025-12-02,590.48.01,2025-12-18,,Turing", "590,new-feature,590.44.01,2025-12-02,590.48.01,2025-12-18,,Tesler", "architectures.csv has no Tesler"},
		{"nvidia/driver_branches.csv", "515,production,515.43.04,2022-05-09,515.105.01,2023-03-30,2023-05,Maxwell,,both", "515,production,515.43.04,2022-05-09,515.105.01,2023-03-30,2023-05,Maxwell,,open", "ships a flavour of the kernel modules that the branch before did not"},
		{"nvidia/cuda_releases.csv", "12.4.1,CUDA 12.4 Update 1,update,2024-04", "12.4.1,CUDA 12.4 Update 1,update,2023-04", "was released before the row before"},
		{"nvidia/cuda_releases.csv", "12.4.1,", "12.2.9,", "is not newer than the row before"},
		{"nvidia/cuda_releases.csv", "12.4.1,CUDA 12.4 Update 1,update,2024-04,550.54.15", "12.4.1,CUDA 12.4 Update 1,update,2024-04,545.23.08", "driver 545.23.08 reports CUDA 12.3 only"},
		{"nvidia/minor_compat.csv", "12,12.0,13.0,525.60.13", "12,12.0,13.0,470.82.01", "driver 470.82.01 is not one of CUDA 12"},
		{"nvidia/minor_compat.csv", "13,13.4,13.6", "13,13.4,13.5", "ends before the horizon"},
		{"nvidia/minor_compat.csv", "13,13.4,13.6", "13,13.5,13.6", "does not start where the row before ends"},
		{"nvidia/forward_compat.csv", "13.0,580.95.05,570,supported", "13.0,580.95.05,570,unsupported", "R570 reports CUDA 12.8, so that cuda-compat 13.0 is supported there"},
		{"nvidia/forward_compat.csv", "13.0,580.95.05,570", "13.0,590.48.01,570", "cuda-compat 13.0 has another driver inside above"},
		{"nvidia/forward_compat.csv", "13.5,620.70.06,620", "13.5,615.71.09,620", "driver 615.71.09 is not of CUDA 13.5"},
		{"nvidia/architectures.csv", "9.0,Hopper,GH100,\"H100, H200, H20, GH200\",11.8,,12.0", "9.0,Hopper,GH100,\"H100, H200, H20, GH200\",11.8,11.1,12.0", "the last toolkit is older than the first"},
		{"nvidia/architectures.csv", "9.0,Hopper,GH100,\"H100, H200, H20, GH200\",11.8,,12.0", "9.0,Hopper,GH100,\"H100, H200, H20, GH200\",11.8,,11.1", "first_cuda, a_since and f_since are not in this order"},
		{"nvidia/architectures.csv", "8.9,Ada", "8.1,Ada", "is not newer than the row before"},
		{"nvidia/ptx_isa.csv", "8.4,12.4,550", "8.4,12.4,545", "not newer than the row before in every column"},
		{"nvidia/host_compilers.csv", "12.4,6,13,17", "12.4,6,11,17", "accepts less than the toolkit before"},
		{"nvidia/host_compilers.csv", "12.4,6,13,17", "12.4,14,13,17", "gcc_min is above gcc_max"},
		{"nvidia/jetpack_compat.csv", "6,13.0,yes", "6,12.4,yes", "line"},
		{"nvidia/jetpack_compat.csv", "7.0,13.0,no,native", "7.0,13.0,no,supported", "JetPack 7.0 has 0 CUDA releases of its own, want one"},
		{"nvidia/jetpack_releases.csv", "36.4.3,", "36.4.1,", "is not newer than the row before"},
		{"nvidia/jetpack_releases.csv", "38.2.0,7.0,13.0", "38.2.0,7.0,13.4", "jetpack_compat.csv does not have CUDA 13.4 on JetPack 7.0"},
		{"nvidia/xid.csv", "79,", "300,", "is not behind the code before"},
		{"nvidia/cuda_errors.csv", "runtime,100,cudaErrorNoDevice,no CUDA-capable device is detected", "runtime,100,cudaErrorNoDevice,no device", "the driver API says"},
		{"nvidia/fatbin_compression.csv", "zstd,12.4,13.0,550.54.14", "zstd,12.4,13.0,545.23.08", "min_driver is not of the branch that brought first_cuda"},
		{"nvidia/fatbin_compression.csv", "zstd,12.4,13.0", "zstd,12.4,12.0", "is the default before it can be written"},
		{"nvidia/library_releases.csv", "nccl,2.32.3,12", "nccl,2.1.3,12", "is older than the row before"},
		{"nvidia/library_releases.csv", "nccl,2.32.3,13", "nccl,2.32.3,14", "sonames.csv has no library of nccl for CUDA 14"},
		{"nvidia/library_releases.csv", "nccl,2.32.6,0", "nccl,2.33.6,0", "nccl 2.33.6 is behind the horizon"},
		{"nvidia/library_releases.csv", "cudnn,9.10.2.21,11", "cudnn,9.10.2.21,13", "cudnn.csv has no row for it"},
		{"nvidia/library_releases.csv", "tensorrt,11.5.0,13", "tensorrt,11.5.0,12", "tensorrt.csv has no row for it"},
		{"nvidia/sonames.csv", "libcudnn_adv.so.9,cudnn", "libcudnn_adv.so.9,cublas", "libcudnn_adv belongs to another component above"},
		{"nvidia/sonames.csv", "libcurand.so.10.0,", "libcurand,", "libcurand is not the name of a shared library"},
		{"system/libstdcxx.csv", "13,3.4.31,3.4.32", "13,3.4.33,3.4.32", "last is older than first"},
		{"system/libstdcxx.csv", "13,3.4.31", "13,3.4.29", "not newer than the row before"},
		{"system/cdi_engines.csv", "docker,25.0", "docker,29.0", "by default before it can be told to"},
		{"frameworks/torch_abi.csv", "2.6,2.7,,", "2.5,2.7,,", "overlaps line"},
		{"frameworks/tensorrt.csv", "11.0,11.1,12", "11.0,11.2,12", "overlaps line"},
		{"frameworks/cudnn.csv", "9.7,9.11,11", "9.11,9.7,11", "from is not below below"},
	}
	for _, tt := range tests {
		t.Run(tt.file+"/"+tt.want, func(t *testing.T) {
			text, ok := replaceLine(string(whole[tt.file].Data), tt.old, tt.now)
			if !ok {
				t.Fatalf("no line of %s starts with %q", tt.file, tt.old)
			}
			fsys := maps.Clone(whole)
			fsys[tt.file] = &fstest.MapFile{Data: []byte(text)}
			var got []string
			table := files[slices.IndexFunc(files, func(l linter) bool { return l.path() == tt.file })]
			for _, p := range table.lint(&Base{fsys: fsys}) {
				if p.File == tt.file && p.Line > 0 && strings.Contains(p.Msg, tt.want) {
					return
				}
				got = append(got, p.Error())
			}
			t.Errorf("nothing in %s says %q:\n%s", tt.file, tt.want, strings.Join(got, "\n"))
		})
	}
}

// replaceLine replaces old, which a line of text starts with.
func replaceLine(text, old, now string) (string, bool) {
	at := strings.Index(text, "\n"+old)
	if at < 0 {
		return text, false
	}
	return text[:at+1] + now + text[at+1+len(old):], true
}
