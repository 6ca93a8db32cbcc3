package kb

import (
	"fmt"

	"strata/internal/version"
)

// TorchABI is the C++ ABI of libstdc++ that official CUDA wheels of a range of PyTorch releases are compiled with.
type TorchABI struct {
	Row
	releases[version.PEP440]
	Variant string `kb:"variant,key"` // "" for all that have no row of their own
	CXX11   CXX11  `kb:"cxx11,required"`
}

// CXX11 is the value of _GLIBCXX_USE_CXX11_ABI as extensions write it into the names of their wheels.
type CXX11 string

// The ABIs.
const (
	OldABI CXX11 = "FALSE"
	NewABI CXX11 = "TRUE"
)

// UnmarshalText accepts the two and nothing else.
func (a *CXX11) UnmarshalText(text []byte) error { return unmarshalWord(a, text, OldABI, NewABI) }

var torchABIs = csvFile("frameworks/torch_abi.csv", reaches[TorchABI]("pep440"), noOverlap(func(r TorchABI) string { return r.Variant }))

// TorchABI returns the C++ ABI of the official CUDA wheel of PyTorch v; the variant is its local version ("2.6.0+cu126").
func (b *Base) TorchABI(v version.PEP440) Answer[TorchABI] {
	t := torchABIs.in(b)
	all := lookupAll(b, t, fmt.Sprintf("the C++ ABI of torch %s", v), released(v), func(TorchABI) bool { return true })
	if !all.Known {
		return Answer[TorchABI]{Beyond: all.Beyond, Why: all.Why, Ref: all.Ref}
	}
	best := all.Value[0]
	for _, r := range all.Value {
		if r.Variant == v.Local() && r.Variant != "" {
			best = r
		}
	}
	if best.Variant != "" && best.Variant != v.Local() {
		return notFound[TorchABI](t, "the C++ ABI of torch %s is not known", v)
	}
	return found(b, t, best.Row, best)
}
