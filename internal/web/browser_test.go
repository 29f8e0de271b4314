package web

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/automaton-auditor/automaton/internal/batch"
	"github.com/automaton-auditor/automaton/internal/browsertest"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/decision"
	"github.com/automaton-auditor/automaton/internal/store"
)

// The app in a real browser, one for all of it.
func TestBrowser(t *testing.T) {
	b := browsertest.Need(t)
	for _, part := range []struct {
		name string
		try  func(*testing.T, *browsertest.Browser)
	}{{"pages", browserPages}, {"no script", browserNoScript}, {"keys", browserKeys}, {"two at once", browserTwo}, {"new", browserNew}} {
		t.Run(part.name, func(t *testing.T) { part.try(t, b) })
	}
}

// long is an id as a platform may make it, with no place to break.
const long = "a-team-of-five-with-a-very-long-name-2026-automaton-auditor-submission-final"

// listening is a class of two capped, a good and a failed submission, at an address of its own.
func listening(t *testing.T, tokens ...Token) (x *site, home string) {
	t.Helper()
	server := httptest.NewUnstartedServer(nil)
	x = serving(t, Access{As: "a.tutor", Tokens: tokens, Hosts: []string{server.Listener.Addr().String()}},
		map[string]*court.Record{"ada": recorded(t, "capped.json"), "bob": recorded(t, "good.json"), long: recorded(t, "capped.json")}, "ada", "bob", "eve", long)
	server.Config.Handler = x.Handler
	server.Start()
	t.Cleanup(func() { // a page may still be watching
		server.CloseClientConnections()
		server.Close()
	})
	return x, server.URL
}

// send sends a form that must be taken.
func (x *site) send(t *testing.T, path string, form url.Values) string {
	t.Helper()
	r := x.ask(path, form)
	page := bodyOf(t, r)
	if r.StatusCode != http.StatusSeeOther && r.StatusCode != http.StatusOK {
		t.Fatal(path, r.Status, page)
	}
	return page
}

// lived is the same after a score, a grade that was given out, a link and an appeal, with the address of the link.
func lived(t *testing.T) (home, linked string) {
	t.Helper()
	x, home := listening(t)
	criteria := recorded(t, "good.json").Verdict.Rulings
	x.send(t, "/cases/bob/decide", url.Values{"kind": {"score"}, "criterion": {criteria[0].Criterion}, "seen": {"0"}, "score": {"1.5"}, "reason": {"Shown in the oral exam."}})
	x.send(t, "/cases/bob/decide", url.Values{"kind": {"publish"}, "seen": {"1"}})
	_, rest, _ := strings.Cut(x.send(t, "/cases/bob/link", url.Values{}), `<code id="address">http://`+host)
	at, _, ok := strings.Cut(rest, "<")
	if !ok {
		t.Fatal("no link was made")
	}
	if err := os.WriteFile(filepath.Join(x.Folder, similarityFile), comparedPage(t), 0o600); err != nil {
		t.Fatal(err)
	}
	x.Cohort.Shared.Similarity = &batch.Similarity{}
	x.Hear = func(_ context.Context, _ batch.Entry, rec *court.Record, _ decision.Entry) (*court.Record, []store.Line, error) {
		return rec, []store.Line{{Check: "src/a.py:3", Result: store.No, Text: "There is no such file."}}, nil
	}
	defer func() { x.send(t, "/appeals/3/hear", url.Values{}) }()
	x.send(t, at+"/appeal", url.Values{"criterion": {criteria[1].Criterion}, "points": {"src/a.py:3\r\npdf:2"}, "reason": {"It is handled in this file."}})
	return home, at
}

// quiet is a page that asks nothing of another place, breaks no policy and says nothing on the console.
func quiet(t *testing.T, p *browsertest.Tab, home string) {
	t.Helper()
	for _, bad := range p.Faults() {
		t.Error(bad)
	}
	asked := p.Of("Network.requestWillBeSent")
	for _, m := range asked {
		if at := `"url":"`; !strings.Contains(string(m.Params), at+home+"/") && !strings.Contains(string(m.Params), at+"data:") {
			t.Error(m)
		}
	}
	if len(asked) == 0 || len(p.Of("Network.webSocketCreated")) > 0 {
		t.Errorf("%d requests, and %v", len(asked), p.Of("Network.webSocketCreated"))
	}
}

// fits is a page that does not scroll sideways, however narrow it is.
func fits(t *testing.T, p *browsertest.Tab) {
	t.Helper()
	for _, width := range []int{320, 390, 768, 1200} {
		p.Show(t, browsertest.Look{Width: width})
		if got := browsertest.Eval[int](t, p, "document.documentElement.scrollWidth"); got > width {
			t.Errorf("%d wide on %d; beyond it: %v", got, width, browsertest.Eval[[]string](t, p, `[...document.querySelectorAll('body *')].filter(e => e.getBoundingClientRect().right > innerWidth + 1 && !e.closest('.tbl,.q,.vh')).slice(0, 5).map(e => e.outerHTML.slice(0, 200))`))
		}
	}
}

// sound is a page with everything unfolded that axe finds nothing on, light, dark and on a phone.
func sound(t *testing.T, p *browsertest.Tab) {
	t.Helper()
	browsertest.Eval[any](t, p, browsertest.ExpandAll)
	fits(t, p)
	browsertest.Eval[any](t, p, browsertest.Axe(t))
	for name, l := range map[string]browsertest.Look{"light": {}, "dark": {Dark: true}, "phone": {Width: 390}} {
		t.Run(name, func(t *testing.T) {
			p.Show(t, l)
			browsertest.Accessible(t, p)
		})
	}
}

// Every page as it stands in a class where people have decided.
func browserPages(t *testing.T, b *browsertest.Browser) {
	home, linked := lived(t)
	for _, path := range []string{"/", "/?find=score<3", "/?find=nobody", "/cases/ada", "/cases/bob", "/cases/eve", "/statistics", "/compare", "/compare?a=ada&b=bob", "/groups", "/appeals",
		"/calibration", "/log", "/export", "/similarity", "/cases/ada/source?path=src%2Fgraph.py&line=120&end=121", "/cases/bob/source?page=1", linked} {
		t.Run(path, func(t *testing.T) {
			p := b.Visit(t, home+path, browsertest.Look{})
			quiet(t, p, home)
			sound(t, p)
		})
	}
	t.Run("a long name", func(t *testing.T) {
		p := b.Visit(t, home+"/cases/"+long, browsertest.Look{})
		quiet(t, p, home)
		fits(t, p)
	})
	t.Run("to sign in", func(t *testing.T) {
		_, home := listening(t, secrets...)
		p := b.Visit(t, home+"/", browsertest.Look{})
		quiet(t, p, home)
		sound(t, p)
	})
	t.Run("the keys", func(t *testing.T) {
		p := b.Visit(t, home+"/", browsertest.Look{})
		p.Press(t, "?")
		sound(t, p)
	})
}

// fill writes into the element that has the focus.
func fill(t *testing.T, p *browsertest.Tab, text string) {
	t.Helper()
	p.Do(t, "Input.insertText", map[string]any{"text": text}, nil)
}

// focus puts the focus on an element.
func focus(t *testing.T, p *browsertest.Tab, selector string) {
	t.Helper()
	if !browsertest.Eval[bool](t, p, `(e => { e?.focus(); return e != null && document.activeElement === e })(document.querySelector('`+selector+`'))`) {
		t.Fatalf("%s takes no focus", selector)
	}
}

// names are the submissions of the list, from above.
func names(t *testing.T, p *browsertest.Tab) []string {
	t.Helper()
	return browsertest.Eval[[]string](t, p, `[...document.querySelectorAll('table.cohort tbody th a')].map(a => decodeURIComponent(a.pathname.split('/').pop()))`)
}

// stands is what the page of a case says of a criterion that a person decided on, in sight.
func stands(t *testing.T, p *browsertest.Tab, criterion, score string) {
	t.Helper()
	rec := recorded(t, "good.json")
	want := "A person decided: " + score + " counts; the machine said " + rec.Counts(criterion).Shown() + "."
	got := browsertest.Eval[[]string](t, p, `[...document.querySelectorAll('.deskbox p')].filter(e => e.checkVisibility()).map(e => e.innerText)`)
	if !slices.Contains(got, want) {
		t.Errorf("the page says %q, and not %q", got, want)
	}
}

// Without JavaScript the list is sorted and searched, and a score is given.
func browserNoScript(t *testing.T, b *browsertest.Browser) {
	_, home := listening(t)
	p := b.Visit(t, home+"/", browsertest.Look{NoScript: true})
	click := func(element string) {
		t.Helper()
		p.Loading(t, func() { browsertest.Eval[any](t, p, element+".click()") })
	}
	if got := names(t, p); len(got) != 4 {
		t.Fatal(got)
	}
	const score = `[...document.querySelectorAll('thead a')].find(a => a.innerText.startsWith('Score'))`
	click(score)
	up := slices.DeleteFunc(names(t, p), func(id string) bool { return id == "eve" })
	click(score)
	down := slices.DeleteFunc(names(t, p), func(id string) bool { return id == "eve" })
	if one, other := slices.Index(up, "bob"), slices.Index(down, "bob"); one+other != 2 || one == other {
		t.Errorf("sorted %v, and then %v", up, down)
	}
	focus(t, p, "#find")
	fill(t, p, "bob")
	p.Loading(t, func() { p.Press(t, "Enter") })
	if got := names(t, p); !slices.Equal(got, []string{"bob"}) {
		t.Errorf("it found %v", got)
	}
	click(`document.querySelector('table.cohort tbody a')`)
	criterion := recorded(t, "good.json").Verdict.Rulings[0].Criterion
	browsertest.Eval[any](t, p, `(e => { for (; e; e = e.parentElement) if (e.tagName == 'DETAILS' && !e.open) e.querySelector(':scope > summary').click() })(document.getElementById('s-`+criterion+`'))`)
	focus(t, p, "#s-"+criterion)
	fill(t, p, "1.5")
	focus(t, p, "#r-"+criterion)
	fill(t, p, "Shown in the oral exam.")
	click(`document.activeElement.form.querySelector('button')`)
	stands(t, p, criterion, "1.50")
}

// A decision from the list to the log without a mouse.
func browserKeys(t *testing.T, b *browsertest.Browser) {
	_, home := listening(t)
	p := b.Visit(t, home+"/", browsertest.Look{})
	p.Press(t, "/")
	if got := browsertest.Eval[string](t, p, `document.activeElement.id`); got != "find" {
		t.Fatalf("/ goes to %q", got)
	}
	fill(t, p, "bob")
	p.Loading(t, func() { p.Press(t, "Enter") })
	p.Press(t, "j")
	p.Loading(t, func() { p.Press(t, "Enter") })
	if got := browsertest.Eval[string](t, p, `location.pathname`); got != "/cases/bob" {
		t.Fatalf("j and Enter lead to %s", got)
	}
	criterion := recorded(t, "good.json").Verdict.Rulings[0].Criterion
	tabTo(t, p, "details.fold:has(#d-"+criterion+") > summary")
	p.Press(t, "Enter")
	tabTo(t, p, "#d-"+criterion+" .decides > summary")
	p.Press(t, "Enter")
	tabTo(t, p, "#s-"+criterion)
	fill(t, p, "1,5")
	tabTo(t, p, "#r-"+criterion)
	fill(t, p, "Shown in the oral exam.")
	p.Press(t, "Tab")
	p.Loading(t, func() { p.Press(t, "Enter") })
	stands(t, p, criterion, "1.50")
	quiet(t, p, home)
	p = b.Visit(t, home+"/log", browsertest.Look{})
	if got := browsertest.Eval[string](t, p, `document.querySelector('tbody').innerText`); !strings.Contains(got, "gave 1.50") || !strings.Contains(got, "a.tutor") || !strings.Contains(got, "Shown in the oral exam.") {
		t.Errorf("the log says %q", got)
	}
	p.Loading(t, func() { p.Press(t, "g") })
	if got := browsertest.Eval[string](t, p, `location.pathname`); got != "/groups" {
		t.Errorf("g leads to %s", got)
	}
}

// tabTo presses Tab until an element has the focus. Where the focus is can be seen on the way.
func tabTo(t *testing.T, p *browsertest.Tab, selector string) {
	t.Helper()
	for range 200 {
		p.Press(t, "Tab")
		at := browsertest.Eval[struct {
			HTML          string
			There, Ringed bool
		}](t, p, `(e => { const s = getComputedStyle(e); return {html: e.outerHTML.slice(0, 200), there: e.matches('`+selector+`'), ringed: s.outlineStyle != 'none' && parseFloat(s.outlineWidth) >= 2} })(document.activeElement)`)
		if !at.Ringed {
			t.Fatalf("the focus is not seen on %s", at.HTML)
		}
		if at.There {
			return
		}
	}
	t.Fatalf("Tab does not come to %s", selector)
}

// Of two people who decide at once the second is told, and keeps what was written.
func browserTwo(t *testing.T, b *browsertest.Browser) {
	_, home := listening(t)
	one, two := b.Visit(t, home+"/cases/bob", browsertest.Look{}), b.Tab(t)
	two.Visit(t, home+"/cases/bob", browsertest.Look{})
	criterion := recorded(t, "good.json").Verdict.Rulings[0].Criterion
	give := func(p *browsertest.Tab, score, reason string) {
		t.Helper()
		p.Loading(t, func() {
			browsertest.Eval[any](t, p, `(f => { f.elements.score.value = '`+score+`'; f.elements.reason.value = '`+reason+`'; f.querySelector('button').click() })(document.getElementById('s-`+criterion+`').form)`)
		})
	}
	give(one, "1.5", "Shown in the oral exam.")
	stands(t, one, criterion, "1.50")
	give(two, "5", "All of it is there, see the report.")
	page := browsertest.Eval[string](t, two, `document.querySelector('main').innerText`)
	for _, want := range []string{"gave 1.50", "Shown in the oral exam.", "the score 5.00", "All of it is there, see the report."} {
		if !strings.Contains(page, want) {
			t.Errorf("the second is not told %q: %s", want, page)
		}
	}
	sound(t, two)
	two.Visit(t, home+"/cases/bob", browsertest.Look{})
	browsertest.Eval[any](t, two, browsertest.ExpandAll)
	stands(t, two, criterion, "1.50")
}
