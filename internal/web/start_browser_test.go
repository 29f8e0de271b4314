package web

import (
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/automaton-auditor/automaton/internal/batch"
	"github.com/automaton-auditor/automaton/internal/browsertest"
)

// comingTo is a class that submissions come to, at an address of its own.
func comingTo(t *testing.T) (k *taker, home string) {
	t.Helper()
	server := httptest.NewUnstartedServer(nil)
	x, k := starting(t, Access{As: "a.tutor", Hosts: []string{server.Listener.Addr().String()}})
	server.Config.Handler = x.Handler
	server.Start()
	t.Cleanup(func() {
		server.CloseClientConnections() // a page that watches stays
		server.Close()
	})
	return k, server.URL
}

// chosen has an input hold a file.
func chosen(t *testing.T, p *browsertest.Tab, selector, name, text string) {
	t.Helper()
	browsertest.Eval[any](t, p, `(e => { const d = new DataTransfer(); d.items.add(new File(['`+text+`'], '`+name+`')); e.files = d.files })(document.querySelector('`+selector+`'))`)
}

// A submission, a roster, a form that is wrong and a case that is judged again: by keys, without script, and for everybody's eyes.
func browserNew(t *testing.T, b *browsertest.Browser) {
	t.Run("pages", func(t *testing.T) {
		k, home := comingTo(t)
		for _, path := range []string{"/new", "/cases/bob", "/cases/eve"} {
			t.Run(path, func(t *testing.T) {
				p := b.Visit(t, home+path, browsertest.Look{})
				quiet(t, p, home)
				sound(t, p)
			})
		}
		if r := k.x.post("/new", newSubmission); r.StatusCode != 303 {
			t.Fatal(r.Status)
		}
		for _, path := range []string{"/", "/cases/zoe"} {
			t.Run("queued "+path, func(t *testing.T) {
				p := b.Visit(t, home+path, browsertest.Look{})
				quiet(t, p, home)
				sound(t, p)
			})
		}
	})
	t.Run("a form that is wrong", func(t *testing.T) {
		k, home := comingTo(t)
		k.err = batch.Problems{"\"zoe\": the repository is not an address"}
		p := b.Visit(t, home+"/new", browsertest.Look{})
		p.Loading(t, func() {
			browsertest.Eval[any](t, p, `(f => { f.elements.id.value = 'zoe'; f.querySelector('button').click() })(document.querySelector('form[action="/new"]'))`)
		})
		if got := browsertest.Eval[string](t, p, `document.querySelector('#why').innerText + document.querySelector('#id').value`); !strings.Contains(got, "not an address") || !strings.HasSuffix(got, "zoe") {
			t.Errorf("%q", got)
		}
		sound(t, p)
	})
	t.Run("keys", func(t *testing.T) {
		k, home := comingTo(t)
		p := b.Visit(t, home+"/", browsertest.Look{})
		tabTo(t, p, `a[href="/new"]`)
		p.Loading(t, func() { p.Press(t, "Enter") })
		tabTo(t, p, "#id")
		fill(t, p, "zoe")
		tabTo(t, p, "#name")
		fill(t, p, "Zoë")
		tabTo(t, p, "#archive")
		chosen(t, p, "#archive", "week2.zip", "PK")
		tabTo(t, p, `form[action="/new"] button`)
		p.Loading(t, func() { p.Press(t, "Enter") })
		if got := browsertest.Eval[string](t, p, `location.pathname + " " + document.querySelector('h1').innerText`); got != "/cases/zoe/live Zoë" {
			t.Errorf("it leads to %s", got)
		}
		if len(k.added) != 1 || k.added[0].Archive.Path != "uploads/0123/week2.zip" || k.read.Load() != 2 {
			t.Errorf("%+v, %d bytes", k.added, k.read.Load())
		}
		p.Visit(t, home+"/cases/eve", browsertest.Look{})
		tabTo(t, p, "details.again > summary")
		p.Press(t, "Enter")
		tabTo(t, p, "#again-commit")
		tabTo(t, p, "details.again button")
		p.Loading(t, func() { p.Press(t, "Enter") })
		if len(k.again) != 1 || k.again[0] != "evetrue" {
			t.Error(k.again)
		}
	})
	t.Run("no script", func(t *testing.T) {
		k, home := comingTo(t)
		k.err = batch.Problems{"line 2, \"zoe\": the repository is not an address", "line 3, \"yan\": it is in the class already"}
		p := b.Visit(t, home+"/new", browsertest.Look{NoScript: true})
		chosen(t, p, "#roster", "class.csv", `id,repo_url\nzoe,https://github.com/o/zoe\nyan,https://github.com/o/yan`)
		submit := func(form string) {
			t.Helper()
			p.Loading(t, func() {
				browsertest.Eval[any](t, p, `document.querySelector('form[action="`+form+`"] button').click()`)
			})
		}
		submit("/new/roster")
		if page := browsertest.Eval[string](t, p, `document.querySelector('#why').innerText`); !strings.Contains(page, `line 3, "yan"`) || !strings.Contains(page, `line 2, "zoe"`) {
			t.Errorf("%q", page)
		}
		k.err = nil
		focus(t, p, "#repo_url")
		fill(t, p, "https://github.com/o/zoe")
		submit("/new")
		if got := browsertest.Eval[string](t, p, `location.pathname`); got != "/cases/o__zoe/live" {
			t.Error(got)
		}
	})
}
