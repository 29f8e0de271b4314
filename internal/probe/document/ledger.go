package document

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/code/syntax"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/facts"
	"github.com/automaton-auditor/automaton/internal/il/intree"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/passage"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/repo"
	"github.com/automaton-auditor/automaton/internal/safetext"
)

// kind is what a claim is about.
type kind = court.ClaimKind

const (
	ofPath       = court.ClaimPath
	ofLine       = court.ClaimLine
	ofSymbol     = court.ClaimSymbol
	ofCommand    = court.ClaimCommand
	ofCommit     = court.ClaimCommit
	ofNumber     = court.ClaimNumber
	ofCapability = court.ClaimCapability
)

// fate is what became of a claim when it was held against the repository.
type fate = court.Fate

const (
	holds     = court.Verified
	inPart    = court.InPart
	renamed   = court.Elsewhere    // true of an earlier commit, or at another place
	untrue    = court.Contradicted // searched for, and the contrary was found
	never     = court.NeverExisted // in no commit of a complete history
	undecided = court.NotCheckable // nobody could tell
)

// claim is one thing that the document says about the submission.
type claim struct {
	Kind     kind     `json:"kind"`
	Subject  string   `json:"subject"`
	Modality modality `json:"modality"`
	Fate     fate     `json:"fate"`
	Page     int      `json:"page,omitempty"`
	Why      string   `json:"why,omitempty"`

	passage  *passage.Passage
	sentence string
	proof    []court.Place // in the code
	lacking  bool          // it is said that the code does not have what the subject names after "no"
}

// ledger is every claim of the document, in the order in which it makes them.
type ledger struct {
	*reading
	claims []claim
	paths  []named  // files as the fact sheet lists them, sorted
	other  []string // names of several humps that occur nowhere in the code
	repo   *against
}

// against is the repository that claims are held against.
type against struct {
	name    string // of the repository
	layout  *code.Layout
	entries []repo.Entry
	files   map[string]bool
	present map[string][]string       // paths of the commit by base name in lower case
	ever    map[string][]string       // paths of all commits, so too
	defined map[string][]*declaration // first-party classes and functions by folded name
	nodes   map[string]bool           // folded names of the graph's nodes
	spoken  *regexp.Regexp            // the same as running text writes them
	lower   *regexp.Regexp            // the same in lower case beside the word node
	program *intree.Program
	others  *syntax.Program // without files where nobody reads other languages
	graphs  *facts.Wiring
	history facts.Past
	texts   map[string][]byte // files by path
	known   *vocabulary
	outputs func() []output   // forms of path that a run makes
	joined  int               // pieces of paths put together so far
	foreign bool              // there is production code that is not Python
	mends   map[string]string // what is to be done about what keeps a feature from its effect, by what that is
}

// account reads all claims of the document, once per scene.
func account(ctx context.Context, s *probe.Scene) (*ledger, error) {
	return probe.Shared(s, "document.ledger", func() (*ledger, error) {
		r, err := read(ctx, s)
		if err != nil {
			return nil, err
		}
		a, err := repository(ctx, s)
		if err != nil {
			return nil, err
		}
		l := &ledger{reading: r, repo: a}
		l.paths = l.files()
		if names := s.DocumentNames(); len(names) > 1 {
			l.siblings(names)
		}
		l.symbols()
		l.idle()
		l.lines()
		tree, err := s.Commands(ctx)
		if err != nil {
			return nil, err
		}
		l.commands(tree)
		l.commits()
		l.numbers(s.PDFPath())
		l.capabilities(ctx, s)
		l.unheard()
		if err := l.former(ctx, s); err != nil {
			return nil, err
		}
		if r.scan != "" {
			l.hedge()
		}
		return l, nil
	})
}

// siblings takes out the names of the documents that were handed in together:
// one that points to another names no file of the repository.
func (l *ledger) siblings(names []string) {
	handed := map[string]bool{}
	for _, n := range names {
		handed[strings.ToLower(path.Base(n))] = true
	}
	of := func(p string) bool { return handed[strings.ToLower(path.Base(p))] }
	l.paths = slices.DeleteFunc(l.paths, func(n named) bool { return n.fate != holds && of(n.path) })
	l.claims = slices.DeleteFunc(l.claims, func(c claim) bool { return c.Kind == ofPath && c.Fate != holds && of(c.Subject) })
}

func repository(ctx context.Context, s *probe.Scene) (*against, error) {
	return probe.Shared(s, "document.repository", func() (*against, error) {
		a := &against{name: path.Base(s.Slug()), files: map[string]bool{}, mends: map[string]string{}}
		var err error
		if a.entries, err = s.Entries(); err != nil {
			return nil, err
		}
		if a.program, err = s.Joined(ctx); err != nil {
			return nil, err
		}
		if a.others, err = s.Syntax(ctx); err != nil {
			if _, ok := errors.AsType[*probe.Unable](err); !ok {
				return nil, err
			}
			a.others = &syntax.Program{}
		}
		a.layout = a.program.Layout
		a.outputs = sync.OnceValue(func() []output { return outputs(a.program) })
		if a.graphs, err = s.Wiring(ctx); err != nil {
			return nil, err
		}
		all, err := s.Past(ctx)
		if err != nil {
			return nil, err
		}
		a.history = all.Value
		for _, e := range a.entries {
			a.files[e.Path] = true
		}
		other, err := s.Elsewhere(ctx)
		if err != nil {
			return nil, err
		}
		a.foreign = len(other) > 0
		a.index()
		texts, err := s.Texts(ctx)
		if err != nil {
			return nil, err
		}
		a.texts = texts
		a.known = vocabularyOf(a.layout, a.program.Program, texts)
		return a, nil
	})
}

// index makes what claims are looked up in.
func (a *against) index() {
	a.present, a.ever = map[string][]string{}, map[string][]string{}
	for _, e := range a.entries {
		base := strings.ToLower(path.Base(e.Path))
		a.present[base] = append(a.present[base], e.Path)
	}
	ever := map[string]bool{}
	for _, p := range a.history.Paths() {
		ever[p] = true
	}
	for i := range a.history.Commits {
		for _, ch := range a.history.Commits[i].Changes {
			ever[ch.Path], ever[ch.From] = true, true
		}
	}
	for _, p := range slices.Sorted(maps.Keys(ever)) {
		base := strings.ToLower(path.Base(p))
		a.ever[base] = append(a.ever[base], p)
	}
	a.nodes = map[string]bool{}
	a.declare()
	if g := a.graphs.Main; g != nil {
		var names []string
		for _, n := range g.Nodes {
			a.nodes[fold(n.Name)] = true
			if !n.Pattern {
				names = append(names, n.Name)
			}
		}
		a.spoken = spokenNodes(names)
		a.lower = besideNode(names)
	}
}

// hedge: what OCR read may be misread, so that no claim is held against the
// document for not being found as it was read.
func (l *ledger) hedge() {
	for i := range l.claims {
		if c := &l.claims[i]; c.Fate != holds {
			c.Fate, c.Why = undecided, "The words were read from a picture and may be misread."
		}
	}
	for i := range l.paths {
		if l.paths[i].fate != holds {
			l.paths[i].fate = undecided
		}
	}
	l.other = nil
}

// of lists the claims of a kind that the document makes of this submission as
// it is.
func (l *ledger) of(k kind) []claim {
	var out []claim
	for _, c := range l.claims {
		if c.Kind == k && c.Modality == done {
			out = append(out, c)
		}
	}
	return out
}

// with lists the claims of a fate.
func with(f fate, claims []claim) []claim {
	return slices.DeleteFunc(slices.Clone(claims), func(c claim) bool { return c.Fate != f })
}

// gone lists the claims about what is not there, whether it ever was or not.
func gone(claims []claim) []claim {
	return slices.DeleteFunc(slices.Clone(claims), func(c claim) bool { return c.Fate == holds || c.Fate == inPart || c.Fate == undecided })
}

// cited is the finding with the claim's own words first and the code that
// speaks to it after them.
func (l *ledger) cited(f probe.Finding, claims ...claim) probe.Finding {
	for i, c := range claims {
		at, quote := l.cite(c.passage, c.sentence)
		if i == 0 {
			f.Quote = quote
		}
		f.Places = append(f.Places, at)
		f.Places = append(f.Places, c.proof[:min(len(c.proof), 3)]...)
	}
	return f
}

// why is the reason of a claim's fate, as a sentence.
func (c *claim) why() string { return safetext.Sentence(court.Clean(c.Why, 200)) }

// whys is why of the first claim. It names what that is about when there are more.
func whys(claims []claim) string {
	if len(claims) == 1 {
		return claims[0].why()
	}
	return safetext.Sentence("on " + court.Clean(claims[0].Subject, 80) + ": " + court.Clean(claims[0].Why, 200))
}

// portion says of how many claims something is true, with its verb in both numbers.
func portion(good, all int, noun, one, many string) string {
	return safetext.Capital(court.Of(good, all, noun)) + " " + court.Agree(good, all, one, many)
}

// subjects lists what claims are about, at most five.
func subjects(claims []claim) string {
	var out []string
	for i, c := range claims {
		if i == 5 {
			out = append(out, fmt.Sprintf("%d more", len(claims)-i))
			break
		}
		out = append(out, court.Clean(c.Subject, 80))
	}
	return safetext.List(out)
}
