package judicial

import (
	"context"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/il/intree"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
)

// modelSentinels are words of code that asks models.
var modelSentinels = []string{"ainvoke", "with_structured_output", "ChatOpenAI", "OpenAI", "ChatOllama", "ChatGroq", "ChatAnthropic", "ChatGoogleGenerativeAI", "generate_content", "completions", "litellm", "init_chat_model",
	"pydantic_ai", "create_react_agent", "create_agent", "instructor", "crewai", "autogen", "autogen_agentchat", "dspy", "smolagents", "llama_index", "haystack", "semantic_kernel"}

var roleArg = probe.Arg{Name: "role", Type: "string", Allowed: []string{"judges", "all"}, Default: "judges", Doc: "whose calls: the judges', or all of the program's"}

var llmCalls = probe.Probe{
	ID: "llm.calls", Version: "4", Target: court.GithubRepo,
	Title:  "The judges ask a language model",
	Doc:    "Looks in the code that the judge nodes run, through first-party functions and classes, for calls on clients of known libraries, on chains and bound models, and for requests to known services. Clients that are made by unknown code are told by their names.",
	Remedy: askModel, Effort: 120, Recall: 9500,
	Args: []probe.Arg{roleArg},
	Run: func(ctx context.Context, s *probe.Scene, a probe.Args) ([]probe.Finding, error) {
		b, err := study(ctx, s)
		if err != nil {
			return nil, err
		}
		defer b.hold()()
		calls := b.asked(a)
		if len(calls) == 0 {
			return []probe.Finding{b.noModel("no call of a language model was found in the judges' code",
				"the code names model clients, but no call in the judges' code could be followed to one")}, nil
		}
		var at []code.Node
		for _, c := range calls {
			at = append(at, c.Node)
		}
		ps := b.providers()
		asked, others := ps, b.ofOthers()
		f := probe.Present(court.AST, spots(at...), "The judges' code asks a model in %s.", court.Count(len(calls), "place"))
		if a.String("role") == "all" {
			f.Rationale = "The code asks a model in " + court.Count(len(calls), "place") + "."
		} else {
			asked = slices.DeleteFunc(slices.Clone(ps), func(p string) bool { return others[p] })
		}
		if len(asked) > 0 {
			f.Rationale += " It makes clients for " + strings.Join(asked, ", ") + "."
		}
		if ps != nil {
			f.Data = map[string]any{"judges.model_providers": ps}
		}
		return []probe.Finding{f}, nil
	},
}

// asked lists the calls of a model by the role that a check asks about.
func (b *bench) asked(a probe.Args) []*intree.Call {
	if a.String("role") != "all" {
		return b.models.in(b.judges)
	}
	var out []*intree.Call
	for _, d := range b.functions() {
		for _, c := range b.p.CallsIn(d) {
			if !b.il.off(c.Node) && b.models.calls(c) {
				out = append(out, c)
			}
		}
	}
	return out
}
