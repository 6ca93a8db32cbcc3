package stack

import "strata/internal/version"

// CUDA is toolkits and CUDA-family libraries outside Python environments.
type CUDA struct {
	Toolkits Fact[[]Toolkit] `json:"toolkits"`
	// Libraries are CUDA-family libraries in ld.so's directories, LD_LIBRARY_PATH,
	// toolkits, compat directories and HPC module trees.
	Libraries Fact[[]Library] `json:"libraries"`
	// HostCompiler is the g++ or gcc that nvcc would take.
	HostCompiler Fact[Compiler] `json:"host_compiler"`
}

// Toolkit is an installed CUDA toolkit.
type Toolkit struct {
	Root    string       `json:"root"`
	Version version.CUDA `json:"version,omitzero"`
	// NVCC is the path of its compiler; empty in a runtime-only installation.
	NVCC string `json:"nvcc,omitempty"`
	// Default is true for the one that /usr/local/cuda, CUDA_HOME or PATH leads to.
	Default bool   `json:"default"`
	Owner   string `json:"owner,omitempty"`
	From    Source `json:"from"`
}

// Compiler is a host compiler.
type Compiler struct {
	Name  string `json:"name"` // gcc
	Path  string `json:"path"`
	Major int    `json:"major"`
}
