package report

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/automaton-auditor/automaton/internal/browsertest"
)

// The page in a real browser, one for all of it.
func TestBrowser(t *testing.T) {
	b := browsertest.Need(t)
	for _, part := range []struct {
		name string
		try  func(*testing.T, *browsertest.Browser)
	}{
		{"quiet", browserQuiet}, {"large", browserLarge}, {"narrow", browserNarrow}, {"no script", browserNoScript}, {"print", browserPrint}, {"system", browserSystemWishes},
		{"tab", browserTab}, {"keys", browserKeys}, {"reveal", browserReveal},
		{"attack", browserAttack}, {"attack as sent", browserAttackGolden}, {"attack in Markdown", browserAttackMarkdown}, {"attack that works", browserSeesAttacks},
		{"axe", browserAxe}, {"short", browserShort}, {"try out", browserTries},
	} {
		t.Run(part.name, func(t *testing.T) { part.try(t, b) })
	}
}

// A page asks for nothing, breaks its own policy nowhere and makes no mistake;
// nor does it when a server gives it, which browsers ask for an icon.
func browserQuiet(t *testing.T, b *browsertest.Browser) {
	records := goldenRecords()
	records["big"] = bigRecord()
	for name, rec := range records {
		t.Run(name, func(t *testing.T) {
			p := b.Open(t, rendered(t, rec), browsertest.Look{})
			browsertest.Eval[any](t, p, browsertest.ExpandAll)
			for _, bad := range p.Misdeeds() {
				t.Error(bad)
			}
		})
	}
	t.Run("over http", func(t *testing.T) {
		var asked atomic.Int32
		page := rendered(t, cappedRecord())
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if asked.Add(1) > 1 {
				t.Errorf("asked for %s", r.URL)
			}
			_, _ = w.Write([]byte(page))
		}))
		t.Cleanup(server.Close)
		p := b.Visit(t, server.URL+"/report.html", browsertest.Look{})
		time.Sleep(300 * time.Millisecond) // an icon is asked for after the page
		for _, bad := range p.Misdeeds() {
			t.Error(bad)
		}
	})
}

// 300 pieces of evidence with quotes: the size is bound, the time is told.
func browserLarge(t *testing.T, b *browsertest.Browser) {
	page := rendered(t, bigRecord())
	if len(page) > 1_500_000 {
		t.Errorf("%d bytes", len(page))
	}
	p := b.Open(t, page, browsertest.Look{})
	const first = `performance.getEntriesByType('paint').filter(x => x.name == 'first-contentful-paint').map(x => x.startTime)`
	p.Until(t, "paint", func() bool { return len(browsertest.Eval[[]float64](t, p, first)) > 0 })
	var metrics struct {
		Metrics []struct {
			Name  string
			Value float64
		}
	}
	p.Do(t, "Performance.getMetrics", nil, &metrics)
	work := map[string]float64{}
	for _, m := range metrics.Metrics {
		work[m.Name] = 1000 * m.Value
	}
	t.Logf("%d kB; first paint %.0f ms, loaded %.0f ms; layout %.0f ms, style %.0f ms, script %.0f ms", len(page)/1000, browsertest.Eval[[]float64](t, p, first)[0],
		browsertest.Eval[float64](t, p, `performance.getEntriesByType('navigation')[0].loadEventEnd`), work["LayoutDuration"], work["RecalcStyleDuration"], work["ScriptDuration"])
}

// No page scrolls sideways, whatever stands on it and however narrow it is.
func browserNarrow(t *testing.T, b *browsertest.Browser) {
	for name, rec := range goldenRecords() {
		t.Run(name, func(t *testing.T) {
			p := b.Open(t, rendered(t, rec), browsertest.Look{Width: 320})
			browsertest.Eval[any](t, p, browsertest.ExpandAll)
			for _, width := range []int{320, 390, 768, 1200} {
				p.Show(t, browsertest.Look{Width: width})
				if got := browsertest.Eval[int](t, p, "document.documentElement.scrollWidth"); got > width {
					t.Errorf("%d wide on %d; beyond it: %v", got, width, browsertest.Eval[[]string](t, p, `[...document.querySelectorAll('main *')].filter(e => e.getBoundingClientRect().right > innerWidth + 1 && !e.closest('.tbl,.q,.vh')).slice(0, 5).map(e => e.outerHTML.slice(0, 200))`))
				}
			}
		})
	}
}

// Without JavaScript everything can be read, and what needs it is not shown.
func browserNoScript(t *testing.T, b *browsertest.Browser) {
	p := b.Open(t, rendered(t, cappedRecord()), browsertest.Look{NoScript: true})
	if shown := browsertest.Eval[[]string](t, p, `[...document.querySelectorAll('button,input,.tools,.copy')].filter(e => e.checkVisibility()).map(e => e.outerHTML)`); len(shown) > 0 {
		t.Errorf("shown and of no use: %v", shown)
	}
	if hidden := browsertest.Eval[[]string](t, p, `[...document.querySelectorAll('section,article,table,li,p')].filter(e => e.textContent && !e.checkVisibility() && !e.closest('details:not([open])') && e.id != 'fixcount').map(e => e.outerHTML.slice(0, 200))`); len(hidden) > 0 {
		t.Errorf("hidden: %v", hidden)
	}
	browsertest.Eval[any](t, p, `document.querySelectorAll('summary').forEach(s => s.parentElement.open || s.click())`)
	if n := browsertest.Eval[int](t, p, `document.querySelectorAll('details:not([open])').length`); n > 0 {
		t.Errorf("%d stay closed", n)
	}
	p.Show(t, browsertest.Look{Media: "print"})
	browsertest.Eval[any](t, p, `document.querySelectorAll('details').forEach(d => d.open = false)`)
	if n := browsertest.Eval[int](t, p, `[...document.querySelectorAll('.ev')].filter(e => !e.checkVisibility()).length`); n > 0 {
		t.Errorf("%d pieces of evidence are not printed", n)
	}
}

// Paper shows everything, and where links lead; afterwards the page is as it was.
func browserPrint(t *testing.T, b *browsertest.Browser) {
	p := b.Open(t, rendered(t, cappedRecord()), browsertest.Look{})
	const open = `[...document.querySelectorAll('details')].map(d => d.open)`
	before := browsertest.Eval[[]bool](t, p, open)
	browsertest.Eval[any](t, p, `addEventListener('beforeprint', () => { window.printed = `+open+` })`)
	var made struct{ Data []byte }
	p.Do(t, "Page.printToPDF", map[string]any{"preferCSSPageSize": true}, &made)
	if printed := browsertest.Eval[[]bool](t, p, "window.printed"); !slices.Contains(before, false) || len(printed) == 0 || slices.Contains(printed, false) {
		t.Errorf("open %v, printed %v", before, printed)
	}
	if after := browsertest.Eval[[]bool](t, p, open); !slices.Equal(before, after) {
		t.Errorf("open before %v, after %v", before, after)
	}
	if !strings.HasPrefix(string(made.Data), "%PDF-") {
		t.Errorf("printed %.20q", made.Data)
	}
	p.Show(t, browsertest.Look{Media: "print", Dark: true})
	links := browsertest.Eval[map[string]string](t, p, `Object.fromEntries([...document.querySelectorAll('main a[href^=https]')].filter(a => !a.closest('svg')).map(a => [a.getAttribute('href'), getComputedStyle(a, '::after').content]))`)
	for href, behind := range links {
		if behind != `" (" attr(href) ")"` && !strings.Contains(behind, href) {
			t.Errorf("behind the link to %s stands %s", href, behind)
		}
	}
	if len(links) == 0 {
		t.Error("no link was printed")
	}
	if got := browsertest.Eval[string](t, p, `getComputedStyle(document.body).backgroundColor + ' ' + getComputedStyle(document.body).color`); got != "rgb(255, 255, 255) rgb(29, 33, 41)" {
		t.Errorf("printed in %s", got)
	}
	p = b.Open(t, rendered(t, cappedRecord()), browsertest.Look{})
	browsertest.Eval[any](t, p, `document.getElementById('theme').click()`)
	p.Show(t, browsertest.Look{Media: "print"})
	if got := browsertest.Eval[string](t, p, `getComputedStyle(document.body).color + ' ' + getComputedStyle(document.querySelector('.voice')).backgroundColor`); got != "rgb(29, 33, 41) rgb(255, 255, 255)" {
		t.Errorf("made dark by the button, it is printed in %s", got)
	}
}

// With the colours of the system every sign can still be told from its ground,
// and a pressed button from the others; who wants no motion gets none.
func browserSystemWishes(t *testing.T, b *browsertest.Browser) {
	p := b.Open(t, rendered(t, cappedRecord()), browsertest.Look{Features: map[string]string{"forced-colors": "active"}, Dark: true})
	ground := browsertest.Eval[string](t, p, `getComputedStyle(document.body).backgroundColor`)
	for _, sign := range []string{".strip .pro", ".strip .def", ".strip .tec", ".strip .fin", ".radar .lab"} {
		if got := browsertest.Eval[string](t, p, `getComputedStyle(document.querySelector('`+sign+`')).fill`); got == ground {
			t.Errorf("%s is drawn in %s on %s", sign, got, ground)
		}
	}
	for _, line := range []string{".strip .rng", ".strip .ax", ".radar .ring", ".radar .r-fin"} {
		if got := browsertest.Eval[string](t, p, `getComputedStyle(document.querySelector('`+line+`')).stroke`); got == ground {
			t.Errorf("%s is drawn in %s on %s", line, got, ground)
		}
	}
	pressed := browsertest.Eval[[]string](t, p, `['true', 'false'].map(s => getComputedStyle(document.querySelector('[data-filter][aria-pressed=' + s + ']')).backgroundColor)`)
	if pressed[0] == pressed[1] {
		t.Errorf("pressed or not, a button is %s", pressed[0])
	}
	const motion = `getComputedStyle(document.documentElement).scrollBehavior`
	if got := browsertest.Eval[string](t, p, motion); got != "auto" {
		t.Errorf("with less motion it scrolls %s", got)
	}
	p.Show(t, browsertest.Look{Features: map[string]string{"prefers-reduced-motion": "no-preference"}})
	if got := browsertest.Eval[string](t, p, motion); got != "smooth" {
		t.Errorf("it scrolls %s", got)
	}
}
