package cudnn

import (
	"strata/internal/rule"
	"strata/internal/rules/missing"
)

var dnn002 = &rule.Rule{
	ID:       "DNN002",
	Slug:     "cudnn-of-other-major",
	Layer:    rule.CUDNN,
	Severity: rule.Broken,
	Title:    "Only another major release of cuDNN is there",
	Scope:    rule.PerWorkload,
	Needs:    []rule.Need{rule.NeedWants},
	After:    []string{"FRM001", "FRM002", "PYE004", "CUD005", "CUL002", "CUL003"},
	Since:    "0.1",
	Cites: []rule.Cite{
		backendGuide,
		{Title: "CTranslate2 issue 1806: cuDNN 9", URL: "https://github.com/OpenNMT/CTranslate2/issues/1806", Date: "2026-11-30"},
		{Title: "faster-whisper issue 1080: cuDNN versions", URL: "https://github.com/SYSTRAN/faster-whisper/issues/1080", Date: "2026-11-30"},
	},
	Doc: `cuDNN 8 and cuDNN 9 are two libraries with two sets of names. A program built for one does not load the other:
CTranslate2 before 4.5 asks for libcudnn_ops_infer.so.8, which cuDNN 9 does not have; ONNX Runtime from 1.19 on asks for
libcudnn.so.9.

The wheel nvidia-cudnn-cu12 holds one of them at a time, so that two packages of one environment can want different
majors. Then one of the two has to be a release that fits the other, or they go into two environments. A second cuDNN
outside the environment, on the search path, is the way out where neither can change.`,
	Check: func(in *rule.Input) rule.Verdict {
		return missing.Check(in, rule.CUDNN, missing.OtherMajor, missing.Effect)
	},
}
