package device

import (
	"fmt"
	"strconv"
	"strings"

	"strata/internal/machine"
	"strata/internal/stack"
)

func deviceNumber(n stack.DeviceNode) string { return fmt.Sprintf("%d:%d", n.Major, n.Minor) }

// maxGroup bounds /etc/group; large sites keep theirs in LDAP.
const maxGroup = 4 << 20

// user is who asks for the GPU, with the names of the groups that own the
// device files. Names that /etc/group does not have stay out.
func user(m *machine.Machine, nodes []stack.DeviceNode) stack.Fact[stack.User] {
	if m.User == nil {
		return stack.Fact[stack.User]{}
	}
	u := stack.User{UID: m.User.UID, GIDs: m.User.GIDs, Groups: map[int]string{}}
	owning := map[int]bool{}
	for _, n := range nodes {
		owning[n.GID] = true
	}
	const group = "/etc/group"
	if data, err := m.ReadFile(group, maxGroup); err == nil {
		for gid, name := range ParseGroup(data) {
			if owning[gid] {
				u.Groups[gid] = name
			}
		}
	}
	return stack.Know(u, stack.From("kernel", "identity of the process", 0, ""), stack.File(group))
}

// ParseGroup reads /etc/group (group(5)): names by group id. The first entry
// of an id wins, as in getgrgid(3).
func ParseGroup(data []byte) map[int]string {
	groups := map[int]string{}
	for line := range strings.Lines(string(data)) {
		f := strings.SplitN(strings.TrimSpace(line), ":", 4)
		if len(f) < 3 || f[0] == "" || strings.HasPrefix(f[0], "#") {
			continue
		}
		gid, err := strconv.Atoi(f[2])
		if _, taken := groups[gid]; err == nil && !taken {
			groups[gid] = f[0]
		}
	}
	return groups
}
