package report

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/automaton-auditor/automaton/internal/browsertest"
	"github.com/automaton-auditor/automaton/internal/court"
)

// stops are the elements that Tab goes to, in the order of the page.
const stops = `[...document.querySelectorAll('a[href],button,input,summary,[tabindex="0"]')].filter(e => e.checkVisibility() && e.tabIndex >= 0)`

// Tab goes from the first to the last element that does something, in the order
// of the page, shows where it is, and comes out at the end.
func browserTab(t *testing.T, b *browsertest.Browser) {
	for name, l := range map[string]browsertest.Look{"wide": {}, "phone": {Width: 390, Dark: true}} {
		t.Run(name, func(t *testing.T) {
			p := b.Open(t, rendered(t, cappedRecord()), l)
			all := browsertest.Eval[int](t, p, stops+".length")
			if all < 60 {
				t.Fatalf("only %d elements to go to", all)
			}
			browsertest.Eval[any](t, p, `window.stops = `+stops)
			for i := range all {
				p.Press(t, "Tab")
				at := browsertest.Eval[struct {
					Index         int
					HTML          string
					Ringed, Shown bool
				}](t, p, `(() => { const e = document.activeElement, s = getComputedStyle(e), r = e.getBoundingClientRect(), top = e.closest('header.top,.skip') ? 0 : document.querySelector('header.top').getBoundingClientRect().bottom;
					return {index: stops.indexOf(e), html: e.outerHTML.slice(0, 200), ringed: s.outlineStyle != 'none' && parseFloat(s.outlineWidth) >= 2, shown: r.width > 0 && r.bottom > top && r.top < innerHeight && r.right > 0 && r.left < innerWidth}; })()`)
				if at.Index != i || !at.Ringed || !at.Shown {
					t.Fatalf("stop %d of %d is %+v", i, all, at)
				}
			}
			p.Press(t, "Tab")
			if got := browsertest.Eval[string](t, p, `document.activeElement.tagName`); got != "BODY" && !browsertest.Eval[bool](t, p, `document.activeElement === stops[0]`) {
				t.Errorf("after the last stop comes %s", got)
			}
		})
	}
}

// Everything works with keys alone.
func browserKeys(t *testing.T, b *browsertest.Browser) {
	p := b.Open(t, rendered(t, cappedRecord()), browsertest.Look{})
	focus := func(selector string) {
		t.Helper()
		if !browsertest.Eval[bool](t, p, `(e => { e?.focus(); return document.activeElement === e })(document.querySelector('`+selector+`'))`) {
			t.Fatalf("%s takes no focus", selector)
		}
	}
	expect := func(what, expression string) {
		t.Helper()
		if !browsertest.Eval[bool](t, p, expression) {
			t.Errorf("not so: %s", what)
		}
	}
	p.Press(t, "Tab")
	expect("the first stop is the skip link, in sight", `document.activeElement.matches('.skip') && document.activeElement.getBoundingClientRect().left >= 0`)
	p.Press(t, "Enter")
	p.Press(t, "Tab")
	expect("it leads into the page", `document.activeElement.closest('main') !== null`)

	focus("details.read summary")
	p.Press(t, "Enter")
	expect("Enter opens what is folded", `document.querySelector('details.read').open`)
	focus("[data-filter=low]")
	p.Press(t, "Space")
	expect("a filter hides the other criteria", `(n => n > 0 && n < document.querySelectorAll('section.crit').length)(document.querySelectorAll('section.crit:not([hidden])').length)`)
	expect("and says so", `document.activeElement.getAttribute('aria-pressed') == 'true' && document.querySelectorAll('[data-filter][aria-pressed=true]').length == 1`)
	focus("[data-filter=all]")
	p.Press(t, "Enter")
	expect("all are back", `!document.querySelector('section.crit[hidden]')`)
	focus("#expand")
	p.Press(t, "Enter")
	expect("everything opens", `!document.querySelector('details:not([open])')`)

	sections := browsertest.Eval[[]string](t, p, `[...document.querySelectorAll('section.crit h3')].map(h => h.id)`)
	browsertest.Eval[any](t, p, `document.activeElement.blur(); scrollTo(0, 0)`)
	var went []string
	for key := range strings.SplitSeq("jjjkj", "") {
		p.Press(t, key)
		went = append(went, browsertest.Eval[string](t, p, `document.activeElement.id`))
	}
	if want := []string{sections[0], sections[1], sections[2], sections[1], sections[2]}; !slices.Equal(went, want) {
		t.Errorf("j and k went to %v, want %v", went, want)
	}
	went = browsertest.Eval[[]string](t, p, `(() => {
		document.activeElement.blur(); document.documentElement.style.scrollBehavior = 'smooth'; scrollTo({top: 0, behavior: 'instant'});
		return [...'jjjjk'].map(key => { document.body.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true})); return document.activeElement.id });
	})()`)
	if want := []string{sections[0], sections[1], sections[2], sections[3], sections[2]}; !slices.Equal(went, want) {
		t.Errorf("pressed quickly, j and k went to %v, want %v", went, want)
	}
	expect("what it went to is in sight", `(r => r.top >= document.querySelector('header.top').getBoundingClientRect().bottom - 1 && r.bottom < innerHeight)(document.activeElement.getBoundingClientRect())`)

	focus(".fix input")
	p.Press(t, "Space")
	expect("a remedy is ticked and counted", `document.activeElement.checked && document.getElementById('fixcount').textContent.startsWith('1 of ')`)
	p.Do(t, "Page.reload", nil, nil)
	p.Until(t, "the page to load again", func() bool { return len(p.Of("Page.loadEventFired")) > 1 })
	expect("the tick stays", `document.querySelector('.fix input').checked`)
	focus("#theme")
	p.Press(t, "Enter")
	expect("the button makes it dark", `getComputedStyle(document.body).backgroundColor == 'rgb(19, 21, 26)'`)
}

// Every link to evidence or to a criterion opens what it lies in and shows it
// below the header, whatever is folded or filtered away.
func browserReveal(t *testing.T, b *browsertest.Browser) {
	p := b.Open(t, rendered(t, cappedRecord()), browsertest.Look{Width: 390})
	bad := browsertest.Eval[[]string](t, p, `(async () => {
		const bad = [], seen = new Set();
		for (const a of document.querySelectorAll('main a[href^="#"]')) {
			if (seen.has(a.hash) || a.hash == location.hash) continue;
			seen.add(a.hash);
			document.querySelectorAll('details').forEach(d => d.open = false);
			document.querySelectorAll('section.crit').forEach(s => s.hidden = true);
			const heard = new Promise(done => addEventListener('hashchange', () => setTimeout(done), {once: true}));
			a.click();
			await heard;
			const e = document.getElementById(decodeURIComponent(a.hash.slice(1))), r = e.getBoundingClientRect();
			if (!e.checkVisibility() || r.height == 0 || r.top < document.querySelector('header.top').getBoundingClientRect().bottom - 1 || r.top > innerHeight) bad.push(a.hash + ' at ' + r.top);
		}
		return seen.size > 20 ? bad : ['only ' + seen.size + ' links'];
	})()`)
	if len(bad) > 0 {
		t.Errorf("not shown: %v", bad)
	}
}

// Ticked remedies show the total and the criteria that change; where models sat, only
// what is gained, as about.
func browserTries(t *testing.T, b *browsertest.Browser) {
	const numbers = `{"judges":[{"doubt":1000,"gate":24900,"curve":"strict","core":2},{"doubt":4000,"gate":34900,"curve":"plain","core":3},{"doubt":7500,"gate":44900,"curve":"lenient","core":2}],"proven":9000,
		"criteria":[{"w":10000,"exact":0,"seats":[1,1,1],"checks":[{"w":1,"needs":[],"applies":true,"pro":[0,0,0],"con":[10000,10000,10000],"mended":[10000,10000,10000]},{"w":1,"needs":[0],"applies":true,"pro":[10000,10000,10000],"con":[0,0,0],"mended":[10000,10000,10000]}]},
		{"w":10000,"exact":30000}],"fixes":[[[0,0]],[[0,1]]]}`
	for name, tt := range map[string]struct {
		rec  *court.Record
		want string
	}{"plain": {cappedRecord(), "Total with these: 2.00 \u2192 4.00"}, "models": {modelsRecord(), "Total with these: about 2.00 more"}} {
		t.Run(name, func(t *testing.T) {
			var page bytes.Buffer
			if err := Page(&page, tt.rec, []byte(numbers), nil); err != nil {
				t.Fatal(err)
			}
			p := b.Open(t, page.String(), browsertest.Look{})
			browsertest.Eval[any](t, p, `document.querySelectorAll('.fix input:checked').forEach(i => i.click())`) // kept from an earlier test
			tick := `document.querySelectorAll('.fix input')[%d].click(), document.getElementById('tried').innerText`
			if got := browsertest.Eval[string](t, p, fmt.Sprintf(tick, 0)); !strings.Contains(got, tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
			if got := browsertest.Eval[string](t, p, fmt.Sprintf(tick, 0)); strings.Contains(got, "Total") {
				t.Errorf("without a tick it says %q", got)
			}
			for _, bad := range p.Misdeeds() {
				t.Error(bad)
			}
		})
	}
}
