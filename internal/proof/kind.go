package proof

// Kind is one kind of finding of a probe.
type Kind struct {
	// ID is the key in every output, never reused.
	ID    string
	Title string
	// Doc explains it to its user.
	Doc string
}

// Kinds are all of them, in the order of the ladder.
func Kinds() []Kind {
	return []Kind{kindNoGPU, kindMissing, kindDamaged, kindHidden, kindMIG, kindCUDA, kindNVML, kindLibrary, kindCrash, kindHang, kindEnded, kindWrong, kindHealth,
		kindImport, kindNoDevice, kindFellBack, kindFramework, kindPreload, kindDiffers}
}

var (
	kindNoGPU = Kind{"probe-no-gpu", "There is no GPU to probe",
		`The bus has no GPU of NVIDIA, so that the driver, where there is one, has nothing to start on. That is no fault of the software stack.`}
	kindMissing = Kind{"probe-library-missing", "A library of the driver is not found",
		`The dynamic linker finds no file of the library's name where it looks: LD_LIBRARY_PATH, the linker's cache, the system's directories. libcuda.so.1 and
libnvidia-ml.so.1 come with the driver on a host, and are mounted into a container by the NVIDIA container toolkit.`}
	kindDamaged = Kind{"probe-library-damaged", "A library is found and cannot be loaded",
		`The dynamic linker found a file of the name first and refused it: empty, no library, for another processor, without what it depends on, or not
readable. An empty file of a driver's library is what a container runtime leaves behind in an image that was made of a running container.`}
	kindHidden = Kind{"probe-gpu-hidden", "The driver has a GPU that CUDA does not show to this process",
		`NVML, which does not look at CUDA_VISIBLE_DEVICES, shows a GPU, and CUDA shows none.`}
	kindMIG = Kind{"probe-mig-without-instance", "MIG mode is on and there is no instance to compute on",
		`A GPU in MIG mode computes only in instances, which must be made after each start of the machine and be visible to the process.`}
	kindCUDA = Kind{"probe-cuda-error", "A call of CUDA's driver API failed",
		`The call and its error are CUDA's own words; the layer is the one that the error points to when nothing else is known. The program that was run
is Strata's own and small: it is not at fault for an error that would elsewhere be the application's.`}
	kindNVML = Kind{"probe-nvml-error", "A call of NVML failed",
		`NVML is what nvidia-smi and monitoring ask. CUDA works without it; both failing for one reason is one fault.`}
	kindLibrary = Kind{"probe-library-error", "A CUDA library is found and does not work",
		`The library was loaded from where the dynamic linker finds it, and a call of it failed while the driver and kernels of our own work.`}
	kindCrash = Kind{"probe-crash", "A library ended the process that called it",
		`The last line that the child printed names the call that it was in. It was a process of its own: only it was lost.`}
	kindHang = Kind{"probe-hang", "A call did not return",
		`The child was ended at its limit; the last line names the call that it was in. A first start of the driver on a host without persistence mode and
with many GPUs takes seconds: a longer --timeout tells slow from stuck.`}
	kindEnded = Kind{"probe-cut-short", "The probe was ended before it had an answer",
		`Something outside of the GPU stack ended the child: a person, the kernel's out-of-memory killer, or the probe's own limit of memory.`}
	kindWrong = Kind{"probe-wrong-result", "A GPU computed something else than the CPU",
		`The numbers are exact in the format that is used, or the allowed difference is far above what rounding can explain. It is the gravest of answers:
every call succeeded, and what came out is wrong.`}
	kindHealth = Kind{"probe-gpu-health", "The GPU works and its own counters show a fault",
		`The driver counts errors of the GPU's memory, and what it could not repair.`}
)

// FindKind is the kind with an ID.
func FindKind(id string) (Kind, bool) {
	for _, k := range Kinds() {
		if k.ID == id {
			return k, true
		}
	}
	return Kind{}, false
}
