package safety

import (
	"path"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/tables"
)

// word is one argument of a command line.
type word struct {
	node  code.Node
	text  string // with "*" for what is not known
	known bool
	rest  bool // stands for any number of words
	cut   bool // of a text that is cut into words: where one ends is not sure
}

// commands are the command lines that an expression may be, as far as they are
// known: one for each alternative.
func (v *survey) commands(n code.Node) [][]word {
	if !n.Valid() {
		return nil
	}
	if c := v.p.Call(n); c != nil && matchesWords(c) {
		var words []word
		for _, a := range c.Args {
			if a.Name == "" {
				words = append(words, v.word(v.p.Eval(a.Value), a.Value, a.Star > 0))
			}
		}
		if c.Callee.Matches("sh.*") && !c.Callee.Matches("sh.Command") {
			words = append([]word{{node: c.Node, text: lastPart(c.Callee.Qualified), known: true}}, words...)
		}
		return [][]word{words}
	}
	var out [][]word
	for _, value := range v.p.Eval(n).Choices() {
		switch value.Kind {
		case code.ValueList, code.ValueTuple:
			var words []word
			written := elements(value.Node)
			for i, item := range value.Items {
				at := item.Node
				if i < len(written) {
					at = written[i]
				}
				words = append(words, v.word(item, at, item.Rest))
			}
			out = append(out, words)
		case code.ValueString:
			out = append(out, split(value))
		default:
		}
	}
	return out
}

// elements are the elements of a list as they are written, as far as each stands
// for one value.
func elements(n code.Node) []code.Node {
	if !n.Is("list", "tuple") {
		return nil
	}
	var out []code.Node
	for c := range n.Children() {
		if c.Is("list_splat") {
			break
		}
		out = append(out, c)
	}
	return out
}

// matchesWords tells a call that takes one argument per word.
func matchesWords(c *code.Call) bool {
	return c.Matches(tables.Of(tables.Process).Names(python, "words")...)
}

// word makes a word of a value. Where it comes from is asked of the expression
// that was written.
func (v *survey) word(value code.Value, n code.Node, rest bool) word {
	text, known := value.Str()
	if !known {
		text = value.Pattern()
	}
	if !n.Valid() {
		n = value.Node
	}
	return word{node: n, text: text, known: known, rest: rest || value.Rest}
}

// split cuts a command string into words. A word that is not fully known keeps
// the first expression that was put into it.
func split(value code.Value) []word {
	parts := value.Items
	if len(parts) == 0 {
		parts = []code.Value{value}
	}
	var out []word
	open := false // the last word goes on
	for _, part := range parts {
		text, known := part.Str()
		if !known {
			if !open {
				out = append(out, word{known: true})
			}
			last := &out[len(out)-1]
			last.text += "*"
			last.known = false
			if !last.node.Valid() {
				last.node = part.Node
			}
			open = true
			continue
		}
		for i, field := range strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == '\t' || r == '\n' }) {
			if i == 0 && open && !strings.ContainsAny(text[:1], " \t\n") {
				out[len(out)-1].text += field
				continue
			}
			out = append(out, word{text: strings.Trim(field, `"'`), known: true, node: code.Node{}})
		}
		open = text != "" && !strings.ContainsAny(text[len(text)-1:], " \t\n") || text == "" && open
	}
	for i := range out {
		out[i].cut = true
	}
	return out
}

// cloneCommand is a command line of git clone.
type cloneCommand struct {
	options []word    // of git itself, before the word clone
	args    []word    // after it
	folder  code.Node // of git -C: where it runs
}

// cloneWords reads a command line as git clone. A list that lacks the program
// itself counts when bare is set.
func cloneWords(words []word, bare bool) (cmd cloneCommand, ok bool) {
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
				cmd.folder = words[i+1].node
			}
			i++
		case "-c", "--git-dir", "--work-tree":
			i++
		}
		i++
	}
	if i < len(words) && words[i].known && words[i].text == "clone" {
		cmd.options, cmd.args = words[first:i], words[i+1:]
		return cmd, true
	}
	return cmd, false
}

func isGit(w word) bool {
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
func operands(args []word) []word {
	var out []word
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

// plain is the text of a simple string literal.
func plain(n code.Node) (string, bool) {
	n = n.Unparen()
	if !n.Is("string") {
		return "", false
	}
	var text strings.Builder
	for c := range n.Children() {
		switch c.Kind() {
		case "string_content":
			text.WriteString(c.Text())
		case "interpolation":
			return "", false
		}
	}
	return text.String(), true
}
