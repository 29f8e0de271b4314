package safety

import "github.com/automaton-auditor/automaton/internal/probe"

// Probes lists the group's probes.
func Probes() []probe.Probe {
	list := []probe.Probe{cloneCall, cloneSandbox, cloneLive, cloneErrors, cloneCleanup, cloneAuth, cloneHardening, cloneDepth, urlValidation}
	for i := range list {
		list[i].Wired = true
	}
	// The others ask of every process there is: one that never runs does no harm.
	list = append(list, procShell, procResult, procTimeout, credURL, codeDanger, codePath)
	for i := range list {
		list[i].Reads = probe.Code
	}
	return list
}

// Sections fills the tools facts of the sheet.
func Sections() []probe.Section {
	return []probe.Section{{Name: "tools", Fill: toolFacts}}
}
