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
	OneOf   []string // arguments of which an ask has to give one at least
	Generic bool     // has no direction of its own: polarity decides what is good
}

// ArgInfo describes one argument of a probe.
type ArgInfo struct {
	Name    string
	Type    string   // string, int, bool, strings
	Allowed []string // of a string or strings; empty: anything
	// Required: without it there is nothing to look for.
	Required bool
	Doc      string
	Default  any
	// Refuse says why a text cannot be read, beside the ask's other arguments;
	// "" when it can. Nil: every text can.
	Refuse func(text string, beside map[string]any) string `json:"-"`
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
	if msg := p.lacks(a.Args); msg != "" {
		return msg, ""
	}
	for _, name := range slices.Sorted(maps.Keys(a.Args)) {
		if msg := p.unreadable(name, a.Args); msg != "" {
			return msg, ""
		}
	}
	return "", ""
}

// lacks says which argument an ask does without that it needs; "" when none.
func (p ProbeInfo) lacks(args map[string]any) string {
	for _, a := range p.Args {
		if a.Required && !given(args[a.Name]) {
			return fmt.Sprintf("probe %s needs the argument %q", p.ID, a.Name)
		}
	}
	if len(p.OneOf) > 0 && !slices.ContainsFunc(p.OneOf, func(name string) bool { return given(args[name]) }) {
		return fmt.Sprintf("probe %s needs one of the arguments %s", p.ID, strings.Join(p.OneOf, ", "))
	}
	return ""
}

func given(v any) bool {
	switch v := v.(type) {
	case string:
		return strings.TrimSpace(v) != ""
	case []string:
		return len(v) > 0
	}
	return v != nil
}

// unreadable says why the text of an argument cannot be read; "" when it can.
func (p ProbeInfo) unreadable(name string, args map[string]any) string {
	text, ok := args[name].(string)
	i := slices.IndexFunc(p.Args, func(a ArgInfo) bool { return a.Name == name })
	if !ok || i < 0 || p.Args[i].Refuse == nil {
		return ""
	}
	if why := p.Args[i].Refuse(text, args); why != "" {
		return fmt.Sprintf("argument %q of probe %s: %s", name, p.ID, why)
	}
	return ""
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
