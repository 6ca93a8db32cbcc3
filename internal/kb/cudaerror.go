package kb

import (
	"fmt"
	"strings"
)

// CUDAError is one error code of the CUDA runtime or driver API.
type CUDAError struct {
	Row
	API     API    `kb:"api,key"`
	Code    int    `kb:"code,key"`
	Symbol  string `kb:"symbol,required"` // cudaErrorNoDevice, CUDA_ERROR_NO_DEVICE
	Message string `kb:"message"`         // what cudaGetErrorString says; "" where it was not seen
	// Layer is the layer at fault when nothing else is known, "" where the code does not tell.
	Layer  Layer  `kb:"layer"`
	Blame  Blame  `kb:"blame,required"`
	Causes string `kb:"causes"`
	Action string `kb:"action"` // what to look at first
	Note   string `kb:"note"`
}

// API is a CUDA API with its own numbers.
type API string

// The APIs. Runtime and driver share numbers since CUDA 10.1; before that the runtime had its own (48 was "no kernel image").
const (
	RuntimeAPI       API = "runtime"
	DriverAPI        API = "driver"
	LegacyRuntimeAPI API = "runtime-legacy"
)

// UnmarshalText accepts the APIs and nothing else.
func (a *API) UnmarshalText(text []byte) error {
	return unmarshalWord(a, text, RuntimeAPI, DriverAPI, LegacyRuntimeAPI)
}

// Blame says whether an error points to the environment, which is what Strata looks at, or to the program.
type Blame string

// The kinds of blame. NoBlame is for codes that are no failure or never a first cause.
const (
	BlameEnvironment Blame = "environment"
	BlameApplication Blame = "application"
	BlameEither      Blame = "either"
	BlameHardware    Blame = "hardware"
	NoBlame          Blame = "none"
)

// UnmarshalText accepts the kinds and nothing else.
func (k *Blame) UnmarshalText(text []byte) error {
	return unmarshalWord(k, text, BlameEnvironment, BlameApplication, BlameEither, BlameHardware, NoBlame)
}

var cudaErrors = csvFile("nvidia/cuda_errors.csv", reaches[CUDAError]("cuda"))

type errorIndex struct {
	byCode    map[string]*CUDAError // "runtime 804"
	bySymbol  map[string]*CUDAError
	byMessage map[string]*CUDAError // in lower case
}

var cudaErrorIndex = &index[errorIndex]{func(b *Base) errorIndex {
	rows := cudaErrors.in(b).Rows
	x := errorIndex{map[string]*CUDAError{}, map[string]*CUDAError{}, map[string]*CUDAError{}}
	// Current APIs come first, so that a symbol or message that the old numbering shares means the current code.
	for _, api := range []API{RuntimeAPI, DriverAPI, LegacyRuntimeAPI} {
		for i := range rows {
			if r := &rows[i]; r.API == api {
				x.byCode[codeKey(api, r.Code)] = r
				addFirst(x.bySymbol, r.Symbol, r)
				addFirst(x.byMessage, strings.ToLower(r.Message), r)
			}
		}
	}
	return x
}}

// CUDAError returns the error that has number code in api.
func (b *Base) CUDAError(api API, code int) Answer[CUDAError] {
	return b.cudaError(cudaErrorIndex.in(b).byCode[codeKey(api, code)], "%s error %d", api, code)
}

// CUDAErrorByName returns the error with the symbol name, such as "CUDA_ERROR_NO_DEVICE".
func (b *Base) CUDAErrorByName(name string) Answer[CUDAError] {
	return b.cudaError(cudaErrorIndex.in(b).bySymbol[name], "the error %q", name)
}

// CUDAErrorByMessage returns the error whose message this is, as frameworks print it after "CUDA error:". Several errors share
// the message "device kernel image is invalid"; the answer is the one of lowest number.
func (b *Base) CUDAErrorByMessage(message string) Answer[CUDAError] {
	key := strings.ToLower(strings.TrimSpace(message))
	if key == "" {
		return b.cudaError(nil, "an empty message")
	}
	return b.cudaError(cudaErrorIndex.in(b).byMessage[key], "the message %q", message)
}

func (b *Base) cudaError(r *CUDAError, format string, args ...any) Answer[CUDAError] {
	t := cudaErrors.in(b)
	if r == nil {
		return notFound[CUDAError](t, "nothing is known about %s", fmt.Sprintf(format, args...))
	}
	return found(b, t, r.Row, *r)
}

func codeKey(api API, code int) string { return fmt.Sprintf("%s %d", api, code) }

func addFirst[V any](m map[string]V, key string, v V) {
	if _, ok := m[key]; !ok {
		m[key] = v
	}
}
