package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/graph"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/trace"
)

// hostile strings move a cursor, hide, reorder, or begin a line of ours.
var hostile = map[string]string{
	"escapes": "x\x1b[2J\x1b]0;t\x07\x1b]8;;https://evil.example\x1b\\y\x1bP\x9b31m\u009b2J\x7f\b\b\r",
	"lines":   "x\nautomaton: all is well\nhint: run this\r\nautomaton: done",
	"unseen":  "x\u202egpj\u2066\u200b\ufeff\U000e0041\ufe0f\u2028\u3164\ue000",
	"invalid": "x\xff\xfe\xc3(\xed\xa0\x80",
	"markup":  "a|b \\| <b>x</b> [a](javascript:x) `c` *d* _e_ ~~f~~ <!-- --> ]]> %%{init: {}}%% \"; x[\"y\"] https://evil.example Www.evil.example @o #1",
}

// quiet tells what in a text acts on a terminal.
func quiet(s string) error {
	if !utf8.ValidString(s) {
		return fmt.Errorf("not UTF-8: %q", s)
	}
	for l := range strings.SplitSeq(s, "\n") {
		if strings.ContainsFunc(l, func(r rune) bool {
			return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Zl, unicode.Zp, unicode.Variation_Selector)
		}) {
			return fmt.Errorf("in %q", l)
		}
	}
	return nil
}

// Whatever a user, a file's name or a setting holds, each message is one line
// of ours, plain or as JSON.
func TestD40Messages(t *testing.T) {
	commands := map[string]string{
		"command": "HOSTILE", "target": "audit HOSTILE", "folder": "audit ./HOSTILE", "web": "audit https://github.com/a/b@HOSTILE", "scp": "audit git@github.com:HOSTILE",
		"pdf": "audit ./none --pdf HOSTILE", "tree": "audit ./none --pdf tree:HOSTILE", "rubric": "audit ./none -r HOSTILE", "unknown flag": "audit ./none --HOSTILE", "format": "audit ./none -f HOSTILE",
		"output": "audit ./none -o HOSTILE", "out": "audit ./none --out HOSTILE/x", "only": "audit ./none --only HOSTILE", "bar": "audit ./none --fail-under HOSTILE=3", "score": "audit ./none --fail-under HOSTILE",
		"commit": "audit ./none --commit HOSTILE", "host": "audit ./none --allow-host HOSTILE", "timeout": "audit ./none --timeout HOSTILE", "jobs": "audit ./none --jobs HOSTILE",
		"report": "report HOSTILE", "explain": "explain HOSTILE", "probe": "probe explain HOSTILE", "probe run": "probe run proc.shell HOSTILE", "probe arg": "probe run proc.shell ./none --arg HOSTILE=1",
		"lint": "rubric lint HOSTILE", "convert": "rubric convert HOSTILE", "rubric command": "rubric HOSTILE", "config": "doctor --config=HOSTILE", "env file": "doctor --env-file HOSTILE",
		"facts": "facts HOSTILE", "graph": "graph HOSTILE", "code": "code HOSTILE", "help": "help HOSTILE", "completion": "completion HOSTILE", "extra": "version HOSTILE",
	}
	for kind, text := range hostile {
		for what, line := range commands {
			t.Run(kind+" as "+what, func(t *testing.T) {
				for _, mode := range []string{"plain", "json"} {
					w := newWorld(t)
					args := []string{"--progress", mode, "-d"}
					for arg := range strings.FieldsSeq(line) {
						args = append(args, strings.ReplaceAll(arg, "HOSTILE", text))
					}
					code := w.run(args...)
					if err := quiet(w.out.String() + w.err.String()); err != nil {
						t.Errorf("%s: exit %d: %v", mode, code, err)
					}
					if strings.HasPrefix(line, "help") {
						continue // its lines are cobra's
					}
					for l := range strings.Lines(w.err.String()) {
						if mode == "json" != json.Valid([]byte(l)) || mode == "plain" && !strings.HasPrefix(l, "automaton: ") && !strings.HasPrefix(l, "hint: ") {
							t.Errorf("%s: exit %d: the line %q", mode, code, l)
						}
					}
					if n := len(regexp.MustCompile(`(?m)^automaton: (all is well|done)|^hint: run this`).FindAllString(w.err.String(), -1)); n > 0 {
						t.Errorf("%d lines of theirs: %q", n, w.err.String())
					}
				}
			})
		}
	}
}

// Files with such names are named safely when they are read and refused.
func TestD40FileNames(t *testing.T) {
	for kind, name := range hostile {
		name = strings.ReplaceAll(name, "/", "_")
		t.Run(kind, func(t *testing.T) {
			w := newWorld(t)
			if err := os.WriteFile(filepath.Join(w.Dir, name), []byte("{\"name\": \""+name+"\", \"dimensions\": ["), 0o600); err != nil {
				t.Skip(err)
			}
			for _, args := range [][]string{{"rubric", "lint", name}, {"rubric", "show", name}, {"rubric", "convert", name}, {"report", name}, {"verify", name}, {"replay", name},
				{"audit", name}, {"doctor", "--config", name}, {"doctor", "--env-file", name}, {"audit", "./none", "--pdf", name}, {"audit", "./none", "--out", name}} {
				if code := w.run(args...); code != 2 {
					t.Errorf("%q: exit %d", args, code)
				}
				if err := quiet(w.out.String() + w.err.String()); err != nil {
					t.Errorf("%q: %v", args, err)
				}
			}
		})
	}
}

// filled puts a text into every string that v holds or could hold.
func filled(v reflect.Value, text string) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(text)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		filled(v.Elem(), text)
	case reflect.Struct:
		for _, f := range v.Fields() {
			filled(f, text)
		}
	case reflect.Slice:
		if v.Type() != reflect.TypeFor[json.RawMessage]() {
			v.Set(reflect.MakeSlice(v.Type(), 2, 2))
			filled(v.Index(0), text)
			filled(v.Index(1), text)
		}
	case reflect.Array:
		for i := range v.Len() {
			filled(v.Index(i), text)
		}
	}
}

var inert = regexp.MustCompile("\\\\[!-/:-@\\[-`{-~]|&(?:lt|gt|amp|#\\d+);|<!-- -->")

// The fact sheet as a table has the cells that it has with a harmless text, and
// nothing in them that is markup.
func TestD40FactsTable(t *testing.T) {
	marks := func(text string) string {
		sheet := &probe.Sheet{}
		filled(reflect.ValueOf(sheet).Elem(), text)
		sheet.Proof = map[string]probe.Proof{"git": {Text: text}, "graph.nodes": {Text: text}, "report": {Text: text}}
		raw, err := sheet.JSON()
		if err != nil {
			t.Fatal(err)
		}
		table, err := sheetTable(sheet, raw)
		if err := quiet(string(raw) + string(table)); err != nil {
			t.Error(err)
		}
		if err != nil {
			t.Fatal(err)
		}
		return strings.Join(regexp.MustCompile("[|`*_\\[\\]<>~$&\n]|://|(?i:www\\.)|[@#]\\w").FindAllString(inert.ReplaceAllString(string(table), "\x00"), -1), "")
	}
	want := marks("harmless")
	for kind, text := range hostile {
		if got := marks(text); got != want {
			t.Errorf("%s: the table has the marks %q, want %q", kind, got, want)
		}
	}
}

// A rubric's texts are lines of the listing and no more.
func TestD40RubricListing(t *testing.T) {
	show := func(text string) (string, string) {
		r := &court.Rubric{}
		filled(reflect.ValueOf(r).Elem(), text)
		r.Digest, r.Checks = strings.Repeat("a", 64), strings.Repeat("b", 64)
		r.Extra = map[string]json.RawMessage{"x": json.RawMessage(fmt.Sprintf("%q", "e"))}
		var b, c strings.Builder
		if err := showRubric(&lines{w: &b}, r, true, false); err != nil {
			t.Fatal(err)
		}
		w := newWorld(t)
		a := w.app()
		a.Stdout = &c
		if err := a.plan(r, auditFlags{}); err != nil {
			t.Fatal(err)
		}
		return b.String(), c.String()
	}
	shown, planned := show("harmless")
	for kind, text := range hostile {
		s, p := show(text)
		if err := quiet(s + p); err != nil {
			t.Errorf("%s: %v", kind, err)
		}
		if strings.Count(s, "\n") != strings.Count(shown, "\n") || strings.Count(p, "\n") != strings.Count(planned, "\n") {
			t.Errorf("%s: more lines than the harmless rubric has:\n%s%s", kind, s, p)
		}
	}
}

// A graph of a submission is drawn with its names as text in each format.
func TestD40Drawing(t *testing.T) {
	draw := func(text, format string) string {
		w := newWorld(t)
		d := graph.Drawing{Name: text, Nodes: []graph.DrawnNode{{Name: text}, {Name: "n" + text, Waits: []string{text}}}, Edges: []graph.DrawnEdge{{From: text, To: "n" + text, Branch: text}}}
		if err := w.app().draw(d, []string{court.Clean(text, 200)}, format); err != nil {
			t.Fatal(err)
		}
		return w.out.String()
	}
	for kind, text := range hostile {
		for _, format := range []string{"mermaid", "dot", "json"} {
			got := draw(text, format)
			if err := quiet(got); err != nil {
				t.Errorf("%s, %s: %v", kind, format, err)
			}
			if want := draw("harmless", format); strings.Count(got, "\n") != strings.Count(want, "\n") || format == "mermaid" && strings.Contains(got, "%%{") {
				t.Errorf("%s, %s:\n%s", kind, format, got)
			}
		}
	}
}

// Events go to a terminal as lines of ours, and as JSON without a byte that
// acts there.
func TestD40Progress(t *testing.T) {
	for kind, text := range hostile {
		for _, mode := range []string{"plain", "json"} {
			w := newWorld(t)
			a := w.app()
			if err := a.config.Set("progress", "--progress", mode); err != nil {
				t.Fatal(err)
			}
			s := a.progress(t.Context(), w.Now)
			s.fetched(court.Case{RepoURL: text, Commit: text})
			log := trace.NewLog(text, w.Now, s.event, a.recent)
			for _, k := range []trace.Kind{trace.CaseStart, trace.NodeStart, trace.Evidence, trace.Fault, trace.Route, trace.NodeEnd, trace.CaseEnd} {
				log.Emit(trace.Event{Kind: k, Node: "DocAnalyst", Item: text, Text: text, Grave: true})
			}
			s.stop()
			if err := quiet(w.err.String()); err != nil || log.Err() != nil {
				t.Errorf("%s, %s: %v, %v", kind, mode, err, log.Err())
			}
			if n := strings.Count(w.err.String(), "\n"); mode == "json" && n != 7 || mode == "plain" && n != 4 {
				t.Errorf("%s, %s: %d lines:\n%s", kind, mode, n, w.err.String())
			}
		}
	}
}
