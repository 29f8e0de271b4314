package trial

import (
	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/code/query"
	"github.com/automaton-auditor/automaton/internal/code/syntax"
	"github.com/automaton-auditor/automaton/internal/il/lower"
	"github.com/automaton-auditor/automaton/internal/pdf"
	"github.com/automaton-auditor/automaton/internal/sandbox"
)

// Workers are the parsers that run in locked processes of their own, by kind.
func Workers() map[string]sandbox.Service {
	return map[string]sandbox.Service{"code": code.Service(), "syntax": syntax.Service(), "query": query.Service(), "il": lower.Service(), "pdf": pdf.Service(""), sandbox.ProofKind: sandbox.ProofService()}
}
