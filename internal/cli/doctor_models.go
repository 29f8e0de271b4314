package cli

import (
	"cmp"
	"fmt"
	"time"

	"github.com/automaton-auditor/automaton/internal/llm"
	"github.com/automaton-auditor/automaton/internal/llm/provider"
)

// How old the table of models may be, and how near the end of a model is told.
const (
	tableAge  = 180 * 24 * time.Hour
	soonGone  = 30 * 24 * time.Hour
	dayFormat = time.DateOnly
)

// examineModels says which models could be asked, without asking any.
func (a *app) examineModels() []examination {
	table := llm.Known()
	out := []examination{{What: "models", Result: "table of " + table.Dated}}
	if day, err := time.Parse(dayFormat, table.Dated); err == nil && a.Now().Sub(day) > tableAge {
		out[0].Remedy = "it is old: prices may have changed, models gone; take a newer release"
	}
	for _, p := range provider.Providers() {
		if !p.Auto() {
			continue
		}
		_, from, err := a.keyOf(p.Keys)
		model := cmp.Or(a.firstSet(p.Models), table.Defaults[p.Name])
		switch {
		case err != nil:
			out = append(out, examination{What: "models " + p.Name, Result: "unreadable key: " + err.Error()})
		case from != "":
			out = append(out, a.examineModel("models "+p.Name, p.Name, model, "key from "+from))
		}
	}
	if len(out) == 1 {
		out[0].Result += "; no key is set: the built-in judges are used"
	}
	for _, name := range a.config.Profiles() {
		p, _ := a.config.Profile(name)
		out = append(out, a.examineModel("profile "+name, p.Provider, p.Model, "from "+p.Origin))
	}
	return out
}

// examineModel is what the table knows of a model.
func (a *app) examineModel(what, provider, model, how string) examination {
	x := examination{What: what, Result: fmt.Sprintf("%s, %s", cmp.Or(model, "no model named"), how)}
	l, listed := llm.Known().Find(provider, model)
	if !listed || l.Retires == "" {
		return x
	}
	if day, err := time.Parse(dayFormat, l.Retires); err == nil && day.Sub(a.Now()) < soonGone {
		x.Remedy = "its provider retires it on " + l.Retires + ": name another one"
	}
	return x
}
