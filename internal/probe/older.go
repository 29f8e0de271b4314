package probe

import (
	"context"

	"github.com/automaton-auditor/automaton/internal/code"
)

// Parse reads Python code that is not that of the commit, such as an older
// version of one file. Nothing outside of files is known to it. A version that
// is that of the commit is not parsed a second time.
func (s *Scene) Parse(ctx context.Context, files []code.File) (*code.Program, error) {
	p, err := s.Python(ctx)
	if err != nil {
		return nil, err
	}
	return p.LoadVersions(ctx, s.o.Parser, files)
}
