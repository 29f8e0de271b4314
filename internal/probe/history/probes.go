package history

import "github.com/automaton-auditor/automaton/internal/probe"

// Probes lists the probes of this group.
func Probes() []probe.Probe {
	list := []probe.Probe{
		gitCount(),
		gitProgression(),
		gitBulk(),
		gitBurst(),
		gitGrid(),
		gitClock(),
		gitRewrite(),
		gitMessage(),
		gitAtomic(),
		gitChurn(),
		gitFix(),
		gitAuthorship(),
		gitHygiene(),
		gitSecrets(),
		gitTouched(),
		gitDeadline(),
		gitFeedback(),
	}
	for i := range list {
		list[i].Reads = probe.Past
	}
	return list
}
