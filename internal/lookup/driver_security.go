package lookup

import (
	"fmt"

	"strata/internal/kb"
	"strata/internal/version"
)

// driverSecurity adds what security bulletins say: of a branch the newest, of one driver those whose fixes it lacks.
func (b *builder) driverSecurity(branch int, d version.Driver, whole bool) {
	var newest []kb.Bulletin
	for _, r := range b.Bulletins(kb.DisplayDriver) {
		if r.Platform == kb.Linux && r.Branch == branch {
			newest = append(newest, r)
		}
	}
	if len(newest) == 0 {
		return
	}
	const most = 5
	show := newest[max(0, len(newest)-most):]
	title := "Security bulletins, the newest"
	if whole {
		s, ok := take(b, "Security bulletins", b.DriverSecurity(kb.Linux, d))
		if !ok {
			return
		}
		if len(s.Lacks) == 0 {
			b.field("security", "Security", "has the fixes of every bulletin that names this branch")
			b.cite(b.CiteBulletin(newest[len(newest)-1]))
			return
		}
		b.field("security", "Security", fmt.Sprintf("%d bulletins name a newer build as fixed; %s has all of their fixes", len(s.Lacks), s.Fixed))
		title, show = "Security bulletins whose fixes it lacks", s.Lacks
	}
	t := b.table("security_bulletins", title, "bulletin", "Bulletin", "date", "Date", "fixed", "Fixed in", "cvss", "CVSS", "cves", "CVEs")
	for _, r := range show {
		t.row(r.ID, r.Date, r.Fixed, r.CVSS.String()+" "+r.CVSS.Severity(), len(r.CVEs))
		b.cite(b.CiteBulletin(r))
	}
}
