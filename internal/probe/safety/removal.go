package safety

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/il/intree"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
)

// removal is what is known of removing the folder of a clone.
type removal struct {
	complete tri         // removed on success and on failure
	some     bool        // removed by some way
	proof    []code.Node // with statements, calls
	why      string
}

// folder is an expression that makes or names the folder of a clone, and where Python's
// tree has it.
type folder struct {
	from analyse.Origin
	node code.Node
}

// madeBy are the expressions that make or name the folder that a clone goes to.
func (x *lowered) madeBy(a aim) (out []folder) {
	for _, o := range slices.Concat(a.temp, a.makes) {
		if n := x.nodeOf(o); n.Valid() {
			out = append(out, folder{o, n})
		}
	}
	return out
}

// isMade tells a value that is, or lies in, the folder that an expression makes.
func (x *lowered) isMade(v operand, made folder) bool {
	return slices.ContainsFunc(x.folderOrigins(v, 3), func(o analyse.Origin) bool {
		return o.At == made.from.At && (o.At != nil || x.nodeOf(o) == made.node)
	})
}

// givesFolder tells a function that returns the folder: the work is elsewhere.
func (x *lowered) givesFolder(d *code.Definition, made folder) bool {
	f := x.functionOf(d)
	if f == nil {
		return false
	}
	for _, in := range f.Instructions() {
		if in.Op == il.Return && x.isMade(operand{f: f, o: in.Args[0], use: in}, made) {
			return true
		}
	}
	return false
}

// remover is one call that removes a folder, or promises to.
type remover struct {
	call   code.Node
	arg    operand
	always bool // at exit, or by a finaliser
}

// removers lists the calls of production code that remove folders, once.
func (x *lowered) removers() []remover {
	if x.removes != nil {
		return x.removes
	}
	v, out := x.survey, []remover{}
	add := func(call, arg code.Node, always bool) {
		w, _ := x.valueAt(arg)
		out = append(out, remover{call: call, arg: w, always: always})
	}
	rmtree := []string{"shutil.rmtree", "git.util.rmtree", "git.rmtree", "distutils.dir_util.remove_tree", "os.removedirs", "*.rmtree",
		"send2trash.send2trash", "aioshutil.rmtree"}
	for _, c := range v.p.Calls(rmtree...) {
		if arg := c.Arg("path", 0); arg.Valid() && v.production(c.Node) && c.Callee.Def == nil {
			add(c.Node, arg, false)
		}
	}
	for _, c := range v.p.Calls("atexit.register", "weakref.finalize", "*.callback", "*.push_async_callback", "*.addCleanup", "*.add_task") {
		at := 0
		if c.Callee.Matches("weakref.finalize") {
			at = 1
		}
		fn, arg := c.Arg("", at), c.Arg("", at+1)
		if v.production(c.Node) && fn.Valid() && v.p.Resolve(fn).Matches(rmtree[:5]...) && arg.Valid() {
			add(c.Node, arg, true)
		}
	}
	for _, ways := range x.processes() {
		for _, s := range ways {
			at := x.nodeAt(s.f, s.in.Span)
			for _, words := range s.argvs {
				if v.production(at) && len(words) > 2 && words[0].text == "rm" && strings.HasPrefix(words[1].text, "-") && strings.Contains(words[1].text, "r") {
					out = append(out, remover{call: at, arg: words[len(words)-1]})
				}
			}
		}
	}
	x.removes = out
	return out
}

// removal finds out whether the folder of a site is always removed.
func (x *lowered) removal(s *site) removal {
	a := x.aim(s)
	if a.kind == aimUnknown {
		return removal{complete: unsure, why: "where the clone goes could not be told"}
	}
	var made []folder
	for _, f := range x.madeBy(a) {
		if len(a.temp) == 0 || len(made) < len(a.temp) {
			made = append(made, f)
		}
	}
	if len(made) == 0 {
		return removal{why: "the clone goes into a folder that the code does not make"}
	}
	l := x.leads(s)
	var all removal
	for i, f := range made {
		r := x.removed(s, f, l)
		if i == 0 || r.complete == no || all.complete == yes {
			all.complete, all.why = r.complete, r.why
		}
		all.some = all.some || r.some
		all.proof = append(all.proof, r.proof...)
		if all.complete == no {
			break
		}
	}
	return all
}

// removed finds out about one expression that makes or names the folder.
func (x *lowered) removed(s *site, made folder, l lead) removal {
	v := x.survey
	c := v.p.Call(made.node)
	if c != nil && c.Matches("*.TemporaryDirectory") && !x.keepsFolder(c) {
		return x.object(c, made)
	}
	if c != nil {
		if item := managed(made.node); item.Valid() {
			return removal{complete: yes, some: true, proof: []code.Node{item}}
		}
	}
	return x.removedBy(x.events(s, made, l), made.node)
}

// keepsFolder tells TemporaryDirectory(delete=False).
func (x *lowered) keepsFolder(c *intree.Call) bool {
	d, ok := x.valueAt(c.Arg("delete", -1))
	return ok && x.truth(d.f, d.o, d.use) != yes
}

// managed is the with item or exit stack that an expression is handed to.
func managed(n code.Node) code.Node {
	for a := range n.Around() {
		switch {
		case a.Is("with_item"):
			return a
		case a.Is("as_pattern", "parenthesized_expression", "argument_list", "await", "named_expression"):
		case a.Is("call"):
			name := a.Field("function")
			if name.Is("attribute") {
				name = name.Field("attribute")
			}
			if t := name.Text(); t != "enter_context" && t != "enter_async_context" && t != "closing" {
				return code.Node{}
			}
			if name.Text() != "closing" {
				return a
			}
		default:
			return code.Node{}
		}
	}
	return code.Node{}
}

// object judges a TemporaryDirectory: its finaliser removes the folder as long
// as the object lives as long as the folder is used.
func (x *lowered) object(c *intree.Call, made folder) removal {
	if item := managed(c.Node); item.Valid() {
		return removal{complete: yes, some: true, proof: []code.Node{item}}
	}
	dropped := removal{why: "only the name of the temporary folder is kept, so that the folder goes away with its object", proof: []code.Node{c.Node}}
	parent := c.Node.Parent()
	if parent.Is("attribute") && parent.Field("attribute").Text() != "cleanup" {
		return dropped
	}
	kept := removal{complete: yes, some: true, proof: []code.Node{c.Node}}
	if !parent.Is("assignment") || !parent.Field("left").Is("identifier") {
		return kept // in an attribute, a container, returned or handed on
	}
	fn := x.survey.function(c.Node)
	if fn == nil || !fn.IsFunction() {
		return kept
	}
	name := parent.Field("left").Text()
	for n := range fn.Body().Walk() {
		if !n.Is("identifier") || n.Text() != name || n == parent.Field("left") || n.FieldName() == "attribute" {
			continue
		}
		up := n.Parent()
		if !up.Is("attribute") && !up.Is("keyword_argument") || up.Is("keyword_argument") && n.FieldName() == "value" || cleansUp(up) {
			return kept
		}
	}
	if x.givesFolder(fn, made) {
		return dropped
	}
	return kept
}

// cleansUp tells tmp.cleanup in a finally clause: the object lives until there, and
// what is returned behind it is no folder any more.
func cleansUp(n code.Node) bool {
	if n.Field("attribute").Text() != "cleanup" {
		return false
	}
	for a := range n.Around() {
		if a.Is("finally_clause") {
			return true
		}
	}
	return false
}

// event is a place from which the folder gets removed.
type event struct {
	node   code.Node
	fn     *code.Definition
	always bool
	final  bool // in a finally clause around the use
	after  bool // in a handler or branch for a failing clone
	broad  bool // in a handler for whatever fails later
	failed bool // also when the clone itself fails
	last   bool // at the end, when all went well
}

// events lists the places from which the folder that an expression makes gets
// removed: the removing calls and their callers.
func (x *lowered) events(s *site, made folder, l lead) []event {
	var out []event
	v := x.survey
	for _, r := range x.removers() {
		if !r.arg.valid() || !x.isMade(r.arg, made) {
			continue
		}
		seen := map[code.Node]bool{}
		level := []code.Node{r.call}
		for range maxUp {
			var next []code.Node
			for _, n := range level {
				if seen[n] {
					continue
				}
				seen[n] = true
				e := x.event(s, n, made, l)
				e.always = e.always || r.always && n == r.call
				out = append(out, e)
				if !e.decided() && !e.after && len(l.calls[e.fn]) == 0 {
					next = append(next, v.runs(e.fn)...)
				}
			}
			level = next
		}
	}
	return out
}

// decided tells that callers of the function add nothing.
func (e event) decided() bool { return e.always || e.final && e.failed }
