package browsertest

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

//go:embed axe/axe.min.js
var axe string

// axeDigest is of axe.min.js as axe-core 4.14.1 has it in its package.
const axeDigest = "29348999450cdf2849a8e70b7912fc2da85a849da39c0d0d5394f51d4a9ed95c"

// Axe is Deque's checker of accessibility, a script to run in a page before Accessible asks it. See the folder axe.
func Axe(t testing.TB) string {
	t.Helper()
	if sum := sha256.Sum256([]byte(axe)); hex.EncodeToString(sum[:]) != axeDigest {
		t.Fatal("axe/axe.min.js is not the file of axe-core 4.14.1")
	}
	return axe
}

// violation is a rule that a page breaks.
type violation struct {
	ID, Help string
	Nodes    []struct {
		HTML           string
		FailureSummary string
	}
}

// Accessible runs every rule of WCAG 2.1 A and AA and of good practice, but for
// those that are named.
func Accessible(t testing.TB, p *Tab, without ...string) {
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
	for _, v := range Eval[[]violation](t, p, run) {
		var where []string
		for _, n := range v.Nodes {
			where = append(where, fmt.Sprintf("%.300s\n\t%s", n.HTML, n.FailureSummary))
		}
		t.Errorf("%s: %s\n%s", v.ID, v.Help, strings.Join(where, "\n"))
	}
}

// ExpandAll opens all that is folded.
const ExpandAll = `document.querySelectorAll('details').forEach(d => d.open = true)`
