package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
)

// What a job of GitHub shows: annotations above these numbers are dropped there
// without a word.
const (
	annotationsPerKind = 10
	annotationsInAll   = 50
)

// writeAnnotations writes findings as workflow commands, the worst of each kind
// in the order of a diff, and says how many were left out.
func writeAnnotations(w io.Writer, rec *court.Record) error {
	d := newDocket(rec)
	all, _ := d.findings()
	var b strings.Builder
	shown, left := 0, 0
	for _, l := range levels() {
		kind := slices.DeleteFunc(slices.Clone(all), func(f finding) bool { return f.level != l })
		take := min(len(kind), annotationsPerKind, annotationsInAll-shown)
		left += len(kind) - take
		kind = kind[:take]
		shown += take
		slices.SortStableFunc(kind, func(x, y finding) int {
			return cmp.Or(cmp.Compare(x.at.Path, y.at.Path), cmp.Compare(x.at.Line, y.at.Line))
		})
		for _, f := range kind {
			b.WriteString(d.annotation(f))
		}
	}
	fmt.Fprintf(&b, "%s shown here.", plural(shown, "finding"))
	if left > 0 {
		fmt.Fprintf(&b, " The report has %d more.", left)
	}
	b.WriteByte('\n')
	return put(w, []byte(b.String()))
}

func (d *docket) annotation(f finding) string {
	command := string(f.level)
	if f.level == levelNote {
		command = "notice"
	}
	place := "file=" + property(rooted(d.rec.Case, f.at))
	if f.at.Line > 0 {
		place += fmt.Sprintf(",line=%d,endLine=%d", f.at.Line, max(f.at.Line, f.at.EndLine))
	}
	return fmt.Sprintf("::%s %s,title=%s::%s\n", command, place, property(court.Clean(d.name(f.Criterion), 200)), message(f.text()))
}

// message escapes what ends a workflow command.
func message(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(s)
}

// property escapes what ends a property of a workflow command.
func property(s string) string {
	return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(message(court.Clean(s, 0)))
}
