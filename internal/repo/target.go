package repo

import (
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/sandbox"
)

// TargetOptions configures ParseTarget. The zero value is usable.
type TargetOptions struct {
	// AllowHosts are hosts beside sandbox.DefaultHosts.
	AllowHosts []string
}

// Target is a submission that was named and may be read. Exactly one of URL, Local, Bundle and Archive is set.
type Target struct {
	URL     string // https://HOST/PATH, lower-case scheme and host, no credentials, no trailing slash
	Host    string // of URL
	Local   string // absolute folder, links resolved
	Bundle  string // absolute file, links resolved
	Archive string // absolute file, links resolved: a zip, a tar, or a tar in gzip
	// Rewritten is the form that was given when URL is another spelling of it (git@…, ssh://…), to tell the user.
	Rewritten string
}

const maxTarget = 2048

var (
	hostForm = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$`)
	pathForm = regexp.MustCompile(`^(/[A-Za-z0-9_~.][A-Za-z0-9._~-]*)+/?$`)
	scpForm  = regexp.MustCompile(`^git@([A-Za-z0-9.-]+):([A-Za-z0-9._~/-]+)$`)
	// numericHost is any spelling that a resolver may read as an IPv4 address: dotted parts, decimal, octal, hexadecimal.
	numericHost = regexp.MustCompile(`^(0[xX][0-9a-fA-F]*|[0-9]+)(\.(0[xX][0-9a-fA-F]*|[0-9]+))*\.?$`)
)

// ParseTarget reads what the user named: a folder, bundle or archive, a file: URL, an https URL of a
// listed host, or its ssh spelling, which becomes https. Nothing is started or connected to.
//
// Errors: *sandbox.Refusal with a code url_… or local_…; foreign text is quoted, and nothing is quoted of a target that
// holds a user name or password.
func ParseTarget(raw string, o TargetOptions) (Target, error) {
	switch {
	case raw == "":
		return Target{}, sandbox.Refuse("url_empty", "no repository given")
	case len(raw) > maxTarget:
		return Target{}, sandbox.Refuse("url_long", "longer than %d bytes", maxTarget)
	case strings.HasPrefix(raw, "-"):
		return Target{}, sandbox.Refuse("url_dash", "%q looks like an option", raw)
	case strings.Contains(raw, "::"):
		return Target{}, sandbox.Refuse("url_transport", "transports of the form NAME:: are refused")
	case isLocal(raw):
		return localTarget(raw)
	}
	if odd := strings.IndexFunc(raw, notURL); odd >= 0 {
		return Target{}, sandbox.Refuse("url_chars", "control, blank, backslash or non-ASCII character at byte %d", odd)
	}
	if m := scpForm.FindStringSubmatch(raw); m != nil {
		return rewritten(raw, m[1], "/"+strings.TrimPrefix(m[2], "/"), o)
	}
	u, err := url.Parse(raw)
	if err != nil {
		return Target{}, sandbox.Refuse("url_syntax", "not a URL")
	}
	return urlTarget(raw, u, o)
}

// isLocal tells a path from a URL: by its beginning, or because such a folder or file is there.
func isLocal(raw string) bool {
	if raw == "." || raw == ".." || strings.HasPrefix(raw, "/") || strings.HasPrefix(raw, "./") || strings.HasPrefix(raw, "../") {
		return true
	}
	if strings.Contains(raw, ":") {
		return false
	}
	_, err := os.Lstat(raw)
	return err == nil
}

func notURL(r rune) bool { return r <= ' ' || r >= 0x7f || r == '\\' }

func urlTarget(raw string, u *url.URL, o TargetOptions) (Target, error) {
	switch u.Scheme {
	case "https":
	case "ssh":
		return sshTarget(raw, u, o)
	case "file":
		if u.User != nil || u.Host != "" && u.Host != "localhost" || u.RawQuery != "" || u.Fragment != "" || u.Opaque != "" {
			return Target{}, sandbox.Refuse("url_syntax", "a file URL is file:///PATH")
		}
		return localTarget(u.Path)
	case "":
		return Target{}, sandbox.Refuse("url_scheme", "no such folder, and no URL: give https://HOST/OWNER/NAME or a folder")
	default:
		return Target{}, sandbox.Refuse("url_scheme", "transport %q is refused: give https://HOST/OWNER/NAME", u.Scheme)
	}
	if u.User != nil {
		return Target{}, sandbox.Refuse("url_userinfo", "a user name or password in the URL: it would end in logs; set the token variable instead")
	}
	if u.RawQuery != "" || u.ForceQuery || u.Fragment != "" || u.Opaque != "" || strings.HasSuffix(raw, "#") {
		return Target{}, sandbox.Refuse("url_syntax", "a query or fragment in the URL: give https://HOST/OWNER/NAME")
	}
	host, err := checkHost(u, o)
	if err != nil {
		return Target{}, err
	}
	if u.RawPath != "" || strings.Contains(raw, "%") || !pathForm.MatchString(u.Path) || strings.Contains(u.Path, "..") {
		return Target{}, sandbox.Refuse("url_path", "bad path in %q", raw)
	}
	return Target{URL: "https://" + host + strings.TrimSuffix(u.Path, "/"), Host: host}, nil
}

// checkHost returns the host in lower case when it is on the list, and port 443 or none.
func checkHost(u *url.URL, o TargetOptions) (string, error) {
	host := strings.ToLower(u.Hostname())
	if _, err := netip.ParseAddr(host); err == nil || numericHost.MatchString(host) {
		return "", sandbox.Refuse("url_ip", "address %q: name the host", host)
	}
	if !hostForm.MatchString(host) || !listed(host, o) {
		return "", sandbox.Refuse("url_host", "host %q is not on the list", host)
	}
	if strings.HasSuffix(u.Host, ":") {
		return "", sandbox.Refuse("url_port", "empty port")
	}
	if port := u.Port(); port != "" && port != "443" {
		return "", sandbox.Refuse("url_port", "port %q is refused", port)
	}
	return host, nil
}

func listed(host string, o TargetOptions) bool {
	return slices.Contains(sandbox.DefaultHosts(), host) || slices.Contains(o.AllowHosts, host)
}

// sshTarget takes ssh://git@HOST/PATH of a listed host as https. No ssh process is ever started.
func sshTarget(raw string, u *url.URL, o TargetOptions) (Target, error) {
	secret := false
	if u.User != nil {
		_, secret = u.User.Password()
	}
	if u.User == nil || u.User.Username() != "git" || secret || u.Port() != "" || u.RawQuery != "" || u.Fragment != "" {
		return Target{}, sandbox.Refuse("url_scheme", "ssh is refused but for ssh://git@HOST/OWNER/NAME of a listed host, which is read by https")
	}
	return rewritten(raw, u.Hostname(), u.EscapedPath(), o)
}

func rewritten(raw, host, path string, o TargetOptions) (Target, error) {
	if !listed(strings.ToLower(host), o) {
		return Target{}, sandbox.Refuse("url_scheme", "ssh to a host that is not on the list: give https://HOST/OWNER/NAME")
	}
	t, err := ParseTarget("https://"+host+path, o)
	t.Rewritten = raw
	if err != nil {
		return Target{}, err
	}
	return t, nil
}

// localTarget resolves a folder, a bundle file or an archive, which are told by their content. Blanks and letters of all scripts may be in a path of this machine.
func localTarget(raw string) (Target, error) {
	if odd := strings.IndexFunc(raw, unicode.IsControl); odd >= 0 {
		return Target{}, sandbox.Refuse("url_chars", "control character at byte %d", odd)
	}
	path, err := filepath.Abs(raw)
	if err == nil {
		path, err = filepath.EvalSymlinks(path)
	}
	if err != nil {
		return Target{}, sandbox.Refuse("local_missing", "%q does not exist", raw)
	}
	fi, err := os.Lstat(path)
	if err != nil {
		return Target{}, sandbox.Refuse("local_missing", "%q does not exist", raw)
	}
	if fi.Mode().IsRegular() && isBundle(path) {
		return Target{Bundle: path}, nil
	}
	if fi.Mode().IsRegular() {
		how := packingOf(path)
		if how == noArchive {
			return Target{}, sandbox.Refuse("local_missing", "%q is neither a folder, a git bundle nor an archive", raw)
		}
		if how == foreign {
			return Target{}, sandbox.Refuse("archive_kind", "%q is an archive of a kind that is not read: zip, tar and tar.gz are", raw)
		}
		return Target{Archive: path}, nil
	}
	if !fi.IsDir() {
		return Target{}, sandbox.Refuse("local_missing", "%q is neither a folder nor a file", raw)
	}
	// a .git that is a link or a file leads out of the folder
	if fi, err := os.Lstat(filepath.Join(path, ".git")); err == nil && !fi.IsDir() {
		return Target{}, sandbox.Refuse("local_gitfile", ".git in %q is not a plain folder", raw)
	}
	return Target{Local: path}, nil
}

// isBundle looks at a file's first line.
func isBundle(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer func() { _ = f.Close() }() // only read
	head := make([]byte, len("# v2 git bundle\n"))
	if _, err := f.Read(head); err != nil {
		return false
	}
	return string(head) == "# v2 git bundle\n" || string(head) == "# v3 git bundle\n"
}
