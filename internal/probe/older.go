package probe

import (
	"context"

	"github.com/automaton-auditor/automaton/internal/code"
)

// Parse reads Python code that is not that of the commit, such as an older
// version of one file. Nothing outside of files is known to it.
func (s *Scene) Parse(ctx context.Context, files []code.File) (*code.Program, error) {
	return code.Load(ctx, s.o.Parser, files)
}
