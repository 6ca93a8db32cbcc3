package stack

// Environment is one Python environment: a place where packages are installed together.
type Environment struct {
	Prefix string `json:"prefix"` // sys.prefix
	// Kind is system, venv, conda, pyenv, uv, pipx, poetry or user.
	Kind        string       `json:"kind"`
	Python      Fact[string] `json:"python"` // 3.11.7
	Interpreter string       `json:"interpreter,omitempty"`
	// Executable is the file that the interpreter's links lead to; Absent where
	// they lead to nothing, as when the Python that a venv was made from is gone.
	Executable Fact[string] `json:"executable"`
	// Base is the prefix of the interpreter that a venv was made from.
	Base string `json:"base,omitempty"`
	// Managed is true where the interpreter is marked EXTERNALLY-MANAGED (PEP 668):
	// pip then refuses to change it unless told to.
	Managed bool `json:"managed,omitempty"`
	// Site are the directories that hold packages, in sys.path's order.
	Site []string `json:"site"`
	// Packages are all installed distributions, by normalised name.
	Packages Fact[[]Package] `json:"packages"`
	// Frameworks are the GPU frameworks among them, read in depth.
	Frameworks []Framework `json:"frameworks"`
	// Libraries are CUDA-family libraries inside the environment.
	Libraries Fact[[]Library] `json:"libraries"`
	// Overlaps are files that more than one package claims.
	Overlaps Fact[[]Overlap] `json:"overlaps"`
	// Leftovers are metadata directories that pip renamed ("~orch-2.1.dist-info")
	// and did not delete: an uninstall or upgrade was interrupted.
	Leftovers []string `json:"leftovers,omitempty"`
	From      Source   `json:"from"` // how it was found
}

// Package is one installed distribution.
type Package struct {
	Name    string `json:"name"` // normalised as PEP 503: onnxruntime-gpu
	Version string `json:"version"`
	// Manager is pip (any dist-info), conda, egg or debian.
	Manager string `json:"manager"`
	// Build is conda's build string (py311_cuda12.1_cudnn8.9.2_0).
	Build string `json:"build,omitempty"`
	// The rest only of packages that matter to the GPU stack.
	Requires []string `json:"requires,omitempty"` // Requires-Dist as written
	Python   string   `json:"python,omitempty"`   // Requires-Python
	Tags     []string `json:"tags,omitempty"`     // WHEEL tags
	Origin   string   `json:"origin,omitempty"`   // index or URL of direct_url.json
	// SourceTree is where a development install (pip install -e, setup.py develop)
	// has its modules; empty for a package that lies where its metadata does.
	SourceTree string `json:"source_tree,omitempty"`
	From       Source `json:"from"`
}

// Overlap is a file that several packages list in their RECORD.
type Overlap struct {
	Path     string   `json:"path"`
	Packages []string `json:"packages"`
	// Winner is the package whose recorded hash or size the file has; empty where none or several fit.
	Winner string `json:"winner,omitempty"`
	From   Source `json:"from"`
}

// Find returns a package by normalised name.
func (e *Environment) Find(name string) (Package, bool) {
	for _, p := range e.Packages.Value {
		if p.Name == name {
			return p, true
		}
	}
	return Package{}, false
}

// Framework finds a framework of the environment by its name (pytorch, onnxruntime, …).
func (e *Environment) Framework(name string) (*Framework, bool) {
	for i := range e.Frameworks {
		if e.Frameworks[i].Name == name {
			return &e.Frameworks[i], true
		}
	}
	return nil, false
}
