package tool

import "github.com/automaton-auditor/automaton/internal/probe"

// Probes lists the group's probes.
func Probes() []probe.Probe {
	return append(probe.AllWired(cloneCall, cloneSandbox, cloneLive, cloneErrors, cloneCleanup, cloneAuth, cloneHardening, cloneDepth, urlValidation),
		procShell, procResult, procTimeout, credURL, codeDanger) // of every process there is: one that never runs does no harm
}

// Sections fills the tools facts of the sheet.
func Sections() []probe.Section {
	return []probe.Section{{Name: "tools", Fill: toolFacts}}
}
