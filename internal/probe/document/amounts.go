package document

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/il/intree"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
)

// A feature that a sentence gives a number to is there in that number, or what the sentence says is not so.

var (
	digits  = `(\d{1,4}|` + strings.Join(spelledOut[1:11], "|") + `)`
	ofTries = regexp.MustCompile(`(?i)\b` + digits + `[ \-](?:\w+[ \-])?(?:retries|retry attempts|attempts|tries)\b|\bretr(?:y|ies|ied|ying) (?:\w+ ){0,2}(?:up to |at most )?` + digits + ` times\b|\bmax_(?:retries|attempts) ?= ?` + digits + `\b`)
	ofTime  = regexp.MustCompile(`(?i)\b` + digits + `[ \-]?(s|secs?|seconds?|minutes?)\b[ \-](?:\w+[ \-]){0,2}(?:time-?outs?|time limits?)\b|\b(?:time-?outs?|time limits?)(?: (?:of|is|are|at|to|after)|:)? \(?` + digits + `[ \-]?(s|secs?|seconds?|minutes?)\b|\btimeout ?= ?` + digits + `\b`)
	process = regexp.MustCompile(`(?i)\bclon(?:e|es|ed|ing)\b|\bgit\b|\bsubprocess\b`)
)

// amount is the number that a sentence gives, and its unit; false: none, or several, or in lines of code, which may be
// a sketch.
func amount(re *regexp.Regexp, sentence string) (n int, unit string, ok bool) {
	all := re.FindAllStringSubmatch(sentence, 3)
	if len(all) != 1 || listed.MatchString(sentence) {
		return 0, "", false
	}
	for _, g := range all[0][1:] {
		if v, is := number(g); is && !ok {
			n, ok = v, true
		} else if g != "" {
			unit = strings.ToLower(g)
		}
	}
	return n, unit, ok
}

// triesOf holds the number of tries that a sentence on a model's answers gives against the loop around the call.
func triesOf(a *against, r result, sentence string) (string, result, bool) {
	said, _, ok := amount(ofTries, sentence)
	if !ok || len(r.proof) == 0 || !answered.MatchString(sentence) {
		return "", result{}, false
	}
	m := a.program.Module(r.proof[0].Path)
	if m == nil {
		return "", result{}, false
	}
	for n := range m.Root().Walk() {
		if !n.Is("for_statement") || n.Line() != r.proof[0].Line {
			continue
		}
		rounds, ok := a.rounds(a.program.Call(n.Field("right").Unparen()))
		if !ok || said == rounds || said == rounds-1 { // the first one is not tried again
			return "", result{}, false
		}
		return fmt.Sprintf("number of tries (%d)", said), result{untrue, r.proof[:1], fmt.Sprintf("the loop around the call goes round %s", court.Count(rounds, "time"))}, true
	}
	return "", result{}, false
}

// answered is what makes a try one of a model's answer.
var answered = regexp.MustCompile(judgeCalls)

// rounds is how often a loop over range() goes round.
func (a *against) rounds(c *intree.Call) (int, bool) {
	if c == nil || c.Name != "range" || len(c.Args) == 0 || len(c.Args) > 2 {
		return 0, false
	}
	a.program.Lock()
	defer a.program.Unlock()
	last, ok := a.program.Number(c.Arg("", len(c.Args)-1))
	first := 0.0
	if len(c.Args) == 2 && ok {
		first, ok = a.program.Number(c.Arg("", 0))
	}
	return int(last - first), ok
}

// limitsOf holds the time that a sentence on processes gives against the limits that the code sets for them.
func limitsOf(a *against, _ result, sentence string) (string, result, bool) {
	said, unit, ok := amount(ofTime, sentence)
	if !ok || !process.MatchString(sentence) {
		return "", result{}, false
	}
	if strings.HasPrefix(unit, "min") {
		said *= 60
	}
	a.program.Lock()
	defer a.program.Unlock()
	var set []string
	var at []court.Place
	for _, c := range a.program.Calls() {
		if !a.live(c) {
			continue
		}
		for _, key := range []string{"timeout", "kill_after_timeout"} {
			v := c.Arg(key, -1)
			if !v.Valid() {
				continue
			}
			k, one := a.program.Number(v)
			if !one || int(k) == said {
				return "", result{}, false
			}
			if s := strconv.FormatFloat(k, 'f', -1, 64); !slices.Contains(set, s) {
				set, at = append(set, s), append(at, line(c.Node.Path(), c.Line())...)
			}
		}
	}
	if len(set) == 0 {
		return "", result{}, false
	}
	return fmt.Sprintf("time limit (%d seconds)", said), result{untrue, at, "the code sets " + strings.Join(set, ", ") + " seconds"}, true
}
