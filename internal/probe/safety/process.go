package safety

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/facts"
	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
)

// tri is no, not known or yes, in this order: of several of which one is enough
// the answer is the max, of several of which each is needed the min.
type tri uint8

const (
	no tri = iota
	unsure
	yes
)

// boolTri is yes or no.
func boolTri(b bool) tri {
	if b {
		return yes
	}
	return no
}

// opposite turns yes into no and back.
func (t tri) opposite() tri { return yes - t }

// answer is the answer of a fact.
func (t tri) answer() facts.Answer { return [...]facts.Answer{facts.No, facts.Unknown, facts.Yes}[t] }

// known points at a yes or no, nil for what is not known.
func (t tri) known() *bool {
	if t == unsure {
		return nil
	}
	return new(t == yes)
}

// say is the phrase for the answer.
func (t tri) say(yesText, noText, unsureText string) string {
	return [...]string{noText, unsureText, yesText}[t]
}

// popen is the class of Python that starts a process.
const popen = "subprocess.Popen"

// beginsPython reads how a call of Python starts a process: by a shell that the library
// uses, or by a program with its words, which may be a shell.
func (s *started) beginsPython() {
	s.commands()
	uses := boolTri(s.role == "shell")
	if s.role == "option" {
		uses, _ = s.sets("shell", 8)
	}
	if s.open = uses == unsure; uses == yes {
		s.shell, s.flag, s.script = true, true, []operand{s.what}
		return
	}
	for _, line := range s.argvs {
		if !s.onPlatform(line) {
			s.argv(line)
			continue
		}
		there := *s
		there.argv(line)
		s.open = s.open || there.shell
	}
}

// commands are the command lines that a process may be.
func (s *started) commands() {
	command, words := s.command()
	s.what, s.argvs = command, [][]operand{words}
	if words == nil {
		s.argvs = s.lines(command.f, command.o, command.use)
	}
}

// command is the argument that says what to run, or the words of it, where the function takes
// one argument per word.
func (s *started) command() (o operand, words []operand) {
	name, at, keys := last(s.name), 0, []string{"args", "command", "cmd"}
	switch {
	case named(s.name, "asyncio.create_subprocess_exec", "asyncio.subprocess.create_subprocess_exec", "sh.*", "plumbum.*"), strings.HasPrefix(name, "execl"), strings.HasPrefix(name, "spawnl"):
		if named(s.name, "sh.*") && name != "Command" {
			words = append(words, operand{f: s.f, use: s.in, at: s.in.Span, text: name, known: true})
		}
		return operand{f: s.f, use: s.in}, append(words, s.words(s.args, 0)...)
	case name == "__init__" && !strings.HasPrefix(s.in.Kind, "super("): // the object comes first
		at = 1
	case strings.HasPrefix(name, "execv"), strings.HasPrefix(name, "posix_spawn"):
		at, keys = 1, []string{"argv"}
	case strings.HasPrefix(name, "spawnv"):
		at = 2
	}
	for _, key := range keys {
		if given, ok := s.arg(key, at); ok {
			return s.given(given), nil
		}
	}
	if words = s.words(s.args, 0); len(words) > at && s.hides() {
		return words[at], nil
	}
	return operand{f: s.f, use: s.in}, nil
}

// arg is the argument under a name or at a position, false where it is not given in sight.
func (s *started) arg(name string, position int) (operand, bool) {
	at, spread := 0, false
	for _, a := range s.args {
		switch {
		case a.name == "*":
			spread = true
		case a.name != "" && a.name == name, a.name == "" && !spread && at == position:
			return a.operand, true
		case a.name == "":
			at++
		}
	}
	return operand{}, false
}

// hides tells arguments that are not written out.
func (s *started) hides() bool {
	return slices.ContainsFunc(s.args, func(a argument) bool { return a.name == "*" || a.name == "**" })
}

// sets is whether an argument is true, and whether it is given.
func (s *started) sets(name string, position int) (answer tri, given bool) {
	w, found, maybe := s.option(s.args, name)
	if o, ok := s.arg("", position); ok && !found {
		w, found = s.given(o), true
	}
	switch {
	case w.known:
		return boolTri(w.text != ""), true
	case found:
		w = s.by.given(w)
		return s.truth(w.f, w.o, w.use), true
	case maybe:
		return unsure, false
	}
	return no, false
}

// fed is what a process is given to read.
func (s *started) fed() (out []operand) {
	if w, found, _ := s.option(s.args, "input"); found {
		out = append(out, w)
	}
	for _, m := range s.object.calls("communicate", "write", "writelines") {
		if o, ok := m.Argument("input", 0); ok {
			out = append(out, s.word(s.f, o, m))
		}
	}
	return out
}

// onPlatform tells a command that is written under a condition which asks for the
// platform: it may never be run.
func (s *started) onPlatform(line []operand) bool {
	if len(line) == 0 || line[0].f == nil {
		return false
	}
	f, home := line[0].f, (*il.Block)(nil)
	for b, in := range f.Instructions() {
		if in.Span == line[0].at && in.Op == il.Make {
			home = b
		}
	}
	for ; home != nil; home = home.Dominator() {
		if len(home.Preds) != 1 || home.Preds[0].End().Op != il.Branch {
			continue
		}
		test := home.Preds[0].End()
		for _, o := range test.Args {
			if slices.ContainsFunc(s.origins.Of(f, o, test), func(from analyse.Origin) bool {
				return named(from.Symbol.Outside, "sys.platform*", "os.name*", "platform.*")
			}) {
				return true
			}
		}
	}
	return false
}

// truth is whether a value counts as true, as far as known. One that does by one way of
// the code counts so.
func (x *lowered) truth(f *il.Function, o il.Operand, use *il.Instr) tri {
	answer := no
	for _, from := range x.origins.Of(f, o, use) {
		answer = max(answer, counts(from))
	}
	return answer
}

// counts is whether an origin counts as true.
func counts(from analyse.Origin) tri {
	k, ok := constantOf(from)
	if !ok || from.Part {
		return unsure
	}
	return boolTri(k.Text != "" && k.Type == il.StrConst || k.Num != 0)
}

// constantOf is the constant that an origin is.
func constantOf(from analyse.Origin) (il.Const, bool) {
	if from.Symbol.Const != nil {
		return *from.Symbol.Const, true
	}
	return from.Function.Const(from.Operand)
}

// scriptAt is where the words of a command that is a shell have its script, 0
// where it is none or has none. A word that is not known is "" or has a "*".
func scriptAt(words []string) int {
	if len(words) < 3 || !isWord("shell", base(words[0])) {
		return 0
	}
	strict := !windows(words[0]) && base(words[0]) != "su"
	for i := 1; i < len(words)-1; i++ {
		w := words[i]
		switch {
		case isWord("script option", w), strict && cluster.MatchString(w):
			return i + 1
		case strict && (strings.HasPrefix(w, "-") || strings.HasPrefix(w, "+")):
			if strings.HasSuffix(w, "o") || w == "--rcfile" || w == "--init-file" {
				i++
			}
		case strict:
			return 0 // a file
		}
	}
	return 0
}

// cluster are several options of a shell in one word, the last of which is followed by
// the script.
var cluster = regexp.MustCompile(`^-[abefhiklmnptuvxB]*c$`)
