package probe

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
	"github.com/automaton-auditor/automaton/internal/il/intree"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/passage"
	"github.com/automaton-auditor/automaton/internal/safetext"
)

// idleness says how sure it is that no run of a program comes to some code.
type idleness uint8

// The grades of idleness.
const (
	mayRun    idleness = iota
	uncalled           // nothing calls it, in a program whose way in is not known
	notRun             // nothing that the program runs from its entry points leads there; somebody may by hand
	neverRuns          // no run of any program can reach it
)

// idler says of a place why no run of the program comes there, "" when one may.
type idler func(court.Place) (why string, how idleness)

// wired is a finding after a look at whether what was found is ever run: what a
// submission only carries along is found, not wired, and nobody can tell what it
// is worth: somebody may run it by hand. Where the program has an entry point of its own,
// it is withheld. What no run can reach is not there. It touches no violation, and nothing
// that may run for all we know.
func (s *Scene) wired(ctx context.Context, q *question, by asker, f Finding) Finding {
	if !q.known || !q.probe.Wired || len(f.Places) == 0 || f.Security != nil || q.probe.Generic && by.check.Polarity == court.Avoid {
		return f
	}
	open := f.Outcome == court.Unknown && f.Reason == court.Dynamic
	if f.Outcome != court.Present && f.Outcome != court.Partial && !open {
		return f
	}
	idle, err := s.idle(ctx)
	if err != nil {
		return f
	}
	why, how := "", neverRuns
	for _, p := range f.Places {
		var here idleness
		if why, here = idle(p); here == mayRun {
			return f
		}
		how = min(how, here)
	}
	text := fmt.Sprintf("%s But %s", safetext.Sentence(f.Rationale), safetext.Small(safetext.Sentence(why)))
	out := Cannot(court.Dynamic, f.Places, "%s", text)
	switch never := how == neverRuns; {
	case never && open: // nothing of it might turn out to be more
		out = Missing(court.One, court.AST, "%s", text)
	case never:
		out = Missing(f.Coverage, f.Source, "%s", text)
	case open:
		return f
	case how == notRun:
		out.Reason = court.NotRun
	}
	out.Places = f.Places
	out.Data, out.Remedy, out.Effort = f.Data, f.Remedy, f.Effort
	return out
}

// idle makes the proof, once per scene. It errs on the side of "may run": one import,
// getattr or child process that cannot be followed ends the proof, and so does a file that
// nobody could read. Then only what can never run by itself is idle. Without a way into
// the program every file may be imported by somebody, and only functions that no file,
// test or text so much as names are idle.
func (s *Scene) idle(ctx context.Context) (idler, error) {
	p, err := s.Joined(ctx)
	if err != nil {
		return nil, err
	}
	all, err := s.Analyses(ctx)
	if err != nil {
		return nil, err
	}
	unread, _, err := s.unread(ctx, code.ScopeProduction)
	if err != nil {
		return nil, err
	}
	files, err := s.Files(ctx)
	if err != nil {
		return nil, err
	}
	return Shared(s, "probe.idle", func() (idler, error) {
		var said []string
		for _, f := range files {
			said = append(said, s.saysToRun(p.Program, f)...)
		}
		all.Lock()
		defer all.Unlock()
		idle := follow(p, all, len(unread) == 0, said)
		return func(at court.Place) (string, idleness) {
			all.Lock()
			defer all.Unlock()
			switch {
			case at.Path == "":
				return "", mayRun
			case p.Module(at.Path) == nil:
				return carried(p.Program, idle, at.Path)
			}
			return idle(at.Path, at.Line)
		}, nil
	})
}

// follow follows all that may be run: the entry points, what texts name, and files that
// others than the program's own code run. Whole says that every file that may run was read.
func follow(p *intree.Program, all *analyse.Analyses, whole bool, said []string) func(path string, line int) (why string, how idleness) {
	entries, texts, entered := entries(p, all)
	r := all.Reach(entries...)
	open := !whole || r.Hear(append(texts, said...)...)
	return func(path string, line int) (string, idleness) {
		m := p.Module(path)
		if m == nil || m.Scope != code.ScopeProduction || all.Names.Top(path) == nil {
			return "", mayRun
		}
		f := all.Names.Top(path)
		if line > 0 {
			f, _ = all.At(path, line)
		}
		switch {
		case line > 0 && (m.Shadowed || all.Never(path, line)):
			return "that code can never run", neverRuns
		case open:
			return "", mayRun
		}
		for g := f; g != nil; g = g.Outer {
			switch {
			case g.Kind == il.Lambda || r.Of(g).Is != analyse.No:
			case entered == "":
				return "there is no way into the program, and nothing in it, no test and no text calls this", uncalled
			default:
				return "nothing that runs leads there (the program is entered at " + entered + ")", notRun
			}
		}
		return "", mayRun
	}
}

// entries are where runs of a program may begin, what its own declarations of that say,
// and the file of the first of them, "" for none.
func entries(p *intree.Program, all *analyse.Analyses) (out []*il.Function, said []string, entered string) {
	within := func(top *il.Function) []*il.Function { return slices.Collect(top.Module.All()) }
	for _, e := range p.Entries() {
		said = append(said, e.Target)
		if e.Def == nil {
			continue
		}
		if entered == "" {
			entered = e.Path
		}
		switch top, f := all.Names.Top(e.Def.Module.Path), p.Body(e.Def); {
		case top == nil:
		case e.Def.Kind != code.DefModule && f != nil:
			out = append(out, top, f)
		case e.Def.Kind != code.DefModule || !acts(top): // whoever takes the file runs what it defines, as a host does
			out = append(out, within(top)...)
		default:
			out = append(out, top)
		}
	}
	for _, m := range p.Modules {
		switch top := all.Names.Top(m.Path); {
		case top == nil || m.Scope == code.ScopeProduction && entered != "" && !served(top.Module) || m.Scope == code.ScopeTest && entered != "" && !ownMain(top):
		case m.Scope == code.ScopeProduction:
			out = append(out, top)
		default: // examples, scripts of the documents, setup files
			out = append(out, within(top)...)
		}
	}
	return out, said, entered
}

// acts tells a file whose top level does more than to define and to set.
func acts(top *il.Function) bool {
	for _, in := range top.Instructions() {
		if in.Op == il.Call && in.Mode != il.Decorate {
			return true
		}
	}
	return false
}

// serving are frameworks that run what a file defines: a command line, a server, a user
// interface, a queue of tasks.
var serving = []string{"typer", "click", "fire", "gradio", "chainlit", "streamlit", "fastapi", "flask", "starlette", "quart",
	"django", "mcp", "fastmcp", "prefect", "celery", "dagster", "airflow", "modal", "textual", "socketserver", "uvicorn", "tornado",
	"sanic", "bottle", "falcon", "litestar", "aiohttp", "discord", "slack_bolt", "telegram", "mangum", "bentoml", "ray", "reflex",
	"nicegui", "panel", "dash", "luigi", "scrapy", "dramatiq", "rq", "huey", "kopf", "grpc", "marimo"}

// served tells a file that uses such a framework.
func served(m *il.Module) bool {
	for f := range m.All() {
		for _, in := range f.Instructions() {
			if top, _, _ := strings.Cut(in.Kind, "."); in.Op == il.Import && slices.Contains(serving, top) {
				return true
			}
		}
	}
	return false
}

// ownMain tells a test file that is also a program: it has a main block that does more
// than start the tests.
func ownMain(top *il.Function) bool {
	for _, b := range top.Blocks {
		if end := b.End(); end.Op != il.Branch || !slices.ContainsFunc(end.Args, func(o il.Operand) bool { return top.Word(top.Root(o)) == "__name__" }) {
			continue
		}
		for inner, in := range top.Instructions() {
			if in.Op == il.Call && b.Succs[0].Dominates(inner) && !slices.Contains([]string{"unittest.main", "pytest.main", "sys.exit", "main", "exit"}, in.Kind) {
				return true
			}
		}
	}
	return false
}

// carried says of a file that is not code why nothing uses it: code names it,
// and none of that code runs.
func carried(p *code.Program, idle func(string, int) (string, idleness), file string) (why string, how idleness) {
	base := path.Base(file)
	stem := strings.TrimSuffix(base, path.Ext(base))
	for _, m := range p.Modules {
		if m.Scope != code.ScopeProduction {
			continue
		}
		for _, t := range m.Strings() {
			if !strings.Contains(t.Text, stem) {
				continue
			}
			if why, how = idle(m.Path, t.Line); how == mayRun {
				return "", mayRun
			}
		}
	}
	return why, how
}

var imported = regexp.MustCompile(`(?m)(?:^|[>"'; ])[ \t]*(?:from[ \t]+[\w.]+[ \t]+import|import[ \t]+\w)`)

// saysToRun is what of a file that is no Python says what is to be run: the
// commands and examples of a document, the whole of a build file, script or
// notebook. Data and received reports say nothing.
func (s *Scene) saysToRun(p *code.Program, f code.File) []string {
	if len(f.Bytes) == 0 || f.Language() == "python" {
		return nil
	}
	base, ext := strings.ToLower(path.Base(f.Path)), strings.ToLower(path.Ext(f.Path))
	switch p.Layout.Scope(f.Path) {
	case code.ScopeVendor, code.ScopeGenerated, code.ScopeAudit:
		return nil
	case code.ScopeDocs:
		if ext == ".pdf" || ext == ".docx" {
			return nil
		}
		return commands(f)
	default:
	}
	data := []string{".json", ".jsonl", ".csv", ".svg", ".html", ".css", ".lock", ".png", ".jpg", ".jpeg", ".gif"}
	starts := []string{"package.json", "launch.json", "tasks.json", "vercel.json", "devcontainer.json", "langgraph.json", "now.json", "app.json"}
	if slices.Contains(data, ext) && !slices.Contains(starts, base) {
		return nil
	}
	text, _ := f.Text()
	return []string{text}
}

// start is a command and what stands behind it on its line.
var start = regexp.MustCompile("(?m)(?:^|[\\s`\"'($>])((?:python[\\d.]*|py|uv|poetry|pipenv|pdm|hatch|rye|streamlit|chainlit|uvicorn|gunicorn|hypercorn|fastapi|flask|gradio|marimo|modal|papermill|jupyter|nohup|\\.)[ \\t]+[^\n]{1,400}|\\./[^\n]{1,400})")

// starters are what the commands of start begin with: the pattern is a slow one, and few lines have any.
var starters = []string{"py", "uv", "poetry", "pipenv", "pdm", "hatch", "rye", "streamlit", "chainlit", "uvicorn", "gunicorn", "hypercorn", "fastapi", "flask", "gradio", "marimo", "modal", "papermill", "jupyter", "nohup", "."}

// starts lists what start finds, line by line.
func starts(text string) (out []string) {
	for line := range strings.Lines(text) {
		if !slices.ContainsFunc(starters, func(word string) bool { return begins(line, word) }) {
			continue
		}
		for _, m := range start.FindAllStringSubmatch(line, -1) {
			out = append(out, m[1])
		}
	}
	return out
}

// begins tells whether something in a line begins with a word, behind a sign that may stand before a command.
func begins(line, word string) bool {
	for from := 0; ; from++ {
		i := strings.Index(line[from:], word)
		if i < 0 {
			return false
		}
		if from += i; from == 0 || strings.IndexByte("\t\f\r `\"'($>", line[from-1]) >= 0 {
			return true
		}
	}
}

// called lists functions as a document speaks of them: names with a bracket or a backtick behind them.
func called(text string) (out []string) {
	for end := range len(text) {
		if text[end] != '(' && text[end] != '`' {
			continue
		}
		from := end
		for from > 0 && isWord(text[from-1]) {
			from--
		}
		if from < end && (text[from] < '0' || text[from] > '9') {
			out = append(out, text[from:end])
		}
	}
	return out
}

func isWord(c byte) bool {
	return c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}

// commands lists the commands that a document prints, and its examples of code.
func commands(f code.File) (out []string) {
	text, _ := f.Text()
	for _, command := range starts(text) {
		if runs(strings.Fields(command)) {
			out = append(out, command)
		}
	}
	out = append(out, called(text)...)
	for _, listing := range passage.Listings(text) {
		if imported.MatchString(listing.Text) {
			out = append(out, listing.Text)
		}
	}
	return out
}

// runs tells a command that names a file, a module or code from a sentence that
// begins like one.
func runs(words []string) bool {
	if strings.HasPrefix(words[0], "./") {
		return true
	}
	for _, w := range words[1:] {
		w = strings.Trim(w, "`\"'.,;)")
		switch {
		case w == "-m" || w == "-c" || strings.HasSuffix(w, ".py") || strings.HasSuffix(w, ".ipynb") || strings.Contains(w, ":") && !strings.HasSuffix(w, ":"):
			return true
		case strings.HasPrefix(w, "-") || slices.Contains([]string{"run", "dev", "serve", "python", "python3", "streamlit", "uvicorn", "gunicorn", "chainlit", "fastapi"}, w):
		default:
			return false
		}
	}
	return false
}
