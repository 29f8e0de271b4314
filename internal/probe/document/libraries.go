package document

import (
	"context"
	"slices"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/tables"
)

// libraries are packages that documents of auditors say their program uses, each with
// the modules by which code imports it. None has a name that means something else, and
// none is run as a command.
func libraries() []capability {
	var out []capability
	for _, l := range []struct {
		name, pattern string
		modules       []string
	}{
		{"tree-sitter", `tree[\s\-_]?sitter`, []string{"tree_sitter", "tree_sitter_python", "tree_sitter_languages", "tree_sitter_language_pack"}},
		{"GitPython", `GitPython`, []string{"git"}},
		{"PyDriller", `PyDriller`, []string{"pydriller"}},
		{"PyMuPDF", `PyMuPDF`, []string{"fitz", "pymupdf", "pymupdf4llm"}},
		{"pypdf", `PyPDF2?`, []string{"pypdf", "PyPDF2"}},
		{"pdfplumber", `pdfplumber`, []string{"pdfplumber"}},
		{"Docling", `Docling`, []string{"docling", "langchain_docling"}},
		{"LibCST", `LibCST`, []string{"libcst"}},
		{"tenacity", `tenacity`, []string{"tenacity"}},
	} {
		out = append(out, capability{
			name: l.name, says: regexp.MustCompile(`(?i)\b` + l.pattern + `\b`), truth: packaged(l.pattern, l.modules...), still: true,
			surely: regexp.MustCompile(`(?i)(?:\bus(?:es?|ed|ing)|\butili[sz](?:es?|ed|ing)|\bemploy(?:s|ed|ing)?|\bleverag(?:es?|ed|ing)|\bvia|\bthrough|\bbuilt on|\brelies on)\s+(?:the\s+)?["'\x60]?` + l.pattern +
				`\b|\b` + l.pattern + `["'\x60]?\s+(?:(?:library|parser)\s+)?(?:(?:is|are) used|pars|read|extract|handl|perform|provid|clon)`),
		})
	}
	return out
}

// chatting is how LangChain's classes are named that ask a model.
var chatting = regexp.MustCompile(`\b(?:Azure)?Chat[A-Z]\w*\b`)

// client tells such a class.
func client(name string) bool {
	return chatting.MatchString(name) && slices.ContainsFunc(tables.Of(tables.Provider), func(r tables.Row) bool { return r.Input == "" && r.Matches("langchain."+name) })
}

// weighed is what a sentence says that sets one against the other.
var weighed = regexp.MustCompile(`(?i)\b(?:compar|consider|alternativ|instead|rather|reject|unlike|evaluated|tried|tested|switch|migrat|could|either)\w*\b|\bover Chat|\bor (?:via )?(?:Azure)?Chat`)

// ofClient is the use of such a class. That another one is used in its place is sure only where none is chosen by its name.
func ofClient(name string) capability {
	look := calls(name, name, "*."+name)
	return capability{name: name, surely: regexp.MustCompile(`(?i)(?:\bus(?:es?|ed|ing)|\bvia|\bthrough|\bcall(?:s|ed|ing)?|\bby|\bcho(?:ice|se|sen)|\binstantiat\w+|\bbuil\w+ on|\bwrap\w*|\bbind\w*|\bpowered by|\brel(?:y|ies) on)\W+(?:[\w.\-]+\W+){0,3}?` + name + `\b`), truth: func(ctx context.Context, s *probe.Scene, a *against) (fate, []court.Place, string) {
		f, at, why := look(ctx, s, a)
		if f == untrue && len(a.program.Calls("init_chat_model", "*.init_chat_model", "*.import_module", "__import__", "builtins.__import__")) > 0 {
			f = undecided
		}
		if f != untrue {
			return f, at, why
		}
		for _, c := range a.program.Calls() {
			if client(c.Name) && a.live(c) {
				return untrue, line(c.Node.Path(), c.Line()), why + "; it calls " + court.Clean(c.Name, 60)
			}
		}
		return undecided, nil, why
	}}
}

// usedBy holds a sentence that gives the call of a name of Python's library to a function against what that function
// leads to.
func usedBy(module, name string) func(*against, result, string) (string, result, bool) {
	full := module + "." + name
	by := regexp.MustCompile(`\b(\w+)\(\)["'\x60]*\s+(?:(?:function|method|helper|tool|node)\s+)?(?:in\s+\S+\s+)?(?:uses|calls|creates)\s+(?:an?\s+|the\s+)?["'\x60]*` + regexp.QuoteMeta(full))
	return func(a *against, r result, sentence string) (string, result, bool) {
		m := by.FindStringSubmatch(sentence)
		if m == nil {
			return "", result{}, false
		}
		d := a.component(m[1])
		if d == nil || d.python == nil {
			return "", result{}, false
		}
		a.program.Lock()
		defer a.program.Unlock()
		around := a.program.Reachable(d.python)
		for _, c := range a.program.Calls(full, module+".*."+name) {
			if around[a.program.Enclosing(c.Node)] {
				return "", result{}, false
			}
		}
		return full, result{inPart, r.proof, "it is called, but not by " + court.Clean(m[1], 60) + "()"}, true
	}
}

// packaged asks for a library in the imports. What a file of code or of settings so much as
// names is not held to be untrue: it may be loaded by its name.
func packaged(pattern string, modules ...string) truth {
	named := regexp.MustCompile(`(?i)` + pattern)
	look := imports(modules...)
	return func(ctx context.Context, s *probe.Scene, a *against) (fate, []court.Place, string) {
		f, at, why := look(ctx, s, a)
		if f != untrue {
			return f, at, why
		}
		if a.foreign {
			return undecided, nil, "not all of the code is Python"
		}
		for _, e := range a.entries {
			switch a.layout.Scope(e.Path) {
			case code.ScopeDocs, code.ScopeAudit, code.ScopeVendor:
				continue
			}
			if !data(e.Path) && named.Match(a.texts[e.Path]) {
				return undecided, []court.Place{{Path: e.Path}}, why + ", but a file names it"
			}
		}
		return untrue, nil, why
	}
}
