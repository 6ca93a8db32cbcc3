package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// fix is a remedy with its commands, which come in pairs: what each is for, and what to type.
func fix(summary string, commands ...string) Remedy {
	r := Remedy{Summary: summary}
	for i := 0; i+1 < len(commands); i += 2 {
		r.Commands = append(r.Commands, rule.Command{For: commands[i], Run: commands[i+1]})
	}
	return r
}

// when lets a remedy stand only where conditions hold.
func when(r Remedy, conditions ...Condition) Remedy {
	r.When = append(r.When, conditions...)
	return r
}

// on is a list of conditions, all of which must hold.
func on(conditions ...Condition) []Condition { return conditions }

// causes are alternatives, most specific first.
func causes(list ...Cause) []Cause { return list }
