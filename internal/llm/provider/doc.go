// Package provider reaches language models: OpenAI and every server that
// speaks its chat completions, and Anthropic, through their official SDKs.
//
// It knows endpoints, keys and wire formats and turns what servers say into
// the vocabulary of package llm. It reads no environment and no file: the one who
// opens a provider hands over all it needs. A key goes to its own endpoint and
// nowhere else.
package provider
