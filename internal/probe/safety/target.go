package safety

import (
	"path"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
)

// aim is where a clone goes.
type aim struct {
	kind  aimKind
	temp  []*code.Call // the calls that make the temporary folder
	makes []code.Node  // other expressions that name the folder: literals, calls
	proof code.Node    // what decided it
	mixed bool         // by some way of the code it goes elsewhere
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
	makesTemp = []string{"tempfile.TemporaryDirectory", "tempfile.mkdtemp", "aiofiles.tempfile.TemporaryDirectory", "anyio.mkdtemp", "anyio.TemporaryDirectory"}
	systemTmp = []string{"tempfile.gettempdir", "tempfile.mktemp", "tempfile.gettempprefix", "tempfile.NamedTemporaryFile"}
	cwdCalls  = []string{"os.getcwd", "pathlib.Path.cwd", "pathlib.Path().cwd", "os.path.abspath().cwd"}
)

// origins says where a value comes from in production code: by the ways that
// are surest to run, and through first-party context managers.
func (v *survey) origins(n code.Node) []code.Origin {
	all := v.throughKeys(v.throughManagers(v.p.Origins(n), 2))
	best := 3
	ranks := make([]int, len(all))
	for i, o := range all {
		ranks[i] = v.wayRank(o.Path)
		best = min(best, ranks[i])
	}
	var out []code.Origin
	for i, o := range all {
		if ranks[i] == best && best < 3 {
			out = append(out, o)
		}
	}
	return out
}

// wayRank is the lowest rank of the callers that a way goes up to; 3 for a way
// through tests and dead code.
func (v *survey) wayRank(way []code.Node) int {
	worst := 0
	var last *code.Definition
	for i, n := range way {
		if !v.production(n) {
			return 3
		}
		fn := v.function(n)
		if i > 0 && fn != last && fn != nil && fn.IsFunction() && isParameter(last, way[i-1]) {
			worst = max(worst, v.rank(fn))
		}
		last = fn
	}
	return worst
}

// isParameter tells a name that is a parameter of a function.
func isParameter(fn *code.Definition, n code.Node) bool {
	return fn != nil && n.Is("identifier") && slices.ContainsFunc(fn.Params(), func(p code.Param) bool { return p.Name == n.Text() })
}

// throughKeys replaces what is read from a state or a record by name, when
// nothing known makes it, by what production code stores under that name.
func (v *survey) throughKeys(in []code.Origin) []code.Origin {
	var out []code.Origin
	for _, o := range in {
		if o.Kind != code.OriginAttribute && o.Kind != code.OriginParam {
			out = append(out, o)
			continue
		}
		k := keyedIn(o)
		values := v.keys()[k]
		if k == "" || len(values) == 0 {
			out = append(out, o)
			continue
		}
		for _, value := range values {
			for _, inner := range v.throughManagers(v.p.Origins(value), 2) {
				inner.Path = append(slices.Clone(o.Path), inner.Path...)
				out = append(out, inner)
			}
		}
	}
	return out
}

// throughManagers replaces what a first-party context manager yields or returns
// on entering by where that comes from.
func (v *survey) throughManagers(in []code.Origin, depth int) []code.Origin {
	var out []code.Origin
	for _, o := range in {
		var values []code.Node
		switch {
		case o.Kind != code.OriginCall || depth == 0:
		case o.Call.Callee.Def != nil:
			values = v.entered(o.Call.Callee.Def)
		case isOneOf(o.Call.Name, "enter_context", "enter_async_context", "closing") && len(o.Call.Args) > 0:
			values = []code.Node{o.Call.Args[0].Value}
		}
		if len(values) == 0 {
			out = append(out, o)
			continue
		}
		for _, value := range values {
			for _, inner := range v.throughManagers(v.p.Origins(value), depth-1) {
				inner.Path = append(slices.Clone(o.Path), inner.Path...)
				inner.Part = inner.Part || o.Part
				out = append(out, inner)
			}
		}
	}
	return out
}

// entered is what a with statement binds: the yields of a generator, the
// results of __enter__.
func (v *survey) entered(d *code.Definition) []code.Node {
	if d.Kind == code.DefClass {
		for _, name := range []string{"__enter__", "__aenter__"} {
			if m := v.p.Method(d, name); m != nil {
				return slices.DeleteFunc(m.ReturnValues(), func(n code.Node) bool { return n.Text() == "self" || n.Is("return_statement") })
			}
		}
		return nil
	}
	return yields(d)
}

// yields are the expressions that a generator yields.
func yields(d *code.Definition) []code.Node {
	var out []code.Node
	for n := range d.Body().WalkScope() {
		if n.Is("yield") && n.Child(0).Valid() {
			out = append(out, n.Child(0))
		}
	}
	return out
}

// folders are the expressions that decide where a site's clone goes: the
// target, and the folder that the process runs in unless the target is
// absolute.
func (v *survey) folders(s *site) []code.Node {
	var out []code.Node
	if s.target.Valid() {
		out = append(out, s.target)
	}
	if s.cmd.folder.Valid() {
		out = append(out, s.cmd.folder)
	}
	for _, st := range s.steps {
		if cwd := st.outer.Arg("cwd", -1); cwd.Valid() && v.p.Eval(cwd).Kind != code.ValueNone {
			out = append(out, cwd)
		}
	}
	if len(out) == 0 && s.home != nil {
		for _, c := range v.p.CallsIn(s.home) {
			if c.Callee.Matches("os.chdir", "contextlib.chdir") && c.Node.Start() < s.at.Start() {
				out = append(out, c.Arg("path", 0))
			}
		}
	}
	return out
}

// aim finds out where a site's clone goes.
func (v *survey) aim(s *site) aim {
	folders := v.folders(s)
	if len(folders) == 0 {
		if s.how == byAPI {
			return v.unpacked(s)
		}
		for _, w := range s.cmd.args {
			if w.rest { // the target may hide there
				return aim{proof: s.at}
			}
		}
		if s.call.Splat() {
			return aim{proof: s.at}
		}
		return aim{kind: aimLive, proof: s.at}
	}
	best := aim{proof: folders[0]}
	for i, f := range folders {
		a := v.aimOf(f)
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
func (v *survey) unpacked(s *site) aim {
	for _, c := range v.p.CallsIn(s.home) {
		switch c.Name {
		case "extractall", "unpack_archive", "urlretrieve":
			at := 0
			if c.Name != "extractall" {
				at = 1
			}
			name := map[string]string{"extractall": "path", "unpack_archive": "extract_dir", "urlretrieve": "filename"}[c.Name]
			if n := c.Arg(name, at); n.Valid() {
				return v.aimOf(n)
			}
		}
	}
	return aim{proof: s.at}
}

// aimOf finds out what folder an expression means.
func (v *survey) aimOf(n code.Node) aim {
	a := aim{proof: n}
	found := map[aimKind]bool{}
	fixed := true // nothing but literals
	whole := false
	for _, o := range v.origins(n) {
		switch kind := v.aimOrigin(o); {
		case kind == aimTemp:
			a.temp = append(a.temp, o.Call)
			found[kind] = true
		case kind != aimUnknown:
			found[kind] = true
			whole = whole || !o.Part
			if o.Kind == code.OriginCall || o.Kind == code.OriginLiteral {
				a.makes = append(a.makes, o.Node)
			}
		case o.Kind == code.OriginLiteral || strings.HasPrefix(o.Symbol.Qualified, "tempfile."):
		default:
			fixed = false
		}
	}
	switch {
	case found[aimTemp]:
		a.kind = aimTemp
		a.mixed = whole && (found[aimLive] || found[aimFixed])
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

// aimOrigin says what one origin makes of a path; unknown for what only adds
// to it.
func (v *survey) aimOrigin(o code.Origin) aimKind {
	switch o.Kind {
	case code.OriginCall:
		switch {
		case o.Call.Callee.Matches(makesTemp...):
			return aimTemp
		case o.Call.Callee.Matches(systemTmp...):
			return aimSystem
		case o.Call.Callee.Matches(cwdCalls...):
			return aimLive
		case o.Call.Callee.Matches("builtins.input") || o.Call.Name == "parse_args":
			return aimGiven
		}
	case code.OriginLiteral:
		text, ok := v.p.Eval(o.Node).Str()
		switch {
		case !ok:
		case text == "." || text == "./":
			return aimLive
		case strings.HasPrefix(text, "/tmp") || strings.HasPrefix(text, "/var/tmp"):
			return aimSystem
		case !o.Part, path.IsAbs(text), strings.HasPrefix(text, "."):
			return aimFixed
		case text != "":
			return aimFixed
		}
	case code.OriginParam:
		if keyedIn(o) == "" && o.Param != "self" && o.Param != "cls" {
			return aimGiven
		}
	case code.OriginSymbol:
		if o.Symbol.Matches("os.curdir") {
			return aimLive
		}
	default:
	}
	return aimUnknown
}
