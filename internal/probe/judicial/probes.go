package judicial

import "github.com/automaton-auditor/automaton/internal/probe"

// Probes lists the group's probes.
func Probes() []probe.Probe {
	list := []probe.Probe{
		llmCalls, llmSchema, llmSchemaFields, llmEvery, llmValidated, llmRetry, llmFeedback, llmFallback, llmCoercion,
		promptExtract, promptSimilarity, promptStance, promptEvidence, promptGuard, judgeScope, judgeClamp,
		cjNode, cjLLMFree, cjRules, cjCap, cjTrigger, cjMarkdown, cjRemediation,
	}
	for i := range list {
		list[i].Wired, list[i].Reads = true, probe.Code
		for _, on := range links[list[i].ID] {
			list[i].Run = carried(list[i].Run, on)
		}
	}
	return list
}

// Sections fills the judges' and the chief justice's facts of the sheet.
func Sections() []probe.Section {
	return []probe.Section{{Name: "judges", Fill: judgeFacts}, {Name: "justice", Fill: justiceFacts}}
}
