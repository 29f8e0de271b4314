package trial

import (
	"context"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/code/query"
	"github.com/automaton-auditor/automaton/internal/code/syntax"
	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/lower"
	"github.com/automaton-auditor/automaton/internal/pdf"
	"github.com/automaton-auditor/automaton/internal/sandbox"
)

// Workers are the parsers that run in locked processes of their own, by kind.
func Workers() map[string]sandbox.Service {
	return map[string]sandbox.Service{"code": syntax.Service(), "query": query.Service(), "pdf": pdf.Service(""), sandbox.ProofKind: sandbox.ProofService()}
}

// lowering lowers code in a worker.
func lowering(worker code.Parser) func(context.Context, *code.Program, *syntax.Program) (*il.Program, error) {
	return func(ctx context.Context, python *code.Program, others *syntax.Program) (*il.Program, error) {
		return lower.Load(ctx, worker, python, others)
	}
}
