package report

import (
	"testing"

	"github.com/automaton-auditor/automaton/internal/browsertest"
)

// Every golden page and a large one, light, dark by the system and by the
// button, on a phone: as they open, and with everything unfolded.
func browserAxe(t *testing.T, b *browsertest.Browser) {
	check := browsertest.Axe(t)
	pages := map[string]string{"big": rendered(t, bigRecord()), "compare": comparison(t), "short": shortened(t, cappedRecord()), "similarity": similarPage(t)}
	for name, rec := range goldenRecords() {
		pages[name] = rendered(t, rec)
	}
	for name, looks := range map[string]map[string]browsertest.Look{
		"capped":     {"light": {}, "small": {Width: 320, Dark: true}},
		"good":       {"dark": {Dark: true}},
		"blind":      {"phone": {Width: 390}},
		"mistrial":   {"dark": {Dark: true}},
		"models":     {"light": {}, "phone": {Width: 390, Dark: true}},
		"attack":     {"phone": {Width: 390, Dark: true}},
		"compare":    {"light": {}, "small": {Width: 320, Dark: true}},
		"short":      {"light": {}, "phone": {Width: 390, Dark: true}},
		"big":        {"dark": {Dark: true}},
		"similarity": {"light": {}, "small": {Width: 320, Dark: true}},
	} {
		for how, l := range looks {
			t.Run(name+" "+how, func(t *testing.T) {
				p := b.Open(t, pages[name], l)
				browsertest.Eval[any](t, p, check)
				if name+how != "cappedlight" { // as it opens; all others unfolded
					browsertest.Eval[any](t, p, browsertest.ExpandAll)
				}
				if name == "big" { // half a minute for the colours that the other pages have, too
					browsertest.Accessible(t, p, "color-contrast")
					return
				}
				browsertest.Accessible(t, p)
			})
		}
	}
	t.Run("dark by the button", func(t *testing.T) {
		p := b.Open(t, pages["good"], browsertest.Look{})
		browsertest.Eval[any](t, p, check)
		browsertest.Eval[any](t, p, `document.getElementById('theme').click()`)
		browsertest.Accessible(t, p)
	})
}
