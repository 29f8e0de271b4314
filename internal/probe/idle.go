package probe

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/passage"
	"github.com/automaton-auditor/automaton/internal/safetext"
)

// idler says of a place why no run of the program comes there, "" when one may.
type idler func(court.Place) (why string, how code.Idleness)

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
	why, how := "", code.NeverRuns
	for _, p := range f.Places {
		var here code.Idleness
		if why, here = idle(p); here == code.MayRun {
			return f
		}
		how = min(how, here)
	}
	text := fmt.Sprintf("%s But %s", safetext.Sentence(f.Rationale), safetext.Small(safetext.Sentence(why)))
	out := Cannot(court.Dynamic, f.Places, "%s", text)
	switch never := how == code.NeverRuns; {
	case never && open: // nothing of it might turn out to be more
		out = Missing(court.One, court.AST, "%s", text)
	case never:
		out = Missing(f.Coverage, f.Source, "%s", text)
	case open:
		return f
	case how == code.NotRun:
		out.Reason = court.NotRun
	}
	out.Places = f.Places
	out.Data, out.Remedy, out.Effort = f.Data, f.Remedy, f.Effort
	return out
}

// idle makes the proof, once per scene. A file that nobody could read may run
// anything: then only what can never run by itself is idle.
func (s *Scene) idle(ctx context.Context) (idler, error) {
	p, err := s.Python(ctx)
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
			said = append(said, s.saysToRun(p, f)...)
		}
		idle := p.Idle(len(unread) == 0, said...)
		return func(at court.Place) (string, code.Idleness) {
			switch {
			case at.Path == "":
				return "", code.MayRun
			case p.Module(at.Path) == nil:
				return carried(p, idle, at.Path)
			}
			return idle(at.Path, at.Line)
		}, nil
	})
}

// carried says of a file that is not code why nothing uses it: code names it,
// and none of that code runs.
func carried(p *code.Program, idle func(string, int) (string, code.Idleness), file string) (why string, how code.Idleness) {
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
			if why, how = idle(m.Path, t.Line); how == code.MayRun {
				return "", code.MayRun
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
