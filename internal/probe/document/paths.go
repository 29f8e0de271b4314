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
	pathShape  = regexp.MustCompile(`(?:\.{1,2}[/\\])?(?:[\w.\-]+[/\\])*(?:[\w\-][\w.\-]*\.(?:` + extensions + `)|\.env\.(?:example|sample|template)|\.gitignore|\.dockerignore|\.python-version)(?:/[\w\-][\w.\-]*\.(?:` + extensions + `))*`)
	bareNames  = regexp.MustCompile(`\b(?:Dockerfile|Makefile|Jenkinsfile)\b`)
	splitAt    = regexp.MustCompile(`\.(?:` + extensions + `)/`)
	product    = regexp.MustCompile(`(?i)^(?:node|next|vue|react|nuxt|express|three|d3|chart|mermaid|p5|socket|asp|draw)\.(?:js|io|net)$`)
	placeholds = regexp.MustCompile(`[<>{}*$%…]`)
	address    = regexp.MustCompile(`(?i)://|^www\.|github\.com|githubusercontent|@[a-z]`)
	written    = regexp.MustCompile(`(?i)\b(?:writes?|wrote|written|saves?|saved|generates?|generated|outputs?|produces?|produced|renders?|rendered|exports?|exported|creates?|created|stored?|stores|emits?|emitted|dumps?)\b`)
	tree       = regexp.MustCompile(`[├└│]|^\s*(?:\|--|\+--)`)
)

// files collects the files that the document names.
func (l *ledger) files() []named {
	byPath := map[string]named{}
	for i := range l.passages {
		p := &l.passages[i]
		for _, line := range statements(p) {
			for _, name := range pathsIn(line) {
				n := named{path: name, claim: claim{Kind: ofPath, Subject: name, Modality: mood(p, line), Page: p.Page, passage: p, sentence: line}}
				n.found, n.fate = l.repo.locate(name)
				if l.leaves(n) {
					n.claim.Modality = planned
				}
				before, seen := byPath[name]
				if !seen || before.claim.Modality != done && counts(n) {
					byPath[name] = n
				}
			}
		}
	}
	var kept []named
	for _, n := range byPath {
		if counts(n) {
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

// counts tells whether a file is named as one of this repository: as a fact,
// or in a plan that speaks of a file which is there.
func counts(n named) bool {
	return n.claim.Modality == done || n.claim.Modality == planned && n.fate == holds
}

// leaves tells an output of the program at work, or the name of nothing in
// particular, from a file that should be there.
func (l *ledger) leaves(n named) bool {
	if n.fate == holds || n.claim.Modality != done {
		return false
	}
	return written.MatchString(n.claim.sentence)
}

// statements are the pieces of a passage in which one file is named at a time:
// its sentences, the rows of a table, the lines of a tree of folders.
func statements(p *passage.Passage) []string {
	switch p.Kind {
	case passage.Contents:
		return nil
	case passage.Code:
		var out []string
		for line := range strings.Lines(p.Text) {
			if tree.MatchString(line) || command.MatchString(line) {
				out = append(out, line)
			}
		}
		return out
	case passage.Table:
		return strings.Split(p.Text, "\n")
	case passage.Heading, passage.Caption:
		return []string{p.Text}
	}
	return passage.Sentences(p.Text)
}

var command = regexp.MustCompile(`^\s*(?:\$\s*|>\s*)?(?:uv|python3?|pip|poetry|docker|make|cp|pytest|streamlit|cat|bash|sh)\s`)

// pathsIn lists the file paths of a text, normalised.
func pathsIn(text string) []string {
	var out []string
	for _, m := range pathShape.FindAllStringIndex(text, -1) {
		from, to := m[0], m[1]
		if to < len(text) && (isWordByte(text[to]) || text[to] == '(') || from > 0 && isWordByte(text[from-1]) {
			continue
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
	for _, m := range bareNames.FindAllString(text, -1) {
		out = append(out, m)
	}
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

// exact is the file at a path, seen from the project root or the repository.
func (a *against) exact(p string) string {
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
	for _, e := range a.entries {
		if strings.HasSuffix("/"+strings.ToLower(e.Path), low) {
			return e.Path, holds
		}
	}
	for _, was := range a.history.Paths() {
		if strings.HasSuffix("/"+strings.ToLower(was), low) {
			return "", renamed
		}
	}
	if !a.history.Complete() {
		return "", undecided
	}
	return "", untrue
}
