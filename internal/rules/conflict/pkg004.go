package conflict

import (
	"slices"

	"strata/internal/rule"
)

var pkg004 = &rule.Rule{
	ID:       "PKG004",
	Slug:     "wheels-claim-the-same-files",
	Layer:    rule.PackageConflict,
	Severity: rule.Broken,
	Title:    "Two NVIDIA wheels claim the same libraries",
	Scope:    rule.PerWorkload,
	Needs:    []rule.Need{needEnvironment},
	After:    []string{"PYE005"},
	Since:    "0.1",
	Cites: []rule.Cite{
		{Title: "PyPA: recording installed projects, the RECORD file", URL: "https://packaging.python.org/en/latest/specifications/recording-installed-packages/", Date: "2026-11-30"},
	},
	Doc: `NVIDIA's wheels for two CUDA majors often unpack into one directory: nvidia-cudnn-cu12 and
nvidia-cudnn-cu13 both into nvidia/cudnn/lib, with files of the same names. pip does not notice; the one installed
last wins, file by file, so that cuDNN's sub-libraries can be of two releases, which cuDNN refuses
(CUDNN_STATUS_SUBLIBRARY_VERSION_MISMATCH).

Strata compares what the RECORD files list with what is on disk, and says whose files are there. Uninstall all of
them, then install the one that the framework pins.`,
	Check: func(in *rule.Input) rule.Verdict {
		var worst *rule.Finding
		for _, c := range clashes(in.Workload.Env) {
			if isNCCL(c.stem) {
				continue // PKG003
			}
			f := judge(in, c)
			for _, name := range c.packages {
				for _, a := range in.KB.Advisories(name) {
					if a.Layer == "package_conflict" && slices.Contains(c.packages, a.Package) {
						f.Refs = append(f.Refs, in.KB.Cite(a))
						f.Cause += " " + a.Effect
					}
				}
			}
			if worst == nil || worst.Severity == rule.AtRisk && f.Severity == 0 {
				worst = &f
			}
		}
		if worst == nil {
			if v, ok := unread(in.Workload.Env, rivals(in.Workload.Env, sharesFiles)); ok {
				return v
			}
			return rule.Clean()
		}
		return rule.Found(*worst)
	},
}

// sharesFiles tells whether the wheels of a component for two CUDA majors lie in
// one directory. Since CUDA 13 most of NVIDIA's have one for their major.
func sharesFiles(stem string) bool {
	return slices.Contains([]string{"nvidia-cudnn", "nvidia-cusparselt", "nvidia-nvshmem"}, stem)
}
