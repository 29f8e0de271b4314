package analyse

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/il"
)

// wordsOn are the texts by which somebody turns on a variable of the environment, and
// wordsOff those by which it is off where nobody does.
var (
	wordsOn  = []string{"1", "true", "yes", "on", "y", "t", "enabled"}
	wordsOff = []string{"0", "false", "no", "off", "n", "f", "disabled"}
)

// WordsOn are the texts by which somebody turns on a variable of the environment.
func WordsOn() []string { return slices.Clone(wordsOn) }

// asking are words of the names of switches; holding are words of the names of variables
// that hold what a program needs: an address, a key.
var (
	asking = []string{"enable", "enabled", "disable", "disabled", "use", "allow", "skip", "force", "strict", "activate", "active", "on", "off", "feature", "flag", "do", "should",
		"with", "without", "run", "live", "dry", "debug", "verbose", "experimental", "full", "real", "no", "is", "offline", "online", "ask", "apply", "check"}
	holding = []string{"key", "keys", "token", "tokens", "secret", "password", "passwd", "pwd", "credential", "credentials", "url", "uri", "endpoint", "host", "port", "base", "path", "dir",
		"folder", "file", "project", "region", "user", "username", "org", "account", "dsn", "id", "name", "email", "proxy", "address", "home", "root", "version"}
)

// switchRead tells the read of a variable of the environment that turns something on or
// off, by its name, its default, or the texts that it is held against. What holds a key or
// an address is not a switch: a program that needs it runs with it.
func (r *run) switchRead(s *state, in *il.Instr) bool {
	f, args := s.f, in.Args[1:]
	of := r.operand(s, args[0])
	if len(of.Strs) != 1 || !of.equal(texts(of.Strs[0])) || f.Module.Language != "python" {
		return false
	}
	name := of.Strs[0]
	has := func(list []string) bool {
		return slices.ContainsFunc(strings.Split(strings.ToLower(name), "_"), func(w string) bool { return slices.Contains(list, w) })
	}
	if has(holding) {
		return false
	}
	if len(args) > 1 {
		unset := r.operand(s, args[1])
		if unset.equal(constant(il.Const{Type: il.BoolConst})) || len(unset.Strs) == 1 && unset.equal(texts(unset.Strs[0])) && slices.Contains(wordsOff, strings.ToLower(unset.Strs[0])) {
			return true
		}
	}
	return has(asking) || r.heldOn(f, in.Dst, 0)
}

// heldOn tells a text that is only held against words that turn something on.
func (r *run) heldOn(f *il.Function, id int32, depth int) bool {
	if id == il.NoDst || depth > maxBases {
		return false
	}
	found := false
	for _, use := range f.Versions[id].Uses {
		ok := false
		switch {
		case use.Op == il.Assume || use.Op == il.Phi:
			continue
		case use.Op == il.Bind && use.Kind == "", textMethods[attrOf(f, use)] != nil, use.Op == il.Call && use.Args[0].Is(id):
			ok = r.heldOn(f, use.Dst, depth+1)
		case (use.Op == il.Branch || use.Op == il.Bind) && len(use.Args) == 2 && (use.Kind == "==" || use.Kind == "in"):
			ok = r.words(f, use.Args[1-slices.IndexFunc(use.Args, func(a il.Operand) bool { return a.Is(id) })], use.Kind == "in")
		}
		if !ok {
			return false
		}
		found = true
	}
	return found
}

// attrOf is the attribute that an instruction reads, "" for others.
func attrOf(f *il.Function, get *il.Instr) string {
	if get.Op != il.Get || get.Kind != "attr" {
		return ""
	}
	key, _ := f.Str(get.Args[1])
	return key
}

// words tells a word that turns something on, or a collection of nothing else.
func (r *run) words(f *il.Function, o il.Operand, several bool) bool {
	list := []il.Const{}
	if several {
		list, _ = r.v.elements(f, o)
	} else if c, ok := f.Const(f.Root(o)); ok {
		list = append(list, c)
	}
	return len(list) > 0 && !slices.ContainsFunc(list, func(c il.Const) bool {
		return c.Type != il.StrConst || !slices.Contains(wordsOn, strings.ToLower(c.Text))
	})
}

// textMethods are methods that make another text of one.
var textMethods = map[string]func(string) string{"lower": strings.ToLower, "upper": strings.ToUpper, "casefold": strings.ToLower, "strip": strings.TrimSpace}

// retold is what a method makes of one constant text.
func (r *run) retold(s *state, in *il.Instr) (Value, bool) {
	get := s.f.Def(s.f.Root(in.Args[0]))
	if get == nil || attrOf(s.f, get) == "" || len(in.Args) > 1 || s.f.Module.Language != "python" {
		return Value{}, false
	}
	of, change := r.operand(s, get.Args[0]), textMethods[attrOf(s.f, get)]
	if change == nil || len(of.Strs) != 1 || !of.equal(texts(of.Strs[0])) {
		return Value{}, false
	}
	return texts(change(of.Strs[0])), true
}
