package analyse

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/il"
)

// attributes is what the name of a thing outside of the program ends in where its table of
// attributes is meant: os.__dict__, vars(os).
const attributes = ".__dict__"

// reflecting are the names by which such functions are written: others are not asked about.
var reflecting = strings.Fields("getattr getattr_static __getattribute__ vars __import__ import_module attrgetter() get pop setdefault __getitem__")

// lookups are functions of Python that look an attribute of their first argument up by its name.
var lookups = []string{"builtins.getattr", "inspect.getattr_static", "builtins.object.__getattribute__", "builtins.type.__getattribute__"}

// reflected is what a call of Python gives that looks a name of something outside of the
// program up, nil for all others.
func (n *Names) reflected(f *il.Function, call *il.Instr) *Symbol {
	if f.Module.Language != "python" || len(call.Args) < 2 || !slices.Contains(reflecting, lastName(call.Kind)) {
		return nil
	}
	callee, first := n.Operand(f, call.Args[0]), call.Args[1]
	if made := f.Def(f.Root(call.Args[0])); callee == nil && made != nil && made.Op == il.Call && len(made.Args) > 1 {
		of, s := n.Operand(f, made.Args[0]), n.Operand(f, first)
		if of != nil && of.Outside == "operator.attrgetter" && s != nil && s.Outside != "" {
			return n.under(f, s.Outside, made.Args[1])
		}
	}
	if callee == nil || callee.Outside == "" {
		return nil
	}
	name := callee.Outside
	switch owner, looks := strings.CutSuffix(name, ".__getattribute__"); {
	case slices.Contains(lookups, name) && len(call.Args) > 2:
		if s := n.Operand(f, first); s != nil && s.Outside != "" {
			return n.under(f, s.Outside, call.Args[2])
		}
	case looks:
		return n.under(f, owner, first)
	case name == "builtins.vars":
		if s := n.Operand(f, first); s != nil && s.Outside != "" {
			return &Symbol{Outside: s.Outside + attributes}
		}
	case name == "builtins.__import__" || name == "importlib.import_module":
		if module := n.text(f, first); module != "" && n.parts[module] == nil && !n.folders[module] && (name != "builtins.__import__" || !strings.Contains(module, ".")) {
			return &Symbol{Outside: module}
		}
	case slices.Contains([]string{"get", "pop", "setdefault", "__getitem__"}, lastName(name)):
		return n.element(f, strings.TrimSuffix(name, "."+lastName(name)), first)
	}
	return nil
}

// item is what an element of a table of names of Python stands for, nil for all others.
func (n *Names) item(f *il.Function, get *il.Instr) *Symbol {
	if get.Kind != "item" || f.Module.Language != "python" {
		return nil
	}
	made := f.Def(f.Root(get.Args[0]))
	switch {
	case made != nil && made.Op == il.Call && made.Kind == "globals":
		return n.element(f, n.Instance(f, get.Args[0]).Outside, get.Args[1])
	case made != nil && made.Op == il.Get && made.Kind != "attr":
		return nil
	}
	if s := n.Operand(f, get.Args[0]); s != nil && s.Outside != "" {
		return n.element(f, s.Outside, get.Args[1])
	}
	return nil
}

// element is what a table of names has under a key: of the attributes of something outside
// of the program, of the loaded modules, or of the names of the module.
func (n *Names) element(f *il.Function, table string, key il.Operand) *Symbol {
	owner, of := strings.CutSuffix(table, attributes)
	switch {
	case of:
		return n.under(f, owner, key)
	case table == "builtins.globals()":
		return n.global(f.Module, n.text(f, key))
	case table == "sys.modules":
		if name := n.text(f, key); name != "" && n.parts[name] == nil && !n.folders[name] {
			return &Symbol{Outside: name}
		}
	}
	return nil
}

// under is an attribute of something outside of the program by a text that names it.
func (n *Names) under(f *il.Function, owner string, key il.Operand) *Symbol {
	if name := n.text(f, key); name != "" {
		return &Symbol{Outside: owner + "." + name}
	}
	return nil
}

// text is a constant text, or the sum of some; "" for others.
func (n *Names) text(f *il.Function, o il.Operand) string {
	if s := n.Operand(f, o); s != nil && s.Const != nil && s.Const.Type == il.StrConst {
		return s.Const.Text
	}
	if def := f.Def(f.Root(o)); def != nil && def.Op == il.Bind && def.Kind == "+" {
		if a, b := n.text(f, def.Args[0]), n.text(f, def.Args[1]); a != "" && b != "" {
			return a + b
		}
	}
	return ""
}

// sure are the names that a star import surely takes from a module of Python's library,
// where another star import leaves in doubt whose they are.
var sure = strings.Fields("os.system os.popen os.execl os.execle os.execlp os.execlpe os.execv os.execve os.execvp os.execvpe" +
	" os.spawnl os.spawnle os.spawnlp os.spawnlpe os.spawnv os.spawnve os.spawnvp os.spawnvpe os.posix_spawn os.posix_spawnp" +
	" subprocess.run subprocess.call subprocess.check_call subprocess.check_output subprocess.Popen subprocess.getoutput" +
	" subprocess.getstatusoutput asyncio.create_subprocess_exec asyncio.create_subprocess_shell pty.spawn")

// surely is a name that the last star imports surely bring from Python's library, nil where
// one of another module may bring it.
func (n *Names) surely(m *il.Module, name string) *Symbol {
	for _, in := range slices.Backward(starsOf(m)) {
		switch module, _, _ := strings.Cut(in.Kind, "."); {
		case m.Language != "python" || m.Links[in.Kind].Own:
			return nil
		case slices.Contains(sure, in.Kind+"."+name):
			return &Symbol{Outside: in.Kind + "." + name, At: m.Top.Place(in.Span)}
		case !slices.Contains([]string{"os", "subprocess", "sys", "re", "json", "time", "typing", "pathlib", "math", "shutil", "asyncio"}, module):
			return nil
		}
	}
	return nil
}
