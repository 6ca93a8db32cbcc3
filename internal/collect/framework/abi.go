package framework

import (
	"strings"

	"strata/internal/elfx"
	"strata/internal/stack"
)

// cxx11 completes the ABI of an extension of torch with the C++ ABI that its
// library was compiled for, measured from the names it takes out of libc10:
// where a std::string is a parameter, the new ABI mangles it as
// std::__cxx11::basic_string and the old one as Ss (Itanium C++ ABI, 5.1.8).
func (in *install) cxx11(rels ...string) {
	if in.fw.ABI.Value.CXX11 != "" {
		return
	}
	for _, rel := range rels {
		answer, symbol := in.cxx11Of(rel)
		if answer == "" {
			continue
		}
		abi := in.fw.ABI.Value
		abi.CXX11 = answer
		if abi.Python == "" {
			abi.Python = pythonTag(in.pkg)
		}
		in.fw.ABI = stack.Know(abi, append(in.fw.ABI.Sources, stack.From("elf", in.path(rel), 0, symbol))...)
		return
	}
}

func (in *install) cxx11Of(rel string) (answer, symbol string) {
	f, err := in.m.Open(in.path(rel))
	if err != nil {
		return "", ""
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return "", ""
	}
	symbols, err := elfx.UndefinedSymbols(f, info.Size())
	if err != nil {
		return "", "" // the library's Fault tells what is wrong with it
	}
	for _, s := range symbols {
		if answer := mangledABI(s.Name); answer != "" {
			return answer, s.Name
		}
	}
	return "", ""
}

// mangledABI knows the two functions of c10 that every use of TORCH_CHECK
// calls, and that take a std::string.
func mangledABI(symbol string) string {
	if !strings.HasPrefix(symbol, "_ZN3c105ErrorC") && !strings.HasPrefix(symbol, "_ZN3c106detail14torchCheckFailE") {
		return ""
	}
	switch {
	case strings.Contains(symbol, "NSt7__cxx1112basic_string"):
		return "TRUE"
	case strings.HasSuffix(symbol, "Ss"):
		return "FALSE"
	}
	return ""
}
