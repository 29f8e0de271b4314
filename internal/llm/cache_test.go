package llm

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func cached(t *testing.T, dir string, m Model, text string, check func([]byte) error) (Answered, error) {
	t.Helper()
	o := options(newTime())
	o.Cache = dir
	l := ladder(t, open(t, o), endpoint(), m)
	return l.Ask(t.Context(), ask(text), func(raw json.RawMessage) error { return check(raw) })
}

// A valid answer is kept for other runs; nothing else is.
func TestCache(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "answers")
	m := courtroom()
	for _, tt := range []struct {
		text  string
		asked int // requests, in a run of its own: the schema is refused each time
	}{
		{"good", 2}, {"good", 0}, {"repaired", 3}, {"repaired", 0}, {"refused", 2}, {"refused", 2},
		{"cut", 3}, {"cut", 3}, {"lost", 2}, {"lost", 2}, {"good", 0},
	} {
		n := m.count()
		got, err := cached(t, dir, m, tt.text, func(raw []byte) error { return score(raw) })
		if asked := m.count() - n; asked != tt.asked {
			t.Errorf("%s: %d requests, want %d", tt.text, asked, tt.asked)
		}
		if err == nil && (string(got.JSON) != goodJSON || got.Reply.Kept != (tt.asked == 0) || got.Reply.Model != "m-2026") {
			t.Errorf("%s: %+v", tt.text, got)
		}
	}
	files, err := os.ReadDir(dir)
	if err != nil || len(files) != 2 {
		t.Errorf("%d files, %v", len(files), err)
	}
	raw, err := os.ReadFile(filepath.Join(dir, files[0].Name()))
	if err != nil || strings.Contains(string(raw), "You judge") {
		t.Errorf("the prompt is in the cache: %s, %v", raw, err)
	}
}

// Whatever of the prompt decides the answer is in the key; endpoint, way of
// asking and reader are not.
func TestKey(t *testing.T) {
	base, _ := askedOf("p", ask("x")).key()
	warm := 0.5
	for name, tt := range map[string]struct {
		same   bool
		change func(p *Prompt, provider *string)
	}{
		"mode": {true, func(p *Prompt, _ *string) { p.Answer.Mode = Text }},
		"for":  {true, func(p *Prompt, _ *string) { p.For = "other" }},
		"blanks": {true, func(p *Prompt, _ *string) {
			p.Answer.Schema = []byte(strings.Replace(string(p.Answer.Schema), ":", ": ", 3))
		}},
		"provider":    {false, func(_ *Prompt, provider *string) { *provider = "q" }},
		"model":       {false, func(p *Prompt, _ *string) { p.Model = "m2" }},
		"system":      {false, func(p *Prompt, _ *string) { p.System += "!" }},
		"text":        {false, func(p *Prompt, _ *string) { p.Messages[0].Text += "!" }},
		"role":        {false, func(p *Prompt, _ *string) { p.Messages[0].Role = Assistant }},
		"picture":     {false, func(p *Prompt, _ *string) { p.Messages[0].Images = []Image{{MIME: "image/png", Data: []byte("1")}} }},
		"schema":      {false, func(p *Prompt, _ *string) { p.Answer.Schema = []byte(`{}`) }},
		"name":        {false, func(p *Prompt, _ *string) { p.Answer.Name = "o" }},
		"tokens":      {false, func(p *Prompt, _ *string) { p.MaxTokens++ }},
		"temperature": {false, func(p *Prompt, _ *string) { p.Temperature = &warm }},
		"cache key":   {false, func(p *Prompt, _ *string) { p.CacheKey = "k" }},
		"sample":      {false, func(p *Prompt, _ *string) { p.Sample = 1 }},
	} {
		p, provider := ask("x"), "p"
		tt.change(&p, &provider)
		key, err := askedOf(provider, p).key()
		if err != nil || (key == base) != tt.same {
			t.Errorf("%s: same %v, %v", name, key == base, err)
		}
	}
	p := ask("x")
	p.Answer.Schema = []byte("{")
	if _, err := askedOf("p", p).key(); err == nil {
		t.Error("a schema that is no JSON has a key")
	}
}

// A bad entry is a miss, and gone.
func TestBadEntry(t *testing.T) {
	for name, spoil := range map[string]func([]byte) []byte{
		"one bit":   func(b []byte) []byte { b[len(b)-3] ^= 1; return b },
		"cut":       func(b []byte) []byte { return b[:len(b)-5] },
		"empty":     func([]byte) []byte { return nil },
		"not ours":  func([]byte) []byte { return []byte("hello") },
		"too large": func([]byte) []byte { return make([]byte, maxEntry+1) },
	} {
		dir := t.TempDir()
		m := always(goodJSON)
		for range 2 {
			if _, err := cached(t, dir, m, "x", func(raw []byte) error { return score(raw) }); err != nil {
				t.Fatal(err)
			}
			files, err := os.ReadDir(dir)
			if err != nil || len(files) != 1 {
				t.Fatal(len(files), err)
			}
			file := filepath.Join(dir, files[0].Name())
			raw, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, spoil(raw), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if m.count() != 2 {
			t.Errorf("%s: %d requests, want 2", name, m.count())
		}
	}
	// an answer that today's check refuses is asked for again, and replaced
	dir, m := t.TempDir(), always(`{"score":4}`)
	if _, err := cached(t, dir, m, "x", func([]byte) error { return nil }); err != nil {
		t.Fatal(err)
	}
	m.do = func(int, Prompt) (Reply, error) { return says(`{"score":5}`) }
	five := func(raw []byte) error {
		if string(raw) != `{"score":5}` {
			return os.ErrInvalid
		}
		return nil
	}
	for range 2 {
		if got, err := cached(t, dir, m, "x", five); err != nil || string(got.JSON) != `{"score":5}` {
			t.Error(string(got.JSON), err)
		}
	}
	if m.count() != 2 {
		t.Errorf("%d requests, want 2", m.count())
	}
}

// What was not used for longest goes first.
func TestShelf(t *testing.T) {
	dir := t.TempDir()
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	s, err := openShelf(dir, func() time.Time { return now })
	if err != nil {
		t.Fatal(err)
	}
	s.cap = 1000
	name := func(i int) string { return strings.Repeat(string(rune('a'+i)), 64) }
	for i := range 5 { // about 220 bytes each
		now = now.Add(time.Hour)
		if s.put(name(i), kept{JSON: []byte(`"` + strings.Repeat("x", 110) + `"`)}); i == 3 {
			now = now.Add(time.Hour)
			if _, ok := s.get(name(0)); !ok {
				t.Fatal("the first is gone too soon")
			}
		}
	}
	for i, want := range []bool{true, false, true, true, true} {
		if _, ok := s.get(name(i)); ok != want {
			t.Errorf("entry %d: there %v", i, ok)
		}
	}
	again, err := openShelf(dir, s.now)
	if err != nil || again.size != s.size || s.size > 1000 || s.size < 700 {
		t.Errorf("%d bytes, found %d, %v", s.size, again.size, err)
	}
}
