package kb

import (
	"strings"

	"strata/internal/version"
)

// JetPackCompat says whether a CUDA can be put on a Jetson of one JetPack release without installing a newer JetPack.
type JetPackCompat struct {
	Row
	JetPack string       `kb:"jetpack,key"` // "6", or "7.2" where the minor matters
	CUDA    version.CUDA `kb:"cuda,key"`
	Later   bool         `kb:"later"` // the row holds for every newer CUDA too
	Status  CompatStatus `kb:"status,required"`
	Package string       `kb:"package"` // upgrade package, only one may be installed at a time
	Note    string       `kb:"note"`
}

var jetPackCompat = csvFile("nvidia/jetpack_compat.csv", reaches[JetPackCompat]("cuda", "jetpack"))

// JetPackCompat returns whether CUDA v runs on JetPack release jetpack ("5.1.2", "6.0").
func (b *Base) JetPackCompat(jetpack string, v version.CUDA) Answer[JetPackCompat] {
	t := jetPackCompat.in(b)
	asked, err := version.ParseLib(jetpack)
	switch {
	case err != nil || v.IsZero():
		return notFound[JetPackCompat](t, "JetPack release or CUDA version not given")
	case cudaBeyond(t, v):
		return beyond[JetPackCompat](t, "CUDA "+v.String())
	}
	if limit, err := version.ParseLib(t.limit("jetpack")); err != nil || limit.Less(asked) && !asked.HasPrefix(limit) {
		return beyond[JetPackCompat](t, "JetPack "+jetpack)
	}
	for _, r := range t.Rows {
		ofRelease := jetpack == r.JetPack || strings.HasPrefix(jetpack, r.JetPack+".")
		if ofRelease && (sameMinor(r.CUDA, v) || r.Later && r.CUDA.Less(v)) {
			return found(b, t, r.Row, r)
		}
	}
	return notFound[JetPackCompat](t, "nothing is known about CUDA %s on JetPack %s", v, jetpack)
}
