package machine

import (
	"embed"
	"io/fs"
)

// base holds parts of machines that archives include by @NAME: a
// distribution, a GPU, a driver. They keep a test machine down to its story.
//
//go:embed base/*.txtar
var base embed.FS

// Bases lists the parts that an archive may include, as @NAME.
func Bases() []string {
	files, err := fs.Glob(base, "base/*.txtar")
	if err != nil { // only for a malformed pattern, which this is not
		return nil
	}
	names := make([]string, len(files))
	for i, f := range files {
		names[i] = "@" + f[len("base/"):len(f)-len(".txtar")]
	}
	return names
}
