package code

import "strings"

// namespace is the suffix of the qualified name of an external object's table
// of attributes: os.__dict__, vars(os).
const namespace = ".__dict__"

// tableElement resolves an element of a table of names: an attribute of an
// external module, a loaded module, a name of this module.
func (q *query) tableElement(table Symbol, key Node) []Symbol {
	if !table.External || table.Instance {
		return nil
	}
	owner, attributes := strings.CutSuffix(table.Qualified, namespace)
	if !attributes && table.Qualified != "sys.modules" && table.Qualified != "builtins.globals()" {
		return nil
	}
	name, ok := q.eval(key).Str()
	switch {
	case !ok || name == "":
		return nil
	case attributes:
		return q.attribute(external(owner), name, key)
	case table.Qualified == "sys.modules":
		return q.imported(&importSpec{node: key, module: name, whole: true})
	}
	return q.name(name, key.m.Root())
}

// reached resolves calls that look an attribute up by its name.
func (q *query) reached(f Symbol, call Node) ([]Symbol, bool) {
	args := call.Field("arguments")
	if f.Qualified == "builtins.vars" {
		var out []Symbol
		for _, s := range q.expr(args.Child(0)) {
			if s.External && s.Known() && !s.Instance {
				out = addSymbols(out, external(s.Qualified+namespace))
			}
		}
		return out, len(out) > 0
	}
	if !f.External {
		return nil, false
	}
	for _, suffix := range []string{".get", ".pop", ".setdefault", ".__getitem__"} {
		if table, ok := strings.CutSuffix(f.Qualified, suffix); ok {
			out := q.tableElement(external(table), args.Child(0))
			return out, len(out) > 0
		}
	}
	var object []Symbol
	key := args.Child(1)
	switch owner, looks := strings.CutSuffix(f.Qualified, ".__getattribute__"); {
	case f.Qualified == "operator.attrgetter()":
		getter := call.Field("function").Unparen()
		if !getter.Is("call") {
			return nil, false
		}
		object, key = q.expr(args.Child(0)), getter.Field("arguments").Child(0)
	case f.Qualified == "inspect.getattr_static", looks && (owner == "builtins.object" || owner == "builtins.type"):
		object = q.expr(args.Child(0))
	case looks:
		object, key = []Symbol{external(owner)}, args.Child(0)
	default:
		return nil, false
	}
	name, ok := q.eval(key).Str()
	if !ok {
		return nil, false
	}
	for part := range strings.SplitSeq(name, ".") {
		object = q.attributeOf(object, part, call)
	}
	return object, len(object) > 0
}

// starExports are names that a star import surely takes from a module of the
// standard library, where another star import leaves in doubt whose they are.
const starExports = " os.system os.popen os.execl os.execle os.execlp os.execlpe os.execv os.execve os.execvp os.execvpe" +
	" os.spawnl os.spawnle os.spawnlp os.spawnlpe os.spawnv os.spawnve os.spawnvp os.spawnvpe os.posix_spawn os.posix_spawnp" +
	" subprocess.run subprocess.call subprocess.check_call subprocess.check_output subprocess.Popen subprocess.getoutput" +
	" subprocess.getstatusoutput asyncio.create_subprocess_exec asyncio.create_subprocess_shell pty.spawn "

// fromStars chooses among the candidates of several star imports, the last
// first: one of the standard library that surely has the name, unless a later
// one may have it too.
func fromStars(candidates []Symbol) []Symbol {
	for _, s := range candidates {
		if listed(starExports, s.Qualified) {
			return []Symbol{s}
		}
		if module, _, _ := strings.Cut(s.Qualified, "."); !listed(" os subprocess sys re json time typing pathlib math shutil asyncio ", module) {
			break
		}
	}
	return nil
}
