package quality

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code/syntax"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
)

var (
	// notYet is stricter than forNow: a body without statements has many reasons
	// in these languages.
	notYet = regexp.MustCompile(`(?i)\b(?:todo|fixme|not (?:yet )?(?:been )?implemented|unimplemented|to be (?:implemented|done)|coming soon|implement(?:ed)? (?:me|this|later))\b`)
	// needed is what a class says that others must fill in.
	needed = regexp.MustCompile(`(?i)\b(?:sub-?class\w*|overrid\w*|must (?:be )?implement\w*|should (?:be )?implement\w*|abstract|interface|deriv\w*|child class\w*|deliberate\w*|intentional\w*|not supported (?:by|on|in|for))\b`)
)

// unwritten counts the functions of the other languages, and those that only
// hold the place of one.
func (d *codebase) unwritten() (t tally) {
	above := d.ancestors()
	for _, f := range d.files {
		for n := range nodes(f) {
			if apart(n) && called(n) != "" {
				t.count(hollow(n, above), place(n, 8))
			}
		}
	}
	return t
}

// ancestors are the names of the classes that others are made from.
func (d *codebase) ancestors() map[string]bool {
	out := map[string]bool{}
	for _, f := range d.files {
		for n := range f.Root().Walk() {
			if n.Is("type") && n.Role() == "base" {
				name, _, _ := strings.Cut(n.Name(), "<")
				out[strings.TrimSpace(name[strings.LastIndexByte(name, '.')+1:])] = true
			}
		}
	}
	return out
}

// hollow tells a function that only holds the place of one.
func hollow(f syntax.Node, ancestors map[string]bool) bool {
	name := called(f)
	if bareNow.MatchString(name) || !f.Child("body").Is("block") {
		return false
	}
	var only syntax.Node
	n := 0
	for st := range f.Child("body").Children() {
		only, n = st, n+1
	}
	class := f.Enclosing("class")
	if n > 1 {
		return false
	}
	said := leading(f) + remarks(f.File(), f.Start(), f.End())
	switch {
	case n == 0:
		return notYet.MatchString(remarks(f.File(), f.Start(), f.End())) || said == "" && emptyHere(f, class, ancestors)
	case raises(only):
		text := said + " " + message(only)
		if needed.MatchString(text) || ancestors[class.Name()] && class.Valid() {
			return false
		}
		return notYet.MatchString(text) || certain(only)
	case only.Is("return") && f.Child("param").Valid() && only.Child("value").Valid() && constantNode(only.Child("value")):
		return forNow.MatchString(remarks(f.File(), f.Start(), f.End()))
	case f.File().Language == "rust" && f.Child("param").Valid() && constantNode(only): // the last expression is what is returned
		return forNow.MatchString(remarks(f.File(), f.Start(), f.End()))
	}
	return false
}

// emptyHere tells an empty body without a word that can be nothing but
// unwritten: a function of Go in a file for every system that is no test, where it is given to what is tested, a method of a Java
// class that implements and is extended by nothing.
func emptyHere(f, class syntax.Node, ancestors map[string]bool) bool {
	switch f.File().Language {
	case "go":
		return !f.Has(syntax.Method) && !slices.Contains([]string{"main", "init"}, f.Name()) && !conditional(f.File()) && f.Name() != "_" && !strings.HasSuffix(f.Path(), "_test.go") && !meant.MatchString(f.Name())
	case "java":
		return class.Valid() && class.Detail() == "class" && !class.Child("base").Valid() && !class.Has(syntax.Abstract) && !ancestors[class.Name()] && !f.Has(syntax.Constructor) &&
			!f.Child("decorator").Valid() && !class.Child("decorator").Valid() && !endsThings(f.Name()) && class.Name() != "" && !baseName.MatchString(class.Name()) && class.Parent().Is("file")
	}
	return false
}

var (
	goBuild  = regexp.MustCompile(`(?m)^//(?:go:build| \+build)`)
	goSystem = regexp.MustCompile(`_(?:aix|android|darwin|dragonfly|freebsd|illumos|ios|js|linux|netbsd|openbsd|plan9|solaris|wasip1|windows|unix|other|386|amd64|arm|arm64|wasm|stub|noop)\.go$`)
)

// conditional tells a Go file that is built for some systems or settings only:
// others have a twin of it.
func conditional(f *syntax.File) bool {
	return goSystem.MatchString(f.Path) || goBuild.MatchString(f.Text())
}

// raises tells a statement that gives up: a throw, a panic, an error returned.
func raises(st syntax.Node) bool {
	if st.Is("return") {
		last := syntax.Node{}
		for v := range st.Children("value") {
			last = v
		}
		return last.Is("call") && st.File().Language == "go" && (last.Child("callee").Name() == "New" || last.Child("callee").Name() == "Errorf")
	}
	return st.Is("throw") && st.Child("value").Has(syntax.New) || st.Is("call") && slices.Contains([]string{"panic", "todo", "unimplemented"}, strings.TrimSuffix(st.Child("callee").Name(), "!"))
}

// certain tells what says by its name that it holds a place.
func certain(st syntax.Node) bool {
	if st.Is("call") {
		name := strings.TrimSuffix(st.Child("callee").Name(), "!")
		return st.Has(syntax.Macro) && (name == "todo" || name == "unimplemented" && !st.Child("arg").Valid())
	}
	thrown := st.Child("value").Child("callee").Text()
	return strings.Contains(thrown, "NotImplemented") || strings.HasSuffix(thrown, "UnsupportedOperationException") && strings.Contains(strings.ToLower(message(st)), "not supported yet")
}

// message is the constant text that a statement gives up with.
func message(st syntax.Node) string {
	var b strings.Builder
	for x := range st.Walk() {
		if x.Is("string") {
			b.WriteString(x.Name() + " ")
		}
	}
	return b.String()
}

// constantNode tells a literal without a name in it.
func constantNode(n syntax.Node) bool {
	for x := range n.Walk() {
		if !x.Is("string", "number", "bool", "nil", "list", "record", "entry", "unary", "type") && x.Role() != "key" {
			return false
		}
	}
	return true
}

// leading is the comments that stand directly above a definition.
func leading(n syntax.Node) string {
	f := n.File()
	text, all := f.Text(), f.Comments()
	at, _ := slices.BinarySearchFunc(all, n.Start(), func(c syntax.Comment, start int) int { return int(c.From) - start })
	end, out := n.Start(), ""
	for i := at - 1; i >= 0; i-- {
		gap := text[min(int(all[i].To), end):end]
		if strings.Count(gap, "\n") > 1 || len(gap) > 200 || strings.ContainsAny(gap, ";}{") {
			break
		}
		out, end = text[all[i].From:all[i].To]+"\n"+out, int(all[i].From)
	}
	return out
}
