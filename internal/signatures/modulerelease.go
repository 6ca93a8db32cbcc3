package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// twoReleases holds where the text has a release of the kernel module and another one of the driver's libraries.
var twoReleases = Condition{Name: "the module and the driver are of different releases", Holds: func(c *Case) bool {
	module, ok := c.Variable("module")
	driver, known := c.Variable("driver")
	return ok && known && module != driver
}}

// moduleRelease is where packages of the module and of the libraries are not of one release, in people's words.
func moduleRelease() []*Signature {
	return []*Signature{
		{
			ID: "told-two-releases", Product: "NVIDIA driver",
			Literals: []string{"mismatched", "version mismatch", "kmod-nvidia-", "nvidia-x11-", "dkms status", "out of sync", "different version", "different release"},
			Layer:    rule.KernelModule, Role: Told, Strength: Strong,
			Where:   on(twoReleases, Any(fails, Says("not to load", "not load", "mismatch")), Says("nvidia")),
			Meaning: "The text has a kernel module of one release and libraries of another.",
			Causes: causes(
				Cause{
					When:  on(Says("rpm-ostree", "ostree", "bootc", "ublue", "silverblue", "kinoite", "bazzite", "aurora", "bluefin")),
					Title: "The kernel module (kmod-nvidia {module}) and the driver's libraries ({driver}) of this image are not of one release (version mismatch), so the driver does not start",
					Text:  "In an image of Fedora Atomic module and libraries come together. This build has them of two releases: a fault of the image, or layered packages that replaced one of them.",
					Remedies: []Remedy{
						fix("go back to the image of before and pin it, until a newer one has both of one release", "shell", "rpm-ostree rollback; sudo ostree admin pin 0; rpm -qa | grep -i nvidia"),
						fix("remove layered packages of NVIDIA and repositories that replace them", "shell", "rpm-ostree status; rpm-ostree override list 2>/dev/null"),
					},
				},
				Cause{
					Title: "The kernel module ({module}) and the driver's libraries ({driver}) are not of one release (version mismatch)",
					Text:  "They have to be exactly of one release. Packages of two sources are mixed, the module was not built anew after an update, or the machine was not restarted since.",
					Remedies: []Remedy{
						fix("restart, and see which releases are there", "check", "cat /proc/driver/nvidia/version; modinfo -F version nvidia; dkms status; nvidia-smi"),
						fix("where they still differ, install module and libraries of one release from one source"),
					},
					Ask: "cat /proc/driver/nvidia/version; modinfo -F version nvidia",
				},
			),
			Samples: []string{"the versions are out of sync", "the driver has a version mismatch"},
			Misses:  []string{"all of one version"},
			Source:  "https://github.com/ublue-os/aurora/issues/148",
		},
	}
}
