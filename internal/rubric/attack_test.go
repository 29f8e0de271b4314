package rubric

import (
	"errors"
	"io"
	"strings"
	"testing"
	"unicode/utf16"
)

// endless is a file that never ends, of one byte.
type endless byte

func (e endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(e)
	}
	return len(p), nil
}

// A hostile rubric is refused at once, with file, line and, where there is a
// value to point to, its JSON pointer; or it is read as what it is.
func TestD39Rubric(t *testing.T) {
	wide := func(s string) string {
		var b strings.Builder
		b.WriteString("\xff\xfe")
		for _, u := range utf16.Encode([]rune(s)) {
			b.WriteByte(byte(u))
			b.WriteByte(byte(u >> 8))
		}
		return b.String()
	}
	one := func(members string) io.Reader {
		return strings.NewReader(`{"dimensions": [{"name": "a", "success_pattern": "x", ` + members + `}]}`)
	}
	cases := map[string]struct {
		in            io.Reader
		code, pointer string // "" for code: it is read
	}{
		"duplicate key":     {one(`"id": "a", "id": "b"`), "duplicate-key", "/dimensions/0"},
		"duplicate deep":    {one(`"id": "a", "x": {"y": [{"z": 1, "z": 2}]}`), "duplicate-key", "/dimensions/0/x/y/0"},
		"escaped duplicate": {one(`"id": "a", "\u0069d": "b"`), "duplicate-key", "/dimensions/0"},
		"duplicate id":      {strings.NewReader(`{"dimensions": [{"id": "a", "name": "a"}, {"id": "a", "name": "b"}]}`), "id-duplicate", "/dimensions/1/id"},
		"traversal":         {one(`"id": "../../x"`), "id-invalid", "/dimensions/0/id"},
		"control in an id":  {one(`"id": "a\u001b[31m"`), "id-invalid", "/dimensions/0/id"},
		"nan":               {one(`"id": "a", "weight": NaN`), "syntax", ""},
		"infinite":          {one(`"id": "a", "weight": 1e999`), "type", "/dimensions/0/weight"},
		"negative":          {one(`"id": "a", "weight": -1`), "weight", "/dimensions/0/weight"},
		"deep":              {strings.NewReader(strings.Repeat("[", 200_000)), "depth", ""},
		"endless":           {io.MultiReader(strings.NewReader(`{"a": "`), endless('x')), "too-large", ""},
		"endless blanks":    {endless(' '), "too-large", ""},
		"empty":             {strings.NewReader(" \n"), "empty", ""},
		"no text":           {strings.NewReader("\x00\x01\xff"), "encoding", ""},
		"raw control":       {one("\"id\": \"a\x1b\""), "control-character", ""},
		"utf-16":            {strings.NewReader(wide(`{"dimensions": [{"id": "a", "name": "a"}]}`)), "", ""},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			_, err := Load("dir/evil.json", c.in, catalogue(t))
			if c.code == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			first, ok := errors.AsType[*Error](err)
			if !ok || first.Code != c.code || c.pointer != "" && first.Pointer != c.pointer {
				t.Fatalf("%+v, want code %q at %q", err, c.code, c.pointer)
			}
			if said := err.Error(); !strings.HasPrefix(said, "dir/evil.json:") || !strings.Contains(said, c.pointer) || strings.ContainsAny(said, "\x1b\x00") {
				t.Errorf("said %q", said)
			}
		})
	}
}
