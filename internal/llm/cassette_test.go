package llm

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// tell is what a listener keeps of the calls of a run.
type tell struct {
	mu    sync.Mutex
	calls []Call
}

func (l *tell) tell(c Call) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.calls = append(l.calls, c)
}

// A run with questions of every fate: answered, repaired, refused, cut off,
// lost, and asked twice.
var fates = []string{"good", "repaired", "refused", "cut", "lost", "never", "bad request", "good"}

// court answers as the question says, and knows no schemas.
func courtroom() *model {
	return &model{do: func(_ int, p Prompt) (Reply, error) {
		if p.Answer.Mode == Schema {
			return Reply{}, status(400)
		}
		r := Reply{Args: []byte(goodJSON), Stop: Done, Model: "m-2026", Usage: Usage{In: 400, Out: 40}}
		switch p.Messages[0].Text {
		case "repaired":
			if len(p.Messages) == 1 {
				r.Args = []byte(badJSON)
			}
		case "refused":
			r.Stop, r.Text = Refused, "no"
		case "cut":
			r.Stop = Truncated
		case "never":
			r.Args = []byte(badJSON)
		case "bad request":
			return Reply{}, &Error{Kind: KindPermanent, What: "http 400", Detail: "the prompt is too long", Status: 400}
		case "lost":
			return Reply{}, &Error{Kind: KindPermanent, What: "http 404", Detail: "no such model <x>", Status: 404}
		}
		return r, nil
	}}
}

// hear asks all questions, in an order that is none when together, and writes
// down what came of each.
func hear(t *testing.T, o Options, m Model, together bool) (out []string, err error) {
	t.Helper()
	r := open(t, o)
	l := ladder(t, r, endpoint(), m)
	out = make([]string, len(fates))
	var wg sync.WaitGroup
	for i, text := range fates {
		one := func() {
			got, err := l.Ask(t.Context(), ask(text), score)
			out[i] = fmt.Sprintf("%s %s %s %v %v", got.JSON, Why(err), got.Reply.Model, got.Reply.Usage, got.Reply.Stop)
		}
		if together {
			wg.Go(one)
		} else {
			one()
		}
	}
	wg.Wait()
	missed := r.Missed()
	if err := r.Close(); err != nil && missed == nil {
		t.Fatal(err)
	}
	return out, missed
}

// What is recorded is played as it was, without the network, in any order, and
// two recordings are one file.
func TestCassette(t *testing.T) {
	file := filepath.Join(t.TempDir(), "run.cassette")
	o := options(newTime())
	o.Cassette, o.CassetteMode = file, Record
	recorded, _ := hear(t, o, courtroom(), false)
	first, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if _, _ = hear(t, o, courtroom(), true); err != nil {
		t.Fatal(err)
	}
	second, _ := os.ReadFile(file)
	if string(first) != string(second) {
		t.Errorf("two recordings differ:\n%s\n%s", first, second)
	}
	for _, secret := range []string{"models.example", "https", "endpoint"} {
		if strings.Contains(string(first), secret) {
			t.Errorf("%q is on the cassette", secret)
		}
	}
	if lines := strings.Count(string(first), "\n"); lines != 8 {
		t.Errorf("%d lines, want the head and seven questions:\n%s", lines, first)
	}

	o.CassetteMode = Replay
	for _, together := range []bool{false, true} {
		l := &tell{}
		o.Tell = l.tell
		played, missed := hear(t, o, nil, together)
		if !slices.Equal(played, recorded) || missed != nil {
			t.Errorf("played %q, recorded %q, missed %v", played, recorded, missed)
		}
		for _, c := range l.calls {
			if c.Tries != 0 || c.Cost != 0 || !c.Reply.Kept {
				t.Errorf("%+v", c)
			}
		}
	}
	if again, _ := os.ReadFile(file); string(again) != string(second) {
		t.Error("a replay wrote to the cassette")
	}
}

// Extend plays what is on it, asks what is not, and asks again what was lost.
func TestExtend(t *testing.T) {
	file := filepath.Join(t.TempDir(), "run.cassette")
	o := options(newTime())
	o.Cassette, o.CassetteMode = file, Extend
	m := always(goodJSON)
	one := func(text string) string {
		r := open(t, o)
		got, err := ladder(t, r, endpoint(), m).Ask(t.Context(), ask(text), score)
		if e := r.Close(); e != nil {
			t.Fatal(e)
		}
		return string(got.JSON) + Why(err)
	}
	for _, text := range []string{"a", "b", "a", "b", "c"} {
		if got := one(text); got != goodJSON {
			t.Error(got)
		}
	}
	if m.count() != 3 {
		t.Errorf("%d requests for three questions", m.count())
	}
	m.do = func(int, Prompt) (Reply, error) { return Reply{}, status(404) }
	if got := one("d"); got != "http" {
		t.Error(got)
	}
	m.do = func(int, Prompt) (Reply, error) { return says(goodJSON) }
	if got := one("d"); got != goodJSON {
		t.Error(got)
	}
	o.CassetteMode = Replay
	if got := one("d"); got != goodJSON || m.count() != 5 {
		t.Error(got, m.count())
	}
}

// What a cache answers is recorded, too: the replay has no cache.
func TestRecordFromCache(t *testing.T) {
	o, m := options(newTime()), always(goodJSON)
	o.Cache = t.TempDir()
	for _, mode := range []CassetteMode{"", Record, Replay} {
		if o.CassetteMode = mode; mode != "" {
			o.Cassette = filepath.Join(o.Cache, "run.cassette")
		}
		r := open(t, o)
		got, err := ladder(t, r, endpoint(), m).Ask(t.Context(), ask("x"), score)
		if err != nil || got.Reply.Kept != (mode != "") || r.Close() != nil {
			t.Errorf("%s: %+v, %v", mode, got, err)
		}
	}
	if m.count() != 1 {
		t.Errorf("%d requests", m.count())
	}
}

// A miss names who asked, and what changed since the recording.
func TestMiss(t *testing.T) {
	file := filepath.Join(t.TempDir(), "run.cassette")
	o := options(newTime())
	o.Cassette, o.CassetteMode = file, Record
	for _, who := range []string{"Defense a 1", "Prosecutor a 1"} {
		p := ask("the brief of " + who)
		p.For = who
		r := open(t, o)
		if _, err := ladder(t, r, endpoint(), always(goodJSON)).Ask(t.Context(), p, score); err != nil {
			t.Fatal(err)
		}
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
		o.CassetteMode = Extend
	}
	warm := 0.5
	o.CassetteMode = Replay
	for want, change := range map[string]func(*Prompt, *Endpoint){
		"Defense a 1: what changed: system text, at byte 9: «s.», was «.»":                                            func(p *Prompt, _ *Endpoint) { p.System = "You judges." },
		"Defense a 1: what changed: message 1, at byte 20: its end, was « a 1»":                                       func(p *Prompt, _ *Endpoint) { p.Messages[0].Text = "the brief of Defense"[:20] },
		"Defense a 1: what changed: model m2, was m":                                                                  func(p *Prompt, e *Endpoint) { e.Model = "m2" },
		"Defense a 1: what changed: provider other, was compatible":                                                   func(p *Prompt, e *Endpoint) { e.Provider = "other" },
		"Defense a 1: what changed: schema of the answer; settings":                                                   func(p *Prompt, _ *Endpoint) { p.Answer.Schema, p.Temperature = []byte(`{"type":"object"}`), &warm },
		"Defense a 1: what changed: pictures of message 1; sample 2, was 0":                                           func(p *Prompt, _ *Endpoint) { p.Messages[0].Images, p.Sample = make([]Image, 1), 2 },
		"TechLead a 1 (nearest: Defense a 1): what changed: message 1, at byte 13: «TechLead a 1», was «Defense a 1»": func(p *Prompt, _ *Endpoint) { p.For, p.Messages[0].Text = "TechLead a 1", "the brief of TechLead a 1" },
		"Defense a 1: what changed: 2 messages, was 1":                                                                func(p *Prompt, _ *Endpoint) { p.Messages = append(p.Messages, p.Messages[0]) },
	} {
		p, e := ask("the brief of Defense a 1"), endpoint()
		p.For = "Defense a 1"
		change(&p, &e)
		r := open(t, o)
		_, err := ladder(t, r, e, nil).Ask(t.Context(), p, score)
		if err == nil || err.Error() != "not on the cassette: "+want || r.Missed() == nil || !errors.Is(r.Missed(), errMiss) {
			t.Errorf("%v\nwant %s", err, want)
		}
	}
	// the answer is there and the check has changed: the repair was not recorded
	p := ask("the brief of Defense a 1")
	p.For = "Defense a 1"
	r := open(t, o)
	_, err := ladder(t, r, endpoint(), nil).Ask(t.Context(), p, func(json.RawMessage) error { return errors.New("no") })
	if err == nil || !strings.HasPrefix(err.Error(), "not on the cassette: Defense a 1: what changed: 3 messages, was 1") {
		t.Error(err)
	}
}

func TestBrokenCassette(t *testing.T) {
	head := `{"automaton_cassette":1}` + "\n"
	good := head + string(track{Prompt: askedOf("p", ask("x")), Reply: &kept{JSON: []byte("{}")}}.line(t))
	for name, tt := range map[string]struct{ text, want string }{
		"empty head":  {"{}\n", "line 1: not the head of a cassette of version 1"},
		"version 2":   {`{"automaton_cassette":2}` + "\n", "line 1: not the head of a cassette of version 1"},
		"another key": {strings.Replace(good, `"key":"`, `"key":"0`, 1), "line 2: the key is not the digest of the prompt"},
		"changed":     {strings.Replace(good, "You judge", "You praise", 1), "line 2: the key is not the digest of the prompt"},
		"no reply":    {strings.Replace(good, `"reply":`, `"lost":null,"lost2":`, 1), "line 2: lost2 is not a name of the schema"},
		"prose":       {head + "hello\n", "line 2: the JSON is not valid"},
		"empty":       {"", "not the head of a cassette of version 1"},
		"half a head": {`{"automaton_cassette":1}`, "not the head of a cassette of version 1"},
		"too long":    {head + strings.Repeat("x", maxTrack+1), "token too long"},
	} {
		file := filepath.Join(t.TempDir(), "c")
		if err := os.WriteFile(file, []byte(tt.text), 0o600); err != nil {
			t.Fatal(err)
		}
		o := options(newTime())
		o.Cassette = file
		if _, err := Open(o); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	o := options(newTime())
	o.Cassette, o.CassetteMode = filepath.Join(t.TempDir(), "none", "none"), Record
	if _, err := Open(o); err == nil {
		t.Error("what cannot be written is recorded to")
	}
	o.Cassette, o.CassetteMode = filepath.Join(t.TempDir(), "none"), Replay
	if _, err := Open(o); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
	if err := os.WriteFile(o.Cassette, []byte(good), 0o600); err != nil {
		t.Fatal(err)
	}
	o.CassetteMode = Record
	if _, err := Open(o); err != nil { // and nothing is asked: what was on it is still there
		t.Error(err)
	}
	o.CassetteMode = "loop"
	if _, err := Open(o); err == nil || err.Error() != `unknown cassette mode "loop" (have replay, record, extend)` {
		t.Error(err)
	}
	o.CassetteMode = ""
	if r, err := Open(o); err != nil || !r.Replays() {
		t.Error(err)
	}

	// what a crash left of the last line is as if it had not been asked
	if err := os.WriteFile(o.Cassette, []byte(good[:len(good)-9]), 0o600); err != nil {
		t.Fatal(err)
	}
	o.CassetteMode = Extend
	r, err := Open(o)
	if err != nil || len(r.tape.tracks) != 0 || r.Close() != nil {
		t.Error(err)
	}
	if raw, err := os.ReadFile(o.Cassette); string(raw) != head {
		t.Errorf("%q, %v", raw, err)
	}
}

func (k track) line(t *testing.T) []byte {
	t.Helper()
	key, err := k.Prompt.key()
	if err != nil {
		t.Fatal(err)
	}
	k.Key = key
	tp := &tape{tracks: map[string]track{}}
	tp.put(k)
	_, line, _ := strings.Cut(string(tp.text()), "\n")
	return []byte(line)
}
