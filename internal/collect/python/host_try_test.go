package python

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"testing"
	"time"

	"strata/internal/collect"
	"strata/internal/machine"
)

func TestTryHost(t *testing.T) {
	if os.Getenv("TRY") == "" {
		t.Skip()
	}
	var m *machine.Machine = machine.OpenHost()
	if r := os.Getenv("TRYROOT"); r != "" {
		m, _, _ = machine.OpenRoot(r)
	}
	start := time.Now()
	s := collect.Run(context.Background(), m, []collect.Collector{New(Options{Interpreter: os.Getenv("TRYPY")})})
	fmt.Println(time.Since(start), s.Python.State, s.Python.Why)
	for _, e := range s.Python.Value {
		fmt.Println(e.Prefix, e.Kind, e.Python.Value, e.Interpreter, e.Base, e.Site, len(e.Packages.Value), e.Packages.Why, e.From, e.Overlaps.State, len(e.Overlaps.Value))
		if os.Getenv("TRY") == "2" {
			b, _ := json.MarshalIndent(e.Frameworks, "", " ")
			fmt.Println(string(b))
			for _, l := range e.Libraries.Value {
				fmt.Println(" ", l.Path, l.Soname, l.Version, l.Owner, l.Fault)
			}
			for _, o := range e.Overlaps.Value {
				fmt.Println(" ", o.Path, o.Packages, o.Winner)
			}
		}
	}
}
