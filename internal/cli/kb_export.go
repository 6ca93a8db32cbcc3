package cli

import (
	"errors"

	"github.com/spf13/cobra"

	"strata/internal/render/jsonout"
)

func newKBExport(s Streams, o *kbOptions) *cobra.Command {
	return &cobra.Command{
		Use:   "export",
		Short: "Print the whole knowledge base as one JSON document",
		Long: `Export prints every table of the knowledge base, with its rows as objects under
the names of their columns, and every source. The same base gives the same
bytes. It is always JSON.`,
		Example: "  strata kb export > kb.json",
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if cmd.Flags().Changed("format") && o.format == "term" {
				return errors.New("strata kb export has no --format term: it is always JSON; strata kb and strata kb show are for reading")
			}
			if err := o.validate(); err != nil {
				return err
			}
			base, tool, err := openKB(s, o.dir)
			if err != nil {
				return err
			}
			x, err := base.Export()
			if err != nil {
				return err
			}
			return jsonout.Export(s.Out, tool, x)
		},
	}
}
