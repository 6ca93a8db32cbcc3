package cudnn

import (
	"fmt"
	"path"
	"strings"

	"strata/internal/derive"
	"strata/internal/kb"
	"strata/internal/rule"
	"strata/internal/rules/remedy"
	"strata/internal/stack"
)

var dnn003 = &rule.Rule{
	ID:       "DNN003",
	Slug:     "cudnn-sublibraries-mixed",
	Layer:    rule.CUDNN,
	Severity: rule.Broken,
	Title:    "A part of cuDNN is missing or of another release",
	Scope:    rule.PerWorkload,
	Needs:    []rule.Need{needLoaded},
	After:    []string{"PKG004", "CUL005"},
	Since:    "0.1",
	Cites: []rule.Cite{
		backendGuide,
		{Title: "whisper-diarization issue 259: Unable to load any of libcudnn_ops.so.9.1.0", URL: "https://github.com/MahmoudAshraf97/whisper-diarization/issues/259", Date: "2026-11-30"},
	},
	Doc: `libcudnn.so is a thin front. It opens the parts with the code (libcudnn_ops, libcudnn_cnn, libcudnn_graph and so
on) by name, when they are first needed, and all must be of exactly its own release. A part that is not found ends in
"Unable to load any of {libcudnn_ops.so.9…}" and often in an abort; a part that comes from a second copy ends in
CUDNN_STATUS_SUBLIBRARY_VERSION_MISMATCH.

Mixtures come about when LD_LIBRARY_PATH or ld.so.conf names a second cuDNN, when two wheels overwrote one another, or
when files were copied by hand. Take the second copy off the search path, or install the package again.`,
	Check: func(in *rule.Input) rule.Verdict {
		w, _ := loaded(in)
		front := w.Winner
		if !stemIs(w.Soname, "libcudnn") {
			return rule.NA() // only parts are asked for, so nothing opens the others
		}
		have, _ := releaseOf(front)
		parts := in.KB.CUDNNLibraries(have)
		if !parts.Known {
			return rule.FromAnswer(parts)
		}
		if len(parts.Value.Sublibraries) == 0 {
			return rule.Clean()
		}
		for _, name := range parts.Value.Sublibraries {
			got := in.Resolve(in.Workload, front, name)
			if got.Winner == nil && path.Dir(front.Path) != path.Dir(front.Real) {
				beside := *front
				beside.RunPath = append([]string{path.Dir(front.Path)}, front.RunPath...)
				got = in.Resolve(in.Workload, &beside, name)
			}
			if got.Winner == nil {
				return rule.Found(partMissing(in, w, name, parts.Ref))
			}
			part, ok := releaseOf(got.Winner)
			if !ok {
				if path.Dir(got.Winner.Path) == path.Dir(front.Path) {
					continue // they lie side by side, so one package brought both
				}
				return rule.Cannot(fmt.Sprintf("the release of %s, which %s would open, is not known", got.Winner.Path, front.Path), "")
			}
			if release(part) != release(have) {
				return rule.Found(partMixed(in, w, got, parts.Ref))
			}
		}
		return rule.Clean()
	},
}

func partMissing(in *rule.Input, w derive.Want, name string, ref kb.Ref) rule.Finding {
	f := in.Framework()
	have, _ := releaseOf(w.Winner)
	return rule.Finding{
		Summary: fmt.Sprintf("%s %s does not find %s, a part of the cuDNN %s that it loads from %s", f.Package, f.Version, name, release(have), path.Dir(w.Winner.Path)),
		Cause: fmt.Sprintf("cuDNN %s consists of the front library and parts that it opens by name. %s is in none of the directories searched. "+
			`The first operation that needs it fails with "Unable to load any of {%s.%s, …}" or "Cannot load symbol cudnnCreateTensorDescriptor".`,
			release(have), name, strings.TrimSuffix(name, path.Ext(name)), release(have)),
		Evidence: []stack.Source{stack.From("elf", w.Winner.Path, 0, w.Soname+" "+w.Winner.Version), stack.From("directory", path.Dir(w.Winner.Path), 0, "has no "+name)},
		Refs:     []kb.Ref{ref},
		Remedies: again(in, w.Winner),
	}
}

func partMixed(in *rule.Input, w derive.Want, got derive.Resolution, ref kb.Ref) rule.Finding {
	f := in.Framework()
	finding := rule.Finding{
		Summary: fmt.Sprintf("%s %s mixes two releases of cuDNN: %s from %s with %s of %s from %s", f.Package, f.Version,
			w.Winner.Version, path.Dir(w.Winner.Path), got.Name, got.Winner.Version, path.Dir(got.Winner.Path)),
		Cause: fmt.Sprintf("libcudnn and its parts must be of one release. %s is searched (%s) before the directory of the front library, so that the parts are mixed. "+
			"cuDNN stops with CUDNN_STATUS_SUBLIBRARY_VERSION_MISMATCH.", path.Dir(got.Winner.Path), got.Why),
		Evidence: []stack.Source{
			stack.From("elf", w.Winner.Path, 0, w.Soname+" "+w.Winner.Version),
			stack.From("elf", got.Winner.Path, 0, got.Name+" "+got.Winner.Version),
		},
		Refs: []kb.Ref{ref},
	}
	if r, ok := remedy.Unshadow(in, rule.CUDNN, got.Winner, got.Why); ok {
		finding.Remedies = append(finding.Remedies, r)
	}
	finding.Remedies = append(finding.Remedies, again(in, w.Winner)...)
	return finding
}

// again installs the package that owns a library again.
func again(in *rule.Input, lib *stack.Library) []rule.Remedy {
	owner, _, _ := strings.Cut(lib.Owner, " ")
	if in.Workload.Env == nil || owner == "" {
		return nil
	}
	if _, ok := in.Workload.Env.Find(owner); !ok {
		return nil
	}
	return []rule.Remedy{remedy.Reinstall(in.Workload.Env, rule.CUDNN, lib.Owner)}
}
