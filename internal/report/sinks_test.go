package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"

	"github.com/automaton-auditor/automaton/internal/court"
)

// attacks are strings that try to be something else than text, by kind.
var attacks = map[string]string{
	"script":      `</script x </script></style></title></textarea><script>alert(1)</script><svg onload=alert(1)> <!--<script `,
	"attribute":   `"><img src=x onerror=alert(1)> ' onmouseover='alert(1) x="`,
	"link":        `](javascript:alert(1)) [x](https://evil.example) [r]: https://evil.example <https://evil.example> javascript:alert(1)`,
	"own link":    `https://evil.example HTTP://evil.example Www.evil.example a@evil.example mailto:a@evil.example @octocat #1 GH-1 a/b#1 a/b@9f2c41d 9f2c41d07be35a0e6c1a8d2f4b6e9c7a1d3f5b80 (deadbee) :shipit: :+1: <!-- automaton:x -->`,
	"image":       `![i](https://evil.example/p.png) ![r][i]`,
	"backticks":   "` `` ``` ```` ~~~~ `a` \\` \\\\`",
	"long fences": "x\n" + strings.Repeat("`", 90) + "\n" + strings.Repeat("`", 300) + "\n*out*\n" + strings.Repeat("~", 300) + "\n",
	"table":       `a|b \| c \\| d || e`,
	"comment":     `--> <!-- <![CDATA[ ]]> <?php ?> {{.}} {{template "x"}} ${x} <details><summary>`,
	"blocks":      "a\n# Heading\n- [ ] item\n1. one\n> quote\n\n    code\n---\n===\n| a |\n|---|\n<div>\n\n[x]: y\n+ b\n```\n",
	"emphasis":    `*a* **b** _c_ __d__ ~~e~~ $f$ &lt; &#60; &amp; <b> \* \`,
	"terminal":    "\x1b[2J\x1b[31mred\x1b]0;title\x07\x1b]8;;https://evil.example\x1b\\x\x1b]8;;\x1b\\ \x1bPq\x1b\\ \x1bc \x9b31m \u009b2J \u0090q\u009c \x7f\x08\x08\x08\r over\x00\x05",
	"unseen":      "\u202eevil\u202c \u2066x\u2069 a\u200bb\u200dc\ufeff \U000e0041\U000e007f v\ufe0f\U000e0100 \u00ad \u2028 \u2029 \u3164 \ue000 \u034f \u061c",
	"invalid":     "a\xff\xfe\xc3\x28\xed\xa0\x80\xf4\x90\x80\x80 end\xe2\x80",
	"formula":     "=cmd|' /C calc'!A0\t@SUM(1+1)\t-1+1\r\n+1",
	"long":        strings.Repeat("long <b> ", 200) + strings.Repeat("W", 1000),
	"labels":      "E1 P1 E2E1 [E1](#x) #E1 c-x scores automaton-record",
}

// harmless is a text of the shape of an attack as it is shown: as many lines
// and words, and nothing in them.
func harmless(s string) string {
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		lines[i] = strings.Map(func(r rune) rune {
			if unicode.IsSpace(r) {
				return ' '
			}
			return 'x'
		}, court.Clean(strings.TrimSuffix(l, "\r"), 0))
	}
	return strings.Join(lines, "\n")
}

// everything is all attacks in one string.
func everything() string {
	var b strings.Builder
	for _, name := range []string{"script", "attribute", "link", "own link", "image", "backticks", "table", "comment", "blocks", "emphasis", "terminal", "unseen", "invalid", "formula"} {
		b.WriteString(attacks[name] + " ")
	}
	return b.String()
}

// hook is one field of a record that is a string.
type hook struct {
	path string
	set  func(s string)
}

// hooks lists the string fields below v; what is empty is filled first, so that
// none is left out. Keys of maps are fields, too.
func hooks(path string, v reflect.Value, out *[]hook) {
	switch v.Kind() {
	case reflect.String:
		*out = append(*out, hook{path, func(s string) {
			if path != ".Case.RepoURL" { // with a tail it is another address, or none
				s = v.String() + s
			}
			v.SetString(s)
		}})
	case reflect.Pointer:
		if v.IsNil() {
			v.Set(reflect.New(v.Type().Elem()))
		}
		hooks(path, v.Elem(), out)
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				hooks(path+"."+v.Type().Field(i).Name, v.Field(i), out)
			}
		}
	case reflect.Slice:
		if v.Type() == reflect.TypeFor[json.RawMessage]() {
			*out = append(*out, hook{path, func(s string) { raw, _ := json.Marshal(s); v.SetBytes(raw) }})
			return
		}
		if v.Len() == 0 {
			v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		}
		for i := range v.Len() {
			hooks(path+"[]", v.Index(i), out)
		}
	case reflect.Map:
		hookMap(path, v, out)
	}
}

// hookMap lists the keys and values of a map; what is changed is a new entry.
func hookMap(path string, v reflect.Value, out *[]hook) {
	t := v.Type()
	if v.IsNil() {
		v.Set(reflect.MakeMap(t))
	}
	fresh := func() reflect.Value {
		e := reflect.New(t.Elem()).Elem()
		for _, k := range v.MapKeys() {
			e.Set(v.MapIndex(k))
			return e
		}
		return e
	}
	if t.Key().Kind() != reflect.String {
		return
	}
	put := func(key string, e reflect.Value) { v.SetMapIndex(reflect.ValueOf(key).Convert(t.Key()), e) }
	*out = append(*out, hook{path + "{key}", func(s string) { put(s, fresh()) }})
	if t.Elem().Kind() == reflect.Slice && t.Elem().Elem().Kind() == reflect.Struct {
		if v.Len() == 0 {
			put("x", reflect.MakeSlice(t.Elem(), 1, 1))
		}
		for _, k := range v.MapKeys() {
			hooks(path+"{}", v.MapIndex(k), out)
		}
		return
	}
	var inner []hook
	e := fresh()
	hooks(path+"{}", e, &inner)
	for _, h := range inner {
		*out = append(*out, hook{h.path, func(s string) { h.set(s); put("k", e) }})
	}
}

// targets are small records in which every field holds something: one before the
// embedded bench, one before models.
var targets = map[string]func() []byte{"embedded": target, "models": modelTarget}

// targetRecord is one of them, and its fields.
func targetRecord(name string) (*court.Record, []hook) {
	rec := new(court.Record)
	if err := json.Unmarshal(targets[name](), rec); err != nil {
		panic(err)
	}
	var list []hook
	hooks("", reflect.ValueOf(rec).Elem(), &list)
	return rec, list
}

var target = sync.OnceValue(func() []byte {
	rec := cappedRecord()
	rec.Rubric.Criteria = rec.Rubric.Criteria[3:4]
	id := rec.Rubric.Criteria[0].ID
	rec.Evidences = map[string][]court.Exhibit{id: rec.Evidences[id][:3]}
	rec.Evidences[id][1].At = []court.Place{{Page: 2, Digest: "7777"}} // no code, which would be coloured
	rec.Verdict.Rulings, rec.Opinions, rec.Hearings = rec.Verdict.Rulings[3:4], rec.Opinions[9:12], rec.Hearings[3:4]
	rec.Verdict.Rulings[0].Dissent = true
	rec.Case.Only = []string{id, id}
	raw, err := json.Marshal(rec)
	if err != nil {
		panic(err)
	}
	return raw
})

var modelTarget = sync.OnceValue(func() []byte {
	rec := modelsRecord()
	rec.Case.RepoURL, rec.Case.Slug = "https://github.com/northwind/automaton-auditor", "northwind/automaton-auditor"
	rec.Case.Only = []string{"safe_tools", "safe_tools"}
	keep := func(id string) bool { return id == "safe_tools" }
	rec.Rubric.Criteria = rec.Rubric.Criteria[1:2]
	rec.Evidences = map[string][]court.Exhibit{"safe_tools": rec.Evidences["safe_tools"]}
	rec.Evidences["safe_tools"][0].Source = court.ModelQuote
	rec.Verdict.Rulings = rec.Verdict.Rulings[1:2]
	rec.Opinions = slices.DeleteFunc(rec.Opinions, func(o court.Opinion) bool { return !keep(o.Criterion) || o.Round == 1 })
	slices.Reverse(rec.Opinions) // the one that is struck comes before the embedded one: its fields are tried one by one
	rec.Hearings = slices.DeleteFunc(rec.Hearings, func(h court.Hearing) bool { return !keep(h.Criterion) || h.Round == 1 })
	rec.Opinions[0], rec.Opinions[1] = rec.Opinions[1], rec.Opinions[0]
	raw, err := json.Marshal(rec)
	if err != nil {
		panic(err)
	}
	return raw
})

// renderings are all that is shown of a record, by name, or those that are named.
func renderings(t testing.TB, rec *court.Record, names ...string) map[string]string {
	t.Helper()
	out := map[string]string{}
	add := func(name string, write func(*bytes.Buffer) error) {
		if len(names) > 0 && !slices.Contains(names, name) {
			return
		}
		var b bytes.Buffer
		if err := write(&b); err != nil && b.Len() == 0 {
			b.WriteString(court.Clean(err.Error(), 0)) // as errors are shown
		}
		out[name] = b.String()
	}
	for _, f := range Formats {
		if f.Name == "github-summary" || f.Name == "github-comment" && testing.Short() {
			continue // the Markdown report itself: TestStepSummary; and its parts in another order
		}
		if f.Name == "github-comment" { // all of it: what is cut is in TestFitting
			f.Write = func(w io.Writer, rec *court.Record) error {
				return put(w, []byte(commentMark(rec.Rubric.Name)+"\n"+whole(newMarkdown(rec, aComment).sections())))
			}
		}
		add(f.Name, func(b *bytes.Buffer) error { return f.Write(b, rec) })
	}
	o := TextOptions{Width: 70, Color: true, Links: true, Time: true}
	add("summary", func(b *bytes.Buffer) error { return Summary(b, rec, o) })
	add("explain all", func(b *bytes.Buffer) error { return Explain(b, rec, "", o) })
	add("explain", func(b *bytes.Buffer) error { return Explain(b, rec, rec.Rubric.Criteria[0].ID, o) })
	add("run", func(b *bytes.Buffer) error { return ExplainRun(b, rec, o) })
	bare := *rec // the same without evidence
	bare.Evidences = nil
	c := Compare(rec, &bare)
	add("comparison", func(b *bytes.Buffer) error { return WriteComparison(b, c, o) })
	add("comparison md", func(b *bytes.Buffer) error { return MarkdownComparison(b, c) })
	add("comparison html", func(b *bytes.Buffer) error { return HTMLComparison(b, c, nil) })
	for _, list := range rec.Evidences {
		for i, x := range list {
			add(fmt.Sprint("evidence ", i), func(b *bytes.Buffer) error { return ExplainEvidence(b, rec, x.ID, o) })
		}
		break
	}
	return out
}

// ours are the escapes that our own colours and links are made of.
var ours = regexp.MustCompile("\x1b\\[(0|1|2|31|32|33)m|\x1b\\]8;;(https://[!-~]+)?\x1b\\\\")

// quiet tells what in a text acts on a terminal, its own colours and links apart.
func quiet(s string) error {
	if !utf8.ValidString(s) {
		return fmt.Errorf("not UTF-8")
	}
	for i, r := range ours.ReplaceAllString(s, "") {
		if r > '~' && unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Zl, unicode.Zp, unicode.Variation_Selector) || r < ' ' && r != '\n' {
			return fmt.Errorf("%U at byte %d", r, i)
		}
	}
	return nil
}

// skeleton is the structure of a rendering without its text.
func skeleton(t testing.TB, name, text string) []string {
	t.Helper()
	switch name {
	case "json":
		var v any
		if err := json.Unmarshal([]byte(text), &v); err != nil {
			t.Fatal(err)
		}
		return nil
	case "html", "comparison html":
		return htmlSkeleton(t, text)
	case "github-comment":
		mark, rest, _ := strings.Cut(text, "\n")
		if !hiddenMark.MatchString(mark) {
			t.Errorf("a comment begins with %q", mark)
		}
		return markdownSkeleton(rest)
	case "md", "comparison md":
		return markdownSkeleton(text)
	case "sarif":
		return sarifSkeleton(t, text)
	case "junit":
		return xmlSkeleton(t, text)
	case "csv":
		return csvSkeleton(t, text)
	case "github":
		return commandSkeleton(text)
	case "gitlab":
		return qualitySkeleton(t, text)
	}
	list := ours.FindAllString(text, -1) // text is wrapped elsewhere when its words are others
	for i, s := range list {
		list[i], _, _ = strings.Cut(s, "https://github.com/") // an address has the words of a path in it
	}
	return list
}

// hiddenMark is how a comment is found again: nothing foreign stands in it.
var hiddenMark = regexp.MustCompile(`^<!-- automaton:[0-9a-f]{16} -->$`)

// htmlSkeleton is the tree of elements with the names of their attributes.
func htmlSkeleton(t testing.TB, text string) []string {
	root, err := html.Parse(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	var walk func(n *html.Node, depth int)
	walk = func(n *html.Node, depth int) {
		if font := n.Data == "code" && attr(n, "class") == "inline"; font && (n.FirstChild == nil || n.FirstChild != n.LastChild || n.FirstChild.Type != html.TextNode) {
			t.Error("what is set in the font of code is more than text")
		} else if n.Type != html.TextNode && n.Data != "i" && !font { // neither colours nor a font of code are structure
			tag := []string{strings.Repeat(" ", depth) + n.Data}
			for _, a := range n.Attr {
				tag = append(tag, a.Key)
			}
			list = append(list, strings.Join(tag, " "))
		}
		for c := range n.ChildNodes() {
			walk(c, depth+1)
		}
	}
	walk(root, 0)
	return list
}

var (
	mdInert = regexp.MustCompile("^(?:\\\\[!-/:-@\\[-`{-~]|&(?:lt|gt|amp);|<!-- -->)")
	mdMark  = regexp.MustCompile("\\]\\((?:#|https://github\\.com/northwind/automaton-auditor/)[\\w.~%/#:-]*\\)|[`*_\\[\\]<>|~$&]|://|(?i:www\\.\\w)|[@#][\\w-]|(?i:\\bgh-\\d|:[a-z][\\w-]*:|:[+-]1:)")
	mdBlock = regexp.MustCompile(`^ *(?:[-+*=>|#]+|\d+[.)]|:?-)*`)
)

// markdownSkeleton is what of a Markdown text can be markup, line by line.
func markdownSkeleton(text string) []string {
	var list []string
	fence := ""
	for l := range strings.SplitSeq(text, "\n") {
		run := l[:len(l)-len(strings.TrimLeft(l, "`"))]
		switch {
		case strings.HasPrefix(l, "    "): // of an indented block
		case fence != "":
			if run != "" && run == strings.TrimRight(l, " ") && len(run) >= min(len(fence), 255) {
				fence = ""
			}
		case len(run) >= 3 && !strings.Contains(l[len(run):], "`"):
			fence = run
		case l != "":
			if strings.HasPrefix(l, "- [ ] ") && strings.Contains(strings.ToLower(l[6:]), "[x]") {
				list = append(list, "ticked")
			}
			l = active(l)
			s := mdBlock.FindString(l)
			for _, m := range mdMark.FindAllString(l[len(s):], -1) {
				if strings.HasPrefix(m, "](") { // wherever it leads on our pages
					m = m[:3]
				}
				s += m
			}
			list = append(list, s)
		}
	}
	return append(list, "open: "+fence)
}

// active is a line of Markdown without code spans, escapes and entities, as
// GitHub's reader takes them.
func active(l string) string {
	var b strings.Builder
	for l != "" {
		if m := mdInert.FindString(l); m != "" {
			b.WriteByte(0)
			l = l[len(m):]
			continue
		}
		run := l[:len(l)-len(strings.TrimLeft(l, "`"))]
		if n := afterSpan(l, run); n > 0 {
			b.WriteByte(0)
			l = l[n:]
			continue
		}
		n := max(len(run), 1)
		b.WriteString(l[:n])
		l = l[n:]
	}
	return b.String()
}

// afterSpan is the length of the code span that l begins with after its marks;
// 0: it begins with none.
func afterSpan(l, run string) int {
	if run == "" || len(run) > 80 {
		return 0
	}
	for i := len(run); i < len(l); {
		rest := strings.TrimLeft(l[i:], "`")
		if marks := len(l) - i - len(rest); marks == len(run) {
			return i + marks
		} else {
			i += max(marks, 1)
		}
	}
	return 0
}

// checkSinks renders a record with attacks and one with harmless strings in
// their place and holds them against each other.
func checkSinks(t *testing.T, bad, good *court.Record, names ...string) {
	t.Helper()
	of := renderings(t, good, names...)
	for name, text := range renderings(t, bad, names...) {
		if err := quiet(text); err != nil {
			t.Errorf("%s: %v comes out", name, err)
		}
		if diff := cmp.Diff(skeleton(t, name, of[name]), skeleton(t, name, text)); diff != "" {
			t.Errorf("%s: what is foreign is more than text (-harmless +attack):\n%s", name, diff)
		}
	}
}

// seated are words of the court without which a record before models shows less:
// what a model found is told, and a judge who has no seat is not heard.
var seated = map[string]bool{".Evidences{}[].Evidence.Source": true, ".Opinions[].Judge": true}

// Whatever string stands in a field of the record, each report keeps its
// structure: all fields at once, for each kind of attack.
func TestD40EveryFieldAtOnce(t *testing.T) {
	if testing.Short() {
		t.Skip("a minute under the race detector; the run without it has this")
	}
	for target := range targets {
		for kind, attack := range attacks {
			t.Run(target+" "+kind, func(t *testing.T) {
				bad, badHooks := targetRecord(target)
				good, goodHooks := targetRecord(target)
				for i := range badHooks {
					if kind == "labels" && strings.HasSuffix(badHooks[i].path, ".Argument") {
						continue // there a label that is cited becomes a link
					}
					if target == "models" && seated[badHooks[i].path] {
						continue
					}
					badHooks[i].set(attack)
					goodHooks[i].set(harmless(attack))
				}
				checkSinks(t, bad, good)
			})
		}
	}
}

// What the model is called that found a piece of evidence is told with it, also
// where findings are told.
func TestD40ModelThatFound(t *testing.T) {
	named := func(name string) *court.Record {
		rec := new(court.Record)
		if err := json.Unmarshal(modelTarget(), rec); err != nil {
			t.Fatal(err)
		}
		rec.Origin.Detectives = map[court.Detective]string{court.RepoInvestigator: name}
		return rec
	}
	for _, format := range []string{"sarif", "github", "md", "html", "junit"} {
		if !strings.Contains(inFormat(t, format, named("maker/m")), "ound by maker/m") {
			t.Errorf("%s does not tell it", format)
		}
	}
	checkSinks(t, named(everything()), named(harmless(everything())))
}

// ofModels are the fields that only a bench with models fills, or fills with
// other words.
var ofModels = regexp.MustCompile(`^\.(Opinions|Origin|Run\.Models|Hearings\[\]\.Bench)`)

// One field at a time, all attacks in it.
func TestD40EachField(t *testing.T) {
	attack := everything()
	for target := range targets {
		_, list := targetRecord(target)
		seen := map[string]int{}
		for i, h := range list {
			if target == "models" && !ofModels.MatchString(h.path) {
				continue
			}
			if seen[h.path]++; seen[h.path] > 1 || testing.Short() && len(seen)%24 > 0 {
				continue
			}
			t.Run(target+" "+h.path, func(t *testing.T) {
				t.Parallel()
				bad, badHooks := targetRecord(target)
				good, goodHooks := targetRecord(target)
				badHooks[i].set(attack)
				goodHooks[i].set(harmless(attack))
				checkSinks(t, bad, good)
			})
		}
		if target == "embedded" && len(seen) < 150 || len(seen) < 20 {
			t.Errorf("only %d fields of %s were found", len(seen), target)
		}
	}
}
