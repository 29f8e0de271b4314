package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// bait puts programs into the lab that leave a canary when anything starts them:
// git, and all that git might look for to reach a host. They are named by the
// environment and the user's settings, too.
func (l *lab) bait(t *testing.T, programs ...string) (ran func() []string) {
	t.Helper()
	dir, canaries := filepath.Join(l.dir, "stub", "bin"), filepath.Join(l.dir, "canaries")
	for _, d := range []string{dir, canaries} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(canaries, 0o777); err != nil {
		t.Fatal(err)
	}
	for _, name := range programs {
		script := "#!/bin/sh\n: > " + filepath.Join(canaries, name) + "\nexit 1\n"
		if err := os.WriteFile(filepath.Join(dir, name), []byte(script), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	ssh := filepath.Join(dir, "ssh")
	settings := "[core]\n\tsshCommand = " + ssh + "\n[url \"git@github.com:\"]\n\tinsteadOf = https://nobody.invalid/\n[protocol]\n\tallow = always\n"
	if err := os.WriteFile(filepath.Join(l.dir, ".gitconfig"), []byte(settings), 0o644); err != nil {
		t.Fatal(err)
	}
	l.env = append(l.env, "PATH="+dir+":"+os.Getenv("PATH"), "GIT_SSH="+ssh, "GIT_SSH_COMMAND="+ssh, "GIT_PROXY_COMMAND="+ssh, "GIT_ASKPASS="+ssh, "SSH_ASKPASS="+ssh,
		"GIT_CONFIG_GLOBAL="+filepath.Join(l.dir, ".gitconfig"), "GIT_ALLOW_PROTOCOL=ssh:ext:git:file", "GIT_EXTERNAL_DIFF="+ssh, "GIT_PAGER="+ssh)
	return func() []string {
		found, err := filepath.Glob(filepath.Join(canaries, "*"))
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
}

// Targets that are refused: with one line and code 2, before any program is
// started, git included.
func TestD03RefusedTargets(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the program many times")
	}
	t.Parallel()
	l := newLab(t)
	ran := l.bait(t, "git", "ssh", "sh", "git-remote-ext", "git-remote-https")
	for target, code := range map[string]string{
		"ext::sh -c touch%20X": "url_transport", "fd::3": "url_transport", // D03
		"--upload-pack=touch X": "", "-u./x": "", // D04: to a command line they are flags
		"git://github.com/o/r": `transport "git" is refused`, "ftp://github.com/o/r": `transport "ftp" is refused`, "http://github.com/o/r": `transport "http" is refused`, // D05
		"ssh://root@github.com/o/r": "ssh is refused", "ssh://git@evil.example/o/r": "ssh to a host that is not on the list", "git@evil.example:o/r": "ssh to a host that is not on the list",
		"https://127.0.0.1/o/r": "url_ip", "https://[::1]/o/r": "url_transport", "https://0x7f000001/o/r": "url_ip", "https://2130706433/o/r": "url_ip", "https://127.1/o/r": "url_ip", // D07
		"https://localhost/o/r": "url_host", "https://github.com\x1b[2J/o/r": "url_chars",
	} {
		for _, args := range [][]string{{"audit", target, "--out", "out"}, {"facts", target}} {
			a := l.run(t, args...)
			a.clean(t)
			if a.code() != 2 || code != "" && !strings.Contains(a.said(), code) || strings.Count("\n"+a.said(), "\nautomaton: ") != 1 || a.stdout.Len() > 0 {
				t.Errorf("%s, want %s", a, code)
			}
		}
	}
	for _, code := range []string{"-u./x", "--upload-pack=touch X"} { // and behind -- no flags any more
		if a := l.run(t, "audit", "--out", "out", "--", code); a.code() != 2 || !strings.Contains(a.said(), "url_dash: ") {
			t.Error(a)
		}
	}
	if found := ran(); len(found) > 0 {
		t.Errorf("started: %v", found)
	}
}

// The two spellings for ssh become https, and nothing is ever started that could
// be an ssh, whatever the environment and the settings of the user say.
func TestD05NoSSHProcess(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for a name that nobody answers for")
	}
	t.Parallel()
	l := newLab(t)
	ran := l.bait(t, "ssh", "plink", "tortoiseplink", "git-remote-ssh")
	for _, target := range []string{"git@nobody.invalid:o/r", "ssh://git@nobody.invalid/o/r"} {
		a := l.run(t, "audit", target, "--pdf", "none", "--out", "out", "--progress", "none", "--timeout", "20s", "--allow-host", "nobody.invalid")
		a.clean(t)
		if a.code() != 3 || !strings.Contains(a.said(), "https://nobody.invalid/o/r: ") || !strings.Contains(a.said(), "the host cannot be reached") || strings.Contains(a.said(), "TOKEN") {
			t.Error(a)
		}
	}
	if found := ran(); len(found) > 0 {
		t.Errorf("started: %v", found)
	}
}

// A password in an argument comes out nowhere, wherever it was given: not on
// the terminal, and not in any file.
func TestD06PasswordNowhere(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the program many times")
	}
	t.Parallel()
	l := newLab(t)
	for _, secret := range []string{"pa55w0rdX", "s3cr", "my-test-example-Pa55"} { // one is short, one looks like a placeholder
		url := "https://ann:" + secret + "@github.com/o/r"
		for _, args := range [][]string{
			{"audit", url}, {"audit", url, "-d"}, {"audit", url, "--offline"}, {"audit", url + "/tree/x", "--commit", "y"}, {"audit", url + "@x", "--offline"}, {"audit", url + "?x"},
			{"audit", url, url}, {"audit", "https://" + secret + "@github.com/o/r", "--offline"}, {"audit", "https://" + secret + "@github.com/o/r"},
			{"audit", "ssh://git:" + secret + "@github.com/o/r", "--offline"}, {"audit", "ann:" + secret + "@github.com:o/r"}, {"audit", "ann:" + secret + "@github.com/o/r"},
			{"audit", "ftp://ann:" + secret + "@github.com/o/r"}, {"audit", "https://ann:" + secret + "%40@github.com/o/\x1br"}, {"audit", "ext::" + url},
			{"audit", "work", "--pdf", url}, {"audit", "work", "-r", url}, {"audit", "work", "-o", url}, {"audit", "work", "--commit", url}, {"audit", "work", "--config", url},
			{"audit", "work", "--env-file", url}, {"facts", url}, {"graph", url}, {"probe", "run", "repo.secrets", url}, {"report", url}, {"verify", url}, {"explain", url}, {"replay", url},
			{"rubric", "lint", url}, {url}, {"audit", url, "--progress", "json"}, {"audit", "work", "--fail-under", url}, {"audit", url, "--nonsense"},
		} {
			a := l.run(t, args...)
			a.clean(t)
			if a.code() == 0 || strings.Contains(a.said(), secret) || strings.Contains(a.stdout.String(), secret) {
				t.Errorf("%q: code %d, said %q, printed %q", args, a.code(), a.said(), a.stdout.String())
			}
		}
		// a run that leaves files: the address of a local clone's origin, and a name given beside it
		config := filepath.Join(l.dir, "work", ".git", "config")
		if err := os.WriteFile(config, []byte("[core]\n\tbare = false\n[remote \"origin\"]\n\turl = "+url+".git\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		a := l.run(t, "audit", "work", "--pdf", "none", "--out", "out-"+secret[:2], "-o", "extra.json", "-d", "--allow-host", "ann:"+secret+"@github.com")
		a.clean(t)
		if a.code() != 0 || len(secret) >= 8 && strings.Contains(a.said(), secret) { // what is too short to be hidden everywhere is refused elsewhere
			t.Error(a)
		}
		err := filepath.WalkDir(l.dir, func(path string, e fs.DirEntry, err error) error {
			if err != nil || !e.Type().IsRegular() || path == config || strings.HasPrefix(e.Name(), "stderr-") {
				return err
			}
			raw, err := os.ReadFile(path)
			if strings.Contains(string(raw), "ann:"+secret) || strings.Contains(string(raw), secret+"@") {
				t.Errorf("%s holds it", path)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
