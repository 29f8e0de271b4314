package judicial

import (
	"strings"

	"github.com/automaton-auditor/automaton/internal/probe"
)

// proveLack notes what the judges' code lacks, and where it was looked for.
func (b *bench) proveLack(sheet *probe.Sheet, key, lacks string) {
	switch calls := b.models.in(b.judges); {
	case len(b.judges.roots) == 0:
		sheet.Prove(key, "there are no judges")
	case len(calls) == 0:
		sheet.Prove(key, "no judge asks a model")
	default:
		sheet.Prove(key, "%s asks the model; %s", where(calls[0].Node), lacks)
	}
}

// proveProviders notes the first client of each provider.
func proveProviders(b *bench, sheet *probe.Sheet) {
	if at := b.unseen(); at.Valid() {
		sheet.Prove("judges.model_providers", "%s: the library of a model is chosen when the program runs", where(at))
		return
	}
	seen := map[string]bool{}
	var words []string
	var at []any
	for _, c := range b.clients() {
		for _, p := range c.providers {
			if !seen[p] {
				seen[p] = true
				words = append(words, p+" %s")
				at = append(at, where(c.call.Node))
			}
		}
	}
	if len(words) == 0 {
		words = append(words, "no production code makes a client of a known provider")
	}
	sheet.Prove("judges.model_providers", strings.Join(words, ", "), at...)
}

// provePersonas notes where the text of each judge stands.
func provePersonas(pr *prompts, sheet *probe.Sheet) {
	var words []string
	for i, own := range pr.own {
		if len(own.at) > 0 {
			words = append(words, personas[i]+" "+pr.main(persona(i)).String())
		}
	}
	if len(words) == 0 {
		words = append(words, "no text is one judge's own")
	}
	sheet.Prove("judges.personas", "%s", strings.Join(words, ", "))
}
