package judicial

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/il/intree"
)

// models knows which calls ask a language model, and which functions do so in
// the end.
type models struct {
	p       *intree.Program
	origins *intree.Origins
	il      *lowered
	known   map[code.Node]bool
	leads   map[*code.Definition]bool
	patched map[string]code.Node // nil before it is asked for
}

func newModels(p *intree.Program, l *lowered) *models {
	return &models{p: p, origins: p.Origins, il: l, known: map[code.Node]bool{}, leads: map[*code.Definition]bool{}}
}

// asking are methods that send a prompt to a model, whatever its class.
var asking = []string{"invoke", "ainvoke", "batch", "abatch", "stream", "astream", "generate_content", "generate_content_async",
	"chat_completion", "completion", "acompletion", "predict", "apredict", "predict_messages", "agenerate", "apply", "create_message"}

// askingGlobs are functions and methods of client libraries that do.
var askingGlobs = []string{"openai.*create", "openai.*parse", "*.chat.completions.create", "*.chat.completions.parse", "*.messages.create", "*.responses.create", "*.responses.parse",
	"litellm.completion", "litellm.acompletion", "ollama.chat", "ollama.generate", "ollama.*.chat", "ollama.*.generate", "*.models.generate_content", "google.generativeai.*generate_content",
	"huggingface_hub.*.chat_completion", "huggingface_hub.*.text_generation", "groq.*create", "cohere.*.chat", "mistralai.*.complete"}

// agents are what libraries make that asks a model by itself, and agentRuns the methods
// that make it do so.
var (
	agents    = []string{"pydantic_ai*.Agent", "langgraph.prebuilt*.create_react_agent", "langchain.agents*.create_agent"}
	agentRuns = []string{"run", "run_sync", "run_stream", "run_stream_sync", "iter", "invoke", "ainvoke", "stream", "astream"}
)

// runsAgent reports whether a call runs an agent of a library whose model is none that
// answers from a list.
func (m *models) runsAgent(c *intree.Call) bool {
	if !c.Receiver.Valid() || !slices.Contains(agentRuns, c.Name) {
		return false
	}
	for _, o := range m.origins.Of(c.Receiver) {
		made := m.origins.Call(o)
		if made == nil || !made.Matches(agents...) {
			continue
		}
		return !slices.ContainsFunc(made.Args, func(a intree.Argument) bool {
			return slices.ContainsFunc(m.p.ResolveAll(a.Value), func(s intree.Symbol) bool { return s.Matches(fakes...) })
		})
	}
	return false
}

// modelWords are words of the names that people give models and chains.
var modelWords = []string{"llm", "model", "chain", "chat", "structured", "client", "runnable", "gpt", "claude", "gemini", "openai", "judge", "agent", "bound"}

// otherWords are words of things that have an invoke too but are not a model.
var otherWords = []string{"graph", "app", "tool", "tools", "workflow", "retriever", "compiled", "lookup", "pool", "executor", "template"}

// calls reports whether a call asks a model.
func (m *models) calls(c *intree.Call) bool {
	if c == nil {
		return false
	}
	if v, ok := m.known[c.Node]; ok {
		return v
	}
	m.known[c.Node] = false // while it is being looked at
	v := m.look(c)
	m.known[c.Node] = v
	return v
}

func (m *models) look(c *intree.Call) bool {
	if d := c.Callee.Def; d != nil && d.Module.Scope == code.ScopeProduction && !(d.IsFunction() && stub(d)) {
		return m.besides(c) // what it does inside is seen there
	}
	if c.Matches(askingGlobs...) || m.posts(c) || m.runsAgent(c) {
		return true
	}
	if !c.Receiver.Valid() {
		return false
	}
	chain := c.Receiver.Text() + "." + c.Name
	for _, end := range []string{".completions.create", ".completions.parse", ".messages.create", ".responses.create", ".models.generate_content"} {
		if strings.HasSuffix(chain, end) {
			return true
		}
	}
	if !slices.Contains(asking, c.Name) {
		return false
	}
	for _, s := range c.Symbols() {
		if s.Matches("langgraph.*", "langchain*.tools.*", "subprocess.*") {
			return false
		}
	}
	return m.modelLike(c.Receiver, 0)
}

// besides reports whether a call that may run a first-party method may as well
// ask a real client: a factory that falls back to a stand-in returns both.
func (m *models) besides(c *intree.Call) bool {
	return slices.Contains(asking, c.Name) && slices.ContainsFunc(c.Symbols(), func(s intree.Symbol) bool {
		return s.Def == nil && ofClient(s.Qualified) && !s.Matches("langgraph.*", "langchain*.tools.*")
	})
}

// stub reports whether a function has no body of its own: the method of a
// protocol or of an abstract class.
func stub(d *code.Definition) bool {
	for s := range d.Body().Children() {
		inner := s.Child(0)
		if s.Is("pass_statement", "raise_statement") || s.Is("expression_statement") && inner.Is("ellipsis", "string") {
			continue
		}
		return false
	}
	return true
}

// modelLike reports whether an expression is a model, or a chain that ends in
// one, by what made it or, where that is not known, by its name.
func (m *models) modelLike(n code.Node, depth int) bool {
	n = n.Unparen()
	if depth > maxModel {
		return false
	}
	if _, ok := m.stoodFor(n, 0); ok {
		return false
	}
	if n.Is("binary_operator") && n.Field("operator").Text() == "|" {
		return true
	}
	symbols := m.p.ResolveAll(n)
	if slices.ContainsFunc(symbols, func(s intree.Symbol) bool { return ofClient(s.Qualified) && !s.Matches(fakes...) }) {
		return true
	}
	if slices.ContainsFunc(symbols, func(s intree.Symbol) bool { return s.Matches(fakes...) }) {
		return false // it answers from a list
	}
	if n.Is("call") {
		return m.makesModel(m.p.Call(n), depth)
	}
	ws := split(last(n))
	return has(ws, modelWords...) && !has(ws, otherWords...)
}

// maxModel bounds how far a model is followed through calls.
const maxModel = 5

// makesModel reports whether a call returns a model: a binding, a factory by
// its name, a method of a model, or a function that returns one.
func (m *models) makesModel(c *intree.Call, depth int) bool {
	if c == nil {
		return false
	}
	if slices.Contains(binders, c.Name) || starts(split(c.Name), "get", "create", "build", "make", "init") && has(split(c.Name), modelWords...) {
		return true
	}
	if d := c.Callee.Def; d != nil && d.IsFunction() {
		return slices.ContainsFunc(d.ReturnValues(), func(v code.Node) bool { return m.modelLike(v, depth+1) })
	}
	return c.Receiver.Valid() && m.modelLike(c.Receiver, depth+1)
}

// ofClient reports whether a qualified name is a client or what a client's
// method returns.
func ofClient(qualified string) bool {
	for i := range len(qualified) {
		if (qualified[i] == '.' || qualified[i] == '(') && clientName(qualified[:i]) != "" {
			return true
		}
	}
	return clientName(qualified) != ""
}

// last is the last name of a dotted expression.
func last(n code.Node) string {
	switch n.Kind() {
	case "identifier":
		return n.Text()
	case "attribute":
		return n.Field("attribute").Text()
	case "subscript":
		return last(n.Field("value"))
	case "call":
		return last(n.Field("function"))
	}
	return ""
}

// posts recognises a request to the address of a model service.
func (m *models) posts(c *intree.Call) bool {
	if c.Name != "post" {
		return false
	}
	url := c.Arg("url", 0)
	if !url.Valid() {
		return false
	}
	for _, text := range m.p.Texts(url) {
		if ofAddress(text) != "" || strings.Contains(text, "/chat/completions") || strings.Contains(text, "/api/generate") || strings.Contains(text, "/api/chat") {
			return true
		}
	}
	for _, o := range m.origins.Of(url) {
		if text, ok := o.Node.Literal(); ok && (ofAddress(text) != "" || strings.Contains(text, "/chat/completions")) {
			return true
		}
	}
	return false
}

// steps reports whether a call asks a model itself or through first-party
// functions.
func (m *models) steps(c *intree.Call) bool {
	if m.calls(c) {
		return true
	}
	for _, s := range c.Symbols() {
		if s.Def != nil && s.Def.IsFunction() && m.reaches(s.Def) {
			return true
		}
	}
	for _, a := range c.Args { // a function handed over to be called
		if a.Value.Is("lambda", "identifier", "attribute") {
			d := m.p.Definition(a.Value)
			if d == nil {
				d = m.p.Resolve(a.Value).Def
			}
			if d != nil && d.IsFunction() && m.reaches(d) {
				return true
			}
		}
	}
	return false
}

// reaches reports whether a function asks a model in the end.
func (m *models) reaches(d *code.Definition) bool {
	if v, ok := m.leads[d]; ok {
		return v
	}
	v := m.within(enter(m.p, m.il, []*code.Definition{d}, false))
	m.leads[d] = v
	return v
}

// within reports whether a call in the room asks a model.
func (m *models) within(r *programPart) bool {
	return slices.ContainsFunc(r.calls(m.p, m.il), m.calls)
}

// in lists the calls in the room that ask a model.
func (m *models) in(r *programPart) []*intree.Call {
	var out []*intree.Call
	for _, c := range r.calls(m.p, m.il) {
		if m.calls(c) {
			out = append(out, c)
		}
	}
	return out
}
