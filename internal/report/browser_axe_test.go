package report

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
)

// axeDigest is of axe.min.js as axe-core 4.14.1 has it in its package.
const axeDigest = "29348999450cdf2849a8e70b7912fc2da85a849da39c0d0d5394f51d4a9ed95c"

// axe is Deque's checker of accessibility, see testdata/axe.
func axe(t testing.TB) string {
	t.Helper()
	raw, err := os.ReadFile("testdata/axe/axe.min.js")
	if err != nil {
		t.Fatal(err)
	}
	if sum := sha256.Sum256(raw); hex.EncodeToString(sum[:]) != axeDigest {
		t.Fatal("testdata/axe/axe.min.js is not the file of axe-core 4.14.1")
	}
	return string(raw)
}

// violation is a rule that a page breaks.
type violation struct {
	ID, Help string
	Nodes    []struct {
		HTML           string
		FailureSummary string
	}
}

// accessible runs every rule of WCAG 2.1 A and AA and of good practice, but for
// those that are named.
func accessible(t *testing.T, p *tab, without ...string) {
	t.Helper()
	rules := map[string]object{}
	for _, id := range without {
		rules[id] = object{"enabled": false}
	}
	off, err := json.Marshal(rules)
	if err != nil {
		t.Fatal(err)
	}
	run := `axe.run(document, {runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'], rules: ` + string(off) + `, resultTypes: ['violations'], elementRef: false})
		.then(r => r.violations.map(v => ({id: v.id, help: v.help, nodes: v.nodes.slice(0, 4).map(n => ({html: n.html, failureSummary: n.failureSummary}))})))`
	for _, v := range eval[[]violation](t, p, run) {
		var where []string
		for _, n := range v.Nodes {
			where = append(where, fmt.Sprintf("%.300s\n\t%s", n.HTML, n.FailureSummary))
		}
		t.Errorf("%s: %s\n%s", v.ID, v.Help, strings.Join(where, "\n"))
	}
}

const expandAll = `document.querySelectorAll('details').forEach(d => d.open = true)`

// Every golden page and a large one, light, dark by the system and by the
// button, on a phone: as they open, and with everything unfolded.
func browserAxe(t *testing.T, b *browser) {
	check := axe(t)
	pages := map[string]string{"big": rendered(t, bigRecord()), "compare": comparison(t), "short": shortened(t, cappedRecord()), "similarity": similarPage(t)}
	for name, rec := range goldenRecords() {
		pages[name] = rendered(t, rec)
	}
	for name, looks := range map[string]map[string]look{
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
				p := b.open(t, pages[name], l)
				eval[any](t, p, check)
				if name+how != "cappedlight" { // as it opens; all others unfolded
					eval[any](t, p, expandAll)
				}
				if name == "big" { // half a minute for the colours that the other pages have, too
					accessible(t, p, "color-contrast")
					return
				}
				accessible(t, p)
			})
		}
	}
	t.Run("dark by the button", func(t *testing.T) {
		p := b.open(t, pages["good"], look{})
		eval[any](t, p, check)
		eval[any](t, p, `document.getElementById('theme').click()`)
		accessible(t, p)
	})
}
