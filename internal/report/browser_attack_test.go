package report

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer/html"

	"github.com/automaton-auditor/automaton/internal/browsertest"
	"github.com/automaton-auditor/automaton/internal/court"
)

// browserAttacks are all that formats are tried with, at once, and what only a
// browser can fall for. Each sets a canary or opens a dialog when it runs.
func browserAttacks() map[string]string {
	list := map[string]string{"everything": everything()}
	list["canary"] = `</title></style></textarea></script></svg><script>window.canary=1</script><img src=x onerror="window.canary=1"><svg/onload=window.canary=1><iframe srcdoc="<script>parent.canary=1</script>">` +
		`<a href=javascript:window.canary=1>x</a><details open ontoggle=window.canary=1><input autofocus onfocus=window.canary=1><style>*{display:none}</style><base href=//evil.example>` +
		`<meta http-equiv=refresh content="0;url=//evil.example"><form action=//evil.example><button>x</button></form><link rel=stylesheet href=//evil.example><object data=//evil.example>`
	list["canary before models"] = list["canary"]
	list["record"] = `</script><!--<script>"}]};window.canary=1;({"a":"\"]}]}<script type="application/json" id="automaton-record">{"schema":1}</script>` +
		"<script type=\"application/ld+json\">{\"@context\":\"https://evil.example\"}</script>\u2028window.canary=1\u2029window.canary=1 \\u003c/script\\u003e \\\" \f\v\x00 \xed\xa0\x80\xed\xb0\x80 \U0010ffff ]]> --!> <!-->"
	list["template"] = "{{constructor.constructor('canary=1')()}} ${canary=1} `${canary=1}` <%=canary=1%> javascript:canary=1 data:text/html,<script>parent.canary=1</script> ';canary=1;// \\';canary=1;//"
	list["clobber"] = `<a id=automaton-record name=body> <form id=theme><input name=parentElement> __proto__ constructor fix0 fixcount expand main`
	return list
}

// bodySkeleton is the tree of elements as the browser has built it, with the
// names of their attributes; colours of code, and words that look like it, are not a structure.
const bodySkeleton = `(() => { const list = [];
	const walk = (e, depth) => { for (const c of e.children) if (c.tagName != 'I' && !c.matches('code.inline')) { list.push(' '.repeat(depth) + c.tagName + ' ' + c.getAttributeNames().sort().join(' ')); walk(c, depth + 1); } };
	walk(document.documentElement, 0); return list; })()`

// clickAll uses everything on the page, but for links that lead out of it,
// which it returns.
const clickAll = `(() => { const out = new Set();
	addEventListener('click', e => { const a = e.target.closest('a'); if (a && a.protocol != 'file:') { out.add(a.href.baseVal ?? a.href); e.preventDefault(); } }, true);
	for (const e of document.querySelectorAll('a,button,summary,input,label,svg,code')) e.dispatchEvent(new MouseEvent('click', {bubbles: true, cancelable: true}));
	return [...out]; })()`

// poisoned is the small record with a text in every field, and its twin with a
// harmless text of the same shape.
func poisoned(kind, attack string) (bad, good *court.Record) {
	target := "embedded"
	if strings.HasSuffix(kind, "models") {
		target = "models"
	}
	bad, badHooks := targetRecord(target)
	good, goodHooks := targetRecord(target)
	for i := range badHooks {
		if (kind == "clobber") && strings.HasSuffix(badHooks[i].path, ".Argument") {
			continue // there a label that is cited becomes a link
		}
		badHooks[i].set(attack)
		goodHooks[i].set(harmless(attack))
	}
	return bad, good
}

// compared is the page of a record held against its copy that found otherwise.
func compared(t *testing.T, rec, now *court.Record) string {
	t.Helper()
	for _, list := range now.Evidences {
		list[0].Outcome, list[0].ID = court.Absent, list[0].ID+"2"
	}
	now.Verdict.Rulings[0].Exact /= 2
	var b bytes.Buffer
	if err := HTMLComparison(&b, Compare(rec, now), nil); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// Whatever stands in the fields of a record, the browser builds our elements and
// no others, runs nothing, asks for nothing, goes nowhere, and reads the record
// back as it is. The policy is off, so that escaping alone must hold.
func browserAttack(t *testing.T, b *browsertest.Browser) {
	for kind, attack := range browserAttacks() {
		t.Run(kind, func(t *testing.T) {
			bad, good := poisoned(kind, attack)
			want := browsertest.Eval[[]string](t, b.Open(t, rendered(t, good), browsertest.Look{}), bodySkeleton)
			p := b.Open(t, rendered(t, bad), browsertest.Look{Lawless: true})
			if diff := cmp.Diff(want, browsertest.Eval[[]string](t, p, bodySkeleton)); diff != "" {
				t.Errorf("it made elements (-harmless +attack):\n%s", diff)
			}
			embedded := browsertest.Eval[string](t, p, `document.getElementById('automaton-record').textContent`)
			if want, err := plainJSON(bad); err != nil || string(plainEscapes([]byte(embedded))) != string(want) {
				t.Errorf("the record does not read back: %v", err)
			}
			browsertest.Eval[any](t, p, `JSON.parse(document.getElementById('automaton-record').textContent)`)
			harmlessInUse(t, p)

			badNow, goodNow := poisoned(kind, attack)
			want = browsertest.Eval[[]string](t, b.Open(t, compared(t, good, goodNow), browsertest.Look{}), bodySkeleton)
			p = b.Open(t, compared(t, bad, badNow), browsertest.Look{Lawless: true})
			if diff := cmp.Diff(want, browsertest.Eval[[]string](t, p, bodySkeleton)); diff != "" {
				t.Errorf("it made elements in a comparison (-harmless +attack):\n%s", diff)
			}
			harmlessInUse(t, p)
		})
	}
}

// harmlessInUse clicks everything on a page and looks for what came of it.
func harmlessInUse(t *testing.T, p *browsertest.Tab) {
	t.Helper()
	for _, href := range browsertest.Eval[[]string](t, p, clickAll) {
		if !strings.HasPrefix(href, "https://github.com/northwind/automaton-auditor/") {
			t.Errorf("a link leads to %s", href)
		}
	}
	if browsertest.Eval[bool](t, p, `'canary' in window || !location.pathname.endsWith('/report.html')`) {
		t.Error("something of theirs ran")
	}
	for _, deed := range p.Misdeeds() {
		t.Error(deed)
	}
}

// The golden record full of attacks, as it is sent: with its policy.
func browserAttackGolden(t *testing.T, b *browsertest.Browser) {
	p := b.Open(t, rendered(t, attackRecord()), browsertest.Look{})
	browsertest.Eval[any](t, p, browsertest.ExpandAll)
	harmlessInUse(t, p)
}

// markdownPage is a Markdown report as a forge shows it, without the forge's
// own cleaning: raw HTML stays.
func markdownPage(t *testing.T, rec *court.Record) string {
	t.Helper()
	var text, page bytes.Buffer
	if err := writeMarkdown(&text, rec); err != nil {
		t.Fatal(err)
	}
	page.WriteString("<!doctype html><meta charset=utf-8><title>x</title><link rel=icon href=data:,><main>")
	reader := goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithRendererOptions(html.WithUnsafe()))
	if err := reader.Convert(text.Bytes(), &page); err != nil {
		t.Fatal(err)
	}
	return page.String()
}

// The same for Markdown, by a reader that keeps raw HTML.
func browserAttackMarkdown(t *testing.T, b *browsertest.Browser) {
	for kind, attack := range browserAttacks() {
		t.Run(kind, func(t *testing.T) {
			bad, good := poisoned(kind, attack)
			tree := func(p *browsertest.Tab) []string { // text that is no word is shown as such or as code
				return slices.DeleteFunc(browsertest.Eval[[]string](t, p, bodySkeleton), func(s string) bool { return strings.TrimSpace(s) == "CODE" })
			}
			want := tree(b.Open(t, markdownPage(t, good), browsertest.Look{}))
			p := b.Open(t, markdownPage(t, bad), browsertest.Look{})
			if diff := cmp.Diff(want, tree(p)); diff != "" {
				t.Errorf("it made elements (-harmless +attack):\n%s", diff)
			}
			harmlessInUse(t, p)
		})
	}
}

// The checks above see an attack that gets through: a page that lets one in has
// another tree, and its script is told.
func browserSeesAttacks(t *testing.T, b *browsertest.Browser) {
	clean := browsertest.Eval[[]string](t, b.Open(t, "<p>text</p>", browsertest.Look{}), bodySkeleton)
	p := b.Open(t, "<p>text</p><script>window.canary=1</script>"+attacks["attribute"]+attacks["script"], browsertest.Look{})
	if diff := cmp.Diff(clean, browsertest.Eval[[]string](t, p, bodySkeleton)); diff == "" {
		t.Error("its elements are not seen")
	}
	if !browsertest.Eval[bool](t, p, `'canary' in window`) || len(p.Of("Page.javascriptDialogOpening")) == 0 || len(p.Misdeeds()) < 3 {
		t.Errorf("its script is not seen: %v", p.Misdeeds())
	}
}
