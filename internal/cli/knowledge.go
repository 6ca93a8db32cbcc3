package cli

import (
	"fmt"
	"time"

	"strata/internal/kb"
	"strata/internal/report"
)

// kbFlag adds --kb, which every command that judges or looks up has.
func kbFlag(f flags, dir *string) {
	f.StringVar(dir, "kb", "", "use the knowledge base in this `directory` instead of the built-in one")
}

// flags are those of one command, or those that its subcommands share.
type flags interface {
	StringVar(p *string, name, value, usage string)
	DurationVar(p *time.Duration, name string, value time.Duration, usage string)
}

// openKB opens the knowledge base in dir, or the built-in one. Tool names it in every report. An old one is used, and said to be old.
func openKB(s Streams, dir string) (*kb.Base, report.Tool, error) {
	base := kb.Default()
	if dir != "" {
		var err error
		if base, err = kb.OpenDir(dir); err != nil {
			return nil, report.Tool{}, err
		}
	}
	tool := toolWith(base)
	if tool.KBOlderThan != "" {
		fmt.Fprintf(s.Err, "strata: warning: the knowledge base in %q is of %s, older than the built-in one of %s\n", dir, tool.KB, tool.KBOlderThan)
	}
	return base, tool, nil
}

// toolWith names this program and base.
func toolWith(base *kb.Base) report.Tool {
	tool := report.Tool{Version: Version(), KB: base.Version(), KBDir: base.Dir()}
	if builtin := kb.Default().Version(); tool.KBDir != "" && tool.KB < builtin { // days, written so that they compare as text
		tool.KBOlderThan = builtin
	}
	return tool
}
