package safetext

import (
	"encoding/base64"
	"net/url"
	"strings"
	"testing"
)

func TestVeil(t *testing.T) {
	const token, password = "t0ken-of_ours/+9=", "p&ss w\"rd"
	v := NewVeil(token, password, "short", "")
	b64 := base64.StdEncoding.EncodeToString
	cases := map[string]struct{ in, want string }{
		"plain":            {"you sent " + token + "!", "you sent [key]!"},
		"twice":            {token + token, "[key][key]"},
		"in a word":        {"x" + token + "y", "x[key]y"},
		"base64":           {"<" + b64([]byte(token)) + ">", "<[key]>"},
		"base64url":        {base64.URLEncoding.EncodeToString([]byte(token)), "[key]"},
		"without padding":  {base64.RawURLEncoding.EncodeToString([]byte(token)) + ".", "[key]."},
		"query":            {"?t=" + url.QueryEscape(token) + "&p=" + url.QueryEscape(password), "?t=[key]&p=[key]"},
		"small digits":     {strings.ToLower(url.QueryEscape(token)), "[key]"},
		"every byte":       {percent(token) + lowerHex(percent(password)), "[key][key]"},
		"quoted":           {`{"said": "p&ss w\"rd"}`, `{"said": "[key]"}`},
		"what is short":    {"short", "short"},
		"what is harmless": {"nothing here", "nothing here"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if got := v.Hide(c.in); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
	if got := (*Veil)(nil).Hide(token); got != token {
		t.Errorf("no veil: %q", got)
	}
}

// Whatever is encoded together with a secret, not three characters on end of
// what is left hold it.
func TestVeilInside(t *testing.T) {
	const token = "t0ken-of-0urs?>~\xff"
	v := NewVeil(token)
	for _, before := range []string{"", "a", "ab", "abc", "x-access-token:"} {
		for _, after := range []string{"", "y", "yz", "xyz"} {
			for _, enc := range []*base64.Encoding{base64.StdEncoding, base64.URLEncoding} {
				whole := enc.EncodeToString([]byte(before + token + after))
				got := v.Hide(whole)
				if !strings.Contains(got, "[key]") || len(got)-len("[key]") > len(whole)-len(token)*4/3+3 {
					t.Errorf("%q and %q around it: %q of %q", before, after, got, whole)
				}
			}
		}
	}
}

func FuzzVeil(f *testing.F) {
	f.Add("t0ken-of-ours", "a", "b")
	f.Add("p&ss w\"rd\x00\xff", "", "%")
	f.Fuzz(func(t *testing.T, secret, before, after string) {
		if len(secret) < MinSecret {
			return
		}
		v := NewVeil(secret)
		for _, s := range []string{secret, url.QueryEscape(secret), base64.StdEncoding.EncodeToString([]byte(secret)), base64.RawURLEncoding.EncodeToString([]byte(secret))} {
			if got := v.Hide(before + s + after); !strings.Contains(got, "[key]") {
				t.Errorf("%q around: %q", s, got)
			}
		}
	})
}
