package version

import "strings"

// Token is a name or a version that came from a machine with every character
// replaced that none has: what Strata prints in a command is copied into a
// shell, and a directory called "torch-1;reboot.dist-info" must not run there.
func Token(s string) string {
	ok := func(r rune) bool {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("._+!~:^-", r)
	}
	return strings.Map(func(r rune) rune {
		if ok(r) {
			return r
		}
		return '_'
	}, s)
}
