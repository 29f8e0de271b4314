package project

import "github.com/automaton-auditor/automaton/internal/probe"

// Probes lists the probes of this group.
func Probes() []probe.Probe {
	return []probe.Probe{
		testsReal(),
		testsRatio(),
		testsCollect(),
		repoCI(),
		repoLicense(),
		repoReadme(), readmeRun(),
		repoDocker(),
		repoEnv(),
		repoSecrets(),
		repoLang(),
		depsLock(),
		depsDeclared(),
		depsPinned(),
		archEntry(),
		archSize(),
		codeDup(),
		deliverables(),
		reportSections(),
		judgeSpread(),
		selfConsistency(),
		injectionAttempt(),
		fileExists(),
		fileContains(),
		codeSymbol(),
		codeCall(),
		codeImport(),
		codeDecorator(),
		codeQuery(),
		depDeclared(),
		envRead(),
		configKey(),
		textMentions(), textUnasked(),
	}
}
