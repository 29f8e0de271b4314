package config

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"

	"github.com/automaton-auditor/automaton/internal/safetext"
)

// maxFile bounds a configuration file, in bytes.
const maxFile = 64 << 10

// PosError is a mistake in a file, with its place.
type PosError struct {
	File      string
	Line, Col int
	Msg, Hint string
}

// Error is the place and what is wrong there; the hint is left to the caller.
func (e *PosError) Error() string {
	return fmt.Sprintf("reading %s: %d:%d: %s", e.File, e.Line, e.Col, e.Msg)
}

// ReadFile reads a regular file of at most so many bytes. Opening a pipe
// would wait for a writer, so it is opened without waiting and then refused.
// Errors do not name the path.
func ReadFile(path string, most int64) ([]byte, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, Cause(err)
	}
	defer func() { _ = f.Close() }() // only read
	info, err := f.Stat()
	if err != nil {
		return nil, Cause(err)
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("not a regular file")
	}
	raw, err := io.ReadAll(io.LimitReader(f, most+1))
	if err != nil {
		return nil, Cause(err)
	}
	if int64(len(raw)) > most {
		return nil, fmt.Errorf("over %d KiB", most>>10)
	}
	return raw, nil
}

// Cause is an error of the file system without its operation and path, for
// messages that name the file in the user's words.
func Cause(err error) error {
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		return pe.Err
	}
	return err
}

// File reads a YAML file; name is what messages call it. A file that is not
// there is no mistake unless it must be.
func (c *Config) File(path, name string, must bool) error {
	raw, err := ReadFile(path, maxFile)
	if errors.Is(err, os.ErrNotExist) && !must {
		return nil
	}
	if err != nil {
		return fmt.Errorf("reading %s: %w", name, err)
	}
	tree, err := parser.ParseBytes(raw, 0)
	if err != nil {
		if se, ok := errors.AsType[*yaml.SyntaxError](err); ok {
			return &PosError{File: name, Line: se.Token.Position.Line, Col: se.Token.Position.Column, Msg: se.Message}
		}
		return fmt.Errorf("reading %s: %w", name, err)
	}
	for _, doc := range tree.Docs {
		if doc.Body == nil {
			continue
		}
		if err := c.mapping(doc.Body, name, filepath.Dir(path)); err != nil {
			return err
		}
	}
	return nil
}

func (c *Config) mapping(n ast.Node, name, dir string) error {
	if n.Type() == ast.NullType || n.Type() == ast.CommentType || n.Type() == ast.CommentGroupType {
		return nil
	}
	m, ok := n.(ast.MapNode)
	if !ok {
		return place(n, name, "the file must hold keys and values", "")
	}
	seen := map[string]bool{}
	for it := m.MapRange(); it.Next(); {
		key := it.Key().String()
		if key == profilesKey && !seen[key] {
			seen[key] = true
			if err := c.readProfiles(it.Value(), name); err != nil {
				return err
			}
			continue
		}
		k, known := find(key)
		known = known || key == profilesKey
		if !known {
			return place(it.Key(), name, fmt.Sprintf("unknown key %q", key), didYouMean(key))
		}
		if seen[key] {
			return place(it.Key(), name, fmt.Sprintf("key %q appears twice", key), "")
		}
		seen[key] = true
		values, err := k.values(it.Value())
		if err == nil {
			err = c.Set(key, name, values...)
		}
		if err != nil {
			return place(it.Value(), name, key+": "+err.Error(), "")
		}
		s := c.settings[key]
		s.Dir = dir
		c.settings[key] = s
	}
	return nil
}

// values is a value of the key as texts: one, or the items of a list.
func (k Key) values(n ast.Node) ([]string, error) {
	if m, ok := n.(ast.MapNode); ok && k.Kind == Seats {
		return pairs(m)
	}
	list, many := n.(*ast.SequenceNode)
	if !many {
		s, err := scalar(n)
		return []string{s}, err
	}
	if k.Kind != List && k.Kind != Seats {
		return nil, errors.New("one value is wanted, not a list")
	}
	out := []string{}
	for _, x := range list.Values {
		s, err := scalar(x)
		if err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	return out, nil
}

// scalar is a plain value as text; a key without a value has none.
func scalar(n ast.Node) (string, error) {
	switch v := n.(type) {
	case *ast.NullNode:
		return "", errors.New("a value is missing")
	case *ast.StringNode:
		return v.Value, nil
	case ast.ScalarNode:
		return v.GetToken().Value, nil
	}
	return "", errors.New("a plain value or a list of them is wanted")
}

func place(n ast.Node, name, msg, hint string) error {
	p := n.GetToken().Position
	return &PosError{File: name, Line: p.Line, Col: p.Column, Msg: msg, Hint: hint}
}

// didYouMean suggests the known key within two edits.
func didYouMean(key string) string {
	names := make([]string, len(Keys))
	for i, k := range Keys {
		names[i] = k.Name
	}
	if near := safetext.Nearest(key, names, 2); near != "" {
		return "did you mean " + near
	}
	return ""
}
