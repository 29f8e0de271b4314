package main

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// random is n characters that no dictionary has, other ones for each seed.
func random(seed, n int, alphabet string) string {
	out, x := make([]byte, n), uint64(seed)*2654435761+88172645463325252
	for i := range out {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
		out[i] = alphabet[x%uint64(len(alphabet))]
	}
	return string(out)
}

const (
	upper  = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
	letter = "abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789"
)

// keys are texts of the shape of each kind of key. They are put together here
// so that nobody takes this file for a leak.
func keys40() map[string]string {
	r := func(seed, n int) string { return random(seed, n, letter) }
	return map[string]string{
		"aws": "AKI" + "A" + random(1, 16, upper), "github": "gh" + "p_" + r(2, 36), "github app": "gh" + "s_" + r(3, 40), "github fine": "github" + "_pat_" + r(4, 60),
		"gitlab": "glp" + "at-" + r(5, 24), "openai": "s" + "k-" + r(6, 48), "openai project": "s" + "k-proj-" + r(7, 60), "anthropic": "s" + "k-ant-api03-" + r(8, 60),
		"openrouter": "s" + "k-or-v1-" + r(9, 50), "google": "AI" + "za" + r(10, 35), "groq": "gs" + "k_" + r(11, 40), "hugging": "h" + "f_" + r(12, 34), "tavily": "tv" + "ly-" + r(13, 32),
		"langsmith": "ls" + "v2_pt_" + r(14, 40), "slack": "xo" + "xb-" + r(15, 40), "stripe": "s" + "k_live_" + r(16, 24), "sendgrid": "S" + "G." + r(17, 22) + "." + r(18, 43),
		"npm": "np" + "m_" + r(19, 36), "pypi": "py" + "pi-" + r(20, 60), "jwt": "ey" + "J" + r(21, 20) + ".ey" + "J" + r(22, 30) + "." + r(23, 43),
	}
}

// poisonRepo puts texts wherever a submission has room for one: files of many kinds,
// names of files, folders, nodes and branches, messages, authors, the address
// of the origin, the document. The texts must not have line breaks.
func poisonRepo(t *testing.T, d *desk, texts []string) {
	t.Helper()
	work := filepath.Join(d.dir, "work")
	write := func(name, content string) {
		t.Helper()
		p := filepath.Join(work, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(p), 0o700), os.WriteFile(p, []byte(content), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	git := func(args ...string) {
		t.Helper()
		c := exec.Command("git", append([]string{"-C", work}, args...)...)
		c.Env = append(slices.Clone(d.env), "GIT_AUTHOR_DATE="+at(6), "GIT_COMMITTER_DATE="+at(6), "GIT_AUTHOR_NAME=Ada "+texts[0], "GIT_AUTHOR_EMAIL="+texts[1]+"@example.org")
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("git %q: %s", args[:1], out)
		}
	}
	var all, shell strings.Builder
	for i, s := range texts {
		fmt.Fprintf(&all, "KEY_%d = %q\n# see %s\n", i, s, s)
		fmt.Fprintf(&shell, "    os.system(\"curl -H 'Authorization: Bearer %s' \" + url)  # %s\n    eval(%q)\n    subprocess.run(f\"git clone https://u:%s@example.com/{url}\", shell=True)\n", s, s, s, strings.NewReplacer("/", "", " ", "").Replace(s))
	}
	joined := strings.Join(texts, " ")
	write(".env", all.String())
	write("config.yml", "api_key: "+joined+"\n")
	write("src/settings.py", "\"\"\"Settings "+joined+"\"\"\"\n"+all.String())
	write("src/danger.py", "import os\nimport subprocess\n\n\ndef fetch(url):\n    \"\"\""+joined+"\"\"\"\n"+shell.String()+"    try:\n        pass\n    except Exception:\n        pass  # TODO "+joined+"\n\n\nfetch(input())\n")
	graph, err := os.ReadFile(filepath.Join(work, "src/graph.py"))
	if err != nil {
		t.Fatal(err)
	}
	var nodes strings.Builder
	for _, s := range texts {
		fmt.Fprintf(&nodes, "    b.add_node(%[1]q, nodes.doc_analyst)\n    b.add_edge(%[1]q, \"chief_justice\")\n", s)
	}
	write("src/graph.py", strings.Replace(string(graph), "    b.add_edge(\"chief_justice\", END)", nodes.String()+"    b.add_edge(\"chief_justice\", END)", 1))
	write("README.md", "# Mini "+texts[0]+"\n\nRun `python "+texts[1]+"` "+joined+"\n\n```mermaid\ngraph TD\n  A[\""+joined+"\"] --> B\n```\n")
	write("Makefile", "test:\n\tpytest "+joined+"\n")
	write(".github/workflows/ci.yml", "name: "+texts[0]+"\non: push\njobs:\n  t:\n    runs-on: x\n    steps:\n      - run: pytest "+joined+"\n")
	write("requirements.txt", "langgraph\n--index-url https://u:"+texts[2]+"@example.com/simple\n")
	write("tests/test_a.py", "def test_a():\n    assert 1 == 1, "+fmt.Sprintf("%q", joined)+"\n")
	for i, s := range texts {
		name := strings.ReplaceAll(s, "/", "_")
		name = name[:min(len(name), 200)]
		write(fmt.Sprintf("docs/%s/%d_%s.py", name, i, name[:min(len(name), 180)]), "import os\nos.system(input())\n")
		write(fmt.Sprintf("broken_%s.py", name), "def (:\n")
		write(fmt.Sprintf("%s.pdf", name), string(pdfText("", []string{s}...)))
	}
	lines := []string{"Architecture report", "See src/graph.py:4000 and " + texts[0] + "/missing.py and src/" + texts[3] + ".py"}
	for _, s := range texts {
		lines = append(lines, "The judges run in parallel with "+s+" in src/nodes.py.")
	}
	write("reports/final_report.pdf", string(pdfText(" /Info << /Title ("+texts[0]+") /Author ("+texts[1]+") >>", lines...)))
	git("add", "-A")
	git("commit", "-q", "-m", "Add keys "+texts[4]+"\n\n"+joined)
	for i, s := range texts {
		git("commit", "-q", "--allow-empty", "-m", s+" and more")
		c := exec.Command("git", "-C", work, "branch", fmt.Sprintf("b%d-%s", i, s)) // not every text is a name for one
		_ = c.Run()
	}
}

// harvest is everything that a folder holds and that commands say, by name.
func harvest(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(p string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		raw, err := os.ReadFile(p)
		out[p] = p + "\n" + string(raw)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// everyOutput audits work and asks for all that can be asked of it.
func everyOutput(t *testing.T, d *desk, progress string) map[string]string {
	t.Helper()
	out := map[string]string{}
	run := func(args ...string) {
		c := exec.Command("automaton", args...)
		var stdout, stderr bytes.Buffer
		c.Dir, c.Env, c.Stdout, c.Stderr = d.dir, d.env, &stdout, &stderr
		if err := c.Run(); err != nil && c.ProcessState == nil {
			t.Fatal(err)
		}
		if code := c.ProcessState.ExitCode(); code > 1 && code != 3 || code < 0 || code > 0 && args[0] == "verify" || strings.Contains(stderr.String(), "goroutine ") {
			t.Errorf("%q ends with %d: %s", args, code, stderr.String())
		}
		out[strings.Join(args, " ")] = stdout.String() + stderr.String()
	}
	run("audit", "work", "-d", "--out", "out", "-o", "x.html", "-o", "md=x.md", "--color", "always", "--progress", progress)
	run("facts", "work", "-o", "facts.json", "-d", "--progress", progress)
	run("facts", "work", "-f", "md")
	run("graph", "work", "-f", "json")
	run("probe", "run", "repo.secrets", "work")
	run("probe", "run", "git.secrets", "work", "--json")
	run("probe", "run", "proc.shell", "work", "--json")
	run("probe", "run", "doc.paths", "work")
	run("explain", "--out", "out", "--color", "always")
	run("explain", "--out", "out", "--json")
	run("explain", "--out", "out", "--run")
	for _, l := range []string{"E1", "E5", "P1"} {
		run("explain", "--out", "out", "--evidence", l)
	}
	run("verify", "--out", "out")
	run("replay", "--out", "out")
	run("report", "--out", "out", "-f", "text", "--color", "always")
	for _, f := range []string{"out", "facts.json", "x.html", "x.md"} {
		maps.Copy(out, harvest(t, filepath.Join(d.dir, f)))
	}
	return out
}

// Keys of every kind in every place of a submission come out nowhere: not in
// the record, the reports, the events, the messages, the names. Nor does a token
// of our own that stands there, encoded or not.
func TestD40SecretsOfSubmissions(t *testing.T) {
	if testing.Short() {
		t.Skip("hears a case twice and asks it about everything")
	}
	t.Parallel()
	d := newDesk(t)
	secrets := keys40()
	var texts []string
	for _, name := range slices.Sorted(func(yield func(string) bool) {
		for k := range secrets {
			if !yield(k) {
				return
			}
		}
	}) {
		texts = append(texts, secrets[name])
	}
	const ours = "Our.own/t0ken+of_ours"
	held := []string{ours, base64.StdEncoding.EncodeToString([]byte(ours)), url.QueryEscape(ours), base64.RawURLEncoding.EncodeToString([]byte("user:" + ours))}
	d.env = append(d.env, "GITLAB_TOKEN="+ours)
	poisonRepo(t, d, append(texts, held...))
	origin := "[remote \"origin\"]\n\turl = https://user:" + secrets["github"] + "@github.com/" + secrets["gitlab"] + "/" + secrets["hugging"] + ".git\n"
	config := filepath.Join(d.dir, "work", ".git", "config")
	f, err := os.OpenFile(config, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString(origin); errors.Join(err, f.Close()) != nil {
		t.Fatal(err)
	}
	held[3] = held[3][8:24] // what does not depend on "user:"
	found := 0
	for name, text := range everyOutput(t, d, "plain") {
		found += strings.Count(text, "[redacted:")
		for _, secret := range held {
			if i := strings.Index(text, secret); i >= 0 {
				t.Errorf("%s holds our own token: %q", name, text[max(0, i-120):min(len(text), i+40)])
			}
		}
		for kind, secret := range secrets {
			core := secret[len(secret)-14:]
			if i := strings.Index(text, core); i >= 0 {
				t.Errorf("%s holds the %s key: %q", name, kind, text[max(0, i-120):min(len(text), i+40)])
			}
		}
	}
	if found < 100 {
		t.Errorf("only %d keys were masked: the places are not seen", found)
	}
}

// acts tells whether a rune does something without being seen.
func acts(r rune) bool {
	return r != '\n' && (unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Co, unicode.Zl, unicode.Zp))
}

// Escapes, reordering and markup in every place of a submission come out as
// text: no byte of any output acts on who looks at it.
func TestD40ControlsOfSubmissions(t *testing.T) {
	if testing.Short() {
		t.Skip("hears a case twice and asks it about everything")
	}
	t.Parallel()
	d := newDesk(t)
	poisonRepo(t, d, []string{"x\x1b[2J\x1b]0;t\x07", "\u202egpj\u2066\u200b\ufeff", "\u009b31m\u0090q\u009c\x7f\b", "<script>alert(1)<script>", "](javascript:alert(1)) `c`", "a|b \\| \U000e0041\ufe0f\u2028", "é\xff\xfe\xc3("})
	for name, text := range everyOutput(t, d, "json") {
		plain := strings.NewReplacer("\x1b[0m", "", "\x1b[1m", "", "\x1b[2m", "", "\x1b[31m", "", "\x1b[32m", "", "\x1b[33m", "").Replace(text)
		if !utf8.ValidString(plain) {
			t.Errorf("%s is not UTF-8", name)
		}
		if i := strings.IndexFunc(plain, acts); i >= 0 {
			r, _ := utf8.DecodeRuneInString(plain[i:])
			t.Errorf("%s holds %U: %q", name, r, plain[max(0, i-100):min(len(plain), i+20)])
		}
	}
}
