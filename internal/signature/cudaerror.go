package signature

import (
	"regexp"
	"strconv"
	"strings"

	"strata/internal/kb"
)

// errorNumber is a number as logs write it: 804, (804), 0x324 is not met.
var errorNumber = regexp.MustCompile(`^\d{1,4}$`)

// cudaError finds an error of CUDA by what a log has of it: its symbol, its
// number or its message. Numbers are those since CUDA 10.1.
func cudaError(c *Case, s string) (kb.CUDAError, bool) {
	s = strings.TrimSpace(s)
	if errorNumber.MatchString(s) {
		n, _ := strconv.Atoi(s)
		for _, api := range []kb.API{kb.RuntimeAPI, kb.DriverAPI} {
			if a := c.View.KB.CUDAError(api, n); a.Known {
				return a.Value, true
			}
		}
		return kb.CUDAError{}, false
	}
	if a := c.View.KB.CUDAErrorByName(s); a.Known {
		return a.Value, true
	}
	a := c.View.KB.CUDAErrorByMessage(strings.TrimRight(s, "."))
	if !a.Known {
		a = c.View.KB.CUDAErrorByMessage(strings.TrimRight(s, ".") + ".")
	}
	return a.Value, a.Known
}

// ofError makes a template's function of one thing that is known about an error.
func ofError(get func(kb.CUDAError) string) func(*Case, string) string {
	return func(c *Case, s string) string {
		e, ok := cudaError(c, s)
		if !ok {
			return ""
		}
		return get(e)
	}
}

// errorLayer is where an error lies when nothing else is known: what points to
// the program is of the application, whatever API found it.
func errorLayer(e kb.CUDAError) string {
	switch {
	case e.Blame == kb.BlameApplication || e.Blame == kb.NoBlame && e.Layer == "":
		return "application"
	case e.Code == 2: // the table says hardware, whose memory it is; who used it up is a program
		return "application"
	}
	return string(e.Layer)
}
