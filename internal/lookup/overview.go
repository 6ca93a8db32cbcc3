package lookup

import (
	"fmt"
	"strings"

	"strata/internal/kb"
)

// Overview is the card of the knowledge base itself: its tables and how far each reaches.
func Overview(base *kb.Base) *Card {
	b := newBuilder(base, "", "")
	b.Title = "strata kb"
	rows := 0
	t := b.table("tables", "", "name", "Table", "rows", "Rows", "as_of", "As of", "horizon", "Horizon")
	for _, info := range base.Tables() {
		t.row(info.Name, info.Rows, info.AsOf, info.Horizon)
		rows += info.Rows
	}
	b.Notes = []string{
		fmt.Sprintf("Version %s: %d tables, %d rows, %d sources", base.Version(), len(t.Rows), rows, len(base.Sources())),
		"A question beyond a table's horizon is answered with unknown, never with the last row",
		"strata kb show lists what can be looked up",
	}
	return b.Card
}

// Index is the card of what can be looked up.
func Index(base *kb.Base) *Card {
	b := newBuilder(base, "", "")
	b.Title = "strata kb show SUBJECT NAME"
	t := b.table("subjects", "", "subject", "Subject", "examples", "For example", "about", "What is known")
	for _, s := range static() {
		t.row(s.Name, s.Examples[0], s.About)
	}
	b.Notes = []string{
		"And packages, by name and version: " + strings.Join(packages(base), ", "),
		"strata kb show SUBJECT lists the names that are known",
	}
	return b.Card
}
