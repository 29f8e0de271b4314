package safety

import (
	"slices"
	"strings"

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
func (x *lowered) givesFolder(f *il.Function, made folder) bool {
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
	rmtree := []string{"shutil.rmtree", "git.util.rmtree", "git.rmtree", "distutils.dir_util.remove_tree", "os.removedirs", "*.rmtree",
		"send2trash.send2trash", "aioshutil.rmtree"}
	for c := range x.calls() {
		arg, given := c.in.Argument("path", 0)
		always := named(c.name, "atexit.register", "weakref.finalize", "*.callback", "*.push_async_callback", "*.addCleanup", "*.add_task")
		if always {
			at := b2i(c.name == "weakref.finalize")
			fn, _ := c.in.Argument("", at)
			s := x.Names.Operand(c.f, fn)
			arg, given = c.in.Argument("", at+1)
			given = given && s != nil && named(s.Outside, rmtree[:5]...)
		}
		if n := x.nodeAt(c.f, c.in.Span); given && (always || named(c.name, rmtree...)) && v.production(n) {
			out = append(out, remover{n, operand{f: c.f, o: arg, use: c.in}, always})
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
	if in := made.from.At; in != nil && in.Op == il.Call {
		c := call{f: made.from.Function, in: in}
		name, _ := x.callee(c.f, in)
		keep, given := c.in.Argument("delete", -1)
		kept, lives := x.lives(c.f, in, made)
		switch own := named(name, "*.TemporaryDirectory") && (!given || x.truth(c.f, keep, in) == yes); {
		case kept || own && lives:
			return removal{complete: yes, some: true, proof: []code.Node{made.node}}
		case own:
			return removal{why: "only the name of the temporary folder is kept, so that the folder goes away with its object", proof: []code.Node{made.node}}
		}
	}
	return x.removedBy(x.events(s, made, l), made.node)
}

// lives tells whether a with statement or an exit stack holds what a call gives, and whether
// that, or somebody else, lives as long as the folder is used: all of a TemporaryDirectory does
// but where its name alone goes on. One that a finally clause cleans up lives until there.
func (x *lowered) lives(f *il.Function, in *il.Instr, made folder) (managed, lives bool) {
	variable := false
	seen := map[int32]bool{}
	for work := []int32{in.Dst}; len(work) > 0; {
		id := work[len(work)-1]
		work = work[:len(work)-1]
		if id == il.NoDst || seen[id] {
			continue
		}
		seen[id] = true
		variable = variable || f.Versions[id].Var[0] != '%'
		for _, use := range f.Versions[id].Uses {
			switch _, key := read(f, use); {
			case use.Op == il.Bind && use.Kind == "", use.Op == il.Phi, use.Op == il.Assume, use.Op == il.Yield && use.Kind == "await", use.Op == il.Call && last(use.Kind) == "closing":
				work = append(work, use.Dst)
			case use.Op == il.Call && (last(use.Kind) == "enter_context" || last(use.Kind) == "enter_async_context"):
				return true, true
			case use.Op == il.Get && slices.ContainsFunc(f.Versions[use.Dst].Uses, func(c *il.Instr) bool { return c.Mode == il.Deferred }):
				return true, true
			case use.Op != il.Get:
				lives = true // in an attribute, a container, returned or handed on
			case key == "cleanup":
				for _, in := range f.Instructions() {
					lives = lives || in.Dst != il.NoDst && x.Outcome.Fallout(f, in)[f.Block(use)]
				}
			}
		}
	}
	return false, lives || variable && (f.Kind == il.Top || f.Kind == il.ClassBody || !x.givesFolder(f, made))
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
