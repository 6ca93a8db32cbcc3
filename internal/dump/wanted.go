package dump

import (
	"strings"

	"strata/internal/lazyregexp"
)

// wanted tells whether what a sentence says of a version is that somebody
// needs, offers, avoids or compares it, so that it is no fact of the machine.
func wanted(line, match string) bool {
	at := strings.Index(line, match)
	return at >= 0 && wantedAt(line, at, at+len(match))
}

// clauseBytes is how much of a line before and behind a version is looked at. A clause is shorter.
const clauseBytes = 56

func wantedAt(line string, from, to int) bool {
	before := strings.ReplaceAll(lowerASCII(line[max(0, from-clauseBytes):from]), "e.g.", "e.g")
	if i := clauseEnd.FindAllStringIndex(before, -1); len(i) > 0 {
		before = before[i[len(i)-1][1]:]
	}
	before = failing.ReplaceAllString(before, "")
	if !pastTense.MatchString(before) && wantedBefore.MatchString(before) {
		return true
	}
	return wantedAfter.MatchString(lowerASCII(line[to:min(len(line), to+clauseBytes)]))
}

var (
	clauseEnd = lazyregexp.New(`[.;!?)(]\s|, but |\bbut |\bwhile |\bwhereas |, (?:and )?(?:i|my|we)\b| -> | → `)
	// That something does not work is said of what somebody has.
	failing = lazyregexp.New(`\bnext to |(?:\b(?:not|no longer|never|stopped|stops)|n't) (?:work(?:s|ing)?|supported|compatible|built|found|detected|recogni[sz]ed|used)\b`)
	// What was done, and what somebody has, is a fact even where a word of the next list stands before it.
	pastTense = lazyregexp.New(`\b(?:(?:after|since) (?:the )?(?:upgrad|updat|downgrad|switch|mov|chang|migrat)\w+(?: \w+){0,2}(?: from [\w.+ ]+)? to|(?:upgraded|updated|downgraded|switched|moved|migrated|rolled back)(?: \w+){0,2}(?: from [\w. ]+)? to|(?:i'm|i am|we are|we're|i|we|currently) (?:using|use|running|run|have|on)(?: with)?|` +
		`(?:have|has|had|got) installed|my|running(?: on| with)?|installed(?: version)?(?: is|:)?) (?:(?:an?|the|on|with|latest|nvidia|single|cuda|geforce|gpu|driver|version|\dx?|two|dual|is)[ -:]*)*$`)
	wantedBefore = lazyregexp.New(`\b(?:needs?|needed|requires?|required|requiring|requirements?|minimum|at least|(?:up|down)grad(?:e|ing) (?:\w+ ){0,2}to|updat(?:e|ing) (?:\w+ ){0,2}to|switch(?:ing)? (?:\w+ ){0,2}to|` +
		`mov(?:e|ing) (?:\w+ ){0,2}to|up to|prior to|install|installing|reinstall|should|must|supports?|supported|supporting|compatible|compatibility|built|compiled|targets?|expects?|expected|expecting|works?|worked|working|tested|` +
		`instead|than|without|if|unless|for|previous|previously|older|newer|before|after|try|tried|trying|use|from|only|either|any|such as|like|e\.g|released?|since|until|starting|docs?|documentation|` +
		`recommends?|recommended|assuming|another|other|default|please|could|would|wheels?|prebuilt|latest|between|via)\b[^.;]*$|[<>=~!]=?\s*$|\bto $|(?:\b(?:not|no|never)|n't) (?:\w+ )?$`)
	wantedAfter = lazyregexp.New(`^(?:[+x]|\s?(?:or|and) (?:later|newer|higher|above|greater|up|older|below|earlier|lower|onwards?)|\.x|\s?(?:is|are|was|be) (?:required|needed|recommended|necessary|supported|not supported|only)|` +
		`\s?(?:required|needed|or \d)|\s?(?:supports?|wheels?|builds?|images?|compatib\w+)\b|\s?[-–/|] ?\d|,? (?:does|do|did|is|was)(?:n't| not)\b|\s?(?:works|worked)|\sdriver version|[\w+. ]* \(you have)`)
)
