// Package llm asks language models for one structured answer and keeps what
// that may cost under control.
//
// A Model is one method. Adapters reach a server through its official SDK;
// around them stand layers that are Models, too: trace, cassette, cache,
// budget, limit, retry. A Ladder on top asks in the strongest way that a server
// knows and steps down when it does not. The package knows prompts and
// answers, not judges: what an answer means is decided by who asked. Nothing
// that goes wrong here ever becomes an answer.
package llm
