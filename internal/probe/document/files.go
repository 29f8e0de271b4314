package document

import (
	"path"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/passage"
)

// named is a file that the document names as one of this repository.
type named struct {
	path  string // as printed, normalised
	found string // the file that it means; "" when there is none
	fate  fate
	made  bool          // by the program when it runs, or by what is proposed
	lacks bool          // the sentence says that it is missing
	from  []court.Place // in the code, where a run makes a file of this form
	claim claim
}

var (
	written = regexp.MustCompile(`(?i)\b(?:writes?|wrote|written|saves?|saved|generates?|generated|outputs?|produces?|produced|renders?|rendered|exports?|exported|creates?|created|stored?|stores|emits?|emitted|dumps?)\b`)
	unreal  = regexp.MustCompile(`(?i)hallucinat|\b(?:does|did|do) not exist|\b(?:doesn|didn|don)['’]t exist|\bnon-?existent|\bnot found\b|\binvented\b|\bfake\b|\bwrong(?:ly)?\b|\brenamed\b|\bonce received\b|→ ?actual|\bactual:|\bfor example\b|\be\.g\.`)
	// A form in which nothing but a place in the code is given.
	firmBefore = regexp.MustCompile(`(?i)(?:\b(?:code reference|reference|location|evidence|source|file|path|implemented in|defined in|implementation)s?\s*:\s*|^\s*(?:in|see)\s+)["'(\x60]*$`)
	firmAfter  = regexp.MustCompile(`(?i)^["'\x60]*(?:::\w|:L?\d|#L\d|["'\x60)]*\s*\(?(?:lines?|L)\s*\d)`)
	toAdd      = regexp.MustCompile(`(?i)(?:^|\b(?:should|will|must|to|please)\s)(?:add|create|write|introduce)\s+(?:a |an |new |unit |integration |tests? in )*["'(\x60]*$`)
	toWrite    = regexp.MustCompile(`(?i)\b(?:writes?|written|saves?|saved|stores?|stored|generates?|outputs?|exports?|exported|emits?|produces?|rendered|persists?|persisted)\s+(?:\S+\s+){0,6}(?:to|at|into|as|under|in)?\s*["'(\x60]*$`)
	madeAfter  = regexp.MustCompile(`(?i)^["'\x60)]*\s+(?:generation|rendering)\b`)
	fileTable  = regexp.MustCompile(`(?i)^\s*(?:#\s+)?(?:files?|paths?|modules?|source files?|locations?|file path)\b`)
)

// files collects the files that the document names.
func (l *ledger) files() []named {
	m := mentions{ledger: l, byPath: map[string]named{}, doubted: map[string]bool{}, firm: map[string]bool{}}
	for i := range l.passages {
		p := &l.passages[i]
		if p.Kind == passage.Code {
			for _, f := range treeFiles(p.Text, l.repo) {
				entry, _, _ := strings.Cut(f.line, "#") // what follows is a remark
				m.note(p, f.path, statement{f.line, entry})
			}
			continue
		}
		for _, st := range statements(p) {
			for _, name := range pathsIn(st.text) {
				m.note(p, name, st)
			}
		}
	}
	var kept []named
	for _, n := range m.byPath {
		if counts(n) && (n.fate == holds || m.firm[n.path] || !isDoubted(n.path, m.doubted)) {
			kept = append(kept, n)
		}
	}
	slices.SortFunc(kept, func(a, b named) int { return strings.Compare(a.path, b.path) })
	kept = l.merged(kept)
	listed := map[string]bool{}
	for i := range kept {
		c := &kept[i].claim
		c.Fate, c.Modality = kept[i].fate, done
		if kept[i].from != nil { // the document names it and it is not there, but nothing says that it ever was
			c.Modality = planned
		}
		c.Why, c.proof = l.repo.whereabouts(kept[i])
		listed[c.Subject] = true
		if kept[i].lacks {
			continue // it is no claim that the file is there
		}
		l.claims = append(l.claims, *c)
	}
	l.claims = append(l.claims, m.asides(listed)...)
	return kept
}

// mentions collects where the document names files, and how.
type mentions struct {
	*ledger
	byPath  map[string]named
	doubted map[string]bool // named elsewhere as a plan, a thing of the past or somebody else's
	firm    map[string]bool // named in a form that only gives a place in the code
	other   []named         // what is not named as a fact
}

// note takes down that a statement names a file.
func (m *mentions) note(p *passage.Passage, printed string, st statement) {
	l := m.ledger
	if _, known := m.byPath[printed]; !known && len(m.byPath) >= maxPaths || len(printed) > maxPath {
		return
	}
	name, sure := l.repo.pieced(l.repo.whole(l.repo.drawn(p, st.text, printed)), p)
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
	if n.claim.Modality == done && n.fate != holds {
		n.claim.Modality = m.doubt(p, st, printed)
	}
	if made := n.fate == holds && l.repo.made(n.found, st.text, printed); made {
		n.claim.Modality = planned
		n.made = true
	}
	if n.fate == never || n.fate == undecided {
		if at, ok := madeAt(l.repo.outputs(), name); ok {
			n.fate, n.from = undecided, []court.Place{at}
		}
	}
	if n.claim.Modality == done && n.fate != holds && firmly(p, st.text, printed) {
		m.firm[name] = true
	}
	n.lacks = n.claim.Modality == done && saidMissing(st.text, printed)
	m.doubted[name] = m.doubted[name] || n.claim.Modality != done
	if before, seen := m.byPath[name]; !seen || before.claim.Modality != done && counts(n) || before.lacks && n.claim.Modality == done && !n.lacks {
		m.byPath[name] = n
	}
	if n.claim.Modality != done {
		m.other = append(m.other, n)
	} else if n.lacks {
		n.claim.Modality = denied
		m.other = append(m.other, n)
	}
}

// made tells whether a sentence says that a file which is there will be made: by
// what it proposes to add, where it names no folder, or by a run of the program that writes it.
func (a *against) made(found, text, printed string) bool {
	i := strings.Index(text, printed)
	return i >= 0 && (toAdd.MatchString(text[:i]) && !strings.Contains(printed, "/") || toWrite.MatchString(text[:i]) && a.layout.Scope(found) == code.ScopeAudit)
}

// doubt is how a sentence means a file that is not there, when its mood alone
// is that of a fact.
func (m *mentions) doubt(p *passage.Passage, st statement, printed string) modality {
	around := st.around
	if firmly(p, st.text, printed) {
		around = st.text // what stands in the rows beside it is about other files
	}
	switch {
	case saidMissing(st.text, printed):
		return denied
	case asExample(st.text, printed):
		return example
	case written.MatchString(around), unreal.MatchString(around), madeAfter.MatchString(after(st.text, printed)):
		return planned
	}
	return done
}

// after is what follows a path in a sentence.
func after(text, printed string) string {
	_, rest, _ := strings.Cut(text, printed)
	return rest
}

// firmly tells whether a path is given as a place in the code and as nothing
// else.
func firmly(p *passage.Passage, text, printed string) bool {
	if p.Kind == passage.Table {
		head, _, _ := strings.Cut(p.Text, "\n")
		return fileTable.MatchString(head) && strings.HasPrefix(strings.TrimLeft(text, " \t\x60"), printed)
	}
	i := strings.Index(text, printed)
	return i >= 0 && (firmBefore.MatchString(text[:i]) || firmAfter.MatchString(text[i+len(printed):]))
}

// asides are the files that the document names otherwise than as a fact: each
// once for each way, but not those that it also claims or has listed.
func (m *mentions) asides(listed map[string]bool) []claim {
	var out []claim
	seen := map[string]bool{}
	for _, n := range m.other {
		key := string(n.claim.Modality) + "\x00" + n.path
		if seen[key] || listed[n.path] && n.claim.Modality != denied || len(out) >= maxPaths {
			continue
		}
		seen[key] = true
		c := n.claim
		c.Fate = n.fate
		c.Why, c.proof = m.repo.whereabouts(n)
		if c.Modality == denied {
			c.Fate = m.repo.missed(n)
		}
		out = append(out, c)
	}
	return out
}

// missed is what became of the claim that a file is missing: it is contradicted
// only by a file at exactly this path, seen from a root.
func (a *against) missed(n named) fate {
	switch {
	case n.fate != holds && n.found == "":
		return holds
	case a.files[n.path] && strings.Contains(n.path, "/"):
		return untrue
	}
	return undecided
}

// whereabouts says what became of a named file, and where that can be seen.
func (a *against) whereabouts(n named) (string, []court.Place) {
	switch {
	case n.from != nil:
		return "A run of the program makes files of this form.", n.from
	case n.found != "" && n.fate == holds && n.found != n.path && path.Base(n.found) != path.Base(n.path):
		return "The file exists, written in other case: " + n.found + ".", []court.Place{{Path: n.found}}
	case n.found != "" && n.fate == holds && n.found != n.path:
		return "The file exists: " + n.found + ".", []court.Place{{Path: n.found}}
	case n.found != "" && n.fate == holds:
		return "The file exists.", []court.Place{{Path: n.found}}
	case n.fate == renamed && n.found != "":
		return "No file has this path. The file of this name is " + n.found + ".", []court.Place{{Path: n.found}}
	case n.fate == renamed:
		return a.left(n.path)
	case n.fate == undecided:
		return "The file does not exist, and the history is not complete.", nil
	}
	return "No commit of the history has such a file.", nil
}

// left says when a file that an earlier commit had was moved or deleted.
func (a *against) left(p string) (string, []court.Place) {
	low := "/" + strings.ToLower(p)
	for _, c := range slices.Backward(a.history.Commits) {
		for _, ch := range c.Changes {
			if ch.From != "" && ch.From != ch.Path && strings.HasSuffix("/"+strings.ToLower(ch.From), low) && a.files[ch.Path] {
				return "The file was renamed to " + ch.Path + ".", []court.Place{{Path: ch.Path}, {Commit: c.ID}}
			}
			if ch.OID == "" && strings.HasSuffix("/"+strings.ToLower(ch.Path), low) {
				return "The file was deleted.", []court.Place{{Commit: c.ID}}
			}
		}
	}
	return "An earlier commit had the file; the audited one does not.", nil
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
	return n.claim.Modality == done || n.fate == holds && strings.Contains(n.path, "/") && !n.made
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
