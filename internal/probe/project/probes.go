package project

import "github.com/automaton-auditor/automaton/internal/probe"

// Probes lists the probes of this group.
func Probes() []probe.Probe {
	return []probe.Probe{
		testsReal(),
		repoCI(),
		repoLicense(),
		repoEnv(),
		repoSecrets(),
		repoLang(),
		depsLock(),
		reportSections(),
		judgeSpread(),
		injectionAttempt(),
		fileExists(),
		fileContains(),
		codeSymbol(),
		codeCall(),
		codeImport(),
		codeDecorator(),
		depDeclared(),
		envRead(),
		configKey(),
		textMentions(),
	}
}
