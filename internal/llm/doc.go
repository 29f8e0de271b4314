// Package llm asks language models for one structured answer and keeps what
// that may cost under control.
//
// A Model is one method. Adapters reach a server through its official SDK;
// around them stand layers that are Models, too: trace, cassette, cache,
// budget, limit, retry. A Ladder on top asks in the strongest way that a server
// knows and steps down when it does not. The package knows prompts and
// answers, not judges: what an answer means is decided by who asked. Nothing
// that goes wrong here ever becomes an answer.
//
// A run opens once (Open), takes an adapter and its endpoint from package
// provider for each model, makes a ladder over them (Run.Ladder), asks (Ask) and
// closes. In a replay there is no adapter: the cassette has every answer, or
// Run.Missed says which it has not.
package llm
