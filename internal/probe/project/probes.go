package project

import "github.com/automaton-auditor/automaton/internal/probe"

// Probes lists the probes of this group.
func Probes() []probe.Probe {
	list := []probe.Probe{
		testsReal(),
		testsRatio(),
		testsCollect(),
		testsErrors(), testsSkipped(), testsCommand(), testsCoverage(),
		repoCI(),
		repoLicense(),
		repoReadme(), readmeRun(),
		repoDocker(), repoBuild(), repoRelease(), repoIgnore(),
		repoLinks(), repoChanges(), repoContributing(), repoPolicy(),
		repoEnv(),
		repoSecrets(), ciUntrusted(),
		repoLang(),
		depsLock(),
		depsDeclared(),
		depsPinned(),
		depsRuntime(), depsManagers(), depsUpdates(), depsSources(),
		archEntry(),
		archSize(),
		codeDup(), codeMarks(), codeDebug(),
		deliverables(),
		reportSections(),
		judgeSpread(),
		selfConsistency(),
		injectionAttempt(),
		fileExists(),
		fileContains(),
		codeSymbol(),
		codeCall(),
		flowArrives(),
		codeImport(),
		codeDecorator(),
		codeQuery(),
		depDeclared(),
		envRead(),
		configKey(),
		textMentions(), textUnasked(),
	}
	for i := range list {
		switch list[i].ID {
		case "injection.attempt", "readme.run": // they look at the document, too
		case "self.consistency":
			list[i].Reads = probe.Code | probe.Past
		default:
			list[i].Reads = probe.Code
		}
	}
	return list
}
