package stack

// Library is one shared library of the GPU stack on disk.
type Library struct {
	Path string `json:"path"` // as found
	Real string `json:"real"` // with links resolved
	// Soname is the ELF's own; the file's name where the ELF has none or could not be read.
	Soname string `json:"soname"`
	// Version is read from the real file's name (libcublas.so.12.4.5.8 → 12.4.5.8)
	// or its owning package; empty where neither tells.
	Version string `json:"version,omitempty"`
	Size    int64  `json:"size"`
	Machine string `json:"machine,omitempty"` // x86_64, aarch64
	// Place is the kind of directory: system, ldpath, toolkit, stubs, compat,
	// wsl, conda, wheel, framework, hpc, other.
	Place string `json:"place"`
	// Owner is the package that ships the file, where known ("nvidia-cublas-cu12 12.4.5.8").
	Owner string `json:"owner,omitempty"`
	// Fault is why the file cannot be loaded: "empty file", "not an ELF file", "truncated …"; empty for a good one.
	Fault   string   `json:"fault,omitempty"`
	Needed  []string `json:"needed,omitempty"`
	RPath   []string `json:"rpath,omitempty"`   // DT_RPATH, $ORIGIN kept
	RunPath []string `json:"runpath,omitempty"` // DT_RUNPATH, $ORIGIN kept
	// Needs and Defines are symbol versions, only of libraries read in depth.
	Needs   []SymbolVersion `json:"needs,omitempty"`
	Defines []string        `json:"defines,omitempty"`
	// JitLink is the newest release of nvJitLink whose functions it calls (12.4);
	// empty where it calls none. nvJitLink's functions carry their release in their names.
	JitLink string `json:"jitlink,omitempty"`
	// Compat is NVIDIA's note of a forward-compatibility libcuda.
	Compat *CompatNote `json:"compat,omitempty"`
	// Code is the machine code for GPUs inside, only where it was looked for.
	Code Fact[[]DeviceCode] `json:"code"`
	From Source             `json:"from"`
}

// SymbolVersion is a versioned need: VERSION of LIBRARY.
type SymbolVersion struct {
	Library string `json:"library"`
	Version string `json:"version"`
}

// CompatNote is what .note.cuda.fwd_compatibility of a compat libcuda says.
type CompatNote struct {
	CUDA string `json:"cuda,omitempty"` // 12.8
	// Branches are the kernel driver branches the library works with.
	Branches []int `json:"branches,omitempty"`
}

// DeviceCode is one kind of GPU code inside a library.
type DeviceCode struct {
	Kind        string `json:"kind"`                  // cubin or ptx
	Arch        string `json:"arch"`                  // sm_90a, compute_80
	ISA         string `json:"isa,omitempty"`         // PTX ISA of PTX
	Compression string `json:"compression,omitempty"` // none, lz4, zstd
	Containers  int    `json:"containers"`            // how many fatbin containers hold it
	Of          int    `json:"of"`                    // of how many in the library
}

// Loader is the dynamic linker's configuration.
type Loader struct {
	// Cache are the entries of ld.so.cache, in its order.
	Cache Fact[[]CacheEntry] `json:"cache"`
	// Conf are the directories of ld.so.conf and its includes, in order.
	Conf Fact[[]ConfDir] `json:"conf"`
	// Defaults are the directories built into the root's own ld.so.
	Defaults Fact[[]string] `json:"defaults"`
	Preload  Fact[[]string] `json:"preload"` // /etc/ld.so.preload
}

// CacheEntry is one line of `ldconfig -p`.
type CacheEntry struct {
	Name  string `json:"name"`
	Path  string `json:"path"`
	Flags uint32 `json:"flags"`
}

// ConfDir is one directory that ldconfig was told of.
type ConfDir struct {
	Dir  string `json:"dir"`
	From Source `json:"from"`
}
