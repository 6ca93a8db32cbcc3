package remedy

import (
	"fmt"

	"strata/internal/rule"
	"strata/internal/stack"
	"strata/internal/version"
)

// ReinstallFramework installs the workload's framework again in the release that is
// there, from the index that has its build.
func ReinstallFramework(in *rule.Input, layer rule.Layer, why string) rule.Remedy {
	env, f := in.Workload.Env, in.Framework()
	args := fmt.Sprintf("install --force-reinstall --no-cache-dir %s==%s", f.Package, f.Version)
	if v, err := version.ParsePEP440(f.Version); err == nil && v.Local() != "" && f.Name == "pytorch" {
		if b := in.KB.Torch(v, ""); b.Known {
			args += " --index-url " + b.Value.IndexURL()
		}
	}
	return rule.Remedy{
		Summary:  fmt.Sprintf("install %s %s in %s again%s", f.Package, f.Version, env.Prefix, why),
		Layer:    layer,
		Changes:  []stack.Change{stack.Install{Prefix: env.Prefix, Package: f.Package, Version: f.Version}},
		Commands: Pip(env, args),
	}
}
