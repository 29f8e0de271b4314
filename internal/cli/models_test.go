package cli

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/automaton-auditor/automaton/internal/config"
	"github.com/automaton-auditor/automaton/internal/figure"
	"github.com/automaton-auditor/automaton/internal/store"
)

// What the doctor says of models, without asking one.
func TestDoctorOfModels(t *testing.T) {
	w := newWorld(t)
	a := w.app()
	day := func(s string) time.Time {
		at, err := time.Parse(time.DateOnly, s)
		if err != nil {
			t.Fatal(err)
		}
		return at
	}
	env := map[string]string{}
	a.Getenv = func(k string) string { return env[k] }
	say := func() string {
		var b strings.Builder
		for _, x := range a.examineModels() {
			b.WriteString(x.What + ": " + x.Result + " " + x.Remedy + "\n")
		}
		return b.String()
	}
	a.Now = func() time.Time { return day("2026-11-22") }
	if got := say(); !strings.Contains(got, "no key is set: the built-in judges are used") || strings.Contains(got, "it is old") {
		t.Error(got)
	}
	key := filepath.Join(t.TempDir(), "key")
	if err := os.WriteFile(key, []byte("  sk-0123456789\nsecond line\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	env["ANTHROPIC_API_KEY_FILE"], env["ANTHROPIC_MODEL"] = key, "one-of-mine"
	if got := say(); !strings.Contains(got, "models anthropic: one-of-mine, key from ANTHROPIC_API_KEY_FILE") || strings.Contains(got, "sk-0123456789") {
		t.Error(got)
	}
	a.Now = func() time.Time { return day("2028-01-01") }
	if got := say(); !strings.Contains(got, "it is old") {
		t.Error(got)
	}
	if got, from, err := a.keyOf([]string{"ANTHROPIC_API_KEY"}); got != "sk-0123456789" || from != "ANTHROPIC_API_KEY_FILE" || err != nil {
		t.Errorf("%q from %s, %v", got, from, err)
	}
}

// Who sits where, by flags and files; what makes no sense is refused.
func TestSeatNames(t *testing.T) {
	for name, tt := range map[string]struct {
		bench, seat []string
		want        string // of the three judges and the two detectives, or the beginning of the error
	}{
		"nobody":          {nil, nil, "embedded embedded embedded - -"},
		"all":             {[]string{"best"}, nil, "best best best - -"},
		"one apart":       {[]string{"best"}, []string{"Defense=embedded"}, "best embedded best - -"},
		"each":            {[]string{"Prosecutor=a", "TechLead=b"}, nil, "a - b - -"},
		"a detective":     {nil, []string{"VisionInspector=best"}, "embedded embedded embedded best -"},
		"none after all":  {nil, []string{"RepoInvestigator=embedded"}, "embedded embedded embedded - -"},
		"no such seat":    {nil, []string{"Jury=a"}, `reading bench: unknown seat "Jury"`},
		"no name":         {nil, []string{"Defense="}, "reading bench: no name is given for the seat Defense"},
		"no seat":         {nil, []string{"best"}, `reading bench: --seat "best" is not SEAT=NAME`},
		"twice":           {nil, []string{"Defense=a", "Defense=b"}, "reading bench: seat of Defense is given twice"},
		"all and another": {[]string{"a", "Defense=b"}, nil, `reading bench: "a" names no seat`},
	} {
		t.Run(name, func(t *testing.T) {
			a := newWorld(t).app()
			for key, values := range map[string][]string{"bench": tt.bench, "seat": tt.seat} {
				if values != nil {
					if err := a.config.Set(key, "test", values...); err != nil {
						t.Fatal(err)
					}
				}
			}
			got := ""
			names, err := a.seatNames()
			if err != nil {
				got = err.Error()
			} else {
				var all []string
				for _, s := range append(judgeSeats, detectiveSeats...) {
					who := names[s]
					if who == "" {
						who = "-"
					}
					all = append(all, who)
				}
				got = strings.Join(all, " ")
			}
			if !strings.HasPrefix(got, tt.want) {
				t.Errorf("%s, want %s", got, tt.want)
			}
		})
	}
}

// A key goes to its own endpoint, which is https or on this machine; what a
// profile leaves open is filled in from the environment, then from the table.
func TestReach(t *testing.T) {
	env := map[string]string{"OPENAI_API_KEY": "sk-0123456789", "TEAM_KEY": "team-0123456789"}
	for name, tt := range map[string]struct {
		profile config.Profile
		want    string
	}{
		"the table's":     {config.Profile{Provider: "openai"}, "openai/gpt-6.2-sol OPENAI_API_KEY https://api.openai.com/v1"},
		"named":           {config.Profile{Provider: "openai", Model: "m"}, "openai/m OPENAI_API_KEY https://api.openai.com/v1"},
		"own key":         {config.Profile{Provider: "compatible", Model: "m", BaseURL: "https://llm.example.edu/v1", KeyEnv: "TEAM_KEY"}, "compatible/m TEAM_KEY https://llm.example.edu/v1"},
		"no key":          {config.Profile{Provider: "anthropic", Model: "m"}, `reading bench "x": there is no key for anthropic`},
		"missing own key": {config.Profile{Provider: "compatible", Model: "m", BaseURL: "https://llm.example.edu", KeyEnv: "NOBODYS"}, `reading bench "x": there is no key for compatible`},
		"plain":           {config.Profile{Provider: "compatible", Model: "m", BaseURL: "http://llm.example.edu"}, `reading bench "x": base_url of compatible must be https`},
		"here":            {config.Profile{Provider: "compatible", Model: "m", BaseURL: "http://127.0.0.1:8000/v1"}, "compatible/m  http://127.0.0.1:8000/v1"},
		"no model":        {config.Profile{Provider: "ollama"}, `reading bench "x": no model of ollama is named`},
		"nobody":          {config.Profile{Provider: "acme", Model: "m"}, `reading bench "x": unknown provider "acme"`},
	} {
		t.Run(name, func(t *testing.T) {
			a := newWorld(t).app()
			a.Getenv = func(k string) string { return env[k] }
			c, err := a.reach("x", tt.profile, false)
			got := c.source() + " " + c.keyFrom + " " + c.endpoint.BaseURL
			if err != nil {
				got = err.Error()
			}
			if !strings.HasPrefix(got, tt.want) {
				t.Errorf("%s, want %s", got, tt.want)
			}
			if c.keyFrom != "" && strings.Contains(a.veil.Hide("it is "+env[c.keyFrom]), env[c.keyFrom]) {
				t.Error("the key is not hidden")
			}
		})
	}
}

// silent looks at nothing.
type silent struct{}

func (silent) Look(context.Context, figure.Picture) (figure.Drawn, error) {
	return figure.Drawn{}, errors.New("no answer")
}

// What a model was shown lies in the case's folder, also when it said nothing.
func TestGallery(t *testing.T) {
	shelf, err := store.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer shelf.Close()
	folder, err := shelf.Claim(t.Context(), "case", store.Inputs{}, false)
	if err != nil {
		t.Fatal(err)
	}
	defer folder.Close()
	g := &gallery{Looker: silent{}, seen: map[string][]byte{}}
	for range 2 {
		if _, err := g.Look(t.Context(), figure.Picture{PNG: []byte("png"), Digest: strings.Repeat("ab", 32)}); err == nil {
			t.Error("the failure is lost")
		}
	}
	if err := g.hang(folder); err != nil {
		t.Fatal(err)
	}
	if err := folder.Publish(false); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(folder.Path(), "figure-abababababababab.png"))
	if err != nil || string(got) != "png" {
		t.Errorf("%q, %v", got, err)
	}
	if err := (*gallery)(nil).hang(folder); err != nil {
		t.Error(err)
	}
}
