package proof

var (
	kindImport = Kind{"probe-framework-import", "A framework cannot be imported",
		`The interpreter of the environment could not import the framework; nothing of the GPU was asked yet. What it said is judged as strata triage does.`}
	kindNoDevice = Kind{"probe-framework-no-gpu", "A framework starts and finds no GPU",
		`The framework was imported, and where it computes on the CPU too its results there are right. Asked for a GPU it has none, or says why it cannot use it. What it said is judged
as strata triage does; where a rung below failed, that is the reason.`}
	kindFellBack = Kind{"probe-framework-fell-back", "A framework was asked for the GPU and computes on the CPU",
		`It gave no error: the same model ran, on the CPU. Where the nodes ran is read from ONNX Runtime's own profile, not from the list of
providers that a build could have.`}
	kindFramework = Kind{"probe-framework-error", "An operation of a framework failed",
		`A small matrix product or convolution failed in the framework's own words.`}
	kindPreload = Kind{"probe-framework-preload", "ONNX Runtime uses the GPU only where the program loads its libraries first",
		`pip's packages of NVIDIA put libraries where the dynamic linker does not look. onnxruntime.preload_dlls(), or importing torch of the same CUDA before, loads
them; a program that does neither runs on the CPU.`}
	kindDiffers = Kind{"probe-differs", "Strata predicted something else than what happened",
		`strata check reads and predicts, strata probe tries. Where the two differ, Strata read something wrong or did not know it: the fault is Strata's, and what happened is
what counts. A report with both documents (strata check --probe --format json) makes it better.`}
)
