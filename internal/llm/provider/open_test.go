package provider_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/automaton-auditor/automaton/internal/llm"
	"github.com/automaton-auditor/automaton/internal/llm/llmtest"
	"github.com/automaton-auditor/automaton/internal/llm/provider"
)

// What cannot be opened, and why; no error shows a key or an address with one.
func TestOpen(t *testing.T) {
	ok := provider.Config{Provider: "compatible", Model: "m", BaseURL: "https://llm.example.edu/v1", Key: key}
	for want, change := range map[string]func(*provider.Config){
		"": func(*provider.Config) {},
		`unknown provider "gpt" (have openai, anthropic, gemini, groq, openrouter, ollama, compatible)`: func(c *provider.Config) { c.Provider = "gpt" },
		"provider compatible needs the name of a model":                                                 func(c *provider.Config) { c.Model = "" },
		"provider compatible needs a base_url":                                                          func(c *provider.Config) { c.BaseURL = "" },
		"provider gemini needs a key: set GEMINI_API_KEY or GOOGLE_API_KEY":                             func(c *provider.Config) { c.Provider, c.Key = "gemini", "" },
		"the key of compatible is shorter than 8 characters: that is not a key":                         func(c *provider.Config) { c.Key = "secret" },
		"the key of compatible holds blanks or characters that no key has":                              func(c *provider.Config) { c.Key += "\nX-Evil: 1" },
		"base_url of compatible must be https, or lie on this machine":                                  func(c *provider.Config) { c.BaseURL = "http://llm.example.edu/v1" },
		"base_url of compatible holds a user or a password: give the key by its variable":               func(c *provider.Config) { c.BaseURL = "https://user:" + key + "@llm.example.edu" },
		"base_url of compatible holds a query or a fragment":                                            func(c *provider.Config) { c.BaseURL += "?key=" + key },
		"base_url of compatible is not an address such as https://host/v1":                              func(c *provider.Config) { c.BaseURL = "mailto:a@b" },
	} {
		c := ok
		change(&c)
		_, _, err := provider.Open(c)
		if got := llm.Why(err); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestEndpoint(t *testing.T) {
	for _, tt := range []struct{ provider, given, want string }{
		{"openai", "", "https://api.openai.com/v1"},
		{"anthropic", "", "https://api.anthropic.com"},
		{"gemini", "", "https://generativelanguage.googleapis.com/v1beta/openai"},
		{"groq", "", "https://api.groq.com/openai/v1"},
		{"openrouter", "", "https://openrouter.ai/api/v1"},
		{"ollama", "", "http://localhost:11434/v1"},
		{"ollama", "0.0.0.0", "http://localhost:11434/v1"},
		{"ollama", "127.0.0.1:9999", "http://127.0.0.1:9999/v1"},
		{"ollama", ":9999", "http://localhost:9999/v1"},
		{"ollama", "http://localhost:11434", "http://localhost:11434/v1"},
		{"ollama", "https://gpu.example.edu/v1/", "https://gpu.example.edu/v1"},
		{"ollama", "192.168.1.4", ""},
		{"compatible", "http://[::1]:8080/v1", "http://[::1]:8080/v1"},
		{"compatible", "http://127.0.0.1.example.com/v1", ""},
		{"compatible", "http://localhost.example.com/v1", ""},
		{"compatible", "http://localhost@evil.example/v1", ""},
		{"compatible", "ftp://localhost/v1", ""},
		{"compatible", "file:///etc/passwd", ""},
	} {
		p, err := provider.Find(tt.provider)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := p.Endpoint(tt.given); got != tt.want || (err == nil) != (tt.want != "") {
			t.Errorf("%s %q: %q, %v", tt.provider, tt.given, got, err)
		}
	}
}

// Every provider that auto may choose has a model to ask for.
func TestDefaults(t *testing.T) {
	for _, p := range provider.Providers() {
		if _, ok := llm.Known().Defaults[p.Name]; ok != p.Auto() {
			t.Errorf("%s: a default model %v, a key %v", p.Name, ok, p.Auto())
		}
	}
}

// A proxy is used when it is handed in, and only then.
func TestProxy(t *testing.T) {
	t.Setenv("HTTP_PROXY", "http://proxy.example:1")
	t.Setenv("HTTPS_PROXY", "http://proxy.example:1")
	var through []string
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		through = append(through, req.Host)
		w.WriteHeader(http.StatusTeapot)
	}))
	defer proxy.Close()
	at, err := url.Parse(proxy.URL)
	if err != nil {
		t.Fatal(err)
	}
	s := llmtest.New(t, llmtest.Script{})
	p := question()
	p.Model = "m"
	for _, use := range []func(*http.Request) (*url.URL, error){nil, http.ProxyURL(at)} {
		m, _, err := provider.Open(provider.Config{Provider: "compatible", Model: "m", BaseURL: s.URL, Proxy: use})
		if err != nil {
			t.Fatal(err)
		}
		_, err = m.Complete(t.Context(), p)
		if why := llm.Why(err); (use == nil) != (why == "") || use != nil && why != "http 418" {
			t.Error(why)
		}
	}
	if len(through) != 1 || len(s.Requests()) != 1 {
		t.Errorf("%v through the proxy, %d without", through, len(s.Requests()))
	}
}

// Without a key none is sent, also not one that the environment has.
func TestNoKey(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", "sk-from-the-environment")
	s := llmtest.New(t, llmtest.Script{})
	m, _, err := provider.Open(provider.Config{Provider: "compatible", Model: "m", BaseURL: s.URL})
	if err != nil {
		t.Fatal(err)
	}
	p := question()
	p.Model = "m"
	if _, err := m.Complete(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	if got := s.Requests()[0].Header.Get("Authorization"); got != "" {
		t.Errorf("Authorization: %q", got)
	}
}

// A certificate that the system does not trust is the end: the key is not sent.
func TestCertificate(t *testing.T) {
	hits := 0
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { hits++ }))
	s.Config.ErrorLog = quiet()
	s.StartTLS()
	defer s.Close()
	m, _, err := provider.Open(provider.Config{Provider: "compatible", Model: "m", BaseURL: s.URL, Key: key})
	if err != nil {
		t.Fatal(err)
	}
	_, err = m.Complete(t.Context(), question())
	if why := llm.Why(err); !strings.HasPrefix(why, "certificate refused: ") || hits != 0 {
		t.Errorf("%q after %d requests", why, hits)
	}
}

// A dead port is not a connection, and nothing that was billed.
func TestNoConnection(t *testing.T) {
	s := httptest.NewServer(nil)
	s.Close()
	m, _, err := provider.Open(provider.Config{Provider: "compatible", Model: "m", BaseURL: s.URL, Key: key})
	if err != nil {
		t.Fatal(err)
	}
	_, err = m.Complete(t.Context(), question())
	e, ok := errors.AsType[*llm.Error](err)
	if !ok || e.Kind != llm.KindTransient || e.What != "no connection" || e.Billed {
		t.Errorf("%#v", err)
	}
}

// Other ways in which a server is of no use, and what is said of them.
func TestErrors(t *testing.T) {
	body := func(status int, text string) llmtest.Fault {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(status)
			_, _ = w.Write([]byte(text))
		}
	}
	for want, tt := range map[string]struct {
		fault llmtest.Fault
		kind  llm.Kind
	}{
		"quota used up: You exceeded your current quota, please check your plan and billing details.": {llmtest.Quota, llm.KindPermanent},
		"answer too large: 1073741824 bytes, over 1048576":                                            {llmtest.Huge, llm.KindPermanent},
		"answer nests too deep": {llmtest.Deep, llm.KindPermanent},
		"not the wire format: the answer has another shape than is documented": {llmtest.Other, llm.KindPermanent},
		"an error instead of an answer: no provider available":                 {body(200, `{"error":{"message":"no provider available","code":"none"}}`), llm.KindPermanent},
		"http 502: provider returned error":                                    {body(200, `{"error":{"message":"provider returned error","code":502}}`), llm.KindTransient},
		"http 529: Overloaded":                                                 {llmtest.Status(529, "Overloaded"), llm.KindTransient},
		"http 408":                                                             {body(408, ""), llm.KindTransient},
		"http 409":                                                             {body(409, "<html>"), llm.KindTransient},
		"http 403":                                                             {body(403, "<html>"+key), llm.KindPermanent},
		`http 404: [{"error":"[key]"}]`:                                        {body(404, `[{"error":"`+key+`"}]`), llm.KindPermanent},
		`http 422: {"detail":"max_completion_tokens"}`:                         {body(422, `{"detail":"max_completion_tokens"}`), llm.KindPermanent},
		"no valid answer: Failed to generate JSON":                             {body(400, `{"error":{"message":"Failed to generate JSON","code":"json_validate_failed"}}`), llm.KindFormat},
	} {
		for _, dialect := range []string{"openai", "anthropic"} {
			s := llmtest.New(t, llmtest.Script{Answer: func(llmtest.Request) llmtest.Answer { return fails(tt.fault) }})
			m, _ := adapter(t, dialect, s)
			p := question()
			p.Model = "model-1"
			_, err := m.Complete(t.Context(), p)
			e, ok := errors.AsType[*llm.Error](err)
			if !ok || llm.Why(err) != want || e.Kind != tt.kind {
				t.Errorf("%s: %#v, want %q", dialect, err, want)
			}
		}
	}
}

// The key is nowhere in an answer, wherever the server put it.
func TestEchoedKey(t *testing.T) {
	for _, dialect := range []string{"openai", "anthropic"} {
		for _, mode := range []llm.Mode{llm.Schema, llm.Tool} {
			s := llmtest.New(t, llmtest.Script{Answer: func(llmtest.Request) llmtest.Answer {
				return llmtest.Answer{JSON: `{"judge":"` + key + `"}`, Model: "m-" + key}
			}})
			m, _ := adapter(t, dialect, s)
			p := question()
			p.Model, p.Answer.Mode = "model-1", mode
			got, err := m.Complete(t.Context(), p)
			if all := got.Text + string(got.Args) + got.Model; err != nil || strings.Contains(all, key) || !strings.Contains(all, `{"judge":"[key]"}`) || got.Model != "m-[key]" {
				t.Errorf("%s: %s, %v", dialect, all, err)
			}
		}
	}
}
