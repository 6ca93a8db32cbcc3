// Command strata finds the first broken layer of a GPU software stack.
package main

import (
	"context"
	"os"

	"strata/internal/cli"
)

func main() {
	os.Exit(cli.Main(context.Background(), cli.OSStreams(), os.Args[1:]))
}
