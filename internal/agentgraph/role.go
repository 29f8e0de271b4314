package agentgraph

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// Role is the part that a node plays in a courtroom.
type Role string

// Roles. RoleUnknown is a tie between several.
const (
	RoleDetective  Role = "detective"
	RoleAggregator Role = "aggregator"
	RoleJudge      Role = "judge"
	RoleChief      Role = "chief"
	RoleHandler    Role = "handler"
	RoleOther      Role = "other"
	RoleUnknown    Role = "unknown"
)

// vocabulary is what the words of a name say about a role.
type vocabulary struct {
	role   Role
	exact  []string // whole words
	starts []string // beginnings of words
	never  []string // beginnings of words that rule the role out
}

// vocabularies in order of precedence: the first role whose words fit and that
// nothing rules out. A name with words of a detective and of the chief is a tie.
var vocabularies = [...]vocabulary{
	{role: RoleHandler, starts: []string{"error", "handler", "fallback", "degrad", "fail", "skip", "abort", "missing", "repair", "recover", "rescue"}},
	{role: RoleChief, starts: []string{"chief", "justice", "synthes", "verdict", "supreme"}, never: []string{"dispatch", "gate", "rout", "entry", "start", "barrier", "check"}},
	{role: RoleAggregator, starts: []string{"aggregat", "collect", "merg", "sync", "join", "consolidat"}, never: []string{"judg", "judic", "opinion"}},
	{role: RoleJudge, exact: []string{"techlead"}, starts: []string{"prosecut", "defense", "defence", "defend", "judge"},
		never: []string{"dispatch", "aggregat", "collect", "merg", "sync", "join", "consolidat", "gate", "rout", "entry", "start", "barrier", "fan", "hub"}},
	{role: RoleDetective, exact: []string{"repo", "repos", "repository", "doc", "docs", "document", "documents", "vision", "pdf", "git", "github", "image", "images", "diagram", "diagrams"},
		starts: []string{"investigat", "analyst", "inspector", "detective", "forensic"}, never: []string{"aggregat", "gate", "rout", "dispatch", "judg", "all", "entry", "barrier", "fan", "hub", "prepar", "preproc", "start", "clon", "load", "setup", "init", "clean", "fetch", "download", "ingest", "valid", "generat", "render", "export", "writ"}},
}

// pairs of words that name a judge together.
var judgePairs = [...][2]string{{"tech", "lead"}, {"evaluate", "criterion"}, {"evaluate", "criteria"}, {"technical", "lead"}}

// RoleOfName reads a role from a name: RoleOther when its words say nothing,
// RoleUnknown when they speak for a detective and for the chief.
func RoleOfName(name string) Role {
	ws := Words(name)
	var fits []Role
	for _, v := range vocabularies {
		if v.fits(ws) {
			fits = append(fits, v.role)
		}
	}
	switch {
	case len(fits) == 0:
		return RoleOther
	case fits[0] == RoleChief && slices.Contains(ws, "evidence"): // evidence_synthesizer
		return RoleAggregator
	case fits[0] == RoleChief && slices.Contains(fits, RoleDetective):
		return RoleUnknown
	default:
		return fits[0]
	}
}

func (v vocabulary) fits(ws []string) bool {
	starts := func(list []string) bool {
		return slices.ContainsFunc(ws, func(w string) bool {
			return slices.ContainsFunc(list, func(p string) bool { return strings.HasPrefix(w, p) })
		})
	}
	if starts(v.never) {
		return false
	}
	if starts(v.starts) || slices.ContainsFunc(ws, func(w string) bool { return slices.Contains(v.exact, w) }) {
		return true
	}
	if v.role == RoleJudge {
		for _, p := range judgePairs {
			if slices.Contains(ws, p[0]) && slices.Contains(ws, p[1]) {
				return true
			}
		}
	}
	return false
}

// Words splits a name or text into lower-case words, at everything that is no
// letter and between a small and a capital letter.
func Words(text string) []string {
	var out []string
	var word []rune
	flush := func() {
		if len(word) > 0 {
			out = append(out, strings.ToLower(string(word)))
			word = nil
		}
	}
	runes := []rune(text)
	for i, c := range runes {
		if !unicode.IsLetter(c) {
			flush()
			continue
		}
		if unicode.IsUpper(c) && i > 0 && (unicode.IsLower(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1])) {
			flush()
		}
		word = append(word, c)
	}
	flush()
	return out
}

// roles gives every node of a graph its role: by the words of its name, else
// of the function that it runs and what is passed to it, else by the data that
// it returns. Data beats words that name another worker, and what stands
// outside the layer of its role has none.
func (g *Graph) cast(all *Reading) {
	byData := map[string]bool{}
	for i := range g.Nodes {
		n := &g.Nodes[i]
		n.Role, n.Why = g.wordRole(n)
		data, why := g.dataRole(n, all)
		switch {
		case data == "" || data == n.Role:
		case n.Role == RoleOther, n.Role == RoleUnknown,
			n.Role == RoleDetective && data == RoleJudge, n.Role == RoleJudge && data == RoleDetective:
			byData[n.Name] = n.Role == RoleOther
			n.Role, n.Why = data, why
		}
	}
	g.layers(byData)
	g.chiefs()
	if len(g.ByRole(RoleChief)) > 0 {
		return
	}
	for i := range g.Nodes {
		n := &g.Nodes[i]
		if n.Role == RoleOther && g.writesReport(n) {
			n.Role, n.Why = RoleChief, "writes the final report from the opinions"
		}
	}
}

// wordRole reads the role from the node's name, its function's name, and the
// constants that partial or a factory passes to the function.
func (g *Graph) wordRole(n *Node) (Role, string) {
	if role := RoleOfName(n.Name); role != RoleOther {
		return role, fmt.Sprintf("the name %s", n.Name)
	}
	if PassedOn(n.Name) {
		return RoleOther, ""
	}
	if n.Source == nil && n.Name == "*" {
		return RoleUnknown, "neither the name nor the function is known"
	}
	if role := RoleOfName(n.Called); role != RoleOther {
		return role, fmt.Sprintf("the function %s", n.Called)
	}
	for _, text := range n.Given {
		if role := RoleOfName(text); role == RoleJudge {
			return role, fmt.Sprintf("the argument %q", text)
		}
	}
	if slices.Contains(Words(n.Name), "evidence") && len(g.into(n.Name)) >= 2 {
		return RoleAggregator, fmt.Sprintf("the name %s and its inputs", n.Name)
	}
	return RoleOther, ""
}

// PassedOn reports whether a name says that the node only leads on: nothing
// about its function makes it a worker.
func PassedOn(name string) bool {
	return slices.ContainsFunc(Words(name), func(w string) bool {
		return slices.ContainsFunc([]string{"dispatch", "gate", "rout", "entry", "start", "aggregat", "collect", "merg", "barrier", "context"}, func(p string) bool {
			return strings.HasPrefix(w, p)
		})
	})
}

// dataRole reads the role from what a node returns: opinions that it makes are
// a judge's, evidence that it makes a detective's. "" when the data say nothing.
func (g *Graph) dataRole(n *Node, all *Reading) (Role, string) {
	if g.State == nil || n.Source == nil || PassedOn(n.Name) || n.Role == RoleHandler || n.Role == RoleAggregator || n.Role == RoleChief {
		return "", ""
	}
	writes := func(f *Field) bool {
		return f != nil && slices.ContainsFunc(g.Writes, func(w Write) bool {
			return w.Node == n.Name && w.Key == f.Name && !w.Empty
		})
	}
	makes := func(m *Model) bool { return m != nil && slices.Contains(n.Makes, m) }
	opinions := writes(g.State.Opinions) && makes(all.Opinion)
	evidence := writes(g.State.Evidences) && makes(all.Evidence)
	switch {
	case opinions && evidence:
		return "", ""
	case opinions:
		return RoleJudge, "returns opinions that it makes"
	case evidence:
		return RoleDetective, "returns evidence that it makes"
	default:
		return "", ""
	}
}

// writesReport reports whether a node returns a final report or verdict.
func (g *Graph) writesReport(n *Node) bool {
	if PassedOn(n.Name) || g.State == nil || g.State.Opinions == nil {
		return false
	}
	return slices.ContainsFunc(g.Writes, func(w Write) bool {
		ws := Words(w.Key)
		return w.Node == n.Name && !w.Empty &&
			(slices.Contains(ws, "verdict") || slices.Contains(ws, "final") && (slices.Contains(ws, "report") || slices.Contains(ws, "scores")))
	})
}
