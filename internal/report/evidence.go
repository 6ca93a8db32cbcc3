package report

import (
	"fmt"
	"strings"

	"strata/internal/stack"
)

// caption is what stood at a source. Where the source itself quotes nothing,
// because all of a file or a directory was read, it says what that showed: a
// path alone proves nothing.
func (b *builder) caption(s stack.Source) string {
	// os.FileMode writes a device as "Dc"; ls -l as "c".
	if strings.HasPrefix(s.Text, "Dcrw") {
		return s.Text[1:]
	}
	if s.Text != "" {
		return s.Text
	}
	st := b.r.View.Stack
	for _, g := range b.r.View.GPUs {
		if g.From == s {
			return g.Name
		}
	}
	for _, l := range st.Driver.Libraries.Value {
		if l.From == s && l.Version != "" {
			return strings.TrimSpace(l.Soname + " of driver " + l.Version)
		}
	}
	if user := st.Devices.User; user.Known() && s.Kind == "kernel" {
		return fmt.Sprintf("user %d, groups %s", user.Value.UID, numbers(user.Value.GIDs))
	}
	if s.Locator == "/dev" {
		return "device files: " + nodes(st.Devices.Nodes.Value)
	}
	return ""
}

func numbers(list []int) string {
	if len(list) == 0 {
		return "none"
	}
	return strings.Trim(fmt.Sprint(list), "[]")
}

func nodes(list []stack.DeviceNode) string {
	var names []string
	for _, n := range list {
		names = append(names, strings.TrimPrefix(n.Path, "/dev/"))
	}
	if len(names) == 0 {
		return "none of NVIDIA's"
	}
	return strings.Join(names, " ")
}
