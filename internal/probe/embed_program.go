//go:build embedprobe

package probe

import _ "embed"

// embedded is strata-probe as built before, uncompressed: unpacking would cost
// more time than the probe itself.
//
//	CGO_ENABLED=0 go build -trimpath -ldflags='-s -w' -o internal/probe/strata-probe ./cmd/strata-probe
//	CGO_ENABLED=0 go build -trimpath -ldflags='-s -w' -tags embedprobe ./cmd/strata
//
//go:embed strata-probe
var embedded []byte
