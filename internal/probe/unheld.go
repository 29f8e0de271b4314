package probe

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
)

// unheld tells of functions whether each run of one opens a file, to read it, that the
// repository does not hold and that nothing in it speaks of: not its code, which could make it,
// nor a text that tells who runs it to, nor .gitignore.
type unheld struct {
	*analyse.Analyses
	s     *Scene
	ctx   context.Context
	asked int // calls that open files
}

// Bounds of the calls that are looked at in a program, and of what one path is made of.
const (
	mostOpens = 64
	mostParts = 32
)

// fails is the call that opens such a file.
func (u *unheld) fails(f *il.Function) (analyse.Failure, bool) {
	for b, in := range f.Instructions() {
		if name, _ := u.called(f, in); name != "builtins.open" || u.asked == mostOpens {
			continue
		}
		o, given := in.Argument("file", 0)
		if u.asked++; !given || !reading(f, in) || !u.always(f, b, in) {
			continue
		}
		left := mostParts
		if p, ok := u.path(f, o, in, &left); ok && u.lacks(p) && !u.makes(p) {
			why := fmt.Sprintf("the repository has no file %s, and nothing in it makes one", court.Clean(strings.TrimPrefix(path.Clean(p), tree), 160))
			return analyse.Failure{Answer: analyse.Answer{Is: analyse.Yes, Why: why, Places: []il.Place{f.Place(in.Span)}}, Function: f, At: in, File: true}, true
		}
	}
	return analyse.Failure{}, false
}

func (u *unheld) called(f *il.Function, in *il.Instr) (name string, own *il.Function) {
	if in == nil || in.Op != il.Call {
		return "", nil
	}
	return u.Names.Called(f, in)
}

// reading tells a call that opens a file that must be there.
func reading(f *il.Function, in *il.Instr) bool {
	o, given := in.Argument("mode", 1)
	if !given {
		return true
	}
	mode, known := f.Str(f.Root(o))
	return known && strings.HasPrefix(mode, "r")
}

// always tells that no run of a function comes to its end without an instruction, and that
// nothing in it handles what that raises.
func (u *unheld) always(f *il.Function, b *il.Block, in *il.Instr) bool {
	for c, end := range f.Instructions() {
		if name, own := u.called(f, end); name == "contextlib.suppress" || u.guards(own) || end.Op == il.Return && !u.Values.Dead(f, c) && !b.Dominates(c) {
			return false
		}
	}
	by, _ := u.Outcome.Thrown(f, in)
	return len(by) == 0
}

// guards tells what a with statement may be given that keeps a failure to itself.
func (u *unheld) guards(own *il.Function) bool {
	return own != nil && (own.Kind == il.ClassBody && u.Names.Method(own, "__exit__") != nil ||
		slices.ContainsFunc(own.Decorators, func(d string) bool { return strings.HasSuffix(d, "contextmanager") }))
}

// filling are methods and functions that make a file of a name which is computed as often as it is written.
var filling = []string{"write_text", "write_bytes", "copy", "copy2", "copyfile", "copytree", "move", "rename", "replace", "urlretrieve", "extractall", "touch", "symlink_to", "link_to"}

// makes tells a program that makes files of names that are not known, or of this one.
func (u *unheld) makes(p string) bool {
	for f := range u.Program.All() {
		for _, in := range f.Instructions() {
			name, own := u.called(f, in)
			if in.Op != il.Call || own != nil {
				continue
			}
			o, given := in.Argument("file", 0)
			if name == "builtins.open" && given && !reading(f, in) {
				left := mostParts
				to, known := u.path(f, o, in, &left)
				if !known || path.Base(to) == path.Base(p) {
					return true
				}
			}
			get := f.Def(f.Root(in.Args[0]))
			if get != nil && get.Op == il.Get && get.Kind == "attr" {
				if key, _ := f.Str(get.Args[1]); slices.Contains(filling, key) && !strings.HasPrefix(name, "builtins.") {
					return true
				}
			}
		}
	}
	return false
}

// tree stands for the folder of the repository.
const tree = "/tree/"

// path is the path that an operand is, where it is made of constants and of the place of its
// own file.
func (u *unheld) path(f *il.Function, o il.Operand, at *il.Instr, left *int) (string, bool) {
	if *left--; *left < 0 {
		return "", false
	}
	ways := u.Values.Shapes(f, o, at)
	if len(ways) != 1 {
		return "", false
	}
	if text, ok := ways[0].Constant(); ok {
		return text, text != "" && !strings.ContainsAny(text[:1], "/~") && !strings.ContainsAny(text, `\:`)
	}
	p := ways[0].Parts
	if ways[0].Kind != analyse.Single || ways[0].Why != "" || p[0].In == nil {
		return "", false
	}
	f, o = p[0].In, p[0].Of
	if s := u.Names.Operand(f, o); s != nil && s.Outside == "builtins.__file__" {
		return tree + f.Module.Path, true
	}
	def := f.Def(f.Root(o))
	if def == nil || len(def.Args) == 0 {
		return "", false
	}
	name, own := u.called(f, def)
	parts, above := def.Args, name == "os.path.dirname"
	switch part, _ := f.Str(def.Args[min(1, len(def.Args)-1)]); {
	case own != nil:
		return "", false
	case slices.Contains([]string{"os.path.join", "os.path.dirname", "os.path.abspath", "os.path.realpath", "pathlib.Path", "builtins.str"}, name):
		parts = def.Args[1:]
	case def.Op == il.Get && part == "parent":
		parts, above = def.Args[:1], true
	case def.Op != il.Bind || def.Kind != "/":
		get := f.Def(f.Root(def.Args[0]))
		if def.Op != il.Call || len(def.Args) > 1 || get == nil || get.Op != il.Get {
			return "", false
		}
		if part, _ = f.Str(get.Args[1]); part != "resolve" && part != "absolute" {
			return "", false
		}
		parts = get.Args[:1]
	}
	out := ""
	for _, o := range parts {
		p, ok := u.path(f, o, def, left)
		if !ok {
			return "", false
		}
		if out = path.Join(out, p); p[0] == '/' {
			out = p
		}
	}
	if above {
		out = path.Dir(out)
	}
	return out, out != ""
}

// lacks tells that the repository has no file of a path, at any place, and speaks of it nowhere
// else. What lies outside of it, in what another repository is put, or below a name of its own that
// begins with a dot is for who runs it to set up.
func (u *unheld) lacks(p string) bool {
	p, rooted := strings.CutPrefix(path.Clean(p), tree)
	if strings.ContainsAny(p[:1], "/.") || path.Ext(p) == "" || !rooted && u.moves() {
		return false
	}
	entries, err := u.s.Entries()
	if err != nil {
		return false
	}
	low := strings.ToLower(p)
	for _, e := range entries {
		if has := strings.ToLower(e.Path); has == ".gitmodules" || strings.HasSuffix("/"+has, "/"+low) || strings.HasPrefix(low, has+"/") {
			return false
		}
	}
	texts, err := u.s.Texts(u.ctx)
	if err != nil {
		return false
	}
	spoken := 0
	for name, text := range texts {
		if spoken += strings.Count(string(text), path.Base(p)); path.Base(name) == ".gitignore" && ignores(string(text), p) {
			return false
		}
	}
	return spoken == 1
}

// moves tells a program that changes the folder in which it runs.
func (u *unheld) moves() bool {
	for f := range u.Program.All() {
		for _, in := range f.Instructions() {
			if name, _ := u.called(f, in); name == "os.chdir" {
				return true
			}
		}
	}
	return false
}

// ignores tells that a line of a .gitignore may be about a path, or a folder that it is in.
func ignores(lines, p string) bool {
	for line := range strings.Lines(lines) {
		line = strings.ReplaceAll(strings.Trim(line, "!/ \r\n\t"), "**/", "")
		for at := p; at != "."; at = path.Dir(at) {
			whole, err := path.Match(line, at)
			part, _ := path.Match(line, path.Base(at))
			if err != nil || whole || part {
				return true
			}
		}
	}
	return false
}
