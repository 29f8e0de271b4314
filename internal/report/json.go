package report

import (
	"bytes"
	"io"

	"github.com/automaton-auditor/automaton/internal/safetext"
)

// plainJSON is the one JSON form of a record and of what is made of it: whatever way
// a record was read, from record.json or out of a page, it gives the same bytes.
func plainJSON(v any) ([]byte, error) {
	var b bytes.Buffer
	if err := dataJSON(&b, v); err != nil {
		return nil, err
	}
	return plainEscapes(b.Bytes()), nil
}

// putJSON writes a rendering in that form.
func putJSON(w io.Writer, v any) error {
	raw, err := plainJSON(v)
	if err != nil {
		return err
	}
	return put(w, raw)
}

// plainEscapes writes <, > and & as themselves and what acts without being seen
// escaped, in JSON strings that came through byte for byte and may hold either
// form.
func plainEscapes(raw []byte) []byte {
	as := map[string]string{`\u003c`: "<", `\u003e`: ">", `\u0026`: "&", `\u003C`: "<", `\u003E`: ">"}
	out := make([]byte, 0, len(raw))
	for i := 0; i < len(raw); {
		if raw[i] == '\\' && i+1 < len(raw) {
			if i+6 <= len(raw) && as[string(raw[i:i+6])] != "" {
				out = append(out, as[string(raw[i:i+6])]...)
				i += 6
				continue
			}
			out = append(out, raw[i], raw[i+1]) // an escaped backslash hides what follows it
			i += 2
			continue
		}
		out = append(out, raw[i])
		i++
	}
	return safetext.JSON(out)
}
