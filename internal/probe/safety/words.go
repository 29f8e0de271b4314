package safety

import (
	"path"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
	"github.com/automaton-auditor/automaton/internal/tables"
)

// by is the code as runs have it that come by a way.
type by struct {
	*lowered
	way analyse.Way
}

func (x by) shapes(f *il.Function, o il.Operand, use *il.Instr) []analyse.Shape {
	return x.values.ShapesBy(x.way, f, o, use)
}

// given is a value as the calls of the way hand it over.
func (x by) given(w operand) operand {
	s, _ := x.values.GivenBy(x.way, w.f, w.o, w.use)
	w.f, w.o, w.use = s.Function, s.Operand, s.Use
	return w
}

// lines are the command lines that a value may be: lists of words, or texts that are cut
// into words. Of a value that is neither there is none.
func (x by) lines(f *il.Function, o il.Operand, use *il.Instr) (out [][]operand) {
	for _, s := range x.shapes(f, o, use) {
		switch s.Kind {
		case analyse.List:
			out = append(out, x.list(s))
		case analyse.Text:
			out = append(out, cut(s))
		default:
		}
	}
	return out
}

// list are the elements of a list.
func (x by) list(s analyse.Shape) (out []operand) {
	for _, p := range s.Parts {
		w := operand{f: p.In, o: p.Of, use: putAt(p), text: p.Text, known: p.Known, at: p.At}
		if !p.Known && p.In != nil {
			w = x.word(p.In, p.Of, w.use)
			w.at = p.At
		}
		w.rest = p.Rest || p.Many
		out = append(out, w)
	}
	return out
}

// putAt is the instruction that puts a part into a list or text.
func putAt(p analyse.Part) *il.Instr {
	if p.In == nil {
		return nil
	}
	if in := p.Use(); in != nil {
		return in
	}
	return putBy(p)
}

// cut are the words of a text. One that is not fully known is the first value that was put
// into it.
func cut(s analyse.Shape) (out []operand) {
	open := false // the last word goes on
	for _, p := range s.Parts {
		if !p.Known {
			if !open {
				out = append(out, operand{at: p.At, cut: true})
			}
			w := &out[len(out)-1]
			if w.text, w.known = w.text+"*", false; w.f == nil && p.In != nil {
				w.f, w.o, w.use = p.In, p.Of, putAt(p)
			}
			open = true
			continue
		}
		space := func(r rune) bool { return r == ' ' || r == '\t' || r == '\n' }
		for i, field := range strings.FieldsFunc(p.Text, space) {
			if i == 0 && open && !space(rune(p.Text[0])) {
				out[len(out)-1].text += field
				continue
			}
			out = append(out, operand{f: p.In, text: strings.Trim(field, `"'`), known: true, at: p.At, cut: true})
		}
		open = p.Text != "" && !space(rune(p.Text[len(p.Text)-1])) || p.Text == "" && open
	}
	return out
}

// words are the arguments of a call from one on, with the elements of a list that is
// spread.
func (x by) words(args []argument, from int) (out []operand) {
	for i, a := range args {
		switch {
		case i < from || a.name != "" && a.name != "*":
		case a.name == "*":
			out = append(out, x.elements(a.f, a.o, a.use)...)
		default:
			out = append(out, x.word(a.f, a.o, a.use))
		}
	}
	return out
}

// word is a value as one word: its text, with "*" for what is not known of it.
func (x by) word(f *il.Function, o il.Operand, use *il.Instr) operand {
	w := operand{f: f, o: o, use: use, text: "*"}
	shapes := x.shapes(f, o, use)
	if s := x.Names.Operand(f, o); s != nil && s.Outside == "sys.executable" {
		w.text = python
	}
	if len(shapes) != 1 || shapes[0].Kind == analyse.List || shapes[0].Kind == analyse.Map {
		return w
	}
	if text, known := shapes[0].Constant(); known {
		w.text, w.known = text, true
	} else if shapes[0].Kind == analyse.Text {
		w.text = ""
		for _, p := range shapes[0].Parts {
			if p.Known {
				w.text += p.Text
			} else {
				w.text += "*"
			}
		}
	}
	return w
}

// elements are those of a list as far as they are known, else the value itself.
func (x by) elements(f *il.Function, o il.Operand, use *il.Instr) (out []operand) {
	shapes := x.shapes(f, o, use)
	if len(shapes) == 0 || slices.ContainsFunc(shapes, func(s analyse.Shape) bool { return s.Kind != analyse.List }) {
		return []operand{x.word(f, o, use)}
	}
	return x.list(shapes[0])
}

// option is what the arguments of a call have under a key: by its name, or in a record; maybe
// where one may have it that is not known.
func (x by) option(args []argument, key string) (value operand, found, maybe bool) {
	for i, a := range slices.Backward(args) {
		own := a.f.Module.Language == python
		switch {
		case a.name == key:
			return x.given(a.operand), true, false
		case own && a.name != "**":
			continue
		}
		for _, s := range x.shapes(a.f, a.o, a.use) {
			switch {
			case s.Kind == analyse.Map:
				for _, p := range s.Parts {
					if p.Key == key {
						value, found = operand{f: a.f, o: a.o, use: a.use, text: p.Text, known: p.Known}, true
						if p.In != nil {
							value.f, value.o = p.In, p.Of
						}
					}
					maybe = maybe || p.Rest
				}
				maybe = maybe || s.Why != ""
			case s.Kind == analyse.Single && (own || i > 0 && i == len(args)-1 && !callback(a.f, a.o)):
				maybe = true
			}
		}
	}
	return value, found, maybe && !found
}

// cloneCommand is a command line of git clone.
type cloneCommand struct {
	options []operand // of git itself, before the word clone
	args    []operand // after it
	clone   operand   // the word
	folder  operand   // of git -C: where it runs
}

// cloneWords reads a command line as git clone. A list that lacks the program
// itself counts when bare is set.
func cloneWords(words []operand, bare bool) (cmd cloneCommand, ok bool) {
	i := 0
	if i < len(words) && words[i].known && (words[i].text == "timeout" || words[i].text == "nice" || words[i].text == "env") {
		for i++; i < len(words) && !isGit(words[i]); i++ {
		}
	}
	switch {
	case i < len(words) && isGit(words[i]):
		i++
	case i+1 < len(words) && words[i].known && words[i].text == "gh" && words[i+1].text == "repo":
		i += 2
	case i+1 < len(words) && !words[i].known && !words[i].rest && words[i+1].known && words[i+1].text == "clone":
		i++ // a program from somewhere and the word clone
	case bare && len(words) > 1:
	default:
		return cmd, false
	}
	first := i
	for i < len(words) && words[i].known && strings.HasPrefix(words[i].text, "-") {
		switch words[i].text {
		case "-C":
			if i+1 < len(words) {
				cmd.folder = words[i+1]
			}
			i++
		case "-c", "--git-dir", "--work-tree":
			i++
		}
		i++
	}
	if i < len(words) && words[i].known && words[i].text == "clone" {
		cmd.options, cmd.args, cmd.clone = words[first:i], words[i+1:], words[i]
		return cmd, true
	}
	return cmd, false
}

func isGit(w operand) bool {
	if !w.known {
		return false
	}
	base := path.Base(strings.ReplaceAll(w.text, `\`, "/"))
	return base == "git" || base == "git.exe"
}

// takesValue are the options of git clone whose value is the next word.
var takesValue = map[string]bool{"-b": true, "--branch": true, "--depth": true, "-o": true, "--origin": true, "-c": true,
	"--config": true, "--template": true, "--reference": true, "--filter": true, "-j": true, "--jobs": true,
	"--shallow-since": true, "--shallow-exclude": true, "--separate-git-dir": true, "-u": true, "--upload-pack": true,
	"--server-option": true, "--bundle-uri": true, "--reference-if-able": true, "--revision": true}

// operands are the words of a clone command that are neither options nor their
// values: the URL, then the target.
func operands(args []operand) []operand {
	var out []operand
	for i := 0; i < len(args); i++ {
		w := args[i]
		switch {
		case w.known && w.text == "--":
			return append(out, args[i+1:]...)
		case w.known && takesValue[w.text]:
			i++
		case strings.HasPrefix(w.text, "-"):
		case w.rest:
		default:
			out = append(out, w)
		}
	}
	return out
}

// named tells a full name that matches one of the patterns.
func named(full string, globs ...string) bool {
	return full != "" && slices.ContainsFunc(globs, func(g string) bool { return tables.Match(full, g) })
}

// isWord tells a word of the table, such as the name of a shell.
func isWord(role, word string) bool { return tables.Of(tables.Word).Has("any", word, role) }

// base is the last part of a path or of a name with dots.
func base(s string) string {
	s = path.Base(strings.ReplaceAll(s, `\`, "/"))
	return strings.TrimSuffix(s, ".exe")
}

// last is the part of a name behind its last dot.
func last(full string) string { return full[strings.LastIndexByte(full, '.')+1:] }

func isOneOf(s string, list ...string) bool { return slices.Contains(list, s) }
