//go:build !embedprobe

package probe

// embedded is strata-probe in builds that carry it; see embed_program.go.
var embedded []byte
