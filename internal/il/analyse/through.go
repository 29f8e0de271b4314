package analyse

import (
	"slices"
	"strconv"
	"strings"

	"github.com/automaton-auditor/automaton/internal/il"
)

// handing is what a method of a language's own does with what its object holds.
type handing uint8

const (
	notKnown handing = iota
	showing          // its result is made of it: a text, another list
	copying          // its result is a new object of the same parts
	looking          // it gives what lies under the key that is its argument
	listing          // it gives the values
	pairing          // it gives keys with their values
	applying         // it gives what a function makes of each element
	telling          // its result does not hold it
)

// method is the row of a method, for all languages: their own containers and texts
// call these alike, or one does not know the other's name.
func method(name string) handing {
	switch name {
	case "joinpath", "strip", "lstrip", "rstrip", "lower", "upper", "title", "capitalize", "join", "format", "replace", "split", "splitlines", "encode", "decode", "trim", "trimStart", "trimEnd", "toLowerCase",
		"toUpperCase", "toString", "to_string", "to_owned", "as_str", "as_bytes", "slice", "concat", "flat", "substring", "padEnd", "padStart", "model_dump_json", "json", "isoformat", "as_posix", "resolve",
		"expanduser", "absolute", "String", "Bytes", "format_map", "removeprefix", "removesuffix", "repeat", "strip_prefix", "into_iter", "iter", "iter_mut", "into", "collect", "unwrap", "unwrap_or", "unwrap_or_default",
		"expect", "clone", "stream", "toList", "sorted", "limit", "filter", "sort", "reverse", "toSorted", "then", "as_ref", "as_mut", "await", "result":
		return showing
	case "copy", "deepcopy", "model_copy", "dict", "model_dump", "_asdict", "to_dict", "asdict", "list", "set", "tuple", "toArray", "Clone":
		return copying
	case "get", "pop", "setdefault", "getOrDefault", "at", "__getitem__":
		return looking
	case "values", "elements", "Values":
		return listing
	case "items", "entries", "entrySet":
		return pairing
	case "map", "flatMap", "forEach", "mapToObj", "reduce", "find":
		return applying
	case "startswith", "endswith", "keys", "count", "index", "startsWith", "endsWith", "includes", "indexOf", "contains", "isEmpty", "is_empty", "len", "length", "size", "exists", "is_file", "is_dir", "equals",
		"hashCode", "append", "extend", "add", "push", "insert", "remove", "discard", "clear", "containsKey", "has":
		return telling
	}
	return notKnown
}

// method hands on what an object holds through a call of its method.
func (k *walk) method(from at, get, call *il.Instr, t *trail) {
	if k.To(k.f, call, 0) {
		k.end(k.next(t, call, true), t)
	}
	if k.Stops != nil && k.Stops(k.f, call, 0) {
		return
	}
	s := k.callee(k.f, call)
	if s.Function != nil && s.Bound && len(s.Function.Params) > 0 {
		k.apply(k.question(s.Function, local(s.Function.Params[0].Var), from.path, k.ask), s, call, t)
		return
	}
	name, _ := k.f.Str(get.Args[1])
	dst := local(call.Dst)
	head, rest := from.path.split()
	how := method(name)
	if head == anyKey && (how == pairing || name == "keys" || name == "Keys" || name == "keySet") { // it may be the key itself
		k.reach(at{dst, ""}, k.next(t, call, false))
	}
	switch {
	case how == telling:
	case how == showing:
		k.reach(at{dst, from.path.loose()}, k.next(t, call, true))
	case how == copying:
		k.reach(at{dst, from.path}, k.next(t, call, true))
	case head == "" && how != applying:
		k.reach(at{dst, ""}, k.next(t, call, how != notKnown))
	case how == looking && len(call.Args) > 1:
		key, known := keyOf(k.f, call.Args[1])
		if key == head && known || !known || head == anyKey {
			k.reach(at{dst, rest}, k.next(t, call, known && key == head))
		}
	case how == listing:
		p, exact := rest.under(anyKey)
		k.reach(at{dst, p}, k.next(t, call, exact))
	case how == pairing:
		p, _ := rest.under("#1")
		p, exact := p.under(anyKey)
		k.reach(at{dst, p}, k.next(t, call, exact))
	case how == applying:
		k.applied(from, call, t)
	default:
		k.reach(at{dst, ""}, k.next(t, call, false))
	}
}

// applied hands the elements of a list to the function that a method is given.
func (k *walk) applied(from at, call *il.Instr, t *trail) {
	_, rest := from.path.split()
	for _, a := range call.Args[1:] {
		s := k.Names.Operand(k.f, a)
		if s == nil || s.Function == nil || len(s.Function.Params) == 0 || s.Function.Kind == il.ClassBody {
			continue
		}
		sum := k.question(s.Function, local(s.Function.Params[0].Var), rest, k.ask)
		k.end(k.step(t, k.f, call, sum.end, true), sum.end)
		for _, p := range sum.paths() {
			out, exact := p.under(anyKey)
			k.reach(at{local(call.Dst), out}, k.step(t, k.f, call, sum.result[p], exact))
		}
		if sum.lost != "" {
			k.out.lose(sum.lost)
		}
		return
	}
	k.reach(at{local(call.Dst), ""}, k.next(t, call, false))
	k.out.lose("a function that is handed on")
}

// hands are functions outside of the program whose result is made of their
// arguments; the others may be.
var hands = map[string]handing{"builtins.str": showing, "builtins.repr": showing, "builtins.list": showing, "builtins.tuple": showing, "builtins.set": showing, "builtins.sorted": showing, "builtins.reversed": showing,
	"builtins.dict": copying, "builtins.iter": copying, "builtins.next": listing, "builtins.format": showing, "builtins.max": listing, "builtins.min": listing, "builtins.enumerate": pairing, "builtins.int": showing, "builtins.float": showing,
	"builtins.round": showing, "builtins.sum": showing, "builtins.abs": showing, "copy.copy": copying, "copy.deepcopy": copying, "json.dumps": showing, "shlex.join": showing, "shlex.quote": showing, "os.path.join": showing, "pathlib.Path": showing,
	"dataclasses.asdict": copying, "dataclasses.replace": copying, "typing.cast": copying, "asyncio.gather": listing, "asyncio.wait_for": copying, "asyncio.create_task": copying, "textwrap.dedent": showing,
	"fmt.Sprintf": showing, "util.format": showing, "fmt.Sprint": showing, "strings.Join": showing, "strings.TrimSpace": showing, "strings.ToLower": showing, "path.Join": showing, "path/filepath.Join": showing, "string": showing, "append": showing,
	"JSON.stringify": showing, "String": showing, "Number": showing, "Object.assign": copying, "Array.from": showing, "Object.values": listing, "Object.entries": pairing, "structuredClone": copying, "path.join": showing, "Promise.all": copying, "Promise.resolve": copying,
	"java.lang.String.format": showing, "java.lang.String.valueOf": showing, "java.lang.String.join": showing, "java.util.List.of": listing, "java.util.List.copyOf": copying, "java.util.Objects.requireNonNull": copying, "java.util.Arrays.asList": listing, "java.lang.Integer.parseInt": showing,
	"format!": showing, "Ok": copying, "Some": copying, "Err": copying, "vec!": listing, "String.from": showing, "Box.new": copying, "Arc.new": copying,
	"builtins.len": telling, "builtins.isinstance": telling, "builtins.print": telling, "builtins.bool": telling, "builtins.hasattr": telling, "builtins.type": telling, "builtins.range": telling, "builtins.id": telling, "len": telling,
	"builtins.any": telling, "builtins.all": telling, "println!": telling, "eprintln!": telling, "print!": telling, "console.log": telling, "console.error": telling, "fmt.Println": telling, "fmt.Printf": telling, "Array.isArray": telling, "parseInt": showing, "parseFloat": showing}

// call hands an argument on.
func (k *walk) call(from at, in *il.Instr, arg int, t *trail) {
	s := k.callee(k.f, in)
	dst := local(in.Dst)
	switch {
	case s.Function != nil && s.Function.Kind == il.ClassBody:
		k.construct(from, in, arg, t, s.Function)
	case s.Function != nil && plain(s.Function):
		k.through(from, in, arg, t, s)
	case s.Function != nil:
		k.reach(at{dst, ""}, k.next(t, in, false))
		k.out.lose("a decorated function")
	case hands[s.Outside] != notKnown:
		k.handed(from, in, t, hands[s.Outside])
	case s.Outside != "" && strings.Contains(s.Outside, "logg"):
	default:
		k.unknown(from, in, t)
	}
}

// handed is a call of a function that is known to make its result of its arguments.
func (k *walk) handed(from at, in *il.Instr, t *trail, how handing) {
	dst := local(in.Dst)
	_, rest := from.path.split()
	switch how {
	case showing:
		k.reach(at{dst, from.path.loose()}, k.next(t, in, true))
	case copying:
		k.reach(at{dst, from.path}, k.next(t, in, true))
	case listing:
		if from.path == "" {
			p, _ := from.path.under(anyKey)
			k.reach(at{dst, p}, k.next(t, in, true))
			k.reach(at{dst, ""}, k.next(t, in, true))
			return
		}
		k.reach(at{dst, rest}, k.next(t, in, true))
		k.reach(at{dst, from.path.loose()}, k.next(t, in, true))
	case pairing:
		p, _ := rest.under("#1")
		p, exact := p.under(anyKey)
		k.reach(at{dst, p}, k.next(t, in, exact))
	default:
	}
}

// composing are methods of texts and lists whose result holds their arguments.
var composing = map[string]bool{"join": true, "format": true, "format_map": true, "concat": true, "resolve": true, "joinpath": true, "replace": true, "unwrap_or": true}

// unknown is a call of what the program does not have. A method may keep its
// argument in its object; that of a text makes a text of it.
func (k *walk) unknown(from at, in *il.Instr, t *trail) {
	get := k.f.Def(k.f.Root(in.Args[0]))
	if get == nil || get.Op != il.Get || get.Kind != "attr" {
		k.reach(at{local(in.Dst), ""}, k.next(t, in, false))
		return
	}
	name, _ := k.f.Str(get.Args[1])
	switch how := method(name); {
	case composing[name]:
		k.reach(at{local(in.Dst), ""}, k.next(t, in, true))
	case how == telling:
	case how == looking: // a default that is given
		k.reach(at{local(in.Dst), from.path}, k.next(t, in, false))
	default:
		next := k.next(t, in, false)
		k.reach(at{local(in.Dst), ""}, next)
		k.change(get.Args[0], in.Dst, anyKey+"\x00", next)
	}
}

// harmlessDecorators leave a function what it is.
var harmlessDecorators = map[string]bool{"staticmethod": true, "classmethod": true, "override": true, "abstractmethod": true, "lru_cache": true, "cache": true, "wraps": true, "traceable": true, "Override": true, "task": true}

// plain tells a function that is called as it stands.
func plain(f *il.Function) bool {
	return !slices.ContainsFunc(f.Decorators, func(d string) bool { return !harmlessDecorators[lastName(d)] })
}

// through hands an argument on by the summary of the function called.
func (k *walk) through(from at, in *il.Instr, arg int, t *trail, s *Symbol) {
	i, p, ok := parameter(s, in, arg-1)
	if !ok {
		k.reach(at{local(in.Dst), ""}, k.next(t, in, false))
		k.out.lose("an argument whose parameter is not known")
		return
	}
	if p != "" {
		p, ok = from.path.under(string(p))
	} else {
		p = from.path
	}
	k.apply(k.question(s.Function, local(s.Function.Params[i].Var), p, k.ask), s, in, k.next(t, in, ok))
}

// parameter is the parameter that an argument of a call is bound to, and the key
// under which a parameter that takes the rest holds it.
func parameter(s *Symbol, in *il.Instr, i int) (param int, key path, ok bool) {
	if i < len(in.Names) && (in.Names[i] == "*" || in.Names[i] == "**") {
		return 0, "", false
	}
	if p := position(s, in, i); p >= 0 {
		return p, "", true
	}
	for p, param := range s.Function.Params {
		switch {
		case param.Spread == "*" && in.Names[i] == "" && !slices.Contains(in.Names[:i], "*"):
			return p, path("#" + strconv.Itoa(max(i-p, 0))), true
		case param.Spread == "**" && in.Names[i] != "":
			return p, path(in.Names[i]), true
		}
	}
	return 0, "", false
}

// apply hands on by a summary.
func (k *walk) apply(sum *summary, s *Symbol, in *il.Instr, t *trail) {
	dst := local(in.Dst)
	for _, p := range sum.paths() {
		k.reach(at{dst, p}, k.step(t, k.f, in, sum.result[p], true))
	}
	k.end(k.step(t, k.f, in, sum.end, true), sum.end)
	for _, sp := range sum.spots() {
		if o := k.given(s, in, sp.param); o.Kind == il.Local {
			k.change(o, il.NoDst, sp.path, k.step(t, k.f, in, sum.into[sp], true))
		}
	}
	if sum.lost != "" {
		k.out.lose(sum.lost)
	}
}

// given is the operand that a call binds to a parameter.
func (k *walk) given(s *Symbol, in *il.Instr, param int) il.Operand {
	if s.Bound && param == 0 {
		if get := k.f.Def(k.f.Root(in.Args[0])); get != nil && get.Op == il.Get {
			return get.Args[0]
		}
		return il.Operand{}
	}
	for i := range in.Args[1:] {
		if position(s, in, i) == param {
			return in.Args[i+1]
		}
	}
	return il.Operand{}
}

// construct hands an argument on into a new object: by its constructor, or, of a
// class that has none, into the field of its name.
func (k *walk) construct(from at, in *il.Instr, arg int, t *trail, class *il.Function) {
	dst := local(in.Dst)
	for _, name := range []string{"__init__", "constructor", lastName(class.Name)} {
		init := k.Names.Method(class, name)
		if init == nil || !receives(init) {
			continue
		}
		i, key, ok := parameter(&Symbol{Function: init, Bound: true}, in, arg-1)
		if !ok || key != "" {
			k.reach(at{dst, anyKey + "\x00"}, k.next(t, in, false))
			k.out.lose("an argument whose parameter is not known")
			return
		}
		sum := k.question(init, local(init.Params[i].Var), from.path, k.ask)
		for _, sp := range sum.spots() {
			if sp.param == 0 {
				k.reach(at{dst, sp.path}, k.step(t, k.f, in, sum.into[sp], true))
			}
		}
		k.end(k.step(t, k.f, in, sum.end, true), sum.end)
		if sum.lost != "" {
			k.out.lose(sum.lost)
		}
		return
	}
	name := in.Names[arg-1]
	if name == "**" {
		k.reach(at{dst, from.path}, k.next(t, in, true))
		return
	}
	if name == "" {
		name = k.Names.fieldAt(class, arg-1)
	}
	p, exact := from.path.under(name)
	k.reach(at{dst, p}, k.next(t, in, exact))
}
