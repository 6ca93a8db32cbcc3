package framework

import "embed"

//go:embed scripts/*.py
var scripts embed.FS

//go:embed scripts/prelude.py
var prelude string
