// Package otlp tells a run as OpenTelemetry spans to the receiver that the environment
// names: any OTLP collector, LangSmith, Langfuse, Phoenix.
//
// It listens to the events of package trace, which stay the truth. Trouble with
// a collector never changes what is decided, how a run ends, or how long it may
// take beyond a few seconds at its end. Names and numbers leave; content only
// when the user asks for it.
package otlp
