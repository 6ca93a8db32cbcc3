package kernelmodule

import (
	"fmt"
	"strings"

	"strata/internal/rule"
	"strata/internal/rules/kernellog"
	"strata/internal/rules/remedy"
	"strata/internal/stack"
)

var krn003 = &rule.Rule{
	ID:       "KRN003",
	Slug:     "module-not-loaded",
	Layer:    rule.KernelModule,
	Severity: rule.Broken,
	Title:    "The nvidia kernel module is installed but not loaded",
	Scope:    rule.PerMachine,
	Needs:    []rule.Need{needOwnModule, rule.NeedGPUs, rule.NeedRelease, rule.NeedLoaded, rule.NeedFiles},
	// Those tell why a module that loads goes away again without a GPU it can drive.
	After: []string{"HWR003", "KRN001", "KRN005", "KRN006", "DRV005", "DRV006"},
	Since: "0.1",
	Cites: []rule.Cite{citeInstall},
	Doc: `The module for the running kernel lies on disk, but the kernel did not take it. Three causes are common. A line
in /etc/modprobe.d or on the kernel's command line blacklists nvidia, often left over from switching to the
integrated GPU (prime-select intel writes one). Secure Boot is on and the module is not signed, or signed with a key
that the firmware does not know: modprobe says "Key was rejected by service" or "Required key not available", the
kernel log "Loading of module with unavailable key is rejected". Or the module was built for a kernel with other
symbols ("disagrees about version of symbol").

For Secure Boot enrol the key that DKMS signs with (mokutil --import, then confirm on the blue screen of the next
start), or use the distribution's signed module packages; switching Secure Boot off works too.`,
	Check: func(in *rule.Input) rule.Verdict {
		release := in.Stack.Kernel.Release.Value
		files := moduleFiles(in, release)
		switch {
		case len(busGPUs(in)) == 0:
			return rule.NA()
		case running(in):
			return rule.Clean()
		case len(files) == 0:
			return rule.NA() // KRN002
		}
		f := rule.Finding{Evidence: []stack.Source{files[0].From}}
		f.Evidence = append(f.Evidence, in.Stack.Kernel.Loaded.Sources...)
		f.Summary = "nvidia is not loaded"
		switch {
		case blacklisted(in, &f) || refused(in, files[0], &f) || foreign(in, &f):
		default:
			f.Confidence = rule.Likely
			f.Cause = "The module is there for this kernel, and nothing that was read says why it is not loaded. Loading it by hand prints the reason; the kernel log then has more. Until it is loaded nvidia-smi cannot communicate with the driver."
			f.Remedies = []rule.Remedy{{
				Summary: "load the module, and read what it says if it refuses", Layer: rule.KernelModule, Changes: reload(),
				Commands: remedy.Shell("sudo modprobe nvidia && sudo modprobe nvidia_uvm || sudo dmesg | grep -iE 'nvidia|nvrm|module' | tail -20"),
			}}
		}
		return rule.Found(f)
	},
}

func blacklisted(in *rule.Input, f *rule.Finding) bool {
	for _, b := range in.Stack.Kernel.Blacklist.Value {
		if b.Module != "nvidia" {
			continue
		}
		f.Summary += ": it is blacklisted in " + b.From.String()
		f.Cause = fmt.Sprintf("%s keeps it from loading: %q. nvidia-smi cannot communicate with the driver.", b.From, b.From.Text)
		f.Evidence = append(f.Evidence, b.From)
		undo := fmt.Sprintf("sudo sed -i '%ds/^/# /' %s", b.From.Line, b.From.Locator)
		if b.From.Locator == "/proc/cmdline" {
			undo = "sudoedit /etc/default/grub && sudo update-grub"
		}
		f.Remedies = []rule.Remedy{{
			Summary: "take the line out, rebuild the initial RAM disk and restart", Layer: rule.KernelModule, Changes: reload(),
			Commands: append(remedy.Shell(undo), remedy.ForDistribution(in, "sudo update-initramfs -u && sudo reboot", "sudo dracut --force && sudo reboot")...),
		}}
		return true
	}
	return false
}

// refused tells whether the signature is the reason: by the kernel's own word,
// or because Secure Boot is on and the file carries none.
func refused(in *rule.Input, file stack.ModuleFile, f *rule.Finding) bool {
	said := kernellog.Find(in, "module with unavailable key", "unsigned module", "Key was rejected", "Required key not available")
	secure := in.Stack.Kernel.SecureBoot
	unsigned := file.Compression == "" && !file.Signed
	if len(said) == 0 && !(secure.Or(false) && unsigned) {
		return false
	}
	f.Summary += ": its signature is not accepted"
	f.Evidence = append(append(f.Evidence, said...), secure.Sources...)
	what := "The kernel refused it."
	if len(said) == 0 {
		what = fmt.Sprintf("Secure Boot is on and %s carries no signature.", file.Path)
		f.Confidence = rule.Likely
	}
	f.Cause = what + " modprobe says \"Key was rejected by service\" or \"Required key not available\"; nvidia-smi cannot communicate with the driver."
	key := "/var/lib/dkms/mok.pub"
	if in.Stack.OS.ID.Or("") == "ubuntu" {
		key = "/var/lib/shim-signed/mok/MOK.der"
	}
	f.Remedies = []rule.Remedy{{
		Summary: "enrol the key that DKMS signs with: choose a password, restart, and confirm the key on the blue screen", Layer: rule.KernelModule, Changes: reload(),
		Commands: remedy.Shell("sudo mokutil --import " + key + " && sudo reboot"),
	}, {
		Summary: "switch Secure Boot off in the firmware", Layer: rule.KernelModule, Changes: reload(),
		Commands: remedy.Shell("sudo systemctl reboot --firmware-setup"),
	}}
	return true
}

// foreign is a module of another build of the kernel.
func foreign(in *rule.Input, f *rule.Finding) bool {
	var said []stack.Source
	for _, s := range kernellog.Find(in, "disagrees about version of symb") {
		if strings.Contains(s.Text, "nvidia") {
			said = append(said, s)
		}
	}
	if len(said) == 0 {
		return false
	}
	release := in.Stack.Kernel.Release.Value
	f.Summary += ": it was built for another build of this kernel"
	f.Cause = "The kernel log says that symbols of the module have other versions than the kernel's. It has to be built again against this kernel's headers."
	f.Evidence = append(f.Evidence, said...)
	apt, dnf := headers(release)
	f.Remedies = []rule.Remedy{{
		Summary: fmt.Sprintf("build the module again for kernel %s", release), Layer: rule.KernelModule,
		Changes:  append([]stack.Change{stack.BuildModule{Release: release}}, reload()...),
		Commands: remedy.ForDistribution(in, apt, dnf),
	}}
	return true
}
