package dump

import "strings"

// translated are the words of keys in languages that are not written in ASCII. Full-width marks are among them.
var translated = strings.NewReplacer(
	"드라이버", " driver ", "그래픽 카드", " gpu ", "그래픽카드", " gpu ", "운영체제", " os ", "운영 체제", " os ", "커널", " kernel ", "파이썬", " python ", "버전", " version ", "환경", " environment ", "이미지", " image ", "메모리", " memory ",
	"驱动程序", " driver ", "驱动", " driver ", "显卡型号", " gpu ", "显卡", " gpu ", "操作系统", " os ", "系统版本", " os ", "内核", " kernel ", "版本号", " version ", "版本", " version ", "显存", " gpu memory ", "系统环境", " os ", "镜像", " image ", "型号", " model ", "环境", " environment ",
	"驅動程式", " driver ", "顯示卡", " gpu ", "作業系統", " os ", "ドライバー", " driver ", "ドライバ", " driver ", "グラフィックボード", " gpu ", "グラボ", " gpu ", "カーネル", " kernel ", "バージョン", " version ", "環境", " environment ",
	"драйвер", " driver ", "Драйвер", " driver ", "видеокарта", " gpu ", "Видеокарта", " gpu ", "версия", " version ", "Версия", " version ", "ядро", " kernel ", "versión", " version ", "Versión", " version ", "tarjeta gráfica", " gpu ", "versão", " version ",
)

// take notes the value of a pair whose key is known. It gives false where the
// value has not the form that the key's meaning has.
type take func(r *reading, p *pair, rank Rank) bool

// meaning is what is known to be meant by a key.
type meaning struct {
	take take
	rank Rank
}

// vocabulary holds the keys, written as keyOf makes them, "; " between them.
// Keys that one program alone prints are Stated. Where a key without its
// heading says too little, "heading > key" is one of its own.
var vocabulary = []struct {
	take take
	rank Rank
	keys string
}{
	{osName, Keyed, "os; os name; operating system; os version; os type; os platform; os platform and distribution; linux distribution; linux distro; distro; " +
		"distribution; os release; pretty name; platform; platform name; os platform and version; os image; osimage; os linux distribution; linux version; " +
		"ubuntu version; operating system version; target os; os info; osname; your os; system os; os details; nodeinfo osimage; os description; platform platform; betriebssystem; syst me d exploitation; sistema operativo; python platform"},
	{kernel, Keyed, "kernel; kernel version; kernel release; linux kernel; linux kernel version; platform release; kernelversion; uname r; running kernel; kernel info; " +
		"kernel v; os kernel; kernel full; host kernel; uname; system kernel; ansible kernel; betriebssystem kernel"},
	{driver, Keyed, "driver version; nvidia driver version; nvidia driver; gpu driver; gpu driver version; driver; graphics driver; graphics driver version; display driver; " +
		"display driver version; nvidia gpu driver; nvidia gpu driver version; nvidia graphics driver; nvidia graphics driver version; video driver; nvidia linux driver; " +
		"nvml driver version; driver versions; kmd version; nvidia kmd version; nvidia kernel driver; driverversion; nvidia drivers; gpu drivers; nvidia drivers version; " +
		"video driver version; vga driver; nvidia display driver; driver version detected; nvml driver; driver info; driverinfo; nv driver; nvidia smi; nvidia smi version; " +
		"nvidia smi driver version; nvml library version; nvml version; gpu driver info; driver nvidia; nvidia driver info; nvidia driver installed; nvidia geforce driver; driver name; drivers; nvidia kernel module; " +
		"system driver version; host driver; host driver version; nvidia host driver; installed driver; installed nvidia driver; cuda driver nvidia; device driver; nvidia unix driver; " +
		"dso version; libcuda reported version is; libcuda reported version; nvrm version; opengl driver; opencl driver version; opencl driver; cl driver version; gpu driver mesa version; nvidia open gpu kernel modules version; dcgm fi driver version; nvml; treiber; grafiktreiber; pilote"},
	{module, Stated, "kernel reported version is; kernel reported version; kernel module version; nvidia kernel module version; kernel driver version; kmd version; kernel version seems to match dso; nvrm version"},
	{driverCUDA, Stated, "cuda umd version; cuda umd; cuda driver api version; cudadriverversion; max cuda version; maximum cuda version; cuda version supported by driver; driver cuda version; " +
		"cuda version driver; cuda version nvidia smi; cuda nvidia smi; nvidia smi cuda version; nvidia smi cuda; highest cuda version; highest supported cuda version; " +
		"cuda driver supports; driver supports cuda; cuda compatibility; cuda driver version runtime api; max supported cuda version; maximum supported cuda version; " +
		"supported cuda version; cuda driver api; cuda drv; driver cuda; cuda max; cuda version from nvidia smi; cuda version by driver; driver reported max cuda; driver max cuda; driver reported cuda; cuda version of driver; drivercudaversion"},
	{cudaDriver, Keyed, "cuda driver version; cuda driver; gpu cuda driver; nvidia cuda driver; nvidia cuda driver version; cuda drivers; cudadriver; cuda driver info"},
	{cudaPair, Stated, "cuda driver version runtime version; cuda driver runtime version; cuda driver version cuda runtime version; driver runtime cuda"},
	{cudaRuntime, Keyed, "cuda runtime; cuda runtime api version; cudart version; cudart; cuda rt; cuda rt version; cuda runtime api; runtime cuda; cudaruntimeversion; " +
		"cuda local runtime version; local runtime version; cuda runtime local; runtime cuda version; gpu cuda runtime; cudatoolkit version; cuda api version; com nvidia cuda version"},
	{collectedRuntime, Keyed, "cuda runtime version"},
	{cudaAny, Keyed, "cuda; cuda version; cuda ver; cuda versions; gpu cuda version; nvidia cuda; nvidia cuda version; installed cuda version; cudaversion; cuda toolkit runtime; " +
		"system cuda version; system cuda; cuda sdk; cuda sdk version; libcudart; cuda release; cuda specs; detected cuda version; cuda setup detected cuda version; " +
		"cuda lib version; cuda libraries version; local cuda version; cuda library version; cuda libs; cuda on system; cuda installed"},
	{toolkit, Stated, "nvcc; nvcc version; cuda toolkit; cuda toolkit version; cuda compiler; cuda compiler version; cuda nvcc; nvcc release; nvidia cuda toolkit; toolkit; " +
		"toolkit version; cuda version nvcc; nvcc v; nvcc cuda version; cuda nvcc version; nvcc version cuda; nvidia cuda compiler; build nvcc version; cuda compilation tools; " +
		"cuda toolkit installed; local cuda toolkit; cuda toolkit release; installed cuda toolkit; cuda version toolkit; nvcc compiler; cuda dev toolkit; cuda toolkit nvcc; nvcc info"},
	{toolkitPath, Prose, "cuda home; cuda path; cuda root; cuda dir; cuda toolkit root dir; cudatoolkit root; cuda toolkit path; cuda toolkit root; cuda bin path; cuda install path; cuda root dir; nvcc path; cuda toolkit directory"},
	{cudnn, Keyed, "cudnn version; cudnn; cudnn lib version; cudnn library; cudnn library version; nvidia cudnn; torch backends cudnn version; cudnn runtime version; cudnn ver; " +
		"pytorch cudnn version; pytorch cudnn; torch cudnn; torch cudnn version; libcudnn; cu dnn; cu dnn version; cudnnversion; nvidia cudnn version; cudnn runtime; cudnn v; " +
		"loaded cudnn version; loaded runtime cudnn library; cudnn loaded; tensorflow cudnn; torch version cudnn; cudnn installed; cudnn8 version; cudnn backend version; cudnn backend; com nvidia cudnn version; pytorch build cudnn version; torch build cudnn version"},
	{cudaAndCudnn, Keyed, "cuda cudnn version; cuda cudnn; cuda cudnn versions; cuda and cudnn version; cuda cudnn driver version; cuda version cudnn version; cuda cudnn nccl version; " +
		"execution provider library version; cuda and cudnn; cuda cudnn tensorrt version; version cuda cudnn; cuda cudnn tensorrt; cuda cu dnn; cuda cu dnn version; cuda and cudnn versions"},
	{nccl, Keyed, "nccl version; nccl; torch cuda nccl version; nccl runtime version; nccl library version; libnccl; nccl lib version; nccl ver; torch nccl version; nccl version string; " +
		"nccl runtime; pytorch nccl version; torch nccl; nccl v; nccl installed; ncclversion; pytorch build nccl version; torch build nccl version"},
	{tensorRT, Keyed, "tensorrt version; tensorrt; trt version; nvidia tensorrt; nvidia tensorrt version; tensor rt version; tensor rt; trt; tensorrt library version; tensorrt lib version; " +
		"libnvinfer; libnvinfer version; tensorrt v; tensorrt runtime version; dynamically linked tensorrt version; linked tensorrt version; loaded tensorrt version"},
	{python, Keyed, "python version; python; python ver; sys version; python3; python3 version; pythonversion; python interpreter; python implementation version; cpython; python release; " +
		"python platform version; python exe version; platform python version; python v; py version; py; cpython version; environment python; conda python version; python env; ansible python version"},
	{python, Prose, "build python version"},
	{gpuName, Keyed, "gpu; gpus; gpu name; gpu model; gpu models; gpu type; gpu types; gpu device; gpu devices; graphics card; graphic card; video card; graphics cards; gpu card; gpu card s; " +
		"gpu model and memory; gpu models and memory; gpu hardware; accelerator; accelerators; cuda device; cuda devices; cuda device s; cuda device name; nvidia gpu; nvidia gpus; gpu info; " +
		"vga; gpu in use; gpu used; gpu model name; gpu type and memory; gpu details; video adapter; graphics; nvidia gpu model; nvidia graphics card; cuda gpu; gpu and memory; display adapter; " +
		"gpu product; devices; gpu description; gpu s; your gpu; gpu device name; active gpu; active gpu name; device description; gpu id; gpu vram; card; vga controller; vga compatible controller; 3d controller; graphics device; gpu brand; " +
		"nvidia gpu name; gpu card name; gpu adapter; hardware accelerator; gpu gpu; hardware gpu; hardware platform; gpu nvidia; gpu name and memory; videocard; video controller; device gpu; gpu hardware type; " +
		"using device; torch device; torch cuda device; device used; selected device; device; cuda 0; cuda 1; cuda 2; cuda 3; cuda 4; cuda 5; cuda 6; cuda 7; torch cuda get device name; torch cuda get device name 0; physical gpu; " +
		"nvidia com gpu product; node gpu; gpu accelerator; compute device; gputype; gpu model s; gpuname; gpu type s; device type; gpu configuration; gpu setup; graphics processor; gpus info; gpu processor; grafikkarte; carte graphique"},
	{gpuSure, Stated, "gpu models and configuration; product name; device name; devicename; gpu 0 name; torch detected gpu; opengl renderer; opengl renderer string; renderer; opengl core profile renderer; opengl es profile renderer; opengl compatibility profile renderer; gl renderer; " +
		"device 0 name; card name; card model; gpu product name; cuda device id name; card series; model name gpu; openglrenderer; vulkan device name; opencl device name; marketing name; " +
		"nvidia product name; gpu0 name; device properties name; gpu productname"},
	{gpuNamed, Keyed, "name; model; model name; product; chipset model; description; adapter"},
	{gpuMemory, Keyed, "total memory; memory total; gpu memory; gpu memory total; total gpu memory; total amount of global memory; device global memory; vram; total vram; gpu vram; memory mib; " +
		"gpu ram; global memory size; max memory; cuda device global mem size; memorytotal; fb memory usage total; framebuffer memory; fb memory; dedicated memory; vram total; video memory; " +
		"video ram; total global memory; totalglobalmem; global memory; memory total mib; gpu total memory; gpu mem; gpu memory size; device memory; memory size; total device memory; " +
		"gpu memory mib; dedicated video memory; device total memory; total memory capacity bytes; dedicated memory capacity bytes; total memory bytes; memory total bytes; gpu memory bytes; vram bytes; vram total bytes; total vram bytes; dedicated vram; dedicated video ram; dedicated gpu memory; vram mb; vram mib; gpu memory mb; gpu vram mb; total memory mb; total memory mib; memory total mb; gpu memory total mb; vram total mb; gpu memory capacity; total mem; vram size; total video memory; nvidia com gpu memory; torch total memory; device video mem; cl device global mem size; global mem size"},
	{capability, Keyed, "compute capability; cuda capability; cuda compute capability; compute cap; gpu compute capability; cuda capability major minor version number; cuda capability version; " +
		"device capability; computecapability; compute capability version; gpu arch; cuda arch; gpu architecture; architecture; highest compute capability; cuda setup highest compute capability among gpus detected; " +
		"highest compute capability among gpus detected; gpu capability; capability; torch cuda get device capability; torch cuda get device capability 0; cuda capability major minor; " +
		"compute capability major minor; compute capability nv; cc; gpu compute cap; device compute capability; compute; sm version; sm arch; sm; target sm; cuda cc; gpu cc; " +
		"compute capability of gpu; max compute capability; compute architecture; cuda compute; gpu sm; cuda compute version; computecap; compute capability gpu 0; cuda arch bin"},
	{capabilityPart, Keyed, "compute capability major; compute capability minor; cl nv device compute capability major; cl nv device compute capability minor; cl device compute capability major nv; cl device compute capability minor nv"},
	{available, Keyed, "is cuda available; cuda available; torch cuda is available; cuda is available; gpu available; gpus available; is gpu available; gpu is available; cuda availability; " +
		"torch cuda available; pytorch cuda available; pytorch gpu available; cuda support; cuda device available; cuda device initialized; gpu availability; " +
		"tf test is gpu available; tensorflow gpu available; cuda functional; cuda usable; has cuda; cuda gpu available; using cuda; use cuda; is torch cuda available; pytorch can use cuda; " +
		"torch cuda is available true; gpu detected; cuda detected; cuda enabled; is cuda enabled; cuda working; cuda device detected; cuda available in pytorch; available gpu; cudaavailable; " +
		"cuda is available in pytorch; torch with cuda; torch cuda support; cuda functional true; is available; cuda is avail; cuda acceleration; gpu acceleration available; gpu support; has active gpu; pytorch has active gpu; tensorflow has active gpu"},
	{torchCUDA, Keyed, "torch cuda; pytorch cuda"},
	{gpuCount, Keyed, "gpu count; number of gpus; num gpus; gpu number; n gpus; ngpus; gpus count; gpu num"},
	{deviceCount, Keyed, "num gpus available; number of gpus available; device count; cuda device count; torch cuda device count; number of cuda devices; " +
		"gpus available count; cuda devices count; number of available gpus; cuda gpu count; available gpus; detected gpus; total gpus; cuda device num"},
	{builtTorch, Stated, "cuda used to build pytorch; torch version cuda; torch cuda version; pytorch cuda version; cuda version used by pytorch; pytorch built with cuda; pytorch compiled with cuda; " +
		"pytorch cuda build; torch built with cuda; torch cuda build; torch compiled with cuda; cuda version pytorch; cuda pytorch; cuda torch; cuda version torch; pytorch cuda runtime; " +
		"torch cuda runtime; cuda version torch version cuda; torch cuda runtime version; pytorch cuda runtime version; cuda version from torch; pytorch s cuda version; pytorch cuda toolkit; " +
		"cuda version from pytorch; cuda version in pytorch; torch compiled cuda version; pytorch compiled cuda version; torch version cuda version; pytorch cuda ver; torch cuda ver; cuda build version torch; pytorch build cuda version; torch build cuda version; pytorch build cuda"},
	{builtWith("tensorflow"), Stated, "tensorflow cuda version; tensorflow cuda; tf cuda version; tensorflow built with cuda; cuda version tensorflow; tf built with cuda; tensorflow cuda build; tf cuda"},
	{builtWith("onnxruntime"), Stated, "onnxruntime cuda version; onnx runtime cuda version; ort cuda version; onnxruntime built with cuda"},
	{builtWith("jax"), Stated, "jax cuda version; jaxlib cuda version"},
	{builtWith("xformers"), Stated, "build cuda version"},
	{builtWith("cupy"), Stated, "cuda build version"},
	{builtWith("paddlepaddle-gpu"), Stated, "paddle cuda version; paddle with cuda; paddle compiled with cuda; paddle version cuda"},
	{provider, Keyed, "executionprovider provider; execution provider provider; onnx execution provider; onnxruntime execution provider; ort execution provider"},
	{glibc, Keyed, "glibc version; glibc; libc version; libc; gnu libc; ldd; ldd version"},
	{compiler, Keyed, "gcc version; gcc; gcc compiler; g version; gcc compiler version if compiling from source; gcc compiler version; host compiler; cxx compiler"},
	{image, Keyed, "docker image; container image; image; container; docker container; image name; base image; imageid; baremetal or container; docker image version; docker image tag; docker image name; container version"},
}

// keys are the vocabulary by key.
var keys = func() map[string][]meaning {
	out := map[string][]meaning{}
	for _, v := range vocabulary {
		for k := range strings.SplitSeq(v.keys, "; ") {
			out[k] = append(out[k], meaning{v.take, v.rank})
		}
	}
	for k, list := range headed {
		out[k] = list
	}
	return out
}()
