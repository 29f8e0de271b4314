package analyse

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/automaton-auditor/automaton/internal/il"
)

// verb is a piece of a format: a constant text, or the place of an argument.
type verb struct {
	text  string
	hole  bool
	plain bool // the argument's text stands as it is
	at    int
	name  string
}

// percent is "format % arguments".
func (s *shaper) percent(fr *running, o il.Operand, in *il.Instr) []Shape {
	args, names := []il.Operand{in.Args[1]}, []string{""}
	if def := fr.f.Def(fr.f.Root(in.Args[1])); def != nil && def.Op == il.Make && (def.Kind == "list" || def.Kind == "map") {
		args, names = def.Args, def.Names
		if slices.Contains(names, "*") || slices.Contains(names, "**") {
			return single(fr.f, o, "")
		}
	}
	return s.formatted(fr, o, in, s.read(fr, in.Args[0], in), args, names, makesPrintf)
}

// formatted is a text by a format. In Rust the format's own holes are filled
// already, and what is left takes the arguments in turn.
func (s *shaper) formatted(fr *running, o il.Operand, in *il.Instr, formats []Shape, args []il.Operand, names []string, how making) (out []Shape) {
	for _, format := range formats {
		if format.Kind != Text || format.Why != "" {
			return single(fr.f, o, "")
		}
		ways, next := []Shape{{Kind: Text}}, 0
		for _, p := range format.Parts {
			if !p.Known {
				if fr.f.Module.Language != "rust" {
					return single(fr.f, o, "")
				}
				ways = s.appended(ways, []Shape{{Kind: Text, Parts: []Part{p}}})
				continue
			}
			verbs, ok := printf(p.Text, fr.f.Module.Language)
			if how == makesBraces {
				verbs, ok = braces(p.Text)
			}
			if !ok {
				return single(fr.f, o, "")
			}
			for _, v := range verbs {
				more, ok := s.verb(fr, in, v, args, names, &next)
				if !ok {
					return single(fr.f, o, "")
				}
				ways = s.appended(ways, more)
			}
		}
		out = append(out, ways...)
	}
	return few(out)
}

// verb is the text that a piece of a format becomes.
func (s *shaper) verb(fr *running, in *il.Instr, v verb, args []il.Operand, names []string, next *int) ([]Shape, bool) {
	if !v.hole {
		return []Shape{{Kind: Text, Parts: []Part{{Text: v.text, Known: true, At: in.Span, By: fr.f}}}}, true
	}
	i := v.at
	switch {
	case v.name != "":
		if i = slices.Index(names, v.name); i < 0 {
			return nil, false
		}
	case i < 0:
		i = *next
		*next++
	}
	if i >= len(args) || slices.Contains(names[:min(i+1, len(names))], "*") {
		return nil, false
	}
	if !v.plain {
		return []Shape{{Kind: Text, Parts: []Part{{In: fr.f, Of: args[i], At: in.Span, By: fr.f}}}}, true
	}
	return s.hole(fr, in, args[i]), true
}

// printf takes a format with verbs apart.
func printf(format, language string) (out []verb, ok bool) {
	for format != "" {
		i := strings.IndexByte(format, '%')
		if i < 0 {
			return append(out, verb{text: format}), true
		}
		if i > 0 {
			out = append(out, verb{text: format[:i]})
		}
		format = format[i+1:]
		v := verb{hole: true, at: -1}
		if strings.HasPrefix(format, "(") && language == "python" {
			end := strings.IndexByte(format, ')')
			if end < 0 {
				return nil, false
			}
			v.name, format = format[1:end], format[end+1:]
		}
		n := strings.IndexFunc(format, func(r rune) bool { return r == '%' || unicode.IsLetter(r) })
		if n < 0 || strings.ContainsAny(format[:n], "*") {
			return nil, false
		}
		flags, letter := format[:n], format[n]
		format = format[n+1:]
		if at, rest, is := strings.Cut(strings.TrimPrefix(flags, "["), "]"); is && strings.HasPrefix(flags, "[") && language == "go" {
			k, err := strconv.Atoi(at)
			if err != nil {
				return nil, false
			}
			v.at, flags = k-1, rest
		}
		if at, rest, is := strings.Cut(flags, "$"); is && language == "java" {
			k, err := strconv.Atoi(at)
			if err != nil {
				return nil, false
			}
			v.at, flags = k-1, rest
		}
		switch v.plain = flags == "" && (letter == 's' || letter == 'v'); {
		case letter == '%':
			v = verb{text: "%"}
		case letter == 'n' && language == "java":
			v = verb{text: "\n"}
		}
		out = append(out, v)
	}
	return out, true
}

// braces takes a format with braces apart.
func braces(format string) (out []verb, ok bool) {
	text := ""
	for i := 0; i < len(format); i++ {
		c := format[i]
		switch {
		case (c == '{' || c == '}') && i+1 < len(format) && format[i+1] == c:
			text += string(c)
			i++
		case c == '}':
			return nil, false
		case c != '{':
			text += string(c)
		default:
			end := strings.IndexByte(format[i:], '}')
			if end < 0 {
				return nil, false
			}
			inner := format[i+1 : i+end]
			if strings.Contains(inner, "{") {
				return nil, false
			}
			i += end
			name := inner
			if k := strings.IndexAny(inner, ":!,"); k >= 0 {
				name = inner[:k]
			}
			v := verb{hole: true, at: -1, name: name, plain: name == inner}
			if k := strings.IndexAny(name, ".["); k >= 0 {
				return nil, false
			}
			if n, err := strconv.Atoi(name); err == nil {
				v.at, v.name = n, ""
			}
			out, text = append(out, verb{text: text}, v), ""
		}
	}
	return append(out, verb{text: text}), true
}

// joined is the text of a list's elements with another text between them.
func (s *shaper) joined(fr *running, o il.Operand, in *il.Instr, by, lists []Shape) []Shape {
	return s.each2(o, fr.f, by, lists, func(sep, list Shape) (Shape, bool) {
		between, ok := sep.Constant()
		if !ok || list.Kind != List || loops([]Shape{list}) {
			return list, false
		}
		out := Shape{Kind: Text, Why: list.Why}
		for i, p := range list.Parts {
			if i > 0 {
				comma := Part{Text: between, Known: true, At: in.Span, By: fr.f, Many: p.Many || p.Rest, Maybe: p.Maybe || list.Parts[0].loose()}
				out = out.with(Shape{Kind: Text, Parts: []Part{comma}})
			}
			switch {
			case p.loose() || p.Known || p.In != fr.f:
				out = out.with(Shape{Kind: Text, Parts: []Part{p}})
			default:
				out = out.with(merged(s.hole(fr, in, p.Of)))
			}
		}
		return out, true
	})
}

// words are those of a text, at spaces. A hole may be no word, or several.
func words(w Shape) (Shape, bool) {
	if w.Kind != Text {
		return w, false
	}
	out := Shape{Kind: List, Why: w.Why}
	for _, p := range w.Parts {
		if !p.Known || p.loose() {
			p.Rest, p.Many, p.Known = p.Many || p.Maybe, true, false
			out.Parts = append(out.Parts, p)
			out = out.loosened("a word may be several")
			continue
		}
		for _, word := range strings.Fields(p.Text) {
			if strings.ContainsAny(word, "\"'\\") {
				out = out.loosened("a word is quoted")
			}
			out.Parts = append(out.Parts, Part{In: p.In, At: p.At, By: p.By, Text: word, Known: true})
		}
	}
	return out, true
}

// trimmed is a text without the space around it. Within its lines, more space may
// be taken away.
func trimmed(w Shape) Shape {
	w.Parts = slices.Clone(w.Parts)
	if n := len(w.Parts); n > 0 {
		first, last := &w.Parts[0], &w.Parts[n-1]
		if first.Known {
			first.Text = strings.TrimLeftFunc(first.Text, unicode.IsSpace)
		}
		if last.Known {
			last.Text = strings.TrimRightFunc(last.Text, unicode.IsSpace)
		}
	}
	return w
}
