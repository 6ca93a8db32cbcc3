// Package remedy builds the candidates that several rules offer: another build
// of a framework, a package put in or taken out, a newer driver. Each says its
// change as data, so that the planner can try it, and as commands to type.
package remedy

import (
	"fmt"
	"path"
	"strings"

	"strata/internal/kb"
	"strata/internal/rule"
	"strata/internal/stack"
	"strata/internal/version"
)

// Pip are the commands that run pip in one environment with the given
// arguments, for pip and for uv.
func Pip(env *stack.Environment, args string) []rule.Command {
	python := Python(env)
	verb, rest, _ := strings.Cut(args, " ")
	if env.Managed {
		// Whoever installed a framework there has told pip so before (PEP 668).
		args += " --break-system-packages"
		rest += " --break-system-packages"
	}
	uv := fmt.Sprintf("uv pip %s --python %s %s", verb, Quote(python), strings.TrimPrefix(rest, "-y "))
	return []rule.Command{
		{For: "pip", Run: fmt.Sprintf("%s -m pip %s", Quote(python), args)},
		{For: "uv", Run: uv},
	}
}

// Python is the interpreter to call for an environment.
func Python(env *stack.Environment) string {
	if env.Interpreter != "" {
		return env.Interpreter
	}
	return path.Join(env.Prefix, "bin/python")
}

// Install puts one package into the environment. spec is name==version, or a
// bare name where no version is better than another.
func Install(env *stack.Environment, layer rule.Layer, spec, why string) rule.Remedy {
	name, ver, _ := strings.Cut(spec, "==")
	ver = strings.TrimSuffix(ver, ".*")
	r := rule.Remedy{
		Summary:  fmt.Sprintf("install %s in %s%s", spec, env.Prefix, why),
		Layer:    layer,
		Changes:  []stack.Change{stack.Install{Prefix: env.Prefix, Package: name, Version: ver}},
		Commands: Pip(env, "install "+quote(spec)),
	}
	return r
}

// Uninstall takes a package out of the environment.
func Uninstall(env *stack.Environment, layer rule.Layer, name, why string) rule.Remedy {
	return rule.Remedy{
		Summary:  fmt.Sprintf("uninstall %s from %s%s", name, env.Prefix, why),
		Layer:    layer,
		Changes:  []stack.Change{stack.Uninstall{Prefix: env.Prefix, Package: name}},
		Commands: Pip(env, "uninstall -y "+name),
	}
}

// quote protects a version range from the shell.
func quote(spec string) string {
	if strings.ContainsAny(spec, "<>*; ") {
		return "'" + spec + "'"
	}
	return spec
}

// NewerDriver installs a driver that something needs, of a branch that still
// supports every GPU here and in the flavour that they need. Where the
// knowledge base has no such branch, it is exactly the driver that was asked for.
func NewerDriver(in *rule.Input, atLeast version.Driver) rule.Remedy {
	b, ok := Branch(in, atLeast.Branch(), 0)
	if !ok || b.Latest.Less(atLeast) {
		b = kb.DriverBranch{Branch: atLeast.Branch(), Latest: atLeast}
	}
	return Driver(in, b, Flavor(in, b), atLeast)
}
