package loader

// Places returns every place where the linker would look for a name that by asks for, in order, past the first that has it: the first
// Place without a Why is the winner, further ones are copies that it hides. A place whose Why the linker would stop at ends the list as it
// ends the search. A name that is loaded already is not looked for; Places looks all the same.
func (p *Process) Places(name string, by *Object) []Place {
	if by == nil {
		by = p.program
	}
	var list []Place
	seen := map[string]bool{}
	visit := func(place Place) {
		if !seen[string(place.Via)+place.Path] {
			seen[string(place.Via)+place.Path] = true
			list = append(list, place)
		}
	}
	if p.linker.Libc == "musl" {
		p.findMusl(name, by, visit)
		return list
	}
	for _, part := range p.parts(by) {
		for _, dir := range part.list {
			// One directory at a time, so that a hit in one does not end the part.
			one := part
			one.list = []string{dir}
			if _, _, err := p.tryDirs(one, name, visit); err != nil {
				return list
			}
		}
		if part.last {
			if _, _, err := p.tryCache(name, by, visit); err != nil {
				return list
			}
		}
	}
	return list
}
