package probe

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/passage"
	"github.com/automaton-auditor/automaton/internal/safetext"
)

// What an item may be: a design choice.
const (
	itemLines    = 80
	leastQuote   = 8    // characters, or all of the line
	mostQuote    = 4000 // characters
	leastWords   = 10   // characters of the statement
	mostWords    = 300
	investigated = "investigation"
)

// investigation signs what a model found and the bytes confirmed. What nobody
// runs proves nothing, no matter who points at it.
var investigation = Probe{ID: investigated, Version: "1", Title: "A model found it, and the bytes confirm it", Wired: true}

// confirm makes evidence of the items that stand, and counts the others.
func (q inquest) confirm(ctx context.Context, s *Scene, items []Item) (out []court.Evidence, fell int) {
	seen := map[string]bool{}
	for _, it := range items {
		e, err := q.stands(ctx, s, it)
		key := fmt.Sprintf("%s|%s|%s|%s", e.Check, e.Outcome, e.Location, e.Content)
		if err != nil || seen[key] {
			fell++
			continue
		}
		seen[key] = true
		out = append(out, e)
	}
	return out, fell
}

// stands holds one item against the bytes. The error says what is wrong with
// it; nobody is told but tests.
func (q inquest) stands(ctx context.Context, s *Scene, it Item) (court.Evidence, error) {
	i := slices.IndexFunc(q.open, func(c court.Check) bool { return c.ID == it.Check })
	if i < 0 {
		return court.Evidence{}, errors.New("no check of this investigation")
	}
	statement, err := claimed(it.Statement)
	if err != nil {
		return court.Evidence{}, err
	}
	var at court.Place
	quote := ""
	switch {
	case it.Path != "" && it.Page == 0:
		at, err = q.located(ctx, s, q.open[i], it)
	case it.Path == "" && it.Page > 0:
		at, quote, err = q.printed(ctx, s, it)
	default:
		err = errors.New("neither a file nor a page, or both")
	}
	if err != nil {
		return court.Evidence{}, err
	}
	says := Present
	switch it.Stance {
	case "support":
	case "contrary":
		says = Against
	default:
		return court.Evidence{}, errors.New("neither support nor contrary")
	}
	f := says(court.ModelQuote, []court.Place{at}, "A model that investigated says: %s", statement)
	f.Quote = quote
	ask := q.question()
	by := ask.by[i]
	outcome := f.Outcome
	if f = s.wired(ctx, ask, by, f); f.Outcome != outcome {
		return court.Evidence{}, errors.New("found, not wired")
	}
	e, wrong := s.evidence(ctx, q.by, ask, by, f)
	if len(wrong) > 0 {
		return court.Evidence{}, errors.Join(wrong...)
	}
	if e.Outcome != outcome || e.Content == "" {
		return court.Evidence{}, errors.New("it quotes nothing")
	}
	return e, nil
}

// missing finds words that say that something is not there. A quote cannot show
// that, so a model that says so is not heard. Other languages, and other words,
// get past it with a quote that shows something else: they carry no more than
// any quote of a model does.
var missing = regexp.MustCompile(`(?i)\b(?:no|not|none|never|nothing|nobody|nowhere|neither|nor|without|missing|absent|absence|lack(?:s|ed|ing)?|fail(?:s|ed)? to|cannot|omit(?:s|ted)?|un(?:used|tested|checked|handled|documented|implemented)|\w+n['’]t)\b`)

// claimed is a statement as it is kept: one line, and what is there.
func claimed(statement string) (string, error) {
	statement = court.Clean(strings.Join(strings.Fields(safetext.Lines(statement)), " "), mostWords)
	if utf8.RuneCountInString(statement) < leastWords {
		return "", errors.New("it says nothing")
	}
	if missing.MatchString(statement) {
		return "", errors.New("it says what is not there")
	}
	return statement, nil
}

// located finds the lines of a file that the quote is of, within those that
// were named. They hold code, also for a check of the document: what else stands
// in the repository is said, and not so.
func (q inquest) located(ctx context.Context, s *Scene, ch court.Check, it Item) (court.Place, error) {
	file, err := s.readable(ctx, it.Path)
	if err != nil {
		return court.Place{}, err
	}
	if it.From < 1 || it.To < it.From || it.To-it.From+1 > itemLines || it.To > len(file.starts) {
		return court.Place{}, fmt.Errorf("lines %d to %d of %d", it.From, it.To, len(file.starts))
	}
	quote := strings.Trim(s.mask(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(it.Quote)), "\n")
	lines := s.o.Veil.Hide(file.masked(it.From, it.To))
	at := strings.Index(lines, quote)
	if n := utf8.RuneCountInString(strings.TrimSpace(quote)); at < 0 || n > mostQuote || n < leastQuote && strings.TrimSpace(quote) != strings.TrimSpace(lines) || n == 0 {
		return court.Place{}, errors.New("the quote does not stand there")
	}
	first := it.From + strings.Count(lines[:at], "\n")
	p := court.Place{Path: it.Path, Line: first, EndLine: first + strings.Count(quote, "\n")}
	return p, s.runs(ctx, ch, p, quote, file)
}

// runs tells lines of code in the scope of a check from comments, prose and
// what belongs to others.
func (s *Scene) runs(ctx context.Context, ch court.Check, p court.Place, quote string, file *quotable) error {
	layout, err := s.Layout(ctx)
	if err != nil {
		return err
	}
	scope, allowed := layout.Scope(p.Path), []code.Scope{code.ScopeProduction, code.ScopeConfig, code.ScopeOther}
	switch ch.Scope {
	case "tests":
		allowed = []code.Scope{code.ScopeTest, code.ScopeConfig}
	case "all":
		allowed = append(allowed, code.ScopeTest, code.ScopeExample, code.ScopeDocs, code.ScopeAudit)
	}
	if !slices.Contains(allowed, scope) {
		return fmt.Errorf("it is %s", scope)
	}
	text, err := s.code(ctx, p.Path, file)
	if err != nil {
		return err
	}
	from, to := file.starts[p.Line-1], file.end(p.EndLine)
	if i := strings.Index(file.text[from:to], quote); i >= 0 { // else a secret stands in it, and its lines decide
		from, to = from+i, from+i+len(quote)
	}
	if strings.TrimSpace(text[from:to]) == "" {
		return errors.New("no code stands there")
	}
	return nil
}

// code is the text of a file with all blanked that is comment, string or prose.
// Of data it is what is not a comment.
func (s *Scene) code(ctx context.Context, path string, file *quotable) (string, error) {
	switch (code.File{Path: path}).Language() {
	case "yaml", "toml", "ini", "cfg":
		stretches, err := s.stretches(ctx, path, file)
		if err != nil {
			return "", err
		}
		return blanked(file.text, stretches, 0, code.Literal), nil
	case "json":
		return file.text, nil
	}
	return s.part(ctx, path, file, "code")
}

// printed finds a quote on a page of the document, for a check of the document:
// what it says of code is not evidence about the code.
func (q inquest) printed(ctx context.Context, s *Scene, it Item) (court.Place, string, error) {
	if q.by.Detective == court.RepoInvestigator {
		return court.Place{}, "", errors.New("what the document says shows nothing of the code")
	}
	quote := strings.Join(strings.Fields(safetext.Lines(it.Quote)), " ")
	if n := utf8.RuneCountInString(passage.Squeeze(quote)); n < leastQuote || n > mostQuote {
		return court.Place{}, "", errors.New("a quote too short or too long")
	}
	_, lines, err := s.print(ctx) // what nobody can see on a page is quoted by nobody
	page, next := passage.Squeeze(strings.Join(lines[it.Page], "")), passage.Squeeze(strings.Join(lines[it.Page+1], ""))
	if i := strings.Index(page+next, passage.Squeeze(quote)); err == nil && (i < 0 || i >= len(page)) { // it may run over to the next
		err = errors.New("the quote does not stand there")
	}
	return court.Place{Page: it.Page, Digest: s.PDFDigest()}, quote, err
}
