package python

import (
	"testing"

	"strata/internal/collect/collecttest"
)

func TestManaged(t *testing.T) {
	s := collecttest.Read(t, New(Options{}), collecttest.OpenText(t, `
-- rootfs/usr/lib/python3.12/EXTERNALLY-MANAGED --
[externally-managed]
-- rootfs/usr/lib/python3/dist-packages/torch-2.7.1.dist-info/METADATA --
Metadata-Version: 2.1
Name: torch
Version: 2.7.1
-- rootfs/usr/bin/python3.12 --
x
-- rootfs/opt/venv/pyvenv.cfg --
home = /usr/bin
version = 3.12.3
-- rootfs/opt/venv/lib/python3.12/site-packages/torch-2.7.1.dist-info/METADATA --
Metadata-Version: 2.1
Name: torch
Version: 2.7.1
`))
	got := map[string]bool{}
	for _, e := range s.Python.Value {
		got[e.Prefix] = e.Managed
	}
	if !got["/usr"] || got["/opt/venv"] || len(got) != 2 {
		t.Errorf("managed: %v; want /usr and not /opt/venv", got)
	}
}
