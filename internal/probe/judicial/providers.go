package judicial

import (
	"maps"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/facts"
	"github.com/automaton-auditor/automaton/internal/il/intree"
	"github.com/automaton-auditor/automaton/internal/tables"
)

// clientName is the provider whose client a qualified name is; "" for others.
func clientName(qualified string) string {
	qualified = strings.TrimSuffix(qualified, "()")
	if words := split(qualified); has(words, "embedding", "embeddings", "messages", "outputparser") {
		return ""
	}
	return provider("", func(r tables.Row) bool { return r.Matches(qualified) })
}

// ofAddress is the provider of a base address; "" when it tells none.
func ofAddress(text string) string {
	return provider("base_url", func(r tables.Row) bool {
		return slices.ContainsFunc(r.Names, func(part string) bool { return strings.Contains(text, part) })
	})
}

// byKey is the provider that a word of a setting's name tells; "" when it tells
// none.
func byKey(word string) string {
	return provider("api_key", func(r tables.Row) bool { return r.Matches(word) })
}

// provider is that of the first row that fits, of those about the class of a
// client or about an argument of it.
func provider(argument string, fits func(tables.Row) bool) string {
	for _, r := range tables.Of(tables.Provider) {
		if r.Input == argument && fits(r) {
			return r.Role
		}
	}
	return ""
}

// keyless are the providers whose client needs no key to be made.
var keyless = []string{"ollama", "lmstudio"}

// client is one construction of a model client, or a request to a service.
type client struct {
	call      *intree.Call
	providers []string
}

// clients lists where production code makes model clients, in source order.
func (b *bench) clients() []client {
	var out []client
	for _, c := range b.p.Calls() {
		m := c.Node.Module()
		if m.Scope != code.ScopeProduction || m.Shadowed || b.il.off(c.Node) {
			continue
		}
		if ps := b.provider(c); len(ps) > 0 {
			out = append(out, client{c, ps})
		}
	}
	return out
}

// provider lists the providers that a construction or request may call.
func (b *bench) provider(c *intree.Call) []string {
	if c.Callee.Def != nil {
		return nil
	}
	if b.chosen(c) {
		return b.choices(c)
	}
	if b.models.posts(c) {
		return b.posted(c)
	}
	name := ""
	for _, s := range c.Symbols() {
		if strings.Contains(s.Qualified, "()") {
			continue // a method of a client, not its construction
		}
		if name = clientName(s.Qualified); name != "" {
			break
		}
	}
	if name == "" && (strings.HasSuffix(c.Callee.Qualified, "init_chat_model") || c.Matches(agents...) && b.namesModel(c)) {
		return b.initChat(c)
	}
	if name != "openai" || c.Matches("openai.ChatCompletion*", "openai.chat*") {
		if name == "" || isMethod(c) {
			return nil
		}
		return []string{name}
	}
	return b.compatible(c)
}

// namesModel reports whether an agent is given the name of a model, and not a client that is made elsewhere.
func (b *bench) namesModel(c *intree.Call) bool {
	_, ok := b.p.Text(c.Arg("model", 0))
	return ok
}

// isMethod reports whether a call is made on an object of a library: it uses a
// client that is made elsewhere.
func isMethod(c *intree.Call) bool {
	return c.Receiver.Valid() && slices.Contains(asking, c.Name)
}

// posted is the provider of a request, by its address.
func (b *bench) posted(c *intree.Call) []string {
	found := map[string]bool{}
	for _, text := range b.reads(c.Arg("url", 0)) {
		if p := ofAddress(text); p != "" {
			found[p] = true
		}
	}
	if len(found) == 0 {
		return []string{"openai-compatible"}
	}
	return slices.Sorted(maps.Keys(found))
}

// initChat is the provider that init_chat_model is given.
func (b *bench) initChat(c *intree.Call) []string {
	for _, arg := range []code.Node{c.Arg("model_provider", -1), c.Arg("model", 0)} {
		for _, text := range b.reads(arg) {
			for _, w := range split(text) {
				if p := byKey(w); p != "" {
					return []string{p}
				}
			}
			switch {
			case strings.HasPrefix(text, "gpt"):
				return []string{"openai"}
			case strings.HasPrefix(text, "claude"):
				return []string{"anthropic"}
			}
		}
	}
	return nil
}

// compatible decides what an OpenAI client talks to: its base address, then
// the names of the settings that it is read from.
func (b *bench) compatible(c *intree.Call) []string {
	base := code.Node{}
	for _, name := range []string{"base_url", "openai_api_base", "api_base"} {
		if n := c.Arg(name, -1); n.Valid() && !n.Is("none") {
			base = n
		}
	}
	key := code.Node{}
	for _, name := range []string{"api_key", "openai_api_key"} {
		if n := c.Arg(name, -1); n.Valid() {
			key = n
		}
	}
	found := map[string]bool{}
	if base.Valid() {
		for _, text := range b.reads(base) {
			if p := ofAddress(text); p != "" {
				found[p] = true
			}
		}
		if len(found) > 0 {
			if !found["openai"] && b.leftUnset(base) && !b.forAnother(key) {
				found["openai"] = true
			}
			return slices.Sorted(maps.Keys(found))
		}
	}
	for _, n := range []code.Node{base, key} {
		for _, text := range b.reads(n) {
			for _, w := range split(text) {
				if p := byKey(w); p != "" && (n != base || p != "openai" || !key.Valid()) { // an address like OpenAI's goes by its key
					found[p] = true
				}
			}
		}
	}
	switch {
	case len(found) > 0:
		return slices.Sorted(maps.Keys(found))
	case base.Valid():
		return []string{"openai-compatible"}
	}
	return []string{"openai"}
}

// leftUnset reports whether a base address may still be none when the client is
// made: a conditional expression gives none, or its name is none until a branch
// sets it, with no other branch that does.
func (b *bench) leftUnset(base code.Node) bool {
	return slices.ContainsFunc(b.origins.Of(base), func(o intree.Origin) bool {
		if o.Part || !o.Node.Is("none") {
			return false
		}
		a := o.Node.Parent()
		if a.Is("conditional_expression") {
			return true
		}
		d := b.p.Enclosing(o.Node)
		if !a.Is("assignment") || !a.Field("left").Is("identifier") || d == nil || !d.IsFunction() {
			return false
		}
		for n := range d.Body().WalkScope() {
			if n.Is("assignment") && n != a && n.Field("left").Text() == a.Field("left").Text() && !partial(n, a) {
				return false
			}
		}
		return true
	})
}

// partial reports whether an assignment is skipped on some ways that another
// one is on: it stands in an if statement without else that the other is not in.
func partial(n, other code.Node) bool {
	for x := range n.Around() {
		if x.Contains(other) || x.Is("function_definition") {
			return false
		}
		if x.Is("if_statement") && !elseBranch(x).Valid() {
			return true
		}
	}
	return false
}

// forAnother reports whether a key is read from a setting that names another
// provider than OpenAI.
func (b *bench) forAnother(key code.Node) bool {
	for _, text := range b.reads(key) {
		for _, w := range split(text) {
			if p := byKey(w); p != "" && p != "openai" {
				return true
			}
		}
	}
	return false
}

// reads lists the strings that a value may come from, names of settings and
// defaults included, and the names of attributes on the way.
func (b *bench) reads(n code.Node) []string {
	if !n.Valid() {
		return nil
	}
	var out []string
	for x := range n.Walk() {
		switch x.Kind() {
		case "string":
			if text, ok := x.Literal(); ok {
				out = append(out, text)
			}
		case "attribute":
			out = append(out, x.Field("attribute").Text())
		}
	}
	for _, o := range b.origins.Of(n) {
		if text, ok := o.Node.Literal(); ok {
			out = append(out, text)
		}
		if o.Node.Is("attribute") {
			out = append(out, last(o.Node))
		}
		for _, at := range o.Path { // a function that reads settings is given their names
			if c := b.p.Call(at); c != nil {
				for _, a := range c.Args {
					if text, ok := b.p.Text(a.Value); ok {
						out = append(out, text)
					}
				}
			}
		}
	}
	return out
}

// providers lists every provider that production code can call, sorted; nil
// when one may be called that cannot be seen.
func (b *bench) providers() []string {
	if b.unseen().Valid() {
		return nil
	}
	found := map[string]bool{}
	for _, c := range b.clients() {
		for _, p := range c.providers {
			found[p] = true
		}
	}
	return slices.AppendSeq([]string{}, slices.Values(slices.Sorted(maps.Keys(found))))
}

// ofOthers are the providers that only the code of other nodes makes clients of: not the
// judges' code, nor what stands in one file with some of it.
func (b *bench) ofOthers() map[string]bool {
	if b.r.Main == nil || !b.judges.wired {
		return nil
	}
	var roots []*code.Definition
	for i := range b.r.Main.Nodes {
		if n := &b.r.Main.Nodes[i]; n.Role != facts.Judge && !plays(n, facts.Judge) {
			roots = append(roots, b.worker(n)...)
		}
	}
	others, out := enter(b.p, b.il, ordered(roots), true), map[string]bool{}
	for _, c := range b.clients() {
		beside := slices.ContainsFunc(b.judges.defs, func(d *code.Definition) bool { return d.Module == c.call.Func.Module })
		for _, p := range c.providers {
			known, seen := out[p]
			out[p] = (known || !seen) && others.holds(c.call.Func) && !beside
		}
	}
	return out
}
