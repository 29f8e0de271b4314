package lower

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/code/syntax"
	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/sandbox"
)

// Service is what a worker does: a request is the ending of a file's name, a zero
// byte and its text; the answer is the file lowered, as il.Decode reads it.
func Service() sandbox.Service {
	return sandbox.Service{
		Warm: func() error {
			_, err := handle([]byte(".py\x00pass\n"))
			return err
		},
		Handle: handle,
	}
}

func handle(request []byte) ([]byte, error) {
	ext, text, ok := bytes.Cut(request, []byte{0})
	if !ok {
		return nil, errors.New("lowering source: no ending of a name")
	}
	f, err := syntax.Parse(code.File{Path: "a" + string(ext), Bytes: text})
	if err != nil {
		return nil, fmt.Errorf("lowering source: %w", err)
	}
	return Module(f).Encode(), nil
}

// Read lowers one file in a worker that runs Service. The error is the context's,
// or says why the file has no meaning here: no language that is read, text that
// is too large, an answer that is none.
func Read(ctx context.Context, worker code.Parser, f code.File) (*il.Module, error) {
	text, _ := f.Text()
	answer, err := worker.Do(ctx, append([]byte(path.Ext(f.Path)+"\x00"), text...))
	if err != nil {
		return nil, err
	}
	m, err := il.Decode(answer, len(text))
	if err != nil {
		return nil, fmt.Errorf("lowering %s: %w", f.Path, err)
	}
	m.Path, m.Language = f.Path, string(f.Language())
	m.Lines = []uint32{0}
	for i := range len(text) {
		if text[i] == '\n' {
			m.Lines = append(m.Lines, uint32(i+1))
		}
	}
	return m, nil
}
