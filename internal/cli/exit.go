package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/config"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/rubric"
	"github.com/automaton-auditor/automaton/internal/sandbox"
)

// Exit codes; they never change within a major version.
const (
	exitDone        = 0
	exitFailed      = 1   // the gate failed, or what was asked about does not hold
	exitUsage       = 2   // wrong usage or input; nothing was examined
	exitUnexamined  = 3   // the case could not be examined, or only in part
	exitBug         = 4   // an internal error
	exitInterrupted = 130 // what was known is kept
)

// failure is an error with its exit code and hints.
type failure struct {
	code  int
	err   error
	hints []string
	said  bool // everything was said already: only the code is left
}

func (f *failure) Error() string { return f.err.Error() }

func (f *failure) Unwrap() error { return f.err }

// usage is a mistake of the one who called.
func usage(hint, format string, a ...any) error {
	f := &failure{code: exitUsage, err: fmt.Errorf(format, a...)}
	if hint != "" {
		f.hints = []string{hint}
	}
	return f
}

// coded gives an error an exit code and a hint.
func coded(code int, err error, hints ...string) error {
	return &failure{code: code, err: err, hints: hints}
}

// exit shows an error and gives its exit code. It is the only place that maps
// errors to codes. Whatever else went wrong, an interrupted command says so.
func (a *app) exit(ctx context.Context, err error) int {
	if err == nil {
		return exitDone
	}
	code, hints := exitUsage, []string(nil)
	f, known := errors.AsType[*failure](err)
	if known {
		code, hints = f.code, f.hints
	}
	if code != exitBug && (ctx.Err() != nil || errors.Is(err, context.Canceled)) {
		code = exitInterrupted
	}
	if known && f.said {
		return code
	}
	if errs, ok := errors.AsType[rubric.Errors](err); ok {
		for _, e := range errs {
			a.tell(message{Kind: "place", Text: e.Error()})
		}
		err = fmt.Errorf("loading rubric %s: %s", errs[0].File, count(len(errs), "error"))
		hints = append(hints, errs[0].Hint)
	}
	if pe, ok := errors.AsType[*config.PosError](err); ok {
		hints = append(hints, pe.Hint)
	}
	hints = slices.DeleteFunc(slices.Clone(hints), func(h string) bool { return h == "" })
	a.tell(message{Kind: "error", Text: wordsOnly(err), Hints: hints[:min(len(hints), 2)]})
	return code
}

// mistakes are the codes of refusals that say no more than their words.
var mistakes = []string{"local_missing", "local_inside", "local_closed", "ref_missing", "url_scheme", "bundle_part", "path_missing", "path_outside",
	"archive_kind", "archive_method", "archive_encrypted", "archive_damaged", "archive_empty"}

// wordsOnly is an error without the code of a refusal, where that is of a plain
// mistake; the other codes help to look up what was defended.
func wordsOnly(err error) string {
	text := said(err)
	if r, ok := errors.AsType[*sandbox.Refusal](err); ok && slices.Contains(mistakes, r.Code) {
		text = strings.Replace(text, r.Error(), r.Msg, 1)
	}
	return text
}

// said is an error in one sentence: what was joined stands behind semicolons.
func said(err error) string {
	if f, ok := err.(*failure); ok { //nolint:errorlint // what it wraps is looked at in turn
		return said(f.err)
	}
	many, ok := err.(interface{ Unwrap() []error })
	if !ok {
		return err.Error()
	}
	var texts, joined []string
	for _, e := range many.Unwrap() {
		texts, joined = append(texts, said(e)), append(joined, e.Error())
	}
	if strings.Join(joined, "\n") != err.Error() { // it has words of its own
		return err.Error()
	}
	return strings.Join(texts, "; ")
}

// shown makes text safe for the terminal and keeps it on one line: a line break
// in a name must not begin a message of ours.
func shown(s string) string { return court.Clean(s, 400) }

func count(n int, what string) string { return counted(n, what, what+"s") }

// counted is count for a word whose plural is not s.
func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// refusalCode is the code of a refused target or limit, "" for other errors.
func refusalCode(err error) string {
	if r, ok := errors.AsType[*sandbox.Refusal](err); ok {
		return r.Code
	}
	return ""
}
