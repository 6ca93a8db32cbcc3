package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"strata/internal/kb"
	"strata/internal/report"
)

// release is the version of the next release; a build from a tag carries its own.
const release = "0.1.0-dev"

// Version is the version of this program, from the module that it was built as.
func Version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return release
}

func newVersion(s Streams) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the versions of Strata, its knowledge base and its output",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintf(s.Out, "strata %s\nknowledge base %s\noutput %s\n%s %s/%s\n",
				Version(), kb.Default().Version(), report.Schema, runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return err
		},
	}
}
