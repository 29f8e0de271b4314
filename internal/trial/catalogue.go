package trial

import (
	"slices"

	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/probe/craft"
	"github.com/automaton-auditor/automaton/internal/probe/document"
	"github.com/automaton-auditor/automaton/internal/probe/flow"
	"github.com/automaton-auditor/automaton/internal/probe/history"
	"github.com/automaton-auditor/automaton/internal/probe/judicial"
	"github.com/automaton-auditor/automaton/internal/probe/project"
	"github.com/automaton-auditor/automaton/internal/probe/tool"
	"github.com/automaton-auditor/automaton/internal/rubric"
)

// Probes lists every probe, group by group.
func Probes() []probe.Probe {
	return slices.Concat(history.Probes(), flow.Probes(), judicial.Probes(), document.Probes(), project.Probes(), craft.Probes(), tool.Probes())
}

// Sections lists what fills the fact sheet.
func Sections() []probe.Section {
	return slices.Concat(history.Sections(), flow.Sections(), judicial.Sections(), document.Sections(), project.Sections(), tool.Sections())
}

// Catalogue describes probes to the rubric loader.
func Catalogue(probes []probe.Probe) rubric.Catalogue {
	var c rubric.Catalogue
	for _, p := range probes {
		info := rubric.ProbeInfo{ID: p.ID, Version: p.Version, Target: p.Target, Title: p.Title, Generic: p.Generic}
		for _, a := range p.Args {
			info.Args = append(info.Args, rubric.ArgInfo{Name: a.Name, Type: a.Type, Allowed: a.Allowed})
		}
		c.Probes = append(c.Probes, info)
	}
	return c
}
