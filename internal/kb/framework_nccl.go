package kb

import "strata/internal/version"

// NCCLSymbol is a function that NCCL exports since a release.
type NCCLSymbol struct {
	Row
	Symbol string      `kb:"symbol,key"`
	Since  version.Lib `kb:"since,required"`
}

// NCCLArchs is what NCCL is compiled for when built with a range of toolkits.
type NCCLArchs struct {
	Row
	releases[version.CUDA]
	Code
}

var (
	ncclSymbols = csvFile("frameworks/nccl_symbols.csv", reaches[NCCLSymbol]("lib"))
	ncclArchs   = csvFile("frameworks/nccl_archs.csv", reaches[NCCLArchs]("cuda"), noOverlap(func(NCCLArchs) string { return "" }))
)

// NCCLSymbol returns the release that brought function symbol. One that the table does not have may be newer than the table, so that
// this is not known.
func (b *Base) NCCLSymbol(symbol string) Answer[NCCLSymbol] {
	t := ncclSymbols.in(b)
	for _, r := range t.Rows {
		if r.Symbol == symbol {
			return found(b, t, r.Row, r)
		}
	}
	return notFound[NCCLSymbol](t, "%q is not a function of NCCL up to %s", symbol, t.limit("lib"))
}

// NCCLArchs returns what NCCL is compiled for by default with toolkit v.
func (b *Base) NCCLArchs(v version.CUDA) Answer[NCCLArchs] {
	return lookup(b, ncclArchs.in(b), "NCCL built with CUDA "+v.String(), v, func(NCCLArchs) bool { return true })
}
