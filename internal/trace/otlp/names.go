package otlp

// The generative-AI conventions are in development: what is called how changes
// between versions. All names that leave stand here. They follow version 1.41.0
// of the OpenTelemetry semantic conventions, the last release that holds them
// (docs/gen-ai/gen-ai-spans.md and gen-ai-agent-spans.md); since then they are
// drafted in open-telemetry/semantic-conventions-genai, where the names below
// are the same.
const schemaURL = "https://opentelemetry.io/schemas/1.41.0"

// Names of the conventions.
const (
	genOperation   = "gen_ai.operation.name"
	genProvider    = "gen_ai.provider.name"
	genAgent       = "gen_ai.agent.name"
	genTool        = "gen_ai.tool.name"
	genToolType    = "gen_ai.tool.type"
	genRequested   = "gen_ai.request.model"
	genAnswered    = "gen_ai.response.model"
	genFinish      = "gen_ai.response.finish_reasons"
	genOutput      = "gen_ai.output.type"
	genIn          = "gen_ai.usage.input_tokens"
	genCached      = "gen_ai.usage.cache_read.input_tokens"
	genOut         = "gen_ai.usage.output_tokens"
	serverAddress  = "server.address"
	serverPort     = "server.port"
	errorType      = "error.type"
	serviceName    = "service.name"
	serviceVersion = "service.version"
)

// Their values.
const (
	invokeAgent = "invoke_agent"
	executeTool = "execute_tool"
	chat        = "chat"
	function    = "function"
	jsonOutput  = "json"
)

// What single readers know: gen_ai.system is what gen_ai.provider.name was
// called up to 1.36; LangSmith takes the type of a run from its own name, and
// Phoenix all of its view from OpenInference; Langfuse takes the price.
const (
	genSystem        = "gen_ai.system"
	genCost          = "gen_ai.usage.cost"
	langsmithKind    = "langsmith.span.kind"
	inferenceKind    = "openinference.span.kind"
	inferenceModel   = "llm.model_name"
	inferenceIn      = "llm.token_count.prompt"
	inferenceOut     = "llm.token_count.completion"
	inferenceProject = "openinference.project.name"
	inputValue       = "input.value"  // content
	outputValue      = "output.value" // content
)

// Our own names.
const (
	ourCase      = "automaton.case.id"
	ourRubric    = "automaton.rubric.digest"
	ourStatus    = "automaton.status"
	ourOverall   = "automaton.overall"
	ourCriterion = "automaton.criterion.id"
	ourCheck     = "automaton.check.id"
	ourEvidence  = "automaton.evidence.count"
	ourOutcome   = "automaton.rule.outcome"
	ourBefore    = "automaton.rule.before"
	ourAfter     = "automaton.rule.after"
	ourScore     = "automaton.opinion.score"
	ourRound     = "automaton.opinion.round"
	ourRoute     = "automaton.route"
	ourMode      = "automaton.model.mode"
	ourTries     = "automaton.model.tries"
	ourKept      = "automaton.model.kept"
	ourMoment    = "automaton." // before the kind of a span's event
)

// kind is what a span is, in the words of those who do not read the conventions.
type kind struct{ langsmith, inference string }

var (
	isStep  = kind{"chain", "CHAIN"}
	isAgent = kind{"chain", "AGENT"}
	isTool  = kind{"tool", "TOOL"}
	isModel = kind{"llm", "LLM"}
)

// providers are the conventions' names of providers that we call otherwise.
var providers = map[string]string{"gemini": "gcp.gemini"}

// finishes are the usual names of the ways in which an answer ends.
var finishes = map[string]string{"done": "stop", "truncated": "length", "refused": "content_filter"}
