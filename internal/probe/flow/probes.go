package flow

import "github.com/automaton-auditor/automaton/internal/probe"

// Probes lists the group's probes.
func Probes() []probe.Probe {
	list := []probe.Probe{
		stateSchema, stateModels, stateCollections, stateReducers, stateFit, stateWhole, stateUndeclared, stateConstraints, stateSoup,
		graphExtract, graphParallel, graphFanIn, graphWired, graphErrorRoute, graphBypass, graphUnreachable, graphJoin, graphLoop,
		graphUsed, graphHidden, graphDecorative, graphOps, graphHas,
	}
	for i := range list {
		list[i].Wired, list[i].Reads = true, probe.Code
	}
	return list
}

// Sections fills the state and graph facts of the sheet.
func Sections() []probe.Section {
	return []probe.Section{{Name: "state", Fill: stateFacts}, {Name: "graph", Fill: graphFacts}}
}
