package lookup

import (
	"fmt"
	"strconv"
	"strings"

	"strata/internal/kb"
)

var errorSubject = Subject{
	Name: "error", About: "CUDA errors: number, name, message", Examples: []string{"804", "cudaErrorNoDevice"},
	aliases: []string{"cuda-error", "errors"}, find: findError, names: errorNames,
}

func errorNames(base *kb.Base) (names []string) {
	for _, r := range kb.Rows[kb.CUDAError](base) {
		if r.API == kb.RuntimeAPI {
			names = append(names, strconv.Itoa(r.Code))
		}
	}
	return names
}

// errorWords are what somebody may have mistyped who wrote no number.
func errorWords(base *kb.Base) (names []string) {
	for _, r := range kb.Rows[kb.CUDAError](base) {
		names = append(names, r.Symbol)
		if r.Message != "" {
			names = append(names, r.Message)
		}
	}
	return names
}

func findError(b *builder, name string) error {
	name = strings.TrimPrefix(name, "CUDA error: ")
	code, err := strconv.Atoi(name)
	if err != nil {
		a := b.CUDAErrorByName(name)
		if !a.Known {
			a = b.CUDAErrorByMessage(name)
		}
		if !a.Known {
			a = b.errorAnyCase(name)
		}
		if !a.Known {
			return b.missing(errorWords)
		}
		if a.Value.API == kb.LegacyRuntimeAPI {
			b.errorRows("CUDA runtime error "+strconv.Itoa(a.Value.Code)+" before CUDA 10.1", []kb.CUDAError{a.Value})
			return nil
		}
		code = a.Value.Code
	}
	var rows []kb.CUDAError
	for _, api := range []kb.API{kb.RuntimeAPI, kb.DriverAPI} {
		if a := b.CUDAError(api, code); a.Known {
			rows = append(rows, a.Value)
		}
	}
	old := b.CUDAError(kb.LegacyRuntimeAPI, code)
	switch {
	case rows == nil && !old.Known:
		return b.missing(errorNames)
	case rows == nil:
		b.errorRows(fmt.Sprintf("CUDA runtime error %d before CUDA 10.1", code), []kb.CUDAError{old.Value})
		return nil
	}
	b.errorRows(fmt.Sprintf("CUDA error %d", code), rows)
	if old.Known {
		b.note("Before CUDA 10.1 the runtime's %d was another error, %s: %s", code, old.Value.Symbol, old.Value.Message)
		b.cite(old.Ref)
	}
	return nil
}

// errorAnyCase finds a name in whatever case.
func (b *builder) errorAnyCase(name string) kb.Answer[kb.CUDAError] {
	for _, r := range kb.Rows[kb.CUDAError](b.Base) {
		if strings.EqualFold(r.Symbol, name) {
			return b.CUDAErrorByName(r.Symbol)
		}
	}
	return kb.Answer[kb.CUDAError]{}
}

// errorRows are the same number in both APIs. What they share is said once.
func (b *builder) errorRows(title string, rows []kb.CUDAError) {
	b.Title = title
	first := rows[0]
	b.field("code", "Number", first.Code)
	b.field("message", "Message", first.Message)
	names := map[kb.API][2]string{
		kb.RuntimeAPI: {"runtime_api", "Runtime API"}, kb.DriverAPI: {"driver_api", "Driver API"}, kb.LegacyRuntimeAPI: {"runtime_api_legacy", "Runtime API then"},
	}
	for _, r := range rows {
		b.field(names[r.API][0], names[r.API][1], r.Symbol)
		b.cite(kb.RefTo(b.Base, r))
	}
	for i, r := range rows {
		if i > 0 && r.Message != first.Message && r.Message != "" {
			b.field(names[r.API][0]+"_message", "Message there", r.Message)
		}
	}
	b.field("layer", "Layer", first.Layer)
	b.say("blame", "Points to", first.Blame, map[kb.Blame]string{
		kb.BlameEnvironment: "the environment", kb.BlameApplication: "the program", kb.BlameEither: "the environment or the program", kb.BlameHardware: "the hardware",
	}[first.Blame])
	b.field("causes", "Causes", first.Causes)
	b.field("action", "Look at first", first.Action)
	for i, r := range rows {
		b.note("%s", sentence(r.Note))
		if i == 0 {
			continue
		}
		if r.Causes != first.Causes {
			b.field("causes_"+string(r.API), "Causes, "+string(r.API)+" API", r.Causes)
		}
		if r.Action != first.Action {
			b.field("action_"+string(r.API), "Look at, "+string(r.API)+" API", r.Action)
		}
	}
}
