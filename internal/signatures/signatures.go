// Package signatures is the catalogue of what logs say: one list for each
// product or subject. It is data; package signature says what the fields mean.
package signatures

import (
	"sync"

	"strata/internal/signature"
)

// lists are all parts of the catalogue. To add a signature: a value in the file
// of its product; to add a product: a file, and its list here. They are functions,
// for a command that asks for no signature should not wait until all are made.
var lists = []func() []*signature.Signature{
	onnxRuntime, ortProvider, ortRun, ortModel, ortMath, ortWindows, ortImport, ortAPI, ortTensorRT, ortServer, ortPackage,
	tensorFlow, tfKernel, tfBuild, tfLibrary, tfDriver, tfArch, tfRun, tfCuDNN, xla, jax, jaxBackend,
	cuDNN, cuDNNStatus, cuDNNWindows, cTranslate2, cTranslate2Run, tensorRT, tensorRTLoad, tensorRTBuild, nccl, ncclSystem, ollama, ollamaGPU, llamaCpp, llamaCppBuild,
	cuPy, cuPyPackage, numba, numbaDriver, otherFrameworks, julia, dali, catBoost, rareFrameworks, kernelSupport, extensionArch, quantization, otherTorch, extensionMissing, cmakeTarget, hashcat, rustBuild, tensorRTAPI, paddle, video, graphics, usesCPU, cudarc, ortCPU, otherPrograms,
	javaNative, dotNet, libTorch, simulation, rendering, miners, cudaRemoved, nativeBuild, nativeLink, nativePrograms, nativeStatus, nativeTools, desktopPrograms, offload, juliaGPU,
	pytorchDriver, pytorchDevices, pytorchUnknown, pytorchArch, nvrtc, pytorchBuild, pytorchUse, cudaError, cudaDevice, cudaCode, cudaPTX, cudaState, cudaCompat, cudaProgram, cudaLaunch,
	undefinedSymbol, torchSymbol, torchCompanion, xFormers, attention, bitsAndBytes, triton, extensionBuild, nvccMissing, nvcc, cudaBuild, cmake, packages, packageABI, pythonEnv, pythonImport,
	outOfMemory, libraryMemory, application, programData, network, vLLM, serving, compiledWithoutGPU, otherBuilds,
	nvidiaSMI, nvidiaSMIDevices, nvml, nvmlVersion, nvmlAccess, nvidiaSMIMissing, nvrmLoad, nvrmSupport, nvrmProbe, nvrmDevice, nvrmFirmware, nvrmBus, xid, fabricManager, dkms, moduleBuild, moduleSource, moduleLoad, moduleRejected, moduleConflict, driverInstaller, driverPackages, xorg,
	docker, dockerRequest, dockerDaemon, containerCLI, containerLibraries, containerSetup, cdi, kubernetes, kubernetesPlugin, kubernetesRuntime, gpuOperator, hpc, wsl, jetson, virtualGPU, deviceAccess, hardware,
	dcgm, suspend, openModule, display, gpuOperatorNode, clusterNode, passthroughHost, laptop, windowsDriver, driverHangs, xidProse, devContainer, cloudImage, hostFit, hostService, hostBoot, moduleCompiler, toolkitParts, slurmGRES, slurmNode, distribution, saidVersion, vgpuHost, sandboxRights, staleDriver, jetsonDriver, driverContainer, moduleVersions, powerControl, schedulers, fedoraAtomic, repositories, nouveauDriver, driverModules, operatorLabels, graphicsParts, toldContainer, toldHost, toldVirtual, toldNvidiaSMI, toldTools, toldAccess, toldSandbox, toldPower, toldSetup,
	// What any program says comes behind what one product says.
	gpuCapability, reported, missingLibrary, otherLibrary, driverLibrary, nvmlLibrary, driverParts, topics,
	// What people tell comes last.
	moduleRelease, toldLegacy, toldBuild, told, toldProgram, toldFit,
}

// All are the signatures in the order of the catalogue.
func All() []*signature.Signature { return all() }

var all = sync.OnceValue(func() []*signature.Signature {
	var out []*signature.Signature
	for _, list := range lists {
		out = append(out, list()...)
	}
	return out
})

// Find returns a signature by its ID.
func Find(id string) (*signature.Signature, bool) {
	for _, s := range all() {
		if s.ID == id {
			return s, true
		}
	}
	return nil, false
}
