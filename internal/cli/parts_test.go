package cli

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/sandbox"
	"github.com/automaton-auditor/automaton/internal/trace"
)

func TestAim(t *testing.T) {
	w := newWorld(t)
	w.file(t, "work/x", "")
	w.file(t, "a@b/x", "")
	w.file(t, "own/name/x", "")
	local := func(p string) string { return filepath.Join(w.Dir, p) }
	tests := map[string]struct {
		arg, commit string
		want        aim
		err         string
	}{
		"https":              {"https://github.com/o/n", "", aim{raw: "https://github.com/o/n"}, ""},
		"https at":           {"https://github.com/o/n@v1.0", "", aim{raw: "https://github.com/o/n", revision: "v1.0"}, ""},
		"https.git at":       {"https://github.com/o/n.git@main", "", aim{raw: "https://github.com/o/n.git", revision: "main"}, ""},
		"gitlab at":          {"https://gitlab.com/g/s/n@feature/x", "", aim{raw: "https://gitlab.com/g/s/n", revision: "feature/x"}, ""},
		"tree":               {"https://github.com/o/n/tree/main", "", aim{raw: "https://github.com/o/n", revision: "main"}, ""},
		"tree with slash":    {"https://github.com/o/n/tree/feature/x/", "", aim{raw: "https://github.com/o/n", revision: "feature/x"}, ""},
		"tree of a folder":   {"https://github.com/o/n/tree/" + strings.Repeat("1a", 20) + "/apps/one/", "", aim{raw: "https://github.com/o/n", revision: strings.Repeat("1a", 20), folder: "apps/one"}, ""},
		"commit":             {"https://github.com/o/n/commit/abc1234", "", aim{raw: "https://github.com/o/n", revision: "abc1234"}, ""},
		"flag":               {"https://github.com/o/n", "v2", aim{raw: "https://github.com/o/n", revision: "v2"}, ""},
		"flag and the same":  {"https://github.com/o/n@v2", "v2", aim{raw: "https://github.com/o/n", revision: "v2"}, ""},
		"flag and another":   {"https://github.com/o/n@v1", "v2", aim{}, `revisions "v2" and "v1"`},
		"a like beginning":   {"https://github.com/o/n@v21", "v2", aim{}, `revisions "v2" and "v21"`},
		"two in the address": {"https://github.com/o/n@v1/tree/v2", "", aim{}, `revisions "v2" and "v1"`},
		"ssh spelling":       {"git@github.com:o/n", "", aim{raw: "git@github.com:o/n"}, ""},
		"ssh spelling at":    {"git@github.com:o/n@main", "", aim{raw: "git@github.com:o/n", revision: "main"}, ""},
		"ssh":                {"ssh://git@github.com/o/n", "", aim{raw: "ssh://git@github.com/o/n"}, ""},
		"ssh at":             {"ssh://git@github.com/o/n@main", "", aim{raw: "ssh://git@github.com/o/n", revision: "main"}, ""},
		"password":           {"https://u:p@github.com/o/n", "", aim{raw: "https://u:p@github.com/o/n"}, ""},
		"only a host":        {"https://u@github.com", "", aim{raw: "https://u@github.com"}, ""},
		"no revision":        {"https://github.com/o/n@a b", "", aim{raw: "https://github.com/o/n@a b"}, ""},
		"short":              {"o/n", "", aim{raw: "https://github.com/o/n", expanded: true}, ""},
		"short at":           {"o/n@v1", "", aim{raw: "https://github.com/o/n", revision: "v1", expanded: true}, ""},
		"folder wins":        {"own/name", "", aim{raw: "own/name", local: local("own/name")}, ""},
		"folder":             {"work", "", aim{raw: "work", local: local("work")}, ""},
		"folder at":          {"work@main", "", aim{raw: "work", revision: "main", local: local("work")}, ""},
		"folder with @":      {"a@b", "", aim{raw: "a@b", local: local("a@b")}, ""},
		"folder with @ at":   {"a@b@main", "", aim{raw: "a@b", revision: "main", local: local("a@b")}, ""},
		"absolute":           {local("work"), "v1", aim{raw: local("work"), revision: "v1", local: local("work")}, ""},
		"nothing":            {"", "", aim{}, "no repository given"},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := w.app().aimAt(tc.arg, tc.commit, "")
			if tc.err != "" {
				if err == nil || !strings.Contains(err.Error(), tc.err) {
					t.Fatalf("error %v, want %q", err, tc.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			tc.want.given = tc.arg
			if d := cmp.Diff(tc.want, got, cmp.AllowUnexported(aim{})); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestOutputs(t *testing.T) {
	type want struct {
		Stdout string
		Files  []string
	}
	tests := map[string]struct {
		args string
		want want
		err  string
	}{
		"none":           {"", want{"text", nil}, ""},
		"by ending":      {"-o a.html -o b/c.MD", want{"text", []string{"html a.html", "md b/c.MD"}}, ""},
		"by name":        {"-o json=report", want{"text", []string{"json report"}}, ""},
		"both":           {"-o json=x.html", want{"text", []string{"json x.html"}}, ""},
		"= in a folder":  {"-o a=b/c.html", want{"text", []string{"html a=b/c.html"}}, ""},
		"stdout":         {"-o json=-", want{"json", nil}, ""},
		"stdout and -f":  {"-o json=- -f md", want{}, "standard output has a format already"},
		"stdout twice":   {"-o json=- -o md=-", want{}, "standard output has a format already"},
		"no ending":      {"-o report", want{}, "neither FORMAT= nor the ending tells its format"},
		"unknown format": {"-o htm=report", want{}, "neither FORMAT= nor the ending tells its format"},
		"no file":        {"-o json=", want{}, `-o "json=" does not name a file`},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			var format string
			var files []string
			c := &cobra.Command{}
			formatFlag(c, &format, formatNames()...)
			c.Flags().StringArrayVarP(&files, "output", "o", nil, "")
			if err := c.ParseFlags(strings.Fields(tc.args)); err != nil {
				t.Fatal(err)
			}
			f, outs, err := w.app().outputs(c, format, files)
			if tc.err != "" {
				if err == nil || !strings.Contains(err.Error(), tc.err) {
					t.Errorf("error %v, want %q", err, tc.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			got := want{Stdout: f.Name}
			for _, o := range outs {
				rel, err := filepath.Rel(w.Dir, o.path)
				if err != nil {
					t.Fatal(err)
				}
				got.Files = append(got.Files, o.format.Name+" "+filepath.ToSlash(rel))
			}
			if d := cmp.Diff(tc.want, got); d != "" {
				t.Error(d)
			}
		})
	}
}

// What an audit's end means: of several codes the weightiest, and without a
// verdict always 3.
func TestOutcome(t *testing.T) {
	gate := func(outcome string) *court.Gate { return &court.Gate{Outcome: outcome} }
	v := &court.Verdict{}
	cut := errors.New("hearing a/b: the time limit of this audit is reached")
	tests := map[string]struct {
		rec  court.Record
		end  ending
		code int
		said string
	}{
		"complete":               {court.Record{Status: court.Complete, Verdict: v}, ending{}, exitDone, ""},
		"gate passed":            {court.Record{Status: court.Complete, Verdict: v, Gate: gate("pass")}, ending{}, exitDone, ""},
		"gate failed":            {court.Record{Status: court.Complete, Verdict: v, Gate: gate("fail")}, ending{}, exitFailed, ""},
		"gate undecided":         {court.Record{Status: court.Complete, Verdict: v, Gate: gate("insufficient")}, ending{}, exitUnexamined, ""},
		"undecided, allowed":     {court.Record{Status: court.Complete, Verdict: v, Gate: gate("insufficient")}, ending{partial: true}, exitFailed, ""},
		"partial":                {court.Record{Status: court.Partway, Verdict: v}, ending{}, exitUnexamined, "automaton: judging the case: only a part of it could be examined\nhint: automaton report shows the faults; --allow-partial accepts them\n"},
		"partial, allowed":       {court.Record{Status: court.Partway, Verdict: v}, ending{partial: true}, exitDone, "automaton: warning: judging the case: only a part of it could be examined\n"},
		"partial and failed":     {court.Record{Status: court.Partway, Verdict: v, Gate: gate("fail")}, ending{}, exitUnexamined, "only a part of it"},
		"the same, allowed":      {court.Record{Status: court.Partway, Verdict: v, Gate: gate("fail")}, ending{partial: true}, exitFailed, "warning"},
		"cut":                    {court.Record{Status: court.Partway, Verdict: v}, ending{cut: cut}, exitUnexamined, "the time limit of this audit is reached\nhint: run the same command again"},
		"cut, allowed":           {court.Record{Status: court.Partway, Verdict: v}, ending{cut: cut, partial: true}, exitDone, "warning: hearing a/b: the time limit of this audit is reached\n"},
		"cut before the verdict": {court.Record{Status: court.Partway}, ending{cut: cut, partial: true}, exitUnexamined, "automaton: hearing a/b: the time limit of this audit is reached\n"},
		"mistrial":               {court.Record{Status: court.Mistrial}, ending{}, exitUnexamined, "nothing of it could be examined"},
		"mistrial, allowed":      {court.Record{Status: court.Mistrial}, ending{partial: true}, exitUnexamined, "nothing of it could be examined"},
		"mistrial with a gate":   {court.Record{Status: court.Mistrial, Gate: gate("fail")}, ending{partial: true}, exitUnexamined, "nothing of it could be examined"},
		"no repository":          {court.Record{Status: court.Mistrial}, ending{cause: io.ErrUnexpectedEOF}, exitUnexamined, "unexpected EOF\nhint: set GITHUB_TOKEN"},
		"PDF alone":              {court.Record{Status: court.Partway, Verdict: v}, ending{at: aim{local: "/x"}, cause: sandbox.Refuse("git_objects", "unreadable")}, exitUnexamined, "unreadable"},
		"stopped":                {court.Record{Status: court.Partway}, ending{cut: cut, stopped: true}, exitInterrupted, ""},
		"stopped at the end":     {court.Record{Status: court.Complete, Verdict: v, Gate: gate("fail")}, ending{stopped: true}, exitFailed, ""},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			a := w.app()
			if code := a.exit(context.Background(), a.outcome(&tc.rec, tc.end)); code != tc.code {
				t.Errorf("exit %d, want %d", code, tc.code)
			}
			if said := w.err.String(); !strings.Contains(said, tc.said) || tc.said == "" && said != "" {
				t.Errorf("said %q, want %q", said, tc.said)
			}
		})
	}
}

// A hint that names another command names the folder that was given, too.
func TestHintsRepeatOut(t *testing.T) {
	a := newWorld(t).app()
	if err := a.config.Set("out", "--out", "mine"); err != nil {
		t.Fatal(err)
	}
	f, ok := errors.AsType[*failure](a.outcome(&court.Record{Status: court.Partway, Verdict: &court.Verdict{}}, ending{}))
	if !ok || !strings.HasPrefix(f.hints[0], "automaton report --out mine shows") {
		t.Errorf("%+v", f)
	}
}

func TestProbeArgs(t *testing.T) {
	p := probe.Probe{ID: "p", Args: []probe.Arg{{Name: "n", Type: "int", Default: 3}, {Name: "on", Type: "bool"}, {Name: "many", Type: "strings"},
		{Name: "role", Type: "string", Allowed: []string{"judges", "detectives"}}, {Name: "free", Type: "string"}}}
	tests := map[string]struct {
		set  []string
		want map[string]any
		err  string
	}{
		"defaults":       {nil, map[string]any{"n": 3}, ""},
		"types":          {[]string{"n=500", "on=true", "many=a", "many=b,c", "role=judges", "free=x=y"}, map[string]any{"n": 500, "on": true, "many": []string{"a", "b,c"}, "role": "judges", "free": "x=y"}, ""},
		"no number":      {[]string{"n=many"}, nil, `--arg n: "many" is not a whole number`},
		"no switch":      {[]string{"on=perhaps"}, nil, `--arg on: "perhaps" is neither true nor false`},
		"not allowed":    {[]string{"role=bogus"}, nil, `--arg role: unknown value "bogus" (have judges, detectives)`},
		"twice":          {[]string{"n=1", "n=2"}, nil, "--arg n is given twice"},
		"not an arg":     {[]string{"x=1"}, nil, `--arg "x=1" is not an argument of p`},
		"without value":  {[]string{"n"}, nil, `--arg "n" is not an argument of p`},
		"allowed nearly": {[]string{"role=judge"}, nil, `unknown value "judge"`},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := probeArgs(p, tc.set)
			if tc.err != "" {
				if err == nil || !strings.Contains(err.Error(), tc.err) {
					t.Errorf("error %v, want %q", err, tc.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(tc.want, got); d != "" {
				t.Error(d)
			}
		})
	}
	if n := (probe.Args{Values: map[string]any{"n": 500}}).Int("n", 3); n != 500 {
		t.Errorf("a probe reads %d", n)
	}
}

// Foreign text can neither end a cell nor be markup or a link in it.
func TestCell(t *testing.T) {
	for in, want := range map[string]string{
		`a|b`:                 `a&#124;b`,
		`a\|b`:                `a&#92;&#124;b`,
		`a\`:                  `a&#92;`,
		"`x`":                 "\\`x\\`",
		`**x** _y_ ~~z~~`:     `\*\*x\*\* \_y\_ \~\~z\~\~`,
		`<b>&amp;`:            `&lt;b&gt;&amp;amp;`,
		`[a](https://b.org)`:  `\[a\](https:<!-- -->//b.org)`,
		`www.b.org Www.b.org`: `www<!-- -->.b.org Www<!-- -->.b.org`,
		`a@b.org #12`:         `a&#64;<!-- -->b.org &#35;<!-- -->12`,
		"two\nlines":          `two&#92;nlines`,
		`src/git_tools.py:12`: `src/git\_tools.py:12`,
	} {
		if got := cell(in); got != want {
			t.Errorf("%q gives %q, want %q", in, got, want)
		}
	}
}

// The doctor says of a folder that it cannot be made before an audit finds out.
func TestTryFolder(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := tryFolder(filepath.Join(dir, "a", "b")); err != nil {
		t.Errorf("a folder that can be made: %v", err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
		t.Errorf("%v is left, %v", left, err)
	}
	for _, bad := range []string{filepath.Join(dir, "file"), filepath.Join(dir, "file", "x"), "/proc/x"} {
		if err := tryFolder(bad); err == nil {
			t.Errorf("%s is said to be usable", bad)
		}
	}
}

// Lines of plain progress, and the one after half a minute of silence.
func TestPlainProgress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		a := w.app()
		s := a.progress(t.Context(), time.Now)
		s.fetching("https://github.com/o/n")
		time.Sleep(2100 * time.Millisecond)
		s.fetched(court.Case{RepoURL: "https://github.com/o/n", Commit: "0123456789"})
		s.looked = func(string) []string { return []string{"48 files", "96 checks"} }
		at := func() string { return time.Now().UTC().Format("2006-01-02T15:04:05.000Z") }
		emit := func(e trace.Event) {
			e.At = at()
			if err := s.event(e); err != nil {
				t.Error(err)
			}
		}
		emit(trace.Event{Kind: trace.NodeStart, Node: "RepoInvestigator"})
		for _, k := range []trace.Kind{trace.CaseStart, trace.Replayed, trace.Probed, trace.Evidence, trace.Opinion, trace.Holding, trace.ModelCall, trace.CaseEnd, "of tomorrow"} {
			emit(trace.Event{Kind: k, Node: "RepoInvestigator", Item: "x", Text: "not for a line of its own", Found: 2, Score: 3})
		}
		time.Sleep(61 * time.Second)
		emit(trace.Event{Kind: trace.Evidence, Node: "RepoInvestigator", Grave: true, Text: "a.py:1  a shell"})
		emit(trace.Event{Kind: trace.NodeEnd, Node: "RepoInvestigator", Ms: 61000})
		emit(trace.Event{Kind: trace.NodeStart, Node: "Prosecutor"})
		time.Sleep(29 * time.Second)
		emit(trace.Event{Kind: trace.NodeEnd, Node: "Prosecutor", Ms: 29000, Text: "10 opinions"})
		s.stop()
		time.Sleep(2 * time.Minute)
		want := `00:00:02Z fetch               github.com/o/n 0123456                                       2.1s
still working: RepoInvestigator, 30 s
still working: RepoInvestigator, 60 s
00:01:03Z RepoInvestigator    a.py:1  a shell
00:01:03Z RepoInvestigator    48 files, 96 checks, 1 serious violation                    61.0s
00:01:32Z Prosecutor          10 opinions                                                 29.0s
`
		if d := cmp.Diff(want, w.err.String()); d != "" {
			t.Error(d)
		}
	})
}

// The user is told at once that stopping was understood.
func TestStopIsAnnounced(t *testing.T) {
	w := newWorld(t)
	ctx, cancel := context.WithCancel(context.Background())
	done := w.app().announceStop(ctx)
	cancel()
	done()
	if w.err.String() != "automaton: stopping; what is known is kept\n" {
		t.Errorf("said %q", w.err.String())
	}
	w = newWorld(t)
	w.app().announceStop(context.Background())()
	if w.err.Len() > 0 {
		t.Errorf("said %q", w.err.String())
	}
}

func TestOpeningThatFailed(t *testing.T) {
	ctx, cancel := context.WithTimeoutCause(context.Background(), -1, errTimeout)
	defer cancel()
	for name, tc := range map[string]struct {
		ctx  context.Context
		code int
		hint string
	}{"time": {ctx, exitUnexamined, "--timeout TIME allows more time"}, "other": {context.Background(), exitUnexamined, ""}} {
		f, ok := errors.AsType[*failure](unopened(tc.ctx, io.EOF))
		if !ok || f.code != tc.code || strings.Join(f.hints, "") != tc.hint {
			t.Errorf("%s: %+v", name, f)
		}
	}
}
