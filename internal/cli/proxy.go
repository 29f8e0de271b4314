package cli

import (
	"cmp"
	"net/url"
	"strings"

	"golang.org/x/net/http/httpproxy"
)

// proxyKeys are the variables that name the operator's proxy for https, the
// first one that is set counts.
var proxyKeys = []string{"HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"}

// upstream is the operator's proxy on the way to a host; nil when there is none,
// or NO_PROXY lists the host. The address may hold a password: it is never
// quoted. A .env file names no proxy, since it may lie in a stranger's folder.
func (a *app) upstream(host string) (*url.URL, error) {
	key, value := "", ""
	for _, k := range proxyKeys {
		if value = a.Getenv(k); value != "" {
			key = k
			break
		}
	}
	if host == "" || value == "" {
		return nil, nil
	}
	around := httpproxy.Config{HTTPSProxy: "http://proxy.invalid", NoProxy: cmp.Or(a.Getenv("NO_PROXY"), a.Getenv("no_proxy"))}
	if through, err := around.ProxyFunc()(&url.URL{Scheme: "https", Host: host}); err == nil && through == nil {
		return nil, nil
	}
	proxy := proxyAddress(value)
	if proxy == nil || proxy.Scheme != "http" && proxy.Scheme != "https" {
		return nil, usage("give http://HOST:PORT or https://HOST:PORT, or list the host in NO_PROXY", "reading environment: %s is not the address of an HTTP proxy", key)
	}
	return proxy, nil
}

// proxyAddress reads the address of a proxy, in which http:// may be left out;
// nil when it is none.
func proxyAddress(value string) *url.URL {
	value = strings.TrimSpace(value)
	if !strings.Contains(value, "://") {
		value = "http://" + value
	}
	u, err := url.Parse(value)
	if err != nil || u.Hostname() == "" || u.RawQuery != "" || u.Fragment != "" || strings.Trim(u.Path, "/") != "" {
		return nil
	}
	u.Scheme = strings.ToLower(u.Scheme)
	return u
}
