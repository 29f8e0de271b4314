package cli

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"golang.org/x/text/unicode/norm"

	"github.com/automaton-auditor/automaton/internal/config"
	"github.com/automaton-auditor/automaton/internal/court"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/repo"
	"github.com/automaton-auditor/automaton/internal/safetext"
	"github.com/automaton-auditor/automaton/internal/trace/otlp"
)

var (
	ownerName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9-]*/[A-Za-z0-9._-]+$`)
	webRef    = regexp.MustCompile(`^(https://[^/]+/[^/]+/[^/]+)/(?:tree|commit)/(.+?)/?$`)
	webFolder = regexp.MustCompile(`^(https://[^/]+/[^/]+/[^/]+)/tree/([0-9a-f]{40})/(.+?)/?$`) // behind a name it could be a part of it
	scpHost   = regexp.MustCompile(`^[^/@:]+@[^/@:]+:`)                                         // git@HOST:
	refText   = regexp.MustCompile(`^[A-Za-z0-9._/-]{1,200}$`)
)

// aim is a submission as the user named it: where it is and which revision.
type aim struct {
	given    string // all of it
	id       string // the name of the case that --id gives
	raw      string // without the revision
	revision string
	folder   string // of the repository; "": all of it
	local    string // existing folder or file, "" for a remote
	expanded bool   // OWNER/NAME was taken for a repository on github.com
}

// aimAt takes a REPO argument apart: /tree/REF, /commit/REV and @REF at its
// end, and OWNER/NAME where no such folder exists.
func (a *app) aimAt(arg, revision, folder string) (aim, error) {
	t := aim{given: arg, raw: arg, folder: path.Clean(folder)}
	if t.folder == "." {
		t.folder = ""
	}
	named := []string{revision}
	if m := webFolder.FindStringSubmatch(t.raw); m != nil && folder == "" {
		t.raw, t.folder, named = m[1], path.Clean(m[3]), append(named, m[2])
	} else if m := webRef.FindStringSubmatch(t.raw); m != nil {
		t.raw, named = m[1], append(named, m[2])
	}
	if !a.exists(t.raw) {
		raw, rev := splitRevision(t.raw)
		t.raw, named = raw, append(named, rev)
	}
	for _, rev := range named {
		if t.revision != "" && rev != "" && rev != t.revision {
			return t, usage("name the revision once", "reading arguments: %q asks for revisions %q and %q", arg, t.revision, rev)
		}
		if rev != "" {
			t.revision = rev
		}
	}
	switch {
	case t.raw == "":
		return t, usage("automaton audit --help shows the forms", "reading arguments: no repository given")
	case a.exists(t.raw):
		t.local = a.path(t.raw)
	case ownerName.MatchString(t.raw) && isFolder(a.path(path.Dir(t.raw))):
		return t, usage("https://github.com/"+t.raw+" names a repository there", "reading target: %q does not exist, and %q is a folder of this machine", t.raw, path.Dir(t.raw))
	case ownerName.MatchString(t.raw):
		t.raw, t.expanded = "https://github.com/"+t.raw, true
	}
	return t, nil
}

// called is how messages name the submission: as the user did, but for what leads
// to every one of them.
func (t aim) called(dir string) string {
	name := filepath.Clean(t.raw)
	if t.local == "" {
		name = strings.TrimPrefix(strings.TrimPrefix(t.raw[strings.LastIndexByte(t.raw, '@')+1:], "https://"), "github.com/") // no login
		if strings.Contains(name, ":") && !strings.HasPrefix(t.raw, "https://") && !scpHost.MatchString(t.raw) {
			name = "" // it may be a login: what was behind its @ was taken for a revision
		}
	}
	if name == "." || name == ".." {
		name = filepath.Base(filepath.Join(dir, name))
	}
	return court.Clean(discreet(cmp.Or(t.id, name)), maxCalled)
}

// maxCalled is how long the name of a case is in messages, in runes.
const maxCalled = 100

// aimNamed is aimAt with the name that --id gives.
func (a *app) aimNamed(c *cobra.Command, arg string, o auditFlags) (aim, error) {
	at, err := a.aimAt(arg, o.commit, o.folder)
	if err == nil {
		at.id, err = caseName(c, o.id)
	}
	return at, err
}

// caseName reads --id.
func caseName(c *cobra.Command, id string) (string, error) {
	id = strings.Join(strings.Fields(id), " ")
	switch n := utf8.RuneCountInString(id); {
	case id == "" && c.Flags().Changed("id"):
		return "", usage("give a name, or leave --id out", "reading flags: --id is empty")
	case n > maxCalled:
		return "", usage("give a shorter name", "reading flags: --id has %d characters; a name has at most %d", n, maxCalled)
	}
	return norm.NFC.String(court.Clean(id, 0)), nil
}

// splitRevision takes @REF from the end of what names a repository. An @ in
// front of a host is none of it: it is looked for in the path only.
func splitRevision(raw string) (base, revision string) {
	start := 0
	if i := strings.Index(raw, "://"); i >= 0 {
		slash := strings.IndexByte(raw[i+3:], '/')
		if slash < 0 {
			return raw, ""
		}
		start = i + 3 + slash
	} else if m := scpHost.FindString(raw); m != "" {
		start = len(m)
	}
	i := strings.LastIndexByte(raw[start:], '@')
	if i < 0 || start+i == 0 || !refText.MatchString(raw[start+i+1:]) {
		return raw, ""
	}
	return raw[:start+i], raw[start+i+1:]
}

func (a *app) exists(p string) bool {
	_, err := os.Stat(a.path(p))
	return err == nil
}

// parse finds out where a submission is, before any process is started.
func (t aim) parse(hosts []string) (repo.Target, error) {
	raw := t.raw
	if t.local != "" {
		raw = filepath.Clean(t.local)
	}
	target, err := repo.ParseTarget(raw, repo.TargetOptions{AllowHosts: hosts})
	if err != nil {
		name := ""
		if !strings.Contains(t.given, "@") { // what may hold a password is not repeated
			name = fmt.Sprintf(" %q", t.raw)
		}
		return target, coded(exitUsage, fmt.Errorf("reading target%s: %w", name, err), targetHint(err))
	}
	return target, nil
}

// target is parse that tells what was made of what was given.
func (t aim) target(a *app, hosts []string) (repo.Target, error) {
	target, err := t.parse(hosts)
	if err != nil {
		return target, err
	}
	if target.Rewritten != "" {
		a.note("%s", target.Rewritten)
	}
	if t.expanded {
		a.note("there is no folder %q here, so %s is audited", strings.TrimPrefix(t.raw, "https://github.com/"), t.raw)
	}
	return target, nil
}

func targetHint(err error) string {
	switch refusalCode(err) {
	case "url_host":
		return "--allow-host HOST allows one more host"
	case "url_userinfo":
		return "put the token into GITHUB_TOKEN or GITLAB_TOKEN"
	case "url_scheme":
		return "use https://HOST/OWNER/NAME, or a local clone"
	case "local_missing":
		return "give a folder, a git bundle, a zip or tar, or https://HOST/OWNER/NAME"
	case "archive_kind":
		return "unpack it and give the folder"
	case "local_gitfile":
		return "this is a linked work tree or a submodule; give the main repository's folder"
	}
	return ""
}

// tokens are the variables that hold the access token for a host, the first one
// that is set counts. A token belongs to exactly one host; another one of a like
// name may be a stranger's.
var tokens = map[string][]string{"github.com": {"GITHUB_TOKEN", "GH_TOKEN"}, "gitlab.com": {"GITLAB_TOKEN"}}

// tokenOf gives the access token for a host and where it stands.
func (a *app) tokenOf(host string) (key, value string) {
	for _, k := range tokens[host] {
		if v := a.getenv(k); v != "" {
			return k, v
		}
	}
	return "", ""
}

func (a *app) token(host string) string {
	_, v := a.tokenOf(host)
	return v
}

// What stands before the host of an address in an argument: it is a password, or
// a token, wherever the argument belongs.
var (
	inAddress = regexp.MustCompile(`://([^/\s]+)@`)
	inScpForm = regexp.MustCompile(`^/*([^/\s@]*:[^/\s]+)@`) // or in an address without its beginning
)

// secrets are the tokens and keys that we hold, the passwords of the proxies that the
// environment names, and those that were given as part of an address.
func (a *app) secrets() []string {
	out := slices.Clone(a.keys)
	for _, v := range config.Variables {
		if v.Secret {
			out = append(out, a.Getenv(v.Name), a.envFile.Values[v.Name])
		}
	}
	targets, _ := otlp.Targets(a.getenv) // what is wrong is told where they are used
	for _, t := range targets {
		out = append(out, t.Secrets()...)
	}
	for _, k := range append([]string{"HTTP_PROXY", "http_proxy"}, proxyKeys...) {
		if u := proxyAddress(a.Getenv(k)); u != nil && u.User != nil {
			password, _ := u.User.Password()
			out = append(out, password)
		}
	}
	for _, arg := range a.Args {
		for _, form := range []*regexp.Regexp{inAddress, inScpForm} {
			if m := form.FindStringSubmatch(arg); m != nil {
				user, password, locked := strings.Cut(m[1], ":")
				if !locked && strings.HasPrefix(strings.TrimPrefix(arg, "--store="), "postgres") {
					continue // who asks a database is no secret, and often this program's name
				}
				out = append(out, user, password)
				if plainly, err := url.PathUnescape(password); err == nil {
					out = append(out, plainly)
				}
			}
		}
	}
	return out
}

// hide is what is written, without our secrets.
// hideAlso hides further secrets from now on.
func (a *app) hideAlso(keys ...string) {
	for _, k := range keys {
		if k != "" && !slices.Contains(a.keys, k) {
			a.keys = append(a.keys, k)
		}
	}
	a.veil = safetext.NewVeil(a.secrets()...)
}

func (a *app) hide(raw []byte) []byte { return []byte(a.veil.Hide(string(raw))) }

// cacheDir is where caches are kept; it is made when it is first used.
func (a *app) cacheDir() (string, error) {
	dir := a.config.Text("cache")
	if dir == "" {
		base := a.Getenv("XDG_CACHE_HOME")
		if base == "" {
			home := a.Getenv("HOME")
			if home == "" {
				return "", errors.New("neither AUTOMATON_CACHE, XDG_CACHE_HOME nor HOME is set")
			}
			base = filepath.Join(home, ".cache")
		}
		dir = filepath.Join(base, "automaton")
	}
	return a.path(dir), nil
}
