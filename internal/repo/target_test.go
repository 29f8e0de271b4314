package repo

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/automaton-auditor/automaton/internal/sandbox"
	"github.com/google/go-cmp/cmp"
)

// refuses parses targets that must be refused, each with a code, and looks at what is said of them.
func refuses(t *testing.T, cases map[string]string) {
	t.Helper()
	for raw, want := range cases {
		got, err := ParseTarget(raw, TargetOptions{})
		refusal, ok := errors.AsType[*sandbox.Refusal](err)
		if !ok || refusal.Code != want || got != (Target{}) {
			t.Errorf("%q: %+v, %v, want %s", raw, got, err, want)
			continue
		}
		if strings.Contains(refusal.Error(), "t0ken") || strings.Contains(refusal.Error(), "pw") {
			t.Errorf("%q: the message repeats the secret: %s", raw, refusal.Msg)
		}
		clean(t, refusal.Error())
	}
}

func TestParseTargetRefuses(t *testing.T) {
	refuses(t, map[string]string{
		"": "url_empty", strings.Repeat("a", 3000): "url_long",
		"https://github.com/o/r\n[core]": "url_chars", "https://github.com/o/\x1b[2J": "url_chars", "https://github.com/o /r": "url_chars",
		`https://github.com\@evil.example/o/r`: "url_chars", `c:\x`: "url_chars", "https://gіthub.com/o/r": "url_chars", "https://github.com/o/r\x7f": "url_chars",
		"git@github.com:o/../r": "url_path", "git@github.com:../r": "url_path",
		"https://github.com/o/r?x=1": "url_syntax", "https://github.com/o/r?": "url_syntax", "https://github.com/o/r#x": "url_syntax", "https://github.com/o/r#": "url_syntax",
		"https:github.com/o/r": "url_syntax", "https://[fe80:1/o/r": "url_syntax", "file://evil.example/share": "url_syntax", "https://github.com:x/o/r": "url_syntax",
		"https://evil.example#@github.com/": "url_syntax",
		"https://localhost/o/r":             "url_host", "https://metadata.google.internal/x": "url_host", "https://github.com.evil.example/o/r": "url_host",
		"https://github.com./o/r": "url_host", "https:///etc/passwd": "url_host", "https://git_hub.com/o/r": "url_host", "https://-github.com/o/r": "url_host",
		"https://github.com:22/o/r": "url_port", "https://github.com:/o/r": "url_port", "https://github.com:8443/o/r": "url_port",
		"https://github.com/o/../../x": "url_path", "https://github.com/o/%2e%2e/x": "url_path", "https://github.com/-oProxyCommand=x/y": "url_path",
		"https://github.com/o/-r": "url_path", "https://github.com/o//r": "url_path", "https://github.com": "url_path", "https://github.com/o/r;x": "url_path",
		"/nonexistent/folder": "local_missing", "./nonexistent": "local_missing", "file:///nonexistent": "local_missing", "/etc/hosts": "local_missing",
		"./a\nb": "url_chars",
	})
}

// A transport that git would look up a program for.
func TestD03ExtURL(t *testing.T) {
	refuses(t, map[string]string{
		"ext::sh -c touch%20X": "url_transport", "ext::sh%20-c%20touch%20X": "url_transport", "EXT::sh -c x": "url_transport", "fd::3": "url_transport", "fd::3,4/x": "url_transport",
		"https::https://github.com/o/r": "url_transport", "https://github.com/o/r::x": "url_transport", "git@github.com:ext::sh": "url_transport",
		"./ext::sh -c x": "url_transport", "::": "url_transport", "file://ext::sh": "url_transport", "\next::sh": "url_transport",
	})
}

// What git would take for an option.
func TestD04DashURL(t *testing.T) {
	refuses(t, map[string]string{
		"--upload-pack=touch x": "url_dash", "-u./x": "url_dash", "-": "url_dash", "--": "url_dash", "--template=/x": "url_dash", "-c core.fsmonitor=x": "url_dash",
		"-x/../..": "url_dash", "--upload-pack=x::y": "url_dash", "-/home": "url_dash",
	})
}

// Only https, and the two ssh spellings that become https.
func TestD05Scheme(t *testing.T) {
	refuses(t, map[string]string{
		"http://github.com/o/r": "url_scheme", "HTTP://github.com/o/r": "url_scheme", "git://github.com/o/r": "url_scheme", "ftp://github.com/o/r": "url_scheme",
		"ftps://github.com/o/r": "url_scheme", "git+ssh://git@github.com/o/r": "url_scheme", "ssh+git://git@github.com/o/r": "url_scheme", "rsync://github.com/o/r": "url_scheme",
		"javascript:alert(1)": "url_scheme", "data:text/html,x": "url_scheme", "github.com/o/r": "url_scheme", "no/such/folder": "url_scheme", "ssh:/github.com/o/r": "url_scheme",
		"git@evil.example:o/r.git": "url_scheme", "root@github.com:o/r": "url_syntax", "ssh://github.com/o/r": "url_scheme", "ssh://root@github.com/o/r": "url_scheme",
		"ssh://git@evil.example/o/r": "url_scheme", "ssh://git@github.com:22/o/r": "url_scheme", "ssh://git:pw@github.com/o/r": "url_scheme",
		"ssh://-oProxyCommand=x/o/r": "url_scheme", "ssh://git@-oProxyCommand=x/o/r": "url_scheme", "git@-oProxyCommand=x:o/r": "url_syntax",
		"git@127.0.0.1:o/r": "url_scheme", "git@localhost:o/r": "url_scheme", "git@github.com:-oProxyCommand/r": "url_path",
	})
	for raw, want := range map[string]string{
		"git@github.com:o/r.git": "https://github.com/o/r.git", "ssh://git@github.com/o/r": "https://github.com/o/r", "SSH://git@GitHub.com/o/r": "https://github.com/o/r",
	} {
		if got, err := ParseTarget(raw, TargetOptions{}); err != nil || got.URL != want || got.Rewritten != raw {
			t.Errorf("%q: %+v, %v", raw, got, err)
		}
	}
}

// A password or token in the target: nothing of it is said again.
func TestD06Userinfo(t *testing.T) {
	refuses(t, map[string]string{
		"https://user:t0ken@github.com/o/r": "url_userinfo", "https://t0ken@github.com/o/r": "url_userinfo", "https://:t0ken@github.com/o/r": "url_userinfo",
		"https://github.com@evil.example/o/r": "url_userinfo", "https://@github.com/o/r": "url_userinfo", "https://u:t0ken@127.0.0.1/o/r": "url_userinfo",
		"https://u:t0ken@github.com:8443/o/r": "url_userinfo", "https://u:t0ken@github.com/o/r?x": "url_userinfo", "https://u%3at0ken@github.com/o/r": "url_userinfo",
		"http://u:t0ken@github.com/o/r": "url_scheme", "ssh://git:t0ken@github.com/o/r": "url_scheme", "git:t0ken@github.com:o/r": "url_scheme",
		"https://github.com/o/r?t0ken=1": "url_syntax", "https://github.com/o/r#t0ken": "url_syntax", "https://u:t0ken@github.com/o/\x1br": "url_chars", "https://u:t0ken%zz@github.com/o/r": "url_syntax",
		"ext::https://u:t0ken@github.com/o/r": "url_transport", "ftp://u:t0ken@github.com/o/r": "url_scheme",
	})
}

// An address in any spelling is not a host.
func TestD07IPLiteral(t *testing.T) {
	refuses(t, map[string]string{
		"https://127.0.0.1/o/r": "url_ip", "https://[::1]/o/r": "url_transport", "https://[fe80:0:0:0:0:0:0:1]/o/r": "url_ip", "https://[0:0:0:0:0:0:0:1]/o/r": "url_ip",
		"https://[0:0:0:0:0:ffff:7f00:1]:443/o/r": "url_ip", "https://0x7f000001/o/r": "url_ip", "https://0X7F.1/o/r": "url_ip",
		"https://2130706433/o/r": "url_ip", "https://127.1/o/r": "url_ip", "https://127.0.1/o/r": "url_ip", "https://0177.0.0.1/o/r": "url_ip", "https://0x7f.0.0.0x1/o/r": "url_ip", "https://0/o/r": "url_ip",
		"https://169.254.169.254/o/r": "url_ip", "https://169.254.169.254:443/o/r": "url_ip", "https://127.0.0.1./o/r": "url_ip", "https://8.8.8.8/o/r": "url_ip",
	})
	for host, code := range map[string]string{"127.0.0.1": "url_ip", "0x7f000001": "url_ip"} { // not even when it is allowed by that name
		_, err := ParseTarget("https://"+host+"/o/r", TargetOptions{AllowHosts: []string{host}})
		wantCode(t, err, code)
	}
}

func TestParseTargetAccepts(t *testing.T) {
	dir := t.TempDir()
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	odd := filepath.Join(dir, "mein Ordner ü")
	bundle := filepath.Join(dir, "x.bundle")
	link := filepath.Join(dir, "link")
	for _, err := range []error{
		os.Mkdir(odd, 0o700), os.WriteFile(bundle, []byte("# v2 git bundle\nrest"), 0o600), os.Symlink(odd, link),
		os.Mkdir(filepath.Join(dir, "plain"), 0o700),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	o := TargetOptions{AllowHosts: []string{"git.example.org"}}
	cases := map[string]Target{
		"https://github.com/o/r":                    {URL: "https://github.com/o/r", Host: "github.com"},
		"HTTPS://GitHub.com/Own/Re.po/":             {URL: "https://github.com/Own/Re.po", Host: "github.com"},
		"https://github.com:443/o/r.git":            {URL: "https://github.com/o/r.git", Host: "github.com"},
		"https://gitlab.com/a/b/c-d_e~f":            {URL: "https://gitlab.com/a/b/c-d_e~f", Host: "gitlab.com"},
		"https://git.example.org/o/r":               {URL: "https://git.example.org/o/r", Host: "git.example.org"},
		"git@github.com:o/r.git":                    {URL: "https://github.com/o/r.git", Host: "github.com", Rewritten: "git@github.com:o/r.git"},
		"git@GitHub.com:o/r":                        {URL: "https://github.com/o/r", Host: "github.com", Rewritten: "git@GitHub.com:o/r"},
		"ssh://git@codeberg.org/o/r":                {URL: "https://codeberg.org/o/r", Host: "codeberg.org", Rewritten: "ssh://git@codeberg.org/o/r"},
		odd:                                         {Local: odd},
		"./mein Ordner ü":                           {Local: odd},
		"file://" + dir + "/mein%20Ordner%20%C3%BC": {Local: odd},
		link:                       {Local: odd},
		".":                        {Local: dir},
		"plain":                    {Local: filepath.Join(dir, "plain")},
		"../" + filepath.Base(dir): {Local: dir},
		"x.bundle":                 {Bundle: bundle},
	}
	for raw, want := range cases {
		got, err := ParseTarget(raw, o)
		if err != nil {
			t.Errorf("%q: %v", raw, err)
		} else if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", raw, diff)
		}
	}
}

func FuzzParseTarget(f *testing.F) {
	for _, s := range []string{"https://github.com/o/r", "git@github.com:o/r", "ssh://git@github.com/o/r", "https://github.com/o/%2e", "ext::x", "file:///x", "https://u@github.com/x", "https://github.com/o/..", "https://github.com:0443/o/r"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		got, err := ParseTarget(raw, TargetOptions{})
		if err != nil {
			if _, ok := errors.AsType[*sandbox.Refusal](err); !ok {
				t.Fatalf("%q: %v is no refusal", raw, err)
			}
			return
		}
		if got.URL == "" {
			return
		}
		rest, ok := strings.CutPrefix(got.URL, "https://"+got.Host+"/")
		if !ok || strings.Contains(rest, "..") || strings.ContainsAny(got.URL, "@%?#\\ \"'\x00\n") || strings.Contains(rest, "/-") {
			t.Fatalf("%q became %q", raw, got.URL)
		}
		if again, err := ParseTarget(got.URL, TargetOptions{}); err != nil || again.URL != got.URL {
			t.Fatalf("%q: second time %q, %v", got.URL, again.URL, err)
		}
	})
}
