package sandbox

import (
	"encoding/base64"
	"testing"
)

func TestRedact(t *testing.T) {
	credential := base64.StdEncoding.EncodeToString([]byte("x-access-token:t0ken-of-ours"))
	header := "Authorization: Basic " + credential
	cases := map[string]string{
		"fatal: " + credential + " is wrong": "fatal: [key] is wrong",
		"remote: you sent t0ken-of-ours!":    "remote: you sent [key]!",
		"nothing here":                       "nothing here",
	}
	for said, want := range cases {
		if got := string(redact([]byte(said), header)); got != want {
			t.Errorf("%q became %q, want %q", said, got, want)
		}
	}
	if got := string(redact([]byte("Basic a"), "Authorization: Basic a")); got != "Basic a" {
		t.Errorf("a short value: %q", got)
	}
	if got := string(redact([]byte("x"), "")); got != "x" {
		t.Errorf("no header: %q", got)
	}
}
