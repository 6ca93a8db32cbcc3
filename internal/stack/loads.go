package stack

// Loads is what the machine's own dynamic linker does for one workload, followed file by file: what it loads and from where, and what
// it does not find.
type Loads struct {
	// Loaded are the libraries in the order of loading, without the program and the linker.
	Loaded []Loaded `json:"loaded"`
	// Missing are the names that were asked for in vain, and files that are there and cannot be loaded.
	Missing    []Missing  `json:"missing"`
	Mismatches []Mismatch `json:"mismatches"`
	// Stopped says why the framework could not be followed to where it uses the GPU; "" where it could.
	Stopped string `json:"stopped,omitempty"`
	// Fails is the first thing that keeps the workload from starting or from its GPU, in the linker's words; "" where nothing does.
	Fails string `json:"fails,omitempty"`
}

// Loaded is one library that is loaded.
type Loaded struct {
	// Name is what it was asked for as first; Names are all names that it was asked for as.
	Name   string   `json:"name"`
	Names  []string `json:"names,omitempty"`
	Soname string   `json:"soname,omitempty"`
	Path   string   `json:"path"` // where it was found
	Real   string   `json:"real"` // links resolved
	// Via is the part of the search that led to it: RPATH, LD_LIBRARY_PATH, RUNPATH, ld.so.cache, default, path for a name with a slash,
	// LD_PRELOAD or /etc/ld.so.preload.
	Via string `json:"via"`
	By  string `json:"by,omitempty"` // path of what asked first; "" for the program's own doing
	// Later is true for what is loaded only after a GPU was found.
	Later bool `json:"later,omitempty"`
	// The rest as of Library, only of CUDA's libraries outside the places of packages, which no collector may have looked at.
	Needed  []string `json:"needed,omitempty"`
	RPath   []string `json:"rpath,omitempty"`
	RunPath []string `json:"runpath,omitempty"`
}

// Missing is a name that was asked for and not found, or a file that was found and cannot be loaded.
type Missing struct {
	Name string `json:"name"`           // as asked for, or the path of the file at fault
	By   string `json:"by,omitempty"`   // path of what asks
	Need string `json:"need"`           // must, gpu, part, optional: what hangs on it
	Why  string `json:"why,omitempty"`  // what asks and where that is written; "" where an ELF header does
	Path string `json:"path,omitempty"` // the file that is there and cannot be loaded
	// Reason is in the linker's words.
	Reason string `json:"reason"`
	// Searched are the directories in order, each once.
	Searched []Searched `json:"searched"`
	Later    bool       `json:"later,omitempty"`
}

// Searched is one directory that the linker looked into.
type Searched struct {
	Dir string `json:"dir"`
	Via string `json:"via"`
}

// Mismatch is a symbol version or a symbol that one library wants and the copy of another that it gets does not have.
type Mismatch struct {
	By      string `json:"by"`   // path
	From    string `json:"from"` // path; "" for a symbol that any library could have
	Library string `json:"library,omitempty"`
	Version string `json:"version,omitempty"`
	Symbol  string `json:"symbol,omitempty"`
	Via     string `json:"via,omitempty"` // the part of the search that led to From
	// Need is what hangs on it, as of Missing.
	Need string `json:"need"`
	// Reason is in the linker's words.
	Reason string `json:"reason"`
}
