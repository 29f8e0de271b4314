package cli

import (
	"strings"
	"testing"
)

func TestUpstream(t *testing.T) {
	const host = "github.com"
	tests := map[string]struct {
		vars map[string]string
		host string
		want string // the proxy, "none" or in the error
	}{
		"none":               {nil, host, "none"},
		"named":              {map[string]string{"HTTPS_PROXY": "http://proxy.example:3128"}, host, "http://proxy.example:3128"},
		"small letters":      {map[string]string{"https_proxy": "http://proxy.example:3128/"}, host, "http://proxy.example:3128/"},
		"without scheme":     {map[string]string{"HTTPS_PROXY": "me:s3cret@10.0.0.1:3128"}, host, "http://me:s3cret@10.0.0.1:3128"},
		"over TLS":           {map[string]string{"HTTPS_PROXY": "HTTPS://proxy.example"}, host, "https://proxy.example"},
		"for all":            {map[string]string{"ALL_PROXY": "http://proxy.example:1"}, host, "http://proxy.example:1"},
		"https before all":   {map[string]string{"ALL_PROXY": "http://other.example:1", "https_proxy": "http://proxy.example:2"}, host, "http://proxy.example:2"},
		"for http":           {map[string]string{"HTTP_PROXY": "http://proxy.example:3128"}, host, "none"},
		"nothing is fetched": {map[string]string{"HTTPS_PROXY": "nonsense://"}, "", "none"},
		"not for this host":  {map[string]string{"HTTPS_PROXY": "http://proxy.example:1", "NO_PROXY": "a.example, github.com"}, host, "none"},
		"not for its domain": {map[string]string{"HTTPS_PROXY": "http://proxy.example:1", "no_proxy": ".example.org"}, "git.example.org", "none"},
		"for no host":        {map[string]string{"HTTPS_PROXY": "socks5://proxy.example:1", "NO_PROXY": "*"}, host, "none"},
		"for another host":   {map[string]string{"HTTPS_PROXY": "http://proxy.example:1", "NO_PROXY": "hub.com,github.co"}, host, "http://proxy.example:1"},
		"another kind":       {map[string]string{"HTTPS_PROXY": "socks5://me:s3cret@proxy.example:1"}, host, "HTTPS_PROXY is not the address of an HTTP proxy"},
		"no host":            {map[string]string{"https_proxy": "http://me:s3cret@:3128"}, host, "https_proxy is not the address of an HTTP proxy"},
		"a path":             {map[string]string{"HTTPS_PROXY": "http://me:s3cret@proxy.example/path?s3cret"}, host, "HTTPS_PROXY is not the address of an HTTP proxy"},
		"control characters": {map[string]string{"HTTPS_PROXY": "http://me:s3cret@\x1b[31m"}, host, "HTTPS_PROXY is not the address of an HTTP proxy"},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.vars = tc.vars
			proxy, err := w.app().upstream(tc.host)
			got := "none"
			switch {
			case err != nil:
				got = err.Error()
			case proxy != nil:
				got = proxy.String()
			}
			if got != tc.want && (err == nil || !strings.HasSuffix(got, tc.want) || strings.Contains(got, "s3cret")) {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
}
