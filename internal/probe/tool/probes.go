package tool

import "github.com/automaton-auditor/automaton/internal/probe"

// Probes lists the group's probes.
func Probes() []probe.Probe {
	return []probe.Probe{
		cloneCall, cloneSandbox, cloneLive, cloneErrors, cloneCleanup, cloneAuth, cloneHardening, cloneDepth,
		procShell, procResult, procTimeout, urlValidation, credURL, codeDanger,
	}
}

// Sections fills the tools facts of the sheet.
func Sections() []probe.Section {
	return []probe.Section{{Name: "tools", Fill: toolFacts}}
}
