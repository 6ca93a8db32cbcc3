package toolkit

import (
	"fmt"

	"strata/internal/rule"
	"strata/internal/rules/remedy"
	"strata/internal/stack"
	"strata/internal/version"
)

// install adds the compiler of one CUDA minor release beside what is there.
func install(in *rule.Input, v version.CUDA) rule.Remedy {
	short := fmt.Sprintf("%d.%d", v.Major(), v.Minor())
	c, err := version.ParseCUDA(short)
	if err != nil {
		c = v
	}
	pkg := fmt.Sprintf("cuda-toolkit-%d-%d", v.Major(), v.Minor())
	export := fmt.Sprintf("export CUDA_HOME=/usr/local/cuda-%s PATH=/usr/local/cuda-%s/bin:$PATH", short, short)
	return rule.Remedy{
		Summary:  fmt.Sprintf("install the toolkit of CUDA %s from NVIDIA's package repository and point CUDA_HOME to it", short),
		Layer:    rule.Toolkit,
		Changes:  []stack.Change{stack.InstallToolkit{Version: c}},
		Commands: append(remedy.ForDistribution(in, "sudo apt install "+pkg, "sudo dnf install "+pkg), remedy.Shell(export)...),
	}
}
