package kernel

import (
	"testing"

	"strata/internal/collect/collecttest"
	"strata/internal/stack"
)

func TestFirmware(t *testing.T) {
	for _, c := range []struct {
		name, archive string
		state         stack.State
		versions      []string
	}{
		{"two drivers beside nouveau's", `
-- rootfs/lib/firmware/nvidia/570.133.20/gsp_ga10x.bin --
-- rootfs/lib/firmware/nvidia/570.133.20/gsp_tu10x.bin --
-- rootfs/lib/firmware/nvidia/535.129.03/gsp_tu10x.bin.zst --
-- rootfs/lib/firmware/nvidia/ga102/gsp/booter_load-535.113.01.bin --
`, stack.Known, []string{"535.129.03", "570.133.20"}},
		{"an empty folder left behind", "-- modes --\n0755 dir /lib/firmware/nvidia/570.133.20\n", stack.Known, nil},
		{"firmware, none of NVIDIA's", "-- rootfs/lib/firmware/iwlwifi.ucode --\n", stack.Known, nil},
		{"no firmware directory at all", "-- rootfs/etc/os-release --\n", stack.NotCollected, nil},
		{"may not be read", "-- rootfs/lib/firmware/nvidia/570.133.20/gsp_ga10x.bin --\n-- deny --\n/lib/firmware/nvidia\n", stack.Denied, nil},
		{"a driver container's, by the loader's parameter", `
-- rootfs/lib/firmware/iwlwifi.ucode --
-- rootfs/sys/module/firmware_class/parameters/path --
/run/nvidia/driver/lib/firmware
-- rootfs/run/nvidia/driver/lib/firmware/nvidia/570.133.20/gsp_ga10x.bin --
`, stack.Known, []string{"570.133.20"}},
		{"NixOS", "-- rootfs/run/current-system/firmware/nvidia/570.133.20/gsp_tu10x.bin.zst --\n", stack.Known, []string{"570.133.20"}},
		{"one of two may not be read", `
-- rootfs/lib/firmware/nvidia/570.133.20/gsp_ga10x.bin --
-- rootfs/lib/firmware/updates/nvidia/570.172.08/gsp_ga10x.bin --
-- deny --
/lib/firmware/updates
`, stack.Denied, []string{"570.133.20"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := collecttest.Read(t, Collector, collecttest.OpenText(t, c.archive)).Kernel
			if k.Firmware.State != c.state {
				t.Fatalf("state %s (%s), want %s", k.Firmware.State, k.Firmware.Why, c.state)
			}
			var got []string
			for _, f := range k.Firmware.Value {
				got = append(got, f.Version.String())
			}
			if len(got) != len(c.versions) || len(got) > 0 && (got[0] != c.versions[0] || got[len(got)-1] != c.versions[len(got)-1]) {
				t.Errorf("versions %v, want %v", got, c.versions)
			}
		})
	}
}
