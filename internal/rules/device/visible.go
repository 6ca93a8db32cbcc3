package device

import (
	"fmt"
	"strconv"
	"strings"

	"strata/internal/rule"
	"strata/internal/stack"
)

// visible is what a value of CUDA_VISIBLE_DEVICES leaves of the GPUs.
type visible struct {
	devices []string // accepted entries, in order
	ended   bool     // by an entry that is no device
	stopped string   // that entry
	unsure  string   // why an entry could not be judged
}

// readVisible follows the CUDA Programming Guide: a list of ordinals, or of
// GPU- and MIG- identifiers that may be shortened as long as they are
// unambiguous; the first entry that is none of a device ends the list. count is
// the number of devices, -1 where it is not known.
func readVisible(in *rule.Input, value string, count int) visible {
	var v visible
	for item := range strings.SplitSeq(value, ",") {
		item = strings.TrimSpace(item)
		ok, unsure := true, ""
		switch n, err := strconv.Atoi(item); {
		case strings.HasPrefix(item, "GPU-"):
			ok, unsure = matchUUID(in, item)
		case strings.HasPrefix(item, "MIG-"):
			mig := in.Stack.Devices.MIG
			ok = mig.State != stack.Absent
			unsure = "which MIG instance an identifier belongs to is not read"
		case err != nil || n < 0:
			ok = false
		case count < 0:
			unsure = "the number of GPUs is not known"
		default:
			ok = n < count
		}
		if !ok {
			v.ended, v.stopped = true, item
			return v
		}
		if unsure != "" {
			v.unsure = unsure
		}
		v.devices = append(v.devices, item)
	}
	return v
}

// matchUUID looks an identifier up among those that the driver lists. A
// driver that could not read a GPU writes question marks.
func matchUUID(in *rule.Input, id string) (ok bool, unsure string) {
	known := 0
	for _, p := range in.Stack.Hardware.Proc.Value {
		if !strings.HasPrefix(p.UUID, "GPU-") || strings.Contains(p.UUID, "?") {
			continue
		}
		known++
		if strings.HasPrefix(strings.ToLower(p.UUID), strings.ToLower(id)) {
			return true, ""
		}
	}
	if known == 0 {
		return true, "the identifiers of the GPUs are not known"
	}
	return false, ""
}

// deviceCount is how many GPUs a process could see: those with a node, which
// in a container are fewer than the bus has.
func deviceCount(in *rule.Input) int {
	if n := len(gpuNodes(in)); n > 0 {
		return n
	}
	if !in.Stack.Container.Inside.Known() && in.GPUsSeen.State == stack.Known {
		return len(in.GPUs)
	}
	return -1
}

func (v visible) String() string {
	switch {
	case v.ended && v.stopped == "" && len(v.devices) == 0:
		return "an empty value means none"
	case v.ended && len(v.devices) == 0:
		return fmt.Sprintf("its first entry %q is no device", v.stopped)
	case v.ended:
		return fmt.Sprintf("the list ends at %q, which is no device; %s remain", v.stopped, strings.Join(v.devices, ", "))
	}
	return strings.Join(v.devices, ", ")
}
