package config

// Variable is one that the environment may hold besides AUTOMATON_….
type Variable struct {
	Name    string
	Group   string
	Doc     string
	Example string
	Secret  bool // hidden in whatever is written
}

// The groups of variables, in the order in which people read of them. What
// belongs to the machine is taken from the environment alone: a .env file may
// lie in a stranger's folder, and must name neither proxy nor authority.
const (
	Fetching = "Fetching private repositories"
	Asking   = "Models that judge, investigate or look at pictures; a key's name with _FILE behind it names a file that holds it"
	Signing  = "Signing records"
	Tracing  = "Traces, besides events.jsonl; several may be on at once"
	Crew     = "The server of Temporal that hands cases to workers, as for all its programs"
	Showing  = "How things are shown, and when"
	Machine  = "The machine: from the environment alone, never from a .env file"
)

// Variables lists what the program reads of the environment besides
// AUTOMATON_…: a .env file may set them but for the machine's, and .env.example
// shows them. A variable that is read and does not stand here fails a test.
var Variables = []Variable{
	{Name: "GITHUB_TOKEN", Group: Fetching, Secret: true, Doc: "access token of github.com"},
	{Name: "GH_TOKEN", Group: Fetching, Secret: true, Doc: "the same, by its other name"},
	{Name: "GITLAB_TOKEN", Group: Fetching, Secret: true, Doc: "access token of gitlab.com"},

	{Name: "OPENAI_API_KEY", Group: Asking, Secret: true, Doc: "provider openai: key"},
	{Name: "OPENAI_BASE_URL", Group: Asking, Example: "https://api.openai.com/v1", Doc: "provider openai: another server"},
	{Name: "OPENAI_MODEL", Group: Asking, Doc: "provider openai: model, unless one is named"},
	{Name: "ANTHROPIC_API_KEY", Group: Asking, Secret: true, Doc: "provider anthropic: key"},
	{Name: "ANTHROPIC_BASE_URL", Group: Asking, Example: "https://api.anthropic.com", Doc: "provider anthropic: another server"},
	{Name: "ANTHROPIC_MODEL", Group: Asking, Doc: "provider anthropic: model, unless one is named"},
	{Name: "GEMINI_API_KEY", Group: Asking, Secret: true, Doc: "provider gemini: key"},
	{Name: "GOOGLE_API_KEY", Group: Asking, Secret: true, Doc: "the same, by its other name"},
	{Name: "GEMINI_MODEL", Group: Asking, Doc: "provider gemini: model, unless one is named"},
	{Name: "GROQ_API_KEY", Group: Asking, Secret: true, Doc: "provider groq: key"},
	{Name: "GROQ_MODEL", Group: Asking, Doc: "provider groq: model, unless one is named"},
	{Name: "OPENROUTER_API_KEY", Group: Asking, Secret: true, Doc: "provider openrouter: key"},
	{Name: "OPENROUTER_MODEL", Group: Asking, Doc: "provider openrouter: model, unless one is named"},
	{Name: "OLLAMA_HOST", Group: Asking, Example: "localhost:11434", Doc: "provider ollama: where it listens"},
	{Name: "OLLAMA_BASE_URL", Group: Asking, Doc: "the same, by its other name"},
	{Name: "OLLAMA_MODEL", Group: Asking, Doc: "provider ollama: model, unless one is named"},

	{Name: "AUTOMATON_KEY_PASSWORD", Group: Signing, Secret: true, Doc: "password of the secret key that sign is given"},

	{Name: "LANGSMITH_TRACING", Group: Tracing, Example: "true", Doc: "LangSmith: on, when there is a key as well"},
	{Name: "LANGSMITH_API_KEY", Group: Tracing, Secret: true, Doc: "LangSmith: key"},
	{Name: "LANGSMITH_PROJECT", Group: Tracing, Example: "auditor", Doc: "LangSmith: project; default is the key's own"},
	{Name: "LANGSMITH_ENDPOINT", Group: Tracing, Example: "https://eu.api.smith.langchain.com", Doc: "LangSmith: another region, or your own server"},
	{Name: "LANGSMITH_WORKSPACE_ID", Group: Tracing, Doc: "LangSmith: for a key of several workspaces"},
	{Name: "LANGSMITH_TRACING_V2", Group: Tracing, Doc: "an older name of LANGSMITH_TRACING"},
	{Name: "LANGCHAIN_TRACING_V2", Group: Tracing, Doc: "the oldest name of LANGSMITH_TRACING"},
	{Name: "LANGCHAIN_API_KEY", Group: Tracing, Secret: true, Doc: "older name of LANGSMITH_API_KEY"},
	{Name: "LANGCHAIN_PROJECT", Group: Tracing, Doc: "older name of LANGSMITH_PROJECT"},
	{Name: "LANGCHAIN_ENDPOINT", Group: Tracing, Doc: "older name of LANGSMITH_ENDPOINT"},
	{Name: "LANGFUSE_PUBLIC_KEY", Group: Tracing, Secret: true, Doc: "Langfuse: on, with the other key"},
	{Name: "LANGFUSE_SECRET_KEY", Group: Tracing, Secret: true, Doc: "Langfuse: the other key"},
	{Name: "LANGFUSE_BASE_URL", Group: Tracing, Example: "https://us.cloud.langfuse.com", Doc: "Langfuse: another region, or your own server"},
	{Name: "LANGFUSE_HOST", Group: Tracing, Doc: "older name of LANGFUSE_BASE_URL"},
	{Name: "LANGFUSE_TRACING_ENABLED", Group: Tracing, Example: "false", Doc: "Langfuse: off, whatever keys there are"},
	{Name: "PHOENIX_COLLECTOR_ENDPOINT", Group: Tracing, Example: "http://localhost:6006", Doc: "Phoenix: on, there"},
	{Name: "PHOENIX_API_KEY", Group: Tracing, Secret: true, Doc: "Phoenix: key, where one is wanted"},
	{Name: "PHOENIX_PROJECT_NAME", Group: Tracing, Example: "auditor", Doc: "Phoenix: project"},
	{Name: "OTEL_EXPORTER_OTLP_ENDPOINT", Group: Tracing, Example: "http://localhost:4318", Doc: "any collector: on, there, at /v1/traces"},
	{Name: "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", Group: Tracing, Doc: "any collector: the whole address; like all of the next with TRACES, wins"},
	{Name: "OTEL_EXPORTER_OTLP_HEADERS", Group: Tracing, Secret: true, Example: "authorization=Bearer%20KEY", Doc: "any collector: headers, with commas between, percent-encoded"},
	{Name: "OTEL_EXPORTER_OTLP_TRACES_HEADERS", Group: Tracing, Secret: true, Doc: "the same for traces"},
	{Name: "OTEL_EXPORTER_OTLP_PROTOCOL", Group: Tracing, Example: "http/protobuf", Doc: "any collector: protocol; only this one is supported"},
	{Name: "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", Group: Tracing, Doc: "the same for traces"},
	{Name: "OTEL_EXPORTER_OTLP_COMPRESSION", Group: Tracing, Example: "gzip", Doc: "any collector: gzip or none"},
	{Name: "OTEL_EXPORTER_OTLP_TRACES_COMPRESSION", Group: Tracing, Doc: "the same for traces"},
	{Name: "OTEL_EXPORTER_OTLP_TIMEOUT", Group: Tracing, Example: "10000", Doc: "any collector: milliseconds for one request"},
	{Name: "OTEL_EXPORTER_OTLP_TRACES_TIMEOUT", Group: Tracing, Doc: "the same for traces"},
	{Name: "OTEL_TRACES_EXPORTER", Group: Tracing, Example: "none", Doc: "any collector: off"},
	{Name: "OTEL_SDK_DISABLED", Group: Tracing, Example: "true", Doc: "all traces: off"},
	{Name: "OTEL_SERVICE_NAME", Group: Tracing, Example: "automaton", Doc: "name of the service in all traces"},
	{Name: "OTEL_RESOURCE_ATTRIBUTES", Group: Tracing, Example: "team=a,deployment.environment.name=ci", Doc: "further attributes of the service"},
	{Name: "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT", Group: Tracing, Example: "true", Doc: "include questions and answers of models in traces"},
	{Name: "TRACEPARENT", Group: Tracing, Doc: "span that the run is a part of, as CI systems set it"},
	{Name: "TRACESTATE", Group: Tracing, Doc: "vendor data of that span"},

	{Name: "TEMPORAL_ADDRESS", Group: Crew, Example: "temporal.example.edu:7233", Doc: "where it is; default localhost:7233"},
	{Name: "TEMPORAL_NAMESPACE", Group: Crew, Example: "auditor", Doc: "namespace; default is default"},
	{Name: "TEMPORAL_API_KEY", Group: Crew, Secret: true, Doc: "key, where one is wanted; turns TLS on"},
	{Name: "TEMPORAL_TLS", Group: Crew, Example: "true", Doc: "TLS, without which only a server on this machine is reached"},
	{Name: "TEMPORAL_TLS_CLIENT_CERT_PATH", Group: Crew, Doc: "file with the certificate of this machine"},
	{Name: "TEMPORAL_TLS_CLIENT_CERT_DATA", Group: Crew, Doc: "the same, as text"},
	{Name: "TEMPORAL_TLS_CLIENT_KEY_PATH", Group: Crew, Doc: "file with the key of that certificate"},
	{Name: "TEMPORAL_TLS_CLIENT_KEY_DATA", Group: Crew, Secret: true, Doc: "the same, as text"},
	{Name: "TEMPORAL_TLS_SERVER_CA_CERT_PATH", Group: Crew, Doc: "file with the authority of the server's certificate"},
	{Name: "TEMPORAL_TLS_SERVER_CA_CERT_DATA", Group: Crew, Doc: "the same, as text"},
	{Name: "TEMPORAL_TLS_SERVER_NAME", Group: Crew, Doc: "name in the server's certificate"},
	{Name: "TEMPORAL_TLS_DISABLE_HOST_VERIFICATION", Group: Crew, Doc: "true does not ask whose certificate it is"},
	{Name: "TEMPORAL_CONFIG_FILE", Group: Crew, Doc: "file with these settings; default temporalio/temporal.toml in the folder of settings"},
	{Name: "TEMPORAL_PROFILE", Group: Crew, Doc: "profile in that file"},

	{Name: "NO_COLOR", Group: Showing, Example: "1", Doc: "no colours"},
	{Name: "FORCE_COLOR", Group: Showing, Example: "1", Doc: "colours, even if standard output is not a terminal"},
	{Name: "SOURCE_DATE_EPOCH", Group: Showing, Example: "1767225600", Doc: "time to use instead of the clock, so that two runs of one case give the same bytes"},

	{Name: "TERM", Group: Machine, Example: "dumb", Doc: "no live view, no colours"},
	{Name: "CI", Group: Machine, Example: "true", Doc: "no live view"},
	{Name: "COLUMNS", Group: Machine, Example: "100", Doc: "width of tables and texts"},
	{Name: "BROWSER", Group: Machine, Example: "firefox", Doc: "program that --open opens reports with"},
	{Name: "XDG_CACHE_HOME", Group: Machine, Doc: "folder of caches; default ~/.cache"},
	{Name: "XDG_CONFIG_HOME", Group: Machine, Doc: "folder of automaton/config.yaml; default ~/.config"},
	{Name: "HTTPS_PROXY", Group: Machine, Example: "http://proxy.example.edu:3128", Doc: "proxy for repositories and servers"},
	{Name: "ALL_PROXY", Group: Machine, Doc: "the same, if HTTPS_PROXY is not set"},
	{Name: "HTTP_PROXY", Group: Machine, Doc: "proxy for servers without TLS"},
	{Name: "NO_PROXY", Group: Machine, Example: "git.example.edu", Doc: "hosts that are reached without a proxy"},
	{Name: "SSL_CERT_FILE", Group: Machine, Example: "/etc/ssl/own.pem", Doc: "file with the trusted certificate authorities"},
}

// taken tells whether a .env file may set a variable.
func taken(name string) bool {
	for _, v := range Variables {
		if v.Name == name {
			return v.Group != Machine
		}
		if v.Group == Asking && v.Secret && v.Name+"_FILE" == name {
			return true
		}
	}
	return false
}
