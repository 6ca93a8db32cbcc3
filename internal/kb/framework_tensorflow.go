package kb

import "strata/internal/version"

// TensorFlow is the official wheel of a range of releases on one platform.
type TensorFlow struct {
	Row
	releases[version.PEP440]
	Platform  TensorFlowPlatform `kb:"platform,key"`
	GPU       bool               `kb:"gpu"`   // false: no wheel of this platform has GPU code
	CUDA      version.CUDA       `kb:"cuda"`  // tested configuration
	CUDNN     version.Lib        `kb:"cudnn"` // tested configuration
	PythonMin version.PEP440     `kb:"python_min"`
	PythonMax version.PEP440     `kb:"python_max"`
	Glibc     version.Glibc      `kb:"glibc"`     // floor by the tag of the wheel for Linux; zero where that says less than the truth
	AndCUDA   bool               `kb:"pip_extra"` // tensorflow[and-cuda] exists
	Code
	Sonames []string `kb:"sonames"` // opened by name when it looks for GPUs; all or no GPU
}

// TensorFlowPlatform is a platform that TensorFlow publishes wheels for. WSL2 is Linux.
type TensorFlowPlatform string

// The platforms in the table.
const (
	TensorFlowLinux   TensorFlowPlatform = "linux_x86_64"
	TensorFlowWindows TensorFlowPlatform = "windows_x86_64"
	TensorFlowMacOS   TensorFlowPlatform = "macos"
)

// UnmarshalText accepts the three and nothing else.
func (p *TensorFlowPlatform) UnmarshalText(text []byte) error {
	return unmarshalWord(p, text, TensorFlowLinux, TensorFlowWindows, TensorFlowMacOS)
}

var tensorFlows = csvFile("frameworks/tensorflow.csv", reaches[TensorFlow]("pep440"),
	noOverlap(func(r TensorFlow) string { return string(r.Platform) }))

// TensorFlow returns the wheel of release v for platform.
func (b *Base) TensorFlow(v version.PEP440, platform TensorFlowPlatform) Answer[TensorFlow] {
	a := lookup(b, tensorFlows.in(b), "tensorflow "+v.String()+" for "+string(platform), released(v), func(r TensorFlow) bool { return r.Platform == platform })
	if a.Known && platform == TensorFlowLinux {
		b.measured(&a.Value.Code, "tensorflow", v)
	}
	return a
}
