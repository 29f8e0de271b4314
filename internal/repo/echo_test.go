package repo

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// A server that echoes our token in its complaint, as it is or encoded, does
// not get it into the error.
func TestD40EchoedToken(t *testing.T) {
	const token = "t0ken/of+ours?=x"
	basic := base64.StdEncoding.EncodeToString([]byte("x-access-token:" + token))
	forms := map[string]string{
		"plain": token, "base64": base64.StdEncoding.EncodeToString([]byte(token)), "base64url": base64.RawURLEncoding.EncodeToString([]byte(token)),
		"query": url.QueryEscape(token), "small": strings.ToLower(url.QueryEscape(token)), "credential": basic,
		"other-user": base64.StdEncoding.EncodeToString([]byte("git:" + token + ":x")),
	}
	h := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		said := forms[strings.Split(r.URL.Path, "/")[2]]
		w.Header().Set("Content-Type", "application/x-git-upload-pack-advertisement")
		line := "ERR you sent \x1b[31m" + said + " and that is wrong"
		_, _ = fmt.Fprintf(w, "001e# service=git-upload-pack\n0000%04x%s", len(line)+4, line)
	}))
	for name, form := range forms {
		_, err := h.open(t, "/extra/"+name+"/r.git", Options{Token: func(string) string { return token }})
		if err == nil || !strings.Contains(err.Error(), "you sent") {
			t.Fatalf("%s: the complaint is not told: %v", name, err)
		}
		if middle := form[len(form)/2-4 : len(form)/2+4]; strings.Contains(err.Error(), middle) || !strings.Contains(err.Error(), "[key]") || strings.ContainsRune(err.Error(), 0x1b) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
