package main

import (
	"errors"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// strangers are addresses that nobody answers here; the test's repository
// stands in for them.
var strangers = regexp.MustCompile(`https://github\.com/OWNER/\S+`)

var wantedExit = regexp.MustCompile(`\s#.*\bexit (\d)\b`)

// guide runs every command that a page of docs/guide, or README.md, shows in a
// block of "sh", in order, in the script's folder. A command exits with 0 or as
// a comment behind it says. A block of "json" is the rubric.json that they speak
// of, one of "yaml" that begins with a budget the automaton.yaml, with the scripts'
// model server for the one that it names.
//
// usage: guide PAGE REPO
func guide(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: guide PAGE REPO")
	}
	root := ts.Getenv("SOURCE")
	raw, err := os.ReadFile(root + "/" + args[0]) // #nosec G304 -- a page of ours
	ts.Check(err)
	if _, rest, ok := strings.Cut(string(raw), "```json\n"); ok {
		text, _, _ := strings.Cut(rest, "```")
		ts.Check(os.WriteFile(ts.MkAbs("rubric.json"), []byte(text), 0o600))
	}
	if _, rest, ok := strings.Cut(string(raw), "```yaml\nbudget:"); ok {
		text, _, _ := strings.Cut("budget:"+rest, "```")
		ts.Check(os.WriteFile(ts.MkAbs("automaton.yaml"), []byte(strings.ReplaceAll(text, "https://llm.example.edu/v1", ts.Getenv("MODELS"))), 0o600))
	}
	ran := 0
	for _, line := range commands(string(raw)) {
		want := 0
		if m := wantedExit.FindStringSubmatch(line); m != nil {
			want, _ = strconv.Atoi(m[1])
		}
		line = strangers.ReplaceAllString(line, args[1])
		ts.Logf("%s: %s", args[0], line)
		err := ts.Exec("sh", "-c", line)
		code := 0
		if e, ok := errors.AsType[*exec.ExitError](err); ok {
			code = e.ExitCode()
		} else if err != nil {
			code = -1
		}
		if code != want {
			ts.Fatalf("%s: %q exits with %d, want %d", args[0], line, code, want)
		}
		ran++
	}
	if ran == 0 {
		ts.Fatalf("%s shows no command in a block of sh", args[0])
	}
}

// commands are the lines of all blocks of "sh", each with those that continue
// it: behind a backslash, or until the loop that it opens is done.
func commands(page string) []string {
	var list []string
	inside, open := false, false
	for line := range strings.SplitSeq(page, "\n") {
		switch {
		case strings.HasPrefix(line, "```"):
			inside = line == "```sh"
		case !inside || line == "" || strings.HasPrefix(line, "#"):
		case open:
			list[len(list)-1] += "\n" + line
			open = strings.HasSuffix(line, `\`) || strings.Contains(list[len(list)-1], "do\n") && line != "done"
		default:
			list = append(list, line)
			open = strings.HasSuffix(line, `\`) || strings.HasSuffix(line, "do")
		}
	}
	return list
}
