package history

import (
	"bytes"
	"context"
	"path"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/tables"
)

// phase is one step of a development, and where it begins.
type phase struct {
	Name string `json:"name"`
	At   int    `json:"at"` // position of the commit; -1: it never came
	Path string `json:"path,omitempty"`
}

// version is one file in one commit.
type version struct {
	at        int // position of the commit
	path, oid string
}

// milestone is what a phase begins with: the first real content of some files.
type milestone struct {
	name string
	is   func(file string) bool
	real func(ctx context.Context, file string, b []byte) (bool, error)
	todo []version
}

// phases are setup, tools and graph: when each first had real content.
// Empty and placeholder files do not count.
func phases(ctx context.Context, s *probe.Scene, p *past) ([]phase, error) {
	return probe.Shared(s, "history.phases", func() ([]phase, error) {
		r := reader{scene: s, past: p, judged: map[string]bool{}}
		all := []milestone{
			{name: "setup", is: setupFile, real: r.setUp},
			{name: "tools", is: func(file string) bool { return toolFile(file) && p.source(file) && isPython(file) }, real: r.hasFunction},
			{name: "graph", is: func(file string) bool { return isPython(file) && p.source(file) }, real: r.buildsGraph},
		}
		named, err := speaksOfGraphs(ctx, s, p)
		if err != nil {
			return nil, err
		}
		var early []version
		for i := range all {
			if all[i].name != "graph" || named {
				all[i].todo = r.versions(all[i].name, all[i].is)
				early = append(early, all[i].todo[:min(firstBatch, len(all[i].todo))]...)
			}
		}
		if r.early, err = r.texts(ctx, early); err != nil {
			return nil, err
		}
		var out []phase
		for _, m := range all {
			began, err := r.first(ctx, m)
			if err != nil {
				return nil, err
			}
			out = append(out, began)
		}
		return out, nil
	})
}

// graphWord is what every builder of a graph is called by; without it in
// today's code there is no graph to look for in older code.
const graphWord = "StateGraph"

func speaksOfGraphs(ctx context.Context, s *probe.Scene, p *past) (bool, error) {
	texts, err := s.Texts(ctx)
	if err != nil {
		return false, err
	}
	for file, b := range texts {
		if isPython(file) && p.source(file) && bytes.Contains(b, []byte(graphWord)) {
			return true, nil
		}
	}
	return false, nil
}

func isPython(file string) bool { return code.File{Path: file}.Language() == "python" }

// setupFile tells what a project begins with.
func setupFile(file string) bool {
	base := strings.ToLower(path.Base(file))
	switch base {
	case "pyproject.toml", "setup.py", "setup.cfg", "pipfile", "environment.yml", "environment.yaml", "state.py":
		return true
	}
	return tables.Lock(base) == "python" || tables.Meaning(base) == "example of settings" || strings.HasPrefix(base, "readme") || strings.HasPrefix(base, "requirements") && (path.Ext(base) == ".txt" || path.Ext(base) == ".in")
}

// toolFile tells a module of tools by its folder or name.
func toolFile(file string) bool {
	low := strings.ToLower(file)
	base := strings.TrimSuffix(path.Base(low), path.Ext(low))
	if base == "__init__" {
		return false
	}
	if base == "tool" || base == "tools" || strings.HasSuffix(base, "_tool") || strings.HasSuffix(base, "_tools") {
		return true
	}
	for dir := range strings.SplitSeq(path.Dir(low), "/") {
		if dir == "tool" || dir == "tools" {
			return true
		}
	}
	return false
}

// reader looks for the first version of a file that has real content.
type reader struct {
	scene  *probe.Scene
	past   *past
	judged map[string]bool   // phase and blob: already found wanting
	early  map[string][]byte // the first versions of all phases, read at once
}

// Blobs are asked for in batches that grow, since the first ones mostly do.
const (
	firstBatch = 32
	maxBatch   = 256
	maxOlder   = 48 << 20 // bytes of older versions that are read for one phase
)

// texts reads versions, those that were read early not again.
func (r *reader) texts(ctx context.Context, list []version) (map[string][]byte, error) {
	var oids []string
	for _, v := range list {
		if _, known := r.early[v.oid]; !known {
			oids = append(oids, v.oid)
		}
	}
	if len(oids) == 0 {
		return r.early, nil
	}
	return r.scene.Objects(ctx, oids)
}

// first goes through the versions of the files in question, oldest first.
func (r *reader) first(ctx context.Context, m milestone) (phase, error) {
	size, read := firstBatch, 0
	for todo := m.todo; len(todo) > 0; size = min(size*2, maxBatch) {
		part := todo[:min(size, len(todo))]
		todo = todo[len(part):]
		texts, err := r.texts(ctx, part)
		if err != nil {
			return phase{}, err
		}
		for _, v := range part {
			b, ok := r.early[v.oid]
			if !ok {
				b, ok = texts[v.oid]
			}
			if !ok {
				return phase{}, &probe.Unable{Reason: court.MissingBlob, Why: "an older version of " + court.Clean(v.path, 120) + " cannot be read in this copy"}
			}
			if read += len(b); read > maxOlder {
				return phase{}, &probe.Unable{Reason: court.Limit, Why: "the older versions are too many to look for the beginning of the " + m.name}
			}
			yes, err := m.real(ctx, v.path, b)
			if err != nil {
				return phase{}, err
			}
			if yes {
				return phase{Name: m.name, At: v.at, Path: v.path}, nil
			}
		}
	}
	return phase{Name: m.name, At: -1}, nil
}

// versions lists the distinct contents of the files in question.
func (r *reader) versions(name string, is func(string) bool) []version {
	var out []version
	for _, i := range r.past.Own {
		for _, ch := range r.past.Commits[i].Changes {
			key := name + ch.OID
			if !regular(ch) || r.judged[key] || !is(ch.Path) {
				continue
			}
			if sc := r.past.layout.Scope(ch.Path); sc == code.ScopeVendor || sc == code.ScopeTest || sc == code.ScopeExample {
				continue
			}
			r.judged[key] = true
			out = append(out, version{i, ch.Path, ch.OID})
		}
	}
	return out
}

// setUp asks a state.py for a class, and other files for any text.
func (r *reader) setUp(ctx context.Context, file string, b []byte) (bool, error) {
	if strings.ToLower(path.Base(file)) != "state.py" {
		return len(bytes.TrimSpace(b)) > 0, nil
	}
	return r.any(ctx, file, b, func(p *code.Program) bool {
		for _, d := range p.Modules[0].Definitions() {
			if d.Kind == code.DefClass {
				return true
			}
		}
		return false
	})
}

func (r *reader) hasFunction(ctx context.Context, file string, b []byte) (bool, error) {
	if !bytes.Contains(b, []byte("def ")) {
		return false, nil
	}
	return r.any(ctx, file, b, func(p *code.Program) bool {
		for _, d := range p.Modules[0].Definitions() {
			if (d.Kind == code.DefFunction || d.Kind == code.DefMethod) && substantial(d) {
				return true
			}
		}
		return false
	})
}

func (r *reader) buildsGraph(ctx context.Context, file string, b []byte) (bool, error) {
	if !bytes.Contains(b, []byte(graphWord)) {
		return false, nil
	}
	return r.any(ctx, file, b, func(p *code.Program) bool {
		m := p.Modules[0]
		builders := []string{graphWord}
		for _, i := range m.Imports() {
			if strings.HasSuffix(i.Target, "."+graphWord) {
				builders = append(builders, i.Local)
			}
		}
		return slices.ContainsFunc(m.Calls(), func(n code.Node) bool {
			return slices.Contains(builders, code.LastName(n.Field("function").Unparen()))
		})
	})
}

// any parses one version of a file and asks about it.
func (r *reader) any(ctx context.Context, file string, b []byte, ask func(*code.Program) bool) (bool, error) {
	p, err := r.scene.Parse(ctx, []code.File{{Path: file, Bytes: b}})
	if err != nil || len(p.Modules) == 0 {
		return false, err
	}
	return ask(p), nil
}

// substantial tells a function that does something from a placeholder: pass,
// an ellipsis, a docstring, raise NotImplementedError.
func substantial(d *code.Definition) bool {
	for st := range d.Body().Children() {
		switch {
		case st.Is("pass_statement"):
		case st.Is("expression_statement") && (st.Child(0).Is("string", "concatenated_string", "ellipsis")):
		case st.Is("raise_statement") && strings.Contains(st.Text(), "NotImplementedError"):
		default:
			return true
		}
	}
	return false
}
