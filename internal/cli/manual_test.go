package cli

import (
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/automaton-auditor/automaton/internal/config"
)

var update = flag.Bool("update", false, "rewrite the manual pages")

// manualDate is when the pages were last worth a look: they have no clock, so
// that two builds give the same bytes.
const manualDate = "2026-11-25"

// manual is the page of a command in the macros of man(7).
func manual(c *cobra.Command) string {
	m := &macros{}
	name := strings.ReplaceAll(c.CommandPath(), " ", "-")
	m.line(`.TH %s 1 "%s" "Automaton Auditor" "User Commands"`, roff(strings.ToUpper(name)), manualDate)
	m.line(".nh\n.SH NAME\n%s \\- %s", roff(name), roff(lowerInitial(c.Short)))
	m.line(".SH SYNOPSIS\n.B %s", roff(c.CommandPath()))
	if rest := strings.TrimPrefix(usageLine(c), c.CommandPath()); rest != "" {
		m.line("%s", roff(strings.TrimSpace(rest)))
	}
	m.line(".SH DESCRIPTION\n%s.", roff(c.Short))
	if c.Long != "" {
		m.line(".PP\n.nf\n%s.fi", roff(paragraphs(c.Long, 78)))
	}
	for _, g := range childrenOf(c) {
		if len(g.commands) == 0 {
			continue
		}
		m.line(".SS %s", roff(g.title))
		for _, s := range g.commands {
			m.item(roff(s.Name()), s.Short)
		}
	}
	if c.HasParent() {
		m.line(".SH OPTIONS\nThose of every command are listed in\n.BR automaton (1).")
	}
	for _, g := range groupsOf(c) {
		if len(g.names) == 0 {
			continue
		}
		if g.title != "Flags" {
			m.line(".SS %s", roff(g.title))
		}
		m.flags(flagSet(c, g.names))
	}
	m.common(c)
	return m.b.String()
}

// macros collects the lines of a page.
type macros struct{ b strings.Builder }

func (m *macros) line(format string, a ...any) { fmt.Fprintf(&m.b, format+"\n", a...) }

func (m *macros) item(head, text string) { m.line(".TP\n.B %s\n%s", head, roff(text)) }

func (m *macros) flags(set *pflag.FlagSet) {
	set.VisitAll(func(f *pflag.Flag) {
		word, text := pflag.UnquoteUsage(f)
		head := "\\-\\-" + roff(f.Name)
		if f.Shorthand != "" {
			head = "\\-" + f.Shorthand + ", " + head
		}
		if word != "" {
			head += " " + roff(word)
		}
		m.item(head, text)
	})
}

// common is what stands at the end of every page; what all commands share, in
// full on the first one.
func (m *macros) common(c *cobra.Command) {
	if c.Example != "" {
		m.line(".SH EXAMPLES\n.nf\n%s\n.fi", roff(strings.ReplaceAll(c.Example, "\n  ", "\n")[2:]))
	}
	if !c.HasParent() {
		m.line(".SH \"GLOBAL OPTIONS\"")
		m.flags(flagSet(c, globalNames(c)))
	}
	m.line(".SH \"EXIT STATUS\"")
	for _, e := range exitCodes {
		m.item(fmt.Sprint(e.code), e.text)
	}
	if !c.HasParent() {
		m.line(".SH ENVIRONMENT\nA flag wins over a variable, a variable over a file.")
		for _, k := range config.Keys {
			m.item(roff(k.Env()), k.Doc)
		}
		m.item("GITHUB_TOKEN, GH_TOKEN, GITLAB_TOKEN", "access token for private repositories")
		m.item("NO_COLOR, FORCE_COLOR", "no colours; colours even where standard output is not a terminal")
		m.item("BROWSER", "program that --open opens the report with")
		m.item("SOURCE_DATE_EPOCH", "time to use instead of the clock, so that two runs of one case give the same bytes")
		m.line(".SH FILES")
		m.item("automaton.yaml", "settings, in the working directory; --config names another file")
		m.item("automaton\\-out/", "case folders; automaton-out/latest names the one that was written last")
	}
	m.line(".SH \"SEE ALSO\"")
	var also []string
	for _, o := range tree(c.Root()) {
		if o != c && o.Name() != "help" && (o.Parent() == c || o == c.Parent() || !o.HasParent()) {
			also = append(also, ".BR "+roff(strings.ReplaceAll(o.CommandPath(), " ", "-"))+" (1)")
		}
	}
	m.line("%s", strings.Join(also, ",\n"))
}

// roff is text that means nothing to the formatter.
func roff(s string) string {
	s = strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "`", `\(ga`, "^", `\(ha`, "~", `\(ti`, "\"", `\(dq`).Replace(s)
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		if l = strings.TrimRight(strings.ReplaceAll(l, "\t", "    "), " "); strings.HasPrefix(l, ".") {
			l = `\&` + l
		}
		lines[i] = l
	}
	return strings.Join(lines, "\n")
}

func lowerInitial(s string) string { return strings.ToLower(s[:1]) + s[1:] }

// tree are the commands that people call, the root first.
func tree(c *cobra.Command) []*cobra.Command {
	out := []*cobra.Command{c}
	for _, g := range childrenOf(c) {
		for _, s := range g.commands {
			out = append(out, tree(s)...)
		}
	}
	return out
}

// The manual pages say what the commands say: every command has one, with each
// of its flags and all exit codes. Rewritten by make man.
func TestManualPages(t *testing.T) {
	dir := filepath.Join("..", "..", "docs", "man")
	want := map[string]string{}
	for _, c := range tree(newApp(newWorld(t).Env).root(io.Discard)) {
		if c.Name() != "help" {
			want[strings.ReplaceAll(c.CommandPath(), " ", "-")+".1"] = manual(c)
		}
	}
	for _, name := range commandNames() {
		if want["automaton-"+name+".1"] == "" && name != "help" {
			t.Errorf("%s has no page", name)
		}
	}
	if *update {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		for name, text := range want {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	got := map[string]string{}
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		raw, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		got[filepath.Base(f)] = string(raw)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("make man rewrites the pages (-want +got): %s", d)
	}
}

// A page that is not sound tells nobody anything: the formatters that are there
// have nothing to say about any.
func TestManualPagesAreSound(t *testing.T) {
	pages, err := filepath.Glob(filepath.Join("..", "..", "docs", "man", "*.1"))
	if err != nil || len(pages) < 15 {
		t.Fatalf("%d pages, %v", len(pages), err)
	}
	for name, args := range map[string][]string{"mandoc": {"-T", "lint", "-W", "warning"}, "groff": {"-man", "-ww", "-z", "-K", "utf8"}} {
		if _, err := exec.LookPath(name); err != nil {
			t.Logf("%s is not here", name)
			continue
		}
		if out, err := exec.Command(name, append(slices.Clone(args), pages...)...).CombinedOutput(); err != nil || len(out) > 0 {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
	}
}

// What a page must hold is read off the commands themselves, as parsed text and
// not as it was written.
func TestManualIsComplete(t *testing.T) {
	plain := strings.NewReplacer(`\-`, "-", `\(dq`, `"`, `\(aq`, "'", `\e`, `\`)
	missing := map[string][]string{}
	for _, c := range tree(newApp(newWorld(t).Env).root(io.Discard)) {
		if c.Name() == "help" {
			continue
		}
		name := strings.ReplaceAll(c.CommandPath(), " ", "-") + ".1"
		raw, err := os.ReadFile(filepath.Join("..", "..", "docs", "man", name))
		if err != nil {
			t.Fatal(err)
		}
		page := plain.Replace(string(raw))
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden && f.Name != "help" && !strings.Contains(page, "--"+f.Name) {
				missing[name] = append(missing[name], f.Name)
			}
		})
		for _, e := range exitCodes {
			if !strings.Contains(page, fmt.Sprintf("\n.B %d\n%s", e.code, e.text)) {
				missing[name] = append(missing[name], fmt.Sprint("exit ", e.code))
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(missing)) {
		t.Errorf("%s lacks %v", name, missing[name])
	}
}
