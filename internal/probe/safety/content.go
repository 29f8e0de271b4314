package safety

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/tables"
)

// sight is what an expression has to do with a text that comes from outside, from
// nothing to a demand on its content. Being empty, of a type or an existing path is
// no content.
type sight uint8

const (
	apart   sight = iota
	heard         // the text, or made from it
	taken         // the text taken apart: split, matched or parsed
	forbids       // a verdict on its content
	demands       // a verdict that demands a beginning, a pattern or a scheme
)

// maxTests bounds how deep tests are followed into helpers.
const maxTests = 3

// sighting is a search for what one function does with a text.
type sighting struct {
	*lowered
	f     *il.Function
	value il.Operand
	deep  int // calls entered
	seen  map[il.Operand]sight
}

func (x *lowered) looksAt(f *il.Function, value il.Operand, deep int) *sighting {
	return &sighting{x, f, f.Root(value), deep, map[il.Operand]sight{}}
}

// tests is what a branch decides about the text: nothing, forbids or demands.
func (l *sighting) tests(branch *il.Instr) sight {
	at := apart
	if branch.Kind == "true" {
		at = l.of(branch.Args[0])
	} else if len(branch.Args) > 1 {
		at = l.compares(branch.Kind, branch)
	}
	if at < forbids {
		return apart
	}
	return at
}

// of is what a value has to do with the text.
func (l *sighting) of(o il.Operand) sight {
	o = l.f.Root(o)
	if l.same(l.f, o, l.value) {
		return heard
	}
	def := l.f.Def(o)
	if def == nil {
		return apart
	}
	if known, ok := l.seen[o]; ok {
		return known
	}
	l.seen[o] = apart
	at := l.by(def)
	l.seen[o] = at
	return at
}

func (l *sighting) most(list []il.Operand) (at sight) {
	for _, o := range list {
		at = max(at, l.of(o))
	}
	return at
}

func (l *sighting) by(def *il.Instr) sight {
	switch def.Op {
	case il.Call:
		return l.call(call{f: l.f, in: def})
	case il.Bind:
		if len(def.Args) > 1 && def.Kind != "+" && def.Kind != "%" {
			return l.compares(def.Kind, def)
		}
		return l.most(def.Args)
	case il.Get:
		at := l.of(def.Args[0])
		key, _ := l.f.Str(def.Args[1])
		switch {
		case def.Kind != "attr" || at == apart || at >= forbids:
		case key == "scheme":
			return demands
		case slices.Contains([]string{"netloc", "hostname", "host", "valid", "github"}, key):
			return forbids
		}
		return at
	case il.Phi, il.Assume, il.Set, il.Make:
		return l.most(def.Args)
	}
	return apart
}

// compares tells a comparison that looks at the content: a forbidden or demanded
// part, a list of what is allowed, a part of the text, the number of its parts.
func (l *sighting) compares(kind string, in *il.Instr) sight {
	left, right := l.of(in.Args[0]), l.of(in.Args[1])
	both := max(left, right)
	switch {
	case both >= forbids:
		return both
	case (kind == "in" || kind == "not in") && left == apart && right > apart:
		return forbids
	case (kind == "in" || kind == "not in") && left > apart && right == apart:
		name := spelled(l.f, in.Args[1], 3)
		if name != "" && name == strings.ToUpper(name) || l.constant(l.f, in.Args[1], in) {
			return forbids
		}
	case both == taken && !slices.ContainsFunc(in.Args, func(o il.Operand) bool { return empty(l.f, o) }):
		return forbids
	}
	return apart
}

// localPrefix are prefixes of paths: such a test asks whether it is a URL at all.
var localPrefix = []string{"/", ".", "./", "../", "~", "~/"}

var (
	taking  = []string{"split", "rsplit", "partition", "rpartition", "urlparse", "urlsplit", "parse", "findall", "groups", "group", "splitlines"}
	shaping = []string{"strip", "lstrip", "rstrip", "lower", "casefold", "replace", "removeprefix", "removesuffix", "get", "decode", "encode", "find",
		"count", "join", "format", "sub"}
	kinds = []string{"isdigit", "isdecimal", "isnumeric", "isalnum", "isalpha", "isidentifier"}
)

// call is what the result of a call says about the text. What an action gives back
// says nothing.
func (l *sighting) call(c call) sight {
	object, args := apart, l.most(c.in.Args[1:])
	if o, ok := c.receiver(); ok {
		object = l.of(o)
	}
	if object == apart && args == apart {
		return apart
	}
	name, method := "", c.method()
	name, outside := l.callee(l.f, c.in)
	switch {
	case !outside:
		return l.helper(c)
	case method == "startswith" && object > apart:
		first, _ := c.in.Argument("", 0)
		if text, ok := l.f.Str(l.f.Root(first)); ok && slices.Contains(localPrefix, text) {
			return apart
		}
		return demands
	case object > apart && (method == "endswith" || slices.Contains(kinds, method)):
		return forbids
	case args > apart && (method == "match" || method == "fullmatch"):
		return demands
	case args > apart && (method == "search" || named(name, "validators.*", "giturlparse.validate", "rfc3986.*", "fnmatch.*")):
		return forbids
	case named(name, "pathlib.Path().exists", "pathlib.Path().is_*", "builtins.isinstance", "pathlib.*.exists", "pathlib.*.is_*"):
		return apart
	case slices.Contains(taking, method):
		return max(object, args, taken)
	case named(name, "builtins.len") && args < taken:
		return apart
	case slices.Contains(shaping, method), tables.Of(tables.Flow).Has(l.f.Module.Language, name, "look"):
		return max(object, args)
	}
	return apart
}

// helper is what a function of the program that is given the text says about it.
func (l *sighting) helper(c call) (at sight) {
	for i, o := range c.in.Args[1:] {
		if l.of(o) == apart {
			continue
		}
		if g, param := l.Names.Argument(l.f, c.in, i); g != nil {
			at = max(at, l.verdict(g, param, l.deep+1))
		}
	}
	return at
}

// question is something asked of a parameter of a function.
type question struct {
	what  string
	fn    *il.Function
	param int
	deep  int
}

// verdict is what a function gives back about a parameter: by what it returns, or by
// the test that its ways hang on.
func (x *lowered) verdict(f *il.Function, param, deep int) (at sight) {
	if deep > maxTests || f.Kind == il.ClassBody {
		return apart
	}
	q := question{"verdict", f, param, deep}
	if known, ok := x.asked[q]; ok {
		return known.(sight)
	}
	x.asked[q] = apart
	l := x.looksAt(f, il.Operand{Kind: il.Local, ID: f.Params[param].Var}, deep)
	branches, constant := apart, false
	for _, in := range f.Instructions() {
		switch in.Op {
		case il.Return:
			at = max(at, l.of(in.Args[0]))
			c, ok := f.Const(f.Root(in.Args[0]))
			def := f.Def(f.Root(in.Args[0]))
			constant = constant || ok && c.Type == il.BoolConst || def != nil && def.Op == il.Make && len(def.Args) > 0
		case il.Branch:
			branches = max(branches, l.tests(in))
		}
	}
	if constant { // a truth, or one with a message
		at = max(at, branches)
	}
	x.asked[q] = at
	return at
}

// part is a value that is read by a name, and where.
type part struct {
	operand
	key string
}

// read is the name by which an instruction reads a value from a state, a record or
// parsed arguments: x["key"], x.get("key"), x.key.
func read(f *il.Function, in *il.Instr) (from il.Operand, key string) {
	switch {
	case in == nil:
	case in.Op == il.Get:
		key, _ = f.Str(in.Args[1])
		return in.Args[0], key
	case in.Op == il.Call && len(in.Args) > 1 && slices.Contains([]string{"get", "pop", "setdefault"}, last(in.Kind)):
		if o, ok := (call{f: f, in: in}).receiver(); ok {
			key, _ = f.Str(in.Args[1])
			return o, key
		}
	}
	return il.Operand{}, ""
}

// reads are the places of a function that read a value by a name.
func reads(f *il.Function, key string) (out []il.Operand) {
	for _, in := range f.Instructions() {
		if _, k := read(f, in); k == key && in.Dst != il.NoDst {
			out = append(out, il.Operand{Kind: il.Local, ID: in.Dst})
		}
	}
	return out
}

// maxStored bounds the values that are followed for one name.
const maxStored = 64

// stored are the values that production code stores under a name: entries of
// records, keyword arguments, elements and attributes that are set. It leads from a
// key of the state to the values that other nodes put there.
func (x *lowered) stored(key string) []operand {
	if x.store == nil {
		x.store = map[string][]operand{}
		for f := range x.functions() {
			if f.Module.Language != python || !x.production(f) {
				continue
			}
			for _, in := range f.Instructions() {
				x.stores(f, in)
			}
		}
	}
	return x.store[key]
}

func (x *lowered) stores(f *il.Function, in *il.Instr) {
	add := func(key string, o il.Operand) {
		if key != "" && key != "*" && key != "**" && len(x.store[key]) < maxStored {
			x.store[key] = append(x.store[key], operand{f: f, o: o, use: in})
		}
	}
	switch {
	case in.Op == il.Set && len(in.Args) > 2 && (in.Kind == "item" || in.Kind == "attr" && spelled(f, in.Args[0], 2) != "self"):
		key, _ := f.Str(in.Args[1])
		add(key, in.Args[2])
	case in.Op == il.Make && in.Kind == "map" && len(in.Names) == len(in.Args):
		for i, name := range in.Names {
			add(name, in.Args[i])
		}
	case in.Op == il.Call && len(in.Names) == len(in.Args)-1:
		for i, name := range in.Names {
			add(name, in.Args[i+1])
		}
	}
}

// classOf is the class of the program that an object is of, by what is known of it or
// by the type of a parameter.
func (x *lowered) classOf(f *il.Function, o il.Operand) *il.Function {
	if class := x.Names.Instance(f, o).Class; class != nil {
		return class
	}
	if o = f.Root(o); o.Kind == il.Local && f.Versions[o.ID].Param >= 0 {
		return x.Names.Type(f, f.Params[f.Versions[o.ID].Param].Type)
	}
	return nil
}
