package document

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/passage"
)

// named is a file that the document names as one of this repository.
type named struct {
	path  string // as printed, normalised
	found string // the file that it means; "" when there is none
	fate  fate
	claim claim
}

const extensions = `pyi?|md|rst|txt|json|jsonl|toml|ya?ml|ini|cfg|lock|sh|ps1|bat|ipynb|html?|css|s?css|tsx?|jsx?|mjs|go|rs|java|kt|rb|php|sql|csv|xml|pdf|docx?|png|jpe?g|svg|gif|mmd|dot|puml|env\.example|env\.sample|env\.template|db|proto|tf`

var (
	pathShape  = regexp.MustCompile(`(?:\.{1,2}[/\\])?(?:[\w.\-]+[/\\])*(?:[\w\-][\w.\-]*\.(?:` + extensions + `)|\.env\.(?:example|sample|template))(?:/[\w\-][\w.\-]*\.(?:` + extensions + `))*`)
	bareNames  = regexp.MustCompile(`\b(?:Dockerfile|Makefile|Jenkinsfile)\b`)
	splitAt    = regexp.MustCompile(`\.(?:` + extensions + `)/`)
	product    = regexp.MustCompile(`(?i)^(?:node|next|vue|react|nuxt|express|three|d3|chart|mermaid|p5|socket|asp|draw)\.(?:js|io|net)$`)
	placeholds = regexp.MustCompile(`[<>{}*$%…]|:\\\\|\.\.\.`)
	address    = regexp.MustCompile(`(?i)://|^www\.|github\.com|githubusercontent|@[a-z]`)
	written    = regexp.MustCompile(`(?i)\b(?:writes?|wrote|written|saves?|saved|generates?|generated|outputs?|produces?|produced|renders?|rendered|exports?|exported|creates?|created|stored?|stores|emits?|emitted|dumps?)\b`)
	unreal     = regexp.MustCompile(`(?i)hallucinat|\b(?:does|did|do) not exist|\b(?:doesn|didn|don)['’]t exist|\bnon-?existent|\bnot found\b|\binvented\b|\bfake\b|\bwrong(?:ly)?\b|\brenamed\b|\bonce received\b|→ ?actual|\bactual:|\bfor example\b|\be\.g\.`)
)

// files collects the files that the document names.
func (l *ledger) files() []named {
	byPath := map[string]named{}
	doubted := map[string]bool{} // named elsewhere as a plan, a thing of the past or somebody else's
	note := func(p *passage.Passage, name string, st statement) {
		if _, known := byPath[name]; !known && len(byPath) >= maxPaths || len(name) > maxPath {
			return
		}
		name, sure := l.repo.pieced(l.repo.whole(name), p)
		if !sure {
			return
		}
		if l.scan != "" {
			name = l.repo.likened(name)
		}
		n := named{path: name, claim: claim{Kind: ofPath, Subject: name, Modality: mood(p, st.around), Page: p.Page, passage: p, sentence: st.text}}
		n.found, n.fate = l.repo.locate(name)
		if n.claim.Modality == others && l.repo.exchanged(name) {
			n.claim.Modality = done
		}
		if n.fate != holds && (written.MatchString(st.around) || unreal.MatchString(st.around)) {
			n.claim.Modality = planned
		}
		doubted[name] = doubted[name] || n.claim.Modality != done
		if before, seen := byPath[name]; !seen || before.claim.Modality != done && counts(n) {
			byPath[name] = n
		}
	}
	for i := range l.passages {
		p := &l.passages[i]
		if p.Kind == passage.Code {
			for _, f := range treeFiles(p.Text, l.repo) {
				entry, _, _ := strings.Cut(f.line, "#") // what follows is a remark
				note(p, f.path, statement{f.line, entry})
			}
			continue
		}
		for _, st := range statements(p) {
			for _, name := range pathsIn(st.text) {
				note(p, name, st)
			}
		}
	}
	var kept []named
	for _, n := range byPath {
		if counts(n) && (n.fate == holds || !isDoubted(n.path, doubted)) {
			kept = append(kept, n)
		}
	}
	slices.SortFunc(kept, func(a, b named) int { return strings.Compare(a.path, b.path) })
	kept = l.merged(kept)
	for i := range kept {
		c := &kept[i].claim
		c.Fate, c.Modality = kept[i].fate, done
		if kept[i].found != "" {
			c.proof = []court.Place{{Path: kept[i].found}}
		}
		l.claims = append(l.claims, *c)
	}
	return kept
}

// isDoubted tells whether a path, or an end of it, is doubted.
func isDoubted(p string, doubted map[string]bool) bool {
	for {
		if doubted[p] {
			return true
		}
		_, rest, ok := strings.Cut(p, "/")
		if !ok {
			return false
		}
		p = rest
	}
}

// counts tells whether a file is named as one of this repository: as a fact,
// or otherwise by a path with its folder that is there.
func counts(n named) bool {
	return n.claim.Modality == done || n.fate == holds && strings.Contains(n.path, "/")
}

// statement is a piece of a passage in which things are said together, with
// what stands around it as far as it may change the meaning.
type statement struct{ text, around string }

// statements are the sentences of running text and the rows of a table.
func statements(p *passage.Passage) []statement {
	var out []statement
	switch p.Kind {
	case passage.Contents, passage.Code:
	case passage.Table:
		rows := strings.Split(p.Text, "\n")
		for i, row := range rows {
			out = append(out, statement{row, strings.Join(rows[max(0, i-1):min(len(rows), i+2)], " ")})
		}
	case passage.Heading, passage.Caption:
		out = append(out, statement{p.Text, p.Text})
	default:
		for _, s := range passage.Sentences(p.Text) {
			out = append(out, statement{s, s})
		}
	}
	return out
}

// pathsIn lists the file paths of a text, normalised.
func pathsIn(text string) []string {
	var out []string
	for _, m := range pathShape.FindAllStringIndex(text, -1) {
		from, to := m[0], m[1]
		if to < len(text) && (isWordByte(text[to]) || text[to] == '(') || from > 0 && (isWordByte(text[from-1]) || strings.ContainsRune(`/\:`, rune(text[from-1]))) {
			continue // part of a word, a call, or outside of any repository
		}
		around := text[lastBlank(text, from):nextBlank(text, to)]
		if address.MatchString(around) || placeholds.MatchString(around) {
			continue
		}
		for _, one := range splitPaths(strings.ReplaceAll(text[from:to], `\`, "/")) {
			one = path.Clean(one)
			if !product.MatchString(one) && !strings.HasPrefix(one, "..") && !strings.HasPrefix(one, "/") {
				out = append(out, one)
			}
		}
	}
	out = append(out, bareNames.FindAllString(text, -1)...)
	return out
}

func isWordByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

func lastBlank(s string, before int) int { return strings.LastIndexAny(s[:before], " \t\n\"'`(,;") + 1 }

func nextBlank(s string, after int) int {
	if i := strings.IndexAny(s[after:], " \t\n\"'`),;"); i >= 0 {
		return after + i
	}
	return len(s)
}

// splitPaths takes "a.py/b.py" apart, the way people list neighbours: the
// second one lies in the folder of the first.
func splitPaths(p string) []string {
	m := splitAt.FindStringIndex(p)
	if m == nil {
		return []string{p}
	}
	first := p[:m[1]-1]
	out := []string{first}
	for _, rest := range splitPaths(p[m[1]:]) {
		if dir := path.Dir(first); dir != "." && !strings.Contains(rest, "/") {
			rest = dir + "/" + rest
		}
		out = append(out, rest)
	}
	return out
}

// merged drops names that are the end of exactly one longer path and no file
// of their own at a root.
func (l *ledger) merged(all []named) []named {
	return slices.DeleteFunc(slices.Clone(all), func(n named) bool {
		if l.repo.exact(n.path) != "" {
			return false
		}
		longer := 0
		for _, o := range all {
			if strings.HasSuffix(o.path, "/"+n.path) {
				longer++
			}
		}
		return longer == 1
	})
}

// maxPath bounds a path of a hostile document, in bytes, maxPaths how many it
// may name, and maxJoined how often two pieces are put together.
const (
	maxPath   = 200
	maxPaths  = 1000
	maxJoined = 50_000
)

// whole takes the hyphen out that broke a path at the end of a line, where
// that gives the name of a file.
func (a *against) whole(p string) string {
	if _, f := a.locate(p); f == holds || !strings.Contains(p, "-") {
		return p
	}
	for i := range min(len(p), maxPath) {
		if p[i] != '-' {
			continue
		}
		joined := p[:i] + p[i+1:]
		if _, f := a.locate(joined); f == holds {
			return joined
		}
	}
	return p
}

// pieced makes a path whole that a narrow column broke without a sign: what
// stands before it on the line above, or elsewhere in the cell, where that
// gives the name of a file. A name that may be the rest of a broken one is not
// sure.
func (a *against) pieced(name string, p *passage.Passage) (string, bool) {
	if _, f := a.locate(name); f == holds {
		return name, true
	}
	broken := false
	for i, l := range p.Lines {
		if i == 0 || !strings.HasPrefix(strings.TrimSpace(l.Text), name) {
			continue
		}
		above := strings.Fields(p.Lines[i-1].Text)
		if len(above) == 0 || !isWordByte(above[len(above)-1][len(above[len(above)-1])-1]) {
			continue
		}
		before := strings.TrimLeft(above[len(above)-1], "(\"'`")
		if _, f := a.locate(before + name); f == holds {
			return before + name, true
		}
		broken = broken || strings.Contains(before, "/")
	}
	for before := range strings.FieldsSeq(p.Text) {
		if before = strings.TrimLeft(before, "(\"'`"); len(before) > maxPath || !strings.Contains(before, "/") {
			continue
		}
		if a.joined++; a.joined > maxJoined {
			break
		}
		if _, f := a.locate(before + name); f == holds {
			return before + name, true
		}
	}
	const stem = 3 // letters of the shortest name that is one by itself
	return name, !broken && len(strings.TrimSuffix(name, path.Ext(name))) >= stem
}

// exchanged tells whether a path lies in a folder of this repository for what
// is handed to and fro: such a path is of this repository, whoever is spoken of.
func (a *against) exchanged(p string) bool {
	dir := "/" + path.Dir(p) + "/"
	if !strings.Contains(p, "bypeer") && !strings.Contains(p, "onpeer") && !strings.Contains(p, "onself") {
		return false
	}
	for f := range a.files {
		if strings.Contains("/"+f, dir) {
			return true
		}
	}
	return false
}

// exact is the file at a path, seen from the project root or the repository.
func (a *against) exact(p string) string {
	if first, rest, ok := strings.Cut(p, "/"); ok && strings.EqualFold(first, a.name) && !a.files[p] {
		p = rest // some begin with the repository's own folder
	}
	if found, ok := a.layout.Find(p); ok && a.files[found] {
		return found
	}
	return ""
}

// locate finds the file that a path means: exactly, in other case, as the end
// of a longer path, or in an earlier commit.
func (a *against) locate(p string) (string, fate) {
	if found := a.exact(p); found != "" {
		return found, holds
	}
	low := "/" + strings.ToLower(p)
	ends := func(whole string) bool { return strings.HasSuffix("/"+strings.ToLower(whole), low) }
	base := strings.ToLower(path.Base(p))
	if i := slices.IndexFunc(a.present[base], ends); i >= 0 {
		return a.present[base][i], holds
	}
	if slices.ContainsFunc(a.ever[base], ends) {
		return "", renamed
	}
	if !a.history.Complete() {
		return "", undecided
	}
	return "", untrue
}
