package rubric

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
)

// Catalogue is what a rubric may ask: the probes of this build, as data. The
// loader refuses every check whose probe is not in it, so an empty catalogue
// refuses all checks.
type Catalogue struct {
	Probes []ProbeInfo
}

// ProbeInfo describes one probe to the loader.
type ProbeInfo struct {
	ID      string
	Version string // part of the checks digest
	Target  court.Artifact
	Title   string // a short sentence that states what holds; the default text of a check
	Args    []ArgInfo
	Generic bool // has no direction of its own: polarity decides what is good
}

// ArgInfo describes one argument of a probe.
type ArgInfo struct {
	Name    string
	Type    string   // string, int, bool, strings
	Allowed []string // of a string or strings; empty: anything
}

// find is the probe of that id.
func (c *Catalogue) find(id string) (ProbeInfo, bool) {
	if c == nil {
		return ProbeInfo{}, false
	}
	i := slices.IndexFunc(c.Probes, func(p ProbeInfo) bool { return p.ID == id })
	if i < 0 {
		return ProbeInfo{}, false
	}
	return c.Probes[i], true
}

// refuse says why the catalogue cannot answer an ask, and what would be near;
// "" when it can.
func (c *Catalogue) refuse(a court.Ask) (msg, hint string) {
	p, ok := c.find(a.Probe)
	if !ok {
		ids := make([]string, 0, len(c.Probes))
		for _, p := range c.Probes {
			ids = append(ids, p.ID)
		}
		return fmt.Sprintf("probe %q is unknown", court.Clean(a.Probe, 80)), didYouMean(a.Probe, ids)
	}
	for _, name := range slices.Sorted(maps.Keys(a.Args)) {
		if msg, hint := p.refuse(name, a.Args[name]); msg != "" {
			return msg, hint
		}
	}
	return "", ""
}

// refuse says why the probe does not take an argument.
func (p ProbeInfo) refuse(name string, v any) (msg, hint string) {
	i := slices.IndexFunc(p.Args, func(a ArgInfo) bool { return a.Name == name })
	if i < 0 {
		names := make([]string, 0, len(p.Args))
		for _, a := range p.Args {
			names = append(names, a.Name)
		}
		return fmt.Sprintf("probe %s has no argument %q", p.ID, court.Clean(name, 60)), didYouMean(name, names)
	}
	if want := p.Args[i].refuse(v); want != "" {
		return fmt.Sprintf("argument %q of probe %s must be %s", name, p.ID, want), ""
	}
	return "", ""
}

// refuse says what the argument wants instead of v; "" when v is right.
func (a ArgInfo) refuse(v any) string {
	switch v := v.(type) {
	case string:
		if (a.Type == "string" || a.Type == "strings") && a.allows(v) {
			return ""
		}
	case []string:
		if a.Type == "strings" && !slices.ContainsFunc(v, func(s string) bool { return !a.allows(s) }) {
			return ""
		}
	case float64:
		if a.Type == "int" && v == math.Trunc(v) {
			return ""
		}
	case bool:
		if a.Type == "bool" {
			return ""
		}
	}
	if len(a.Allowed) > 0 {
		return strings.Join(a.Allowed, " or ")
	}
	return map[string]string{"string": "a string", "strings": "a list of strings", "int": "a whole number", "bool": "true or false"}[a.Type]
}

func (a ArgInfo) allows(s string) bool { return len(a.Allowed) == 0 || slices.Contains(a.Allowed, s) }
