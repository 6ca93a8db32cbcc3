package kb

import "strata/internal/version"

func pep(s string) version.PEP440                 { return parsed(version.ParsePEP440(s)) }
func libOf(s string) version.Lib                  { return parsed(version.ParseLib(s)) }
func toolkitOf(s string) version.CUDA             { return parsed(version.ParseCUDA(s)) }
func targetOf(s string) version.ComputeCapability { return parsed(version.ParseComputeCapability(s)) }

// parsed is for versions that a test writes out itself.
func parsed[V any](v V, err error) V {
	if err != nil {
		panic(err)
	}
	return v
}
