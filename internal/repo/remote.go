package repo

import (
	"bufio"
	"context"
	"encoding/base64"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/sandbox"
)

// openRemote makes a bare clone with full history inside the sandbox.
func (r *Repo) openRemote(ctx context.Context, t Target) error {
	o, ok := parseOrigin(t.URL)
	if !ok {
		o = origin{slug: filepath.Base(t.URL), url: t.URL}
	}
	r.source.origin = o
	rev := r.options.Revision
	args := []string{"--no-tags", "--single-branch"}
	if isName(rev) {
		args = append(args, "--branch="+rev)
	}
	net := sandbox.Command{Hosts: []string{t.Host}, Auth: r.auth(t.Host)}
	if err := r.clone(ctx, net, t.URL, args...); err != nil {
		return err
	}
	if rev == "" || isName(rev) {
		return r.settle(ctx, "HEAD")
	}
	if err := r.settle(ctx, rev); err == nil {
		return nil
	}
	// not on the default branch: a ref or full hash by itself, an abbreviation from all branches
	want := rev
	if !strings.HasPrefix(rev, "refs/") && !fullID.MatchString(rev) {
		want = "+refs/heads/*:refs/heads/*"
	}
	net.Args = []string{"--git-dir=" + r.source.gitDir, "fetch", "--no-tags", "--quiet", "--no-write-fetch-head", "--update-head-ok", "--", t.URL, want}
	if strings.HasPrefix(rev, "refs/") {
		net.Args[len(net.Args)-1] = "+" + rev + ":refs/heads/automaton-audit"
		rev = "refs/heads/automaton-audit"
	}
	if _, err := r.box.Run(ctx, net); err != nil {
		return explain(err, r.options.Revision)
	}
	return r.settle(ctx, rev)
}

// isName tells a branch or tag from a hash or full ref.
func isName(rev string) bool {
	return rev != "" && rev != "HEAD" && !shortID.MatchString(rev) && !strings.HasPrefix(rev, "refs/")
}

// maxBundle bounds a bundle file like a download.
const maxBundle = 512 << 20

// openBundle clones from a bundle file, with all the refs that are in it.
func (r *Repo) openBundle(ctx context.Context, path string) error {
	name := strings.TrimSuffix(filepath.Base(path), ".bundle")
	r.source.origin = origin{slug: name}
	fi, err := os.Stat(path)
	if err != nil {
		return err
	}
	if fi.Size() > maxBundle {
		return sandbox.Refuse("limit_download", "a bundle of more than %d bytes", maxBundle)
	}
	switch part, err := isPart(path); {
	case err != nil:
		return err
	case part:
		return sandbox.Refuse("bundle_part", "the bundle rests on commits that are not in it")
	}
	if os.Geteuid() == 0 && (fi.Mode().Perm()&0o004 == 0 || !reachable(path)) {
		if path, err = r.copyBundle(path); err != nil {
			return err
		}
	}
	from := sandbox.Command{Read: []string{path}, Config: [][2]string{{"protocol.file.allow", "always"}}}
	if err := r.clone(ctx, from, path, "--mirror"); err != nil {
		return err
	}
	return r.settleRefs(ctx)
}

// isPart reads from a bundle's head whether it rests on commits that it does not hold: git would not say so in words.
func isPart(path string) (bool, error) {
	f, err := openPlain(path)
	if err != nil {
		return false, err
	}
	defer func() { _ = f.Close() }() // only read
	in := bufio.NewReader(io.LimitReader(f, maxPackedRefs))
	for {
		line, err := in.ReadSlice('\n')
		if err != nil || len(line) == 1 {
			return false, nil //nolint:nilerr // where its head is damaged, git says so
		}
		if line[0] == '-' {
			return true, nil
		}
	}
}

// copyBundle puts a file that only our own uid can read where the throw-away uid can.
func (r *Repo) copyBundle(path string) (string, error) {
	dir, err := r.box.MakeDir(false)
	if err != nil {
		return "", err
	}
	in, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer func() { _ = in.Close() }() // only read
	to := filepath.Join(dir, "copy.bundle")
	out, err := os.Create(to)
	if err != nil {
		return "", err
	}
	_, err = io.Copy(out, io.LimitReader(in, maxBundle))
	return to, errors.Join(err, out.Chmod(0o644), out.Close())
}

// settleRefs finds the commit among a bundle's refs; one without HEAD has main, master or a single branch.
func (r *Repo) settleRefs(ctx context.Context) error {
	rev := r.options.Revision
	res, err := r.git(ctx, sandbox.Limits{}, nil, nil, "for-each-ref", "--format=%(refname)")
	if err != nil {
		return err
	}
	refs := strings.Fields(string(res.Stdout))
	if rev != "" && !fullID.MatchString(rev) {
		for _, name := range []string{rev, "refs/tags/" + rev, "refs/heads/" + rev, "refs/remotes/" + rev} {
			if slices.Contains(refs, name) {
				return r.settle(ctx, name)
			}
		}
		if !shortID.MatchString(rev) && rev != "HEAD" {
			return sandbox.Refuse("ref_missing", "no branch, tag or commit %q here", rev)
		}
	}
	if rev != "" {
		return r.settle(ctx, rev)
	}
	err = r.settle(ctx, "HEAD")
	if err == nil {
		return nil
	}
	heads := slices.DeleteFunc(refs, func(n string) bool { return !strings.HasPrefix(n, "refs/heads/") })
	for _, name := range []string{"refs/heads/main", "refs/heads/master"} {
		if slices.Contains(heads, name) {
			return r.settle(ctx, name)
		}
	}
	if len(heads) == 1 {
		return r.settle(ctx, heads[0])
	}
	return err
}

// clone runs a hardened fetch into a fresh directory, which becomes the source.
func (r *Repo) clone(ctx context.Context, c sandbox.Command, from string, args ...string) error {
	dir, err := r.box.MakeDir(true)
	if err != nil {
		return err
	}
	r.source.gitDir = filepath.Join(dir, "repo.git")
	c.Args = slices.Concat(
		[]string{"clone", "--bare", "--no-local", "--template=", "--no-recurse-submodules", "--quiet"}, args,
		[]string{"--", from, r.source.gitDir},
	)
	_, err = r.box.Run(ctx, c)
	return explain(err, r.options.Revision)
}

// auth is the header line with the host's token, "" without one. The user names are those that the hosts document for
// tokens; others ignore the name.
func (r *Repo) auth(host string) string {
	if r.options.Token == nil {
		return ""
	}
	token := r.options.Token(host)
	if token == "" {
		return ""
	}
	user := "x-access-token"
	switch host {
	case "gitlab.com":
		user = "oauth2"
	case "bitbucket.org":
		user = "x-token-auth"
	}
	return "Authorization: Basic " + base64.StdEncoding.EncodeToString([]byte(user+":"+token))
}

// explain says in our words what git's complaint means, where that is known.
func explain(err error, rev string) error {
	if err == nil {
		return nil
	}
	if _, ok := errors.AsType[*sandbox.Refusal](err); ok {
		return err
	}
	said := err.Error()
	switch {
	case rev == "" && strings.Contains(said, "not our ref"):
		return errors.New("the repository is damaged there: its own commit is missing")
	case strings.Contains(said, "not found in upstream"), strings.Contains(said, "couldn't find remote ref"),
		strings.Contains(said, "not our ref"):
		return sandbox.Refuse("ref_missing", "no branch, tag or commit %q there", rev)
	case strings.Contains(said, "could not read Username"), strings.Contains(said, "Authentication failed"),
		strings.Contains(said, "error: 403"), strings.Contains(said, "' not found"):
		return sandbox.Refuse("remote_private", "repository not found, or private")
	case strings.Contains(said, "early EOF"):
		return sandbox.Refuse("remote_cut", "the server stopped in the middle of its answer")
	case strings.Contains(said, "invalid index-pack output"):
		return errors.New("unpacking what came ended without a word: a limit was reached, or it is damaged")
	case strings.Contains(said, "CONNECT tunnel failed"), strings.Contains(said, "from proxy after CONNECT"):
		return sandbox.Refuse("remote_away", "the host cannot be reached, or its address is not public")
	case strings.Contains(said, "error: 429"):
		return sandbox.Refuse("remote_slow", "the host asks for fewer requests")
	case strings.Contains(said, "error: 5"):
		return sandbox.Refuse("remote_busy", "the server refused to answer for now")
	}
	return err
}
