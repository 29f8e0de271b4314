package project

import (
	"context"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/il/intree"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/tables"
)

func depsDeclared() probe.Probe {
	return probe.Probe{
		ID: "deps.declared", Version: "1", Target: court.GithubRepo,
		Title: "Manifests agree with what the code imports",
		Doc: "Compares what production Python imports at its top level, outside of try and if, with the manifests of pip, uv, poetry and conda. It knows which packages bring which modules for about a hundred common ones, and says nothing of others; what a declared package is known to bring along counts as declared. " +
			"A declared package is unused when nothing imports it and no other file but manifests and documents names it.",
		Remedy: "Declare in the manifest what the code imports, and remove what it does not.",
		Effort: 10, Recall: 7000,
		Args: []probe.Arg{{Name: "aspect", Type: "string", Allowed: []string{"both", "declared", "unused"}, Default: "both", Doc: "declared: everything imported is declared; unused: everything declared is imported"}},
		Run: func(ctx context.Context, s *probe.Scene, a probe.Args) ([]probe.Finding, error) {
			inv, err := files(ctx, s)
			if err != nil {
				return nil, err
			}
			p, err := s.Joined(ctx)
			if err != nil {
				return nil, err
			}
			l := ledger{inv: inv, p: p, declared: inv.dependencies(), all: inv.requirements()}
			for _, r := range l.all {
				l.declared[tables.Folded(r.name)] = r.file.place(r.line)
			}
			return []probe.Finding{l.finding(a.String("aspect"))}, nil
		},
	}
}

// ledger sets what is imported against what is declared.
type ledger struct {
	inv      *inventory
	p        *intree.Program
	declared map[string]court.Place
	all      []requirement
}

// taking is one module of others that the code takes.
type taking struct {
	module string
	at     court.Place
}

func (l ledger) finding(aspect string) probe.Finding {
	if _, own := productive(l.p); len(own) == 0 {
		if other := l.inv.otherCode(); other != "" {
			return probe.Cannot(court.NoDetector, nil, "The audit reads imports of Python, but the code is in %s.", other)
		}
	}
	used := l.taken()
	if aspect != "unused" {
		if f, ok := l.undeclared(used); ok {
			return f
		}
	}
	if aspect != "declared" {
		if f, ok := l.unused(); ok {
			return f
		}
	}
	if len(used) == 0 && len(l.all) == 0 {
		return probe.Nothing(court.One, court.Crossref, "The code imports no package that is known by name, and no manifest declares one.")
	}
	return probe.Clean(court.One, court.Crossref, "The manifests declare what the code imports, as far as packages are known by name (%d).", len(used))
}

// taken lists the modules of known packages that production code cannot do
// without, each once.
func (l ledger) taken() []taking {
	var out []taking
	for _, m := range l.p.Modules {
		if m.Scope != code.ScopeProduction || m.Shadowed || strings.Contains(m.Text(), "# /// script") {
			continue
		}
		for _, i := range m.Imports() {
			top, _, _ := strings.Cut(i.Target, ".")
			if n := i.Node; !i.External || i.Inner || i.TypeOnly || l.p.Dead(n) || survives(n) || n.Is("call") || tables.Packages(top) == nil || l.p.ModuleNamed(top) != nil {
				continue
			}
			if written := l.writes(i.Node, top); written && !slices.ContainsFunc(out, func(t taking) bool { return t.module == top }) {
				out = append(out, taking{top, court.Place{Path: m.Path, Line: i.Node.Line()}})
			}
		}
	}
	return out
}

// writes tells whether the statement names the module: a target may have been
// reduced to the name that a library only passes on.
func (l ledger) writes(n code.Node, top string) bool {
	return regexp.MustCompile(`\b` + regexp.QuoteMeta(strings.ToValidUTF8(top, "")) + `\b`).MatchString(n.Text())
}

func (l ledger) undeclared(used []taking) (probe.Finding, bool) {
	var at []court.Place
	var names []string
	for _, t := range used {
		if !l.covers(t.module) {
			at = append(at, t.at)
			names = append(names, t.module)
		}
	}
	if len(at) == 0 {
		return probe.Finding{}, false
	}
	if len(l.declared) == 0 {
		for _, f := range l.inv.files {
			for _, n := range names {
				if f.scope == code.ScopeConfig && (f.lang != "json" || f.base == "environment.json") && strings.Contains(f.text, n) {
					return probe.Cannot(court.Dynamic, []court.Place{{Path: f.path}}, "No manifest that is read here declares anything, but %s names %s.", shown(f.path), shown(n)), true
				}
			}
		}
		return probe.Missing(court.One, court.Config, "No manifest declares a dependency, but the code imports %s.", shown(strings.Join(names[:min(len(names), 6)], ", "))).
			Do("Add a manifest, and declare in it: %s.", few(names, 6)), true
	}
	for _, f := range l.inv.files { // setup.py that computes its lists
		if f.base == "setup.py" && strings.Contains(f.text, "install_requires") && !installs.MatchString(f.text) && len(l.all) == 0 {
			return probe.Cannot(court.Dynamic, []court.Place{{Path: f.path}}, "%s computes the dependencies.", shown(f.path)), true
		}
	}
	return probe.Against(court.Crossref, at, "The code imports packages that no manifest declares: %s.", shown(strings.Join(names[:min(len(names), 8)], ", "))).
		Do("Declare in the manifest: %s.", few(names, 8)), true
}

// covers tells whether some declared package brings a module, by itself or with
// what it requires.
func (l ledger) covers(module string) bool {
	own := tables.Packages(module)
	for name := range l.declared {
		if slices.Contains(own, name) || name == tables.Folded(module) || tables.Brings(name, module) {
			return true
		}
		for _, d := range own { // families: langchain-core comes with langchain-openai
			if family, _, _ := strings.Cut(d, "-"); len(family) > 4 && family != "python" && (name == family || strings.HasPrefix(name, family+"-")) {
				return true
			}
		}
	}
	for _, f := range l.inv.files { // installed by other means: pip install in a container file or pipeline
		if f.lang == "docker" || f.lang == "make" || f.lang == "shell" || f.base == "tox.ini" || strings.HasPrefix(f.path, ".github/") {
			for _, d := range own {
				if regexp.MustCompile(`(?i)install[^\n]*\b` + regexp.QuoteMeta(strings.ToValidUTF8(d, "")) + `\b`).MatchString(f.text) {
					return true
				}
			}
		}
	}
	return false
}

// unused finds runtime dependencies that no file names but manifests and
// documents.
func (l ledger) unused() (probe.Finding, bool) {
	known := 0
	var at []court.Place
	var names []string
	seen := map[string]bool{}
	for _, r := range l.all {
		name := tables.Folded(r.name)
		modules, imported := tables.Modules(name)
		if r.extra || l.frozen(r.file) || l.chosen(name) || seen[name] || len(modules) == 0 || !imported || !pythonManifest(r.file) {
			continue
		}
		seen[name] = true
		known++
		if !l.named(append(modules, r.name)) {
			at = append(at, r.file.place(r.line))
			names = append(names, r.name)
		}
	}
	if len(at) == 0 {
		return probe.Finding{}, false
	}
	return probe.Partly(probe.Ratio(known-len(at), known), court.Crossref, at, "The manifests declare packages that no code and no configuration names: %s, of %s that are known here.",
		shown(strings.Join(names[:min(len(names), 8)], ", ")), deps(known)).Do("Remove from the manifest what nothing uses: %s.", few(names, 8)), true
}

// frozen tells a list that a tool wrote down, with everything that the
// dependencies require: every line of it is pinned.
func (l ledger) frozen(f file) bool {
	n := 0
	for _, r := range l.all {
		if r.file.path != f.path {
			continue
		}
		if n++; !strings.HasPrefix(r.spec, "==") {
			return false
		}
	}
	return n >= 10
}

// chosen tells a package that code may load by a name computed at run time.
func (l ledger) chosen(name string) bool {
	return strings.HasPrefix(name, "langchain-") && len(l.p.Mentions("init_chat_model", code.ScopeProduction)) > 0
}

func pythonManifest(f file) bool {
	return isRequirements(f) || f.base == "pyproject.toml" || f.base == "setup.py" || f.base == "setup.cfg" || f.base == "pipfile"
}

// named tells whether one of the words stands in a file that is neither
// manifest, lock nor document.
func (l ledger) named(words []string) bool {
	var alt []string
	for _, w := range words {
		alt = append(alt, regexp.QuoteMeta(w))
	}
	re := regexp.MustCompile(`(?i)\b(?:` + strings.Join(alt, "|") + `)\b`)
	for _, f := range l.inv.files {
		if pythonManifest(f) || f.scope == code.ScopeDocs || f.scope == code.ScopeAudit || strings.HasSuffix(f.base, ".lock") {
			continue
		}
		text := f.text
		if m := l.p.Module(f.path); m != nil && m.Parsed {
			text = m.Bare(1, m.Lines)
		}
		if re.MatchString(text) {
			return true
		}
	}
	return false
}
