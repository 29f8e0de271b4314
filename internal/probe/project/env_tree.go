package project

import (
	"strings"

	"github.com/automaton-auditor/automaton/internal/code/syntax"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
)

// treeEnvironment lists what a file reads from the environment: calls of the
// standard libraries, members of process.env and its like, and what settings
// libraries are told in tags and attributes. Names that are put together at run
// time are not seen. The caller holds the lock of the analyses.
func treeEnvironment(all *analyse.Analyses, f *syntax.File) []variable {
	var out []variable
	add := func(n syntax.Node, name string) {
		if envName.MatchString(name) {
			out = append(out, variable{name, at(n)})
		}
	}
	for n := range f.Root().Walk() {
		switch n.Kind() {
		case "call":
			if readsEnv(all, n) {
				add(n, firstText(all, n))
			}
		case "member":
			if envObject(n.Child("object")) && n.Role() != "target" && n.Role() != "callee" && n.Parent().Detail() != "delete" {
				add(n, n.Name())
			}
		case "index":
			if envObject(n.Child("object")) && n.Role() != "target" {
				name, _ := unquoted(n.Child("index"))
				add(n, name)
			}
		case "assign":
			for _, name := range unpacked(n) {
				add(n, name)
			}
		case "class":
			if f.Language == "go" {
				for _, m := range envTag.FindAllStringSubmatchIndex(n.Text(), 200) {
					line := f.LineAt(n.Start() + m[0])
					out = append(out, variable{n.Text()[m[2]:m[3]], court.Place{Path: f.Path, Line: line}})
				}
			}
		case "decorator":
			for _, name := range decorated(n) {
				add(n, name)
			}
		}
	}
	return out
}

var (
	envName = regexp.MustCompile(`^[A-Za-z_]\w*$`)
	envTag  = regexp.MustCompile(`\benv(?:config)?:"([A-Za-z_]\w*)`)
	javaEnv = regexp.MustCompile(`\$\{([A-Z][A-Z0-9_]*)[:}]`)
)

// readsEnv tells a call that reads the variable that its first argument names.
func readsEnv(all *analyse.Analyses, n syntax.Node) bool {
	callee := n.Child("callee")
	switch strings.TrimSuffix(last(callee), "!") {
	case "Getenv", "LookupEnv", "getenv", "var", "var_os", "env", "option_env", "get":
	default:
		return false
	}
	name := inFull(all, n)
	if name == "" {
		name = spelled(callee)
	}
	switch dots(strings.TrimSuffix(name, "!")) {
	case "os.Getenv", "os.LookupEnv", "syscall.Getenv", "java.lang.System.getenv", "System.getenv", "std.env.var", "std.env.var_os", "env.var", "env.var_os",
		"dotenvy.var", "dotenv.var", "Deno.env.get", "System.getenv().get", "java.lang.System.getenv().get":
		return true
	case "env", "option_env", "std.env", "std.option_env", "core.env", "core.option_env":
		return n.Has(syntax.Macro)
	}
	return false
}

// firstText is the constant text that a call is given first, "" for others.
func firstText(all *analyse.Analyses, n syntax.Node) string {
	if at, ok := all.CallAt(n.Path(), n.Start(), n.End()); ok && len(at.At.Args) > 1 {
		if text, ok := all.Values.Of(at.Function, at.At.Args[1]).OneText(); ok {
			return text
		}
	}
	name, _ := unquoted(n.Nth("arg", 0))
	return name
}

// envObject tells process.env, import.meta.env and their like.
func envObject(n syntax.Node) bool {
	if !n.Is("member") || n.Name() != "env" {
		return false
	}
	object := n.Child("object")
	return object.Is("name") && (object.Name() == "process" || object.Name() == "Bun") || strings.ReplaceAll(object.Text(), " ", "") == "import.meta"
}

// unpacked are the names that a declaration takes out of the environment at
// once: const {A, B: b} = process.env.
func unpacked(n syntax.Node) []string {
	if !envObject(n.Child("value")) {
		return nil
	}
	var out []string
	for t := range n.Children("target") {
		for e := range t.Children() {
			if e.Is("entry") {
				out = append(out, e.Name())
			}
		}
	}
	return out
}

// decorated are the variables that an annotation or attribute names: clap's
// env = "X", Spring's ${X}.
func decorated(n syntax.Node) []string {
	var out []string
	switch n.File().Language {
	case "rust":
		for e := range n.Children("arg") {
			if name, ok := unquoted(e.Child("value")); e.Name() == "env" && ok {
				out = append(out, name)
			}
		}
	case "java":
		if last := n.Name()[strings.LastIndexByte(n.Name(), '.')+1:]; last == "Value" {
			for _, m := range javaEnv.FindAllStringSubmatch(n.Text(), 10) {
				out = append(out, m[1])
			}
		}
	}
	return out
}
