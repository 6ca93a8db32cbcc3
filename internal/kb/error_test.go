package kb

import "testing"

func TestErrors(t *testing.T) {
	if x := Default().Xid(79).Value; x.Mnemonic != "ROBUST_CHANNEL_GPU_HAS_FALLEN_OFF_THE_BUS" || x.Class != XidHardware {
		t.Errorf("Xid 79: got %+v", x)
	}
	if !Default().Xid(999).Beyond {
		t.Error("Xid 999: not beyond the horizon")
	}
	e := Default().CUDAError(DriverAPI, 804).Value
	if e.Symbol != "CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE" || e.Layer != "cuda_runtime" || e.Blame != BlameEnvironment {
		t.Errorf("error 804: got %+v", e)
	}
	if e := Default().CUDAErrorByName("cudaErrorNoKernelImageForDevice").Value; e.Code != 209 || e.API != RuntimeAPI {
		t.Errorf("cudaErrorNoKernelImageForDevice: got %s %d, want 209 and not the 48 of before CUDA 10.1", e.API, e.Code)
	}
	if e := Default().CUDAError(LegacyRuntimeAPI, 48).Value; e.Symbol != "cudaErrorNoKernelImageForDevice" {
		t.Errorf("error 48 before CUDA 10.1: got %q", e.Symbol)
	}
	if e := Default().CUDAErrorByMessage("no kernel image is available for execution on the device").Value; e.Code != 209 {
		t.Errorf("message of 209: got %d", e.Code)
	}
	for _, a := range []Answer[CUDAError]{Default().CUDAErrorByMessage(""), Default().CUDAErrorByName("cudaErrorNoSuch"), Default().CUDAError(RuntimeAPI, -1)} {
		if a.Known || a.Why == "" {
			t.Errorf("got %+v, want not found with a reason", a)
		}
	}
}
