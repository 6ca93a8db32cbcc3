package loader

import "fmt"

// maxSpent bounds the places that one process is searched in: long search paths, deep chains and many missing names multiply. The largest
// real ones come to some 100,000.
const maxSpent = 2_000_000

var tooFar = fmt.Sprintf("given up after %d places", maxSpent)

// spend counts n steps and reports whether there were too many.
func (p *Process) spend(n int) bool {
	p.spent += n
	return p.spent > maxSpent
}
