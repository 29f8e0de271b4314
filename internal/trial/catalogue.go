package trial

import (
	"slices"

	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/probe/document"
	"github.com/automaton-auditor/automaton/internal/probe/flow"
	"github.com/automaton-auditor/automaton/internal/probe/history"
	"github.com/automaton-auditor/automaton/internal/probe/judicial"
	"github.com/automaton-auditor/automaton/internal/probe/project"
	"github.com/automaton-auditor/automaton/internal/probe/quality"
	"github.com/automaton-auditor/automaton/internal/probe/safety"
	"github.com/automaton-auditor/automaton/internal/rubric"
)

// Probes lists every probe, group by group.
func Probes() []probe.Probe {
	return slices.Concat(history.Probes(), flow.Probes(), judicial.Probes(), document.Probes(), project.Probes(), quality.Probes(), safety.Probes())
}

// Sections lists what fills the fact sheet.
func Sections() []probe.Section {
	return slices.Concat(history.Sections(), flow.Sections(), judicial.Sections(), document.Sections(), project.Sections(), safety.Sections())
}

// compiler tells whether a query can be asked of code in a language; "" when it
// can. Only a grammar knows, and grammars live in workers.
type compiler func(language, query string) (why string)

// Catalogue describes probes to the rubric loader. Without a compiler queries
// are taken as they are.
func Catalogue(probes []probe.Probe, compile ...compiler) rubric.Catalogue {
	var c rubric.Catalogue
	for _, p := range probes {
		info := rubric.ProbeInfo{ID: p.ID, Version: p.Version, Target: p.Target, Title: p.Title, Generic: p.Generic, OneOf: p.OneOf}
		for _, a := range p.Args {
			info.Args = append(info.Args, rubric.ArgInfo{Name: a.Name, Type: a.Type, Allowed: a.Allowed, Required: a.Required, Doc: a.Doc, Default: a.Default, Refuse: reader(a.Form, compile)})
		}
		c.Probes = append(c.Probes, info)
	}
	return c
}

// reader tells why a text of a form cannot be read; nil: every text can.
func reader(form string, compile []compiler) func(string, map[string]any) string {
	why := func(err error) string {
		if err != nil {
			return err.Error()
		}
		return ""
	}
	switch form {
	case "glob":
		return func(text string, _ map[string]any) string {
			_, err := probe.Glob(text)
			return why(err)
		}
	case "pattern":
		return func(text string, _ map[string]any) string {
			_, err := regexp.Compile(text)
			return why(err)
		}
	case "query":
		if len(compile) == 0 {
			return nil
		}
		return func(text string, beside map[string]any) string {
			language, _ := beside["language"].(string)
			return compile[0](language, text)
		}
	}
	return nil
}
