package rubric

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// member is one key of an ordered object that is written out. Values are
// members, []any, json.RawMessage (written as it stands) or what encoding/json
// takes.
type member struct {
	key   string
	value any
}

type members []member

// add appends a key.
func (m *members) add(key string, value any) { *m = append(*m, member{key, value}) }

// emit writes an ordered object with two spaces per level. Raw values keep
// their bytes.
func emit(m members) ([]byte, error) {
	var b bytes.Buffer
	if err := emitValue(&b, m, 0); err != nil {
		return nil, fmt.Errorf("writing the native form: %w", err)
	}
	b.WriteByte('\n')
	return b.Bytes(), nil
}

func emitValue(b *bytes.Buffer, v any, depth int) error {
	switch v := v.(type) {
	case members:
		return emitBlock(b, '{', '}', len(v), depth, func(i int) error {
			if err := emitScalar(b, v[i].key); err != nil {
				return err
			}
			b.WriteString(": ")
			return emitValue(b, v[i].value, depth+1)
		})
	case []any:
		return emitBlock(b, '[', ']', len(v), depth, func(i int) error { return emitValue(b, v[i], depth+1) })
	case json.RawMessage:
		b.Write(v)
		return nil
	default:
		return emitScalar(b, v)
	}
}

func emitBlock(b *bytes.Buffer, begin, end byte, n, depth int, each func(int) error) error {
	b.WriteByte(begin)
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString("\n" + strings.Repeat("  ", depth+1))
		if err := each(i); err != nil {
			return err
		}
	}
	if n > 0 {
		b.WriteString("\n" + strings.Repeat("  ", depth))
	}
	b.WriteByte(end)
	return nil
}

// emitScalar writes a value in one line, without escaping what need not be.
func emitScalar(b *bytes.Buffer, v any) error {
	enc := json.NewEncoder(b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return err
	}
	b.Truncate(b.Len() - 1) // the encoder's newline
	return nil
}
