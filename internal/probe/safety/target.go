package safety

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
)

// aim is where a clone goes.
type aim struct {
	kind  aimKind
	temp  []analyse.Origin // the calls that make the temporary folder
	makes []analyse.Origin // other expressions that name the folder: literals, calls
	proof court.Place      // what decided it
	mixed bool             // by some way of the code it goes elsewhere
}

type aimKind uint8

const (
	aimUnknown aimKind = iota
	aimTemp            // TemporaryDirectory or mkdtemp
	aimSystem          // a fixed name below the system's folder for temporary files
	aimLive            // the working folder
	aimFixed           // a path that is written down
	aimGiven           // a path that somebody passes
)

var (
	makesTemp   = []string{"tempfile.TemporaryDirectory", "tempfile.mkdtemp", "aiofiles.tempfile.TemporaryDirectory", "anyio.mkdtemp", "anyio.TemporaryDirectory"}
	systemTmp   = []string{"tempfile.gettempdir", "tempfile.mktemp", "tempfile.gettempprefix", "tempfile.NamedTemporaryFile"}
	partsOfTemp = []string{"tempfile.TemporaryDirectory.*", "aiofiles.tempfile.TemporaryDirectory.*", "anyio.TemporaryDirectory.*"}
	cwdCalls    = []string{"os.getcwd", "pathlib.Path.cwd", "pathlib.Path().cwd", "os.path.abspath().cwd"}
)

// folderParts are the origins of paths: methods of paths and the entering of managers
// make a folder of what they are given.
func (x *lowered) folderParts() *analyse.Origins {
	return &analyse.Origins{Names: x.Names, Counts: x.counts, Through: func(f *il.Function, in *il.Instr) bool {
		name, ok := x.callee(f, in)
		return ok && (named(name, "pathlib.*", "os.path.*", "os.fspath") && !named(name, cwdCalls...) || pathMethods.MatchString(last(in.Kind)) || x.handsOn(f, in))
	}}
}

var pathMethods = regexp.MustCompile(`^(joinpath|resolve|absolute|expanduser|with_name|with_suffix|as_posix|enter_context|enter_async_context|closing)$`)

// comesFrom says where a folder comes from in production code: by the ways that are surest to
// run, through records and managers of the program.
func (x *lowered) comesFrom(v operand) (out []analyse.Origin) {
	all := x.folderOrigins(v, 3)
	best := 3
	ranks := make([]int, len(all))
	for i, o := range all {
		ranks[i] = x.wayRank(o.Steps())
		best = min(best, ranks[i])
	}
	for i, o := range all {
		if ranks[i] == best && best < 3 {
			out = append(out, o)
		}
	}
	return out
}

// folderOrigins are the origins of a folder. What is read by a name from what no known
// code makes, is what production code stores under that name; what a manager of the
// program gives where it is entered, is what it yields or returns there.
func (x *lowered) folderOrigins(v operand, deep int) (out []analyse.Origin) {
	for _, o := range x.folderParts().Of(v.f, v.o, v.use) {
		inner := x.madeFrom(o)
		if deep == 0 || len(inner) == 0 {
			out = append(out, o)
			continue
		}
		for _, from := range inner {
			for _, more := range x.folderOrigins(from, deep-1) {
				out = append(out, more.After(o))
			}
		}
	}
	return out
}

// madeFrom are the values that an origin is made from, where it is none itself.
func (x *lowered) madeFrom(o analyse.Origin) (out []operand) {
	if o.Kind == analyse.FromPart && o.At != nil && o.At.Op == il.Get && named(o.Symbol.Outside, partsOfTemp...) {
		return []operand{{f: o.Function, o: o.At.Args[0], use: o.At}}
	}
	if o.Kind == analyse.FromCall && o.Symbol.Function != nil {
		return x.entered(o.Symbol.Function)
	}
	if k := recordKey(o); k != "" && o.Kind != analyse.FromCall {
		return x.stored(k)
	}
	return nil
}

// entered are what a with statement binds: the yields of a generator, the results of
// __enter__.
func (x *lowered) entered(f *il.Function) (out []operand) {
	if f.Kind == il.ClassBody {
		for _, name := range []string{"__enter__", "__aenter__"} {
			if m := x.Names.Method(f, name); m != nil {
				f = m
			}
		}
		if f.Kind == il.ClassBody {
			return nil
		}
	}
	for _, in := range f.Instructions() {
		if (in.Op == il.Return || in.Op == il.Yield && in.Kind == "yield") && in.Args[0].Kind != il.Constant && spelled(f, in.Args[0], 2) != "self" {
			out = append(out, operand{f: f, o: in.Args[0], use: in})
		}
	}
	return out
}

// wayRank is the lowest rank of the callers that a way goes up to; 3 for a way
// through tests and dead code.
func (x *lowered) wayRank(way []analyse.Step) int {
	worst := 0
	for i, s := range way {
		if !x.production(s.Function) {
			return 3
		}
		if i == 0 || s.Function == way[i-1].Function || s.Function.Kind == il.Top {
			continue
		}
		if o := way[i-1].Function.Root(way[i-1].Operand); o.Kind == il.Local && way[i-1].Function.Versions[o.ID].Param >= 0 {
			worst = max(worst, x.rank(s.Function))
		}
	}
	return worst
}

// folders are the values that decide where a site's clone goes: the
// target, and the folder that the process runs in unless the target is
// absolute.
func (x *lowered) folders(s *site) (out []operand) {
	if s.target.f != nil {
		out = append(out, s.target)
	}
	if s.cmd.folder.f != nil {
		out = append(out, s.cmd.folder)
	}
	for _, st := range s.steps {
		if cwd, ok, _ := st.option(st.args, "cwd"); ok && x.limit(cwd) != no {
			out = append(out, cwd)
		}
	}
	if len(out) == 0 && s.home != nil {
		for _, c := range x.survey.p.CallsIn(s.home) {
			if c.Callee.Matches("os.chdir", "contextlib.chdir") && c.Node.Start() < s.at.Start() {
				w, _ := x.valueAt(c.Arg("path", 0))
				out = append(out, w)
			}
		}
	}
	return out
}

// aim finds out where a site's clone goes.
func (x *lowered) aim(s *site) aim {
	folders := x.folders(s)
	if len(folders) == 0 {
		if s.how == byAPI {
			return x.unpacked(s)
		}
		spreads := slices.ContainsFunc(s.cmd.args, func(w operand) bool { return w.rest }) || s.call != nil && s.call.Splat()
		if spreads || slices.ContainsFunc(s.steps, (*started).hides) { // the target may hide there
			return aim{proof: place(s.at)}
		}
		return aim{kind: aimLive, proof: place(s.at)}
	}
	best := aim{proof: place(s.at)}
	for i, f := range folders {
		a := x.aimOf(f)
		if a.kind == aimTemp || i == 0 {
			best = a
		}
		if a.kind == aimTemp {
			return best
		}
	}
	return best
}

// unpacked is where a download is unpacked or written, in the same function.
func (x *lowered) unpacked(s *site) aim {
	for _, c := range x.survey.p.CallsIn(s.home) {
		switch c.Name {
		case "extractall", "unpack_archive", "urlretrieve":
			at := 0
			if c.Name != "extractall" {
				at = 1
			}
			name := map[string]string{"extractall": "path", "unpack_archive": "extract_dir", "urlretrieve": "filename"}[c.Name]
			if v, ok := x.valueAt(c.Arg(name, at)); ok {
				return x.aimOf(v)
			}
		}
	}
	return aim{proof: place(s.at)}
}

// aimOf finds out what folder a value means.
func (x *lowered) aimOf(v operand) aim {
	a := aim{}
	switch {
	case v.use != nil:
		a.proof = shownAt(v.f, v.use.Span)
	case v.f != nil:
		a.proof = shownAt(v.f, v.at)
	}
	switch {
	case v.known && v.cut:
		a.kind = aimText(v.text)
		return a
	case !v.valid():
		return a
	}
	found := map[aimKind]bool{}
	fixed := true // nothing but literals
	complete := false
	for _, o := range x.comesFrom(v) {
		switch kind := x.aimOrigin(o); {
		case kind == aimTemp:
			a.temp = append(a.temp, o)
			found[kind] = true
		case kind != aimUnknown:
			found[kind] = true
			complete = complete || !o.Part
			if o.Kind == analyse.FromCall || o.Kind == analyse.FromConst {
				a.makes = append(a.makes, o)
			}
		case o.Kind == analyse.FromConst || strings.HasPrefix(o.Symbol.Outside, "tempfile."):
		default:
			fixed = false
		}
	}
	switch {
	case found[aimTemp]:
		a.kind = aimTemp
		a.mixed = complete && (found[aimLive] || found[aimFixed])
	case found[aimLive]:
		a.kind = aimLive
	case found[aimSystem]:
		a.kind = aimSystem
	case found[aimGiven]:
		a.kind = aimGiven
	case found[aimFixed] && fixed:
		a.kind = aimFixed
	}
	return a
}

// literal is the text of an origin that is a constant.
func literal(o analyse.Origin) (string, bool) {
	if o.Symbol.Const != nil {
		return o.Symbol.Const.Text, o.Symbol.Const.Type == il.StrConst
	}
	return o.Function.Str(o.Operand)
}

// aimOrigin says what one origin makes of a path; unknown for what only adds
// to it.
func (x *lowered) aimOrigin(o analyse.Origin) aimKind {
	outside := o.Symbol.Outside
	switch o.Kind {
	case analyse.FromCall, analyse.FromName, analyse.FromPart:
		switch {
		case named(outside, makesTemp...):
			return aimTemp
		case named(outside, systemTmp...):
			return aimSystem
		case named(outside, cwdCalls...), outside == "os.curdir":
			return aimLive
		case outside == "builtins.input" || strings.Contains(outside, "parse_args"):
			return aimGiven
		}
	case analyse.FromConst:
		text, ok := literal(o)
		if ok && (text != "" || !o.Part) {
			return aimText(text)
		}
	case analyse.FromParameter:
		if name := o.Function.Params[o.Param].Name; recordKey(o) == "" && name != "self" && name != "cls" {
			return aimGiven
		}
	case analyse.OutOfSight, analyse.FromException:
	}
	return aimUnknown
}

// aimText is where a path leads that is written down.
func aimText(text string) aimKind {
	switch {
	case text == "." || text == "./":
		return aimLive
	case strings.HasPrefix(text, "/tmp") || strings.HasPrefix(text, "/var/tmp"):
		return aimSystem
	}
	return aimFixed
}

// nodeOf is an origin in Python's tree.
func (x *lowered) nodeOf(o analyse.Origin) code.Node {
	last, text := o.Last(), ""
	span, f := last.Use.Span, last.Function
	if o.At != nil {
		span, f = o.At.Span, o.Function
	} else {
		text, _ = literal(o)
	}
	for n := range x.survey.p.Module(f.Module.Path).Root().Walk() {
		if n.Start() < int(span.From) || n.End() > int(span.To) {
			continue
		}
		if t, ok := n.Literal(); o.At == nil && ok && t == text || o.At != nil && n.Is("call") && n.Start() == int(span.From) && n.End() == int(span.To) {
			return n
		}
	}
	return code.Node{}
}
