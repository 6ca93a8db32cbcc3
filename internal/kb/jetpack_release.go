package kb

import (
	"fmt"
	"strings"

	"strata/internal/version"
)

// JetPackRelease is the JetPack of one release of Jetson Linux (L4T).
type JetPackRelease struct {
	Row
	L4T     version.Lib  `kb:"l4t,key"`
	JetPack string       `kb:"jetpack,required"` // "6.2.1"
	CUDA    version.CUDA `kb:"cuda"`             // what it brings; zero: not known
	// SBSA says that it takes builds for Arm servers. Jetsons with an older JetPack take builds of their own (aarch64-jetson).
	SBSA bool   `kb:"sbsa"`
	Note string `kb:"note"`
}

var jetPackReleases = csvFile("nvidia/jetpack_releases.csv", reaches[JetPackRelease]("l4t"), checkJetPackReleases)

// JetPackOfL4T returns the JetPack of a Jetson Linux release as /etc/nv_tegra_release gives it ("R36.4.3"). Between two listed releases
// of one major it is the older one, and Why says so: NVIDIA publishes security updates without a JetPack of their own.
func (b *Base) JetPackOfL4T(l4t string) Answer[JetPackRelease] {
	t := jetPackReleases.in(b)
	asked, err := version.ParseLib(strings.TrimPrefix(strings.TrimSpace(l4t), "R"))
	if err != nil {
		return notFound[JetPackRelease](t, "%q is no release of Jetson Linux", l4t)
	}
	if limit, err := version.ParseLib(t.limit("l4t")); err != nil || limit.Less(asked) && !asked.HasPrefix(limit) {
		return beyond[JetPackRelease](t, "Jetson Linux "+asked.String())
	}
	var best *JetPackRelease
	for i := range t.Rows {
		r := &t.Rows[i]
		if r.L4T.Major() == asked.Major() && (!asked.Less(r.L4T) || r.L4T.HasPrefix(asked)) {
			best = r
		}
	}
	if best == nil {
		return notFound[JetPackRelease](t, "the JetPack of Jetson Linux %s is not known", asked)
	}
	a := found(b, t, best.Row, *best)
	if best.L4T.Compare(asked) != 0 && !best.L4T.HasPrefix(asked) {
		a.Why = fmt.Sprintf("Jetson Linux %s is not listed; the one before it is %s", asked, best.L4T)
	}
	return a
}

// checkJetPackReleases reports rows out of order, and a JetPack of which jetpack_compat.csv does not know the CUDA that it brings.
func checkJetPackReleases(b *Base, t *Table[JetPackRelease]) (problems []Problem) {
	for i, r := range t.Rows {
		if i > 0 && !t.Rows[i-1].L4T.Less(r.L4T) {
			problems = append(problems, Problem{t.Name, r.Line, "is not newer than the row before"})
		}
		if a := b.JetPackCompat(r.JetPack, r.CUDA); !r.CUDA.IsZero() && (!a.Known || a.Value.Status == Unsupported) {
			problems = append(problems, Problem{t.Name, r.Line, fmt.Sprintf("jetpack_compat.csv does not have CUDA %s on JetPack %s", r.CUDA, r.JetPack)})
		}
	}
	return problems
}
