package sandbox

import (
	"encoding/base64"
	"net/url"
	"testing"
)

func TestVeilOfACommand(t *testing.T) {
	credential := base64.StdEncoding.EncodeToString([]byte("x-access-token:t0ken-of-ours"))
	g := &gate{token: "0123456789abcdef", upstream: &url.URL{Scheme: "http", Host: "proxy:80", User: url.UserPassword("ada", "pass&word")}}
	v := g.veil("Authorization: Basic " + credential)
	cases := map[string]string{
		"fatal: " + credential + " is wrong":                                       "fatal: [key] is wrong",
		"remote: you sent t0ken-of-ours!":                                          "remote: you sent [key]!",
		"remote: " + base64.RawURLEncoding.EncodeToString([]byte("t0ken-of-ours")): "remote: [key]",
		"proxy http://automaton:0123456789abcdef@127.0.0.1":                        "proxy http://automaton:[key]@127.0.0.1",
		"upstream pass%26word":                                                     "upstream [key]",
		"nothing here":                                                             "nothing here",
	}
	for said, want := range cases {
		if got := v.Hide(said); got != want {
			t.Errorf("%q became %q, want %q", said, got, want)
		}
	}
	var none *gate
	if got := none.veil("Authorization: Basic a").Hide("Basic a"); got != "Basic a" {
		t.Errorf("a short value: %q", got)
	}
	if got := none.veil("").Hide("x"); got != "x" {
		t.Errorf("no header: %q", got)
	}
}
