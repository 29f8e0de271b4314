package court

import (
	"bytes"
	"encoding/json"
	"testing"
)

// asDecoded is what Canonical must give, by way of maps, which the encoder
// writes with sorted keys.
func asDecoded(t *testing.T, raw []byte) []byte {
	t.Helper()
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var tree any
	if err := dec.Decode(&tree); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(tree); err != nil {
		t.Fatal(err)
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

func FuzzCanonical(f *testing.F) {
	for _, seed := range []string{
		`null`, `-1.50e3`, `""`, `[]`, `{}`, `[1,[2,[]],{}]`, `{"b":1,"a":{"d":[true],"c":null}}`, `{"a":1,"a":2,"A":3,"a":4}`,
		`{"\u0062":1,"a":"\u003c\u2028\/\ud83d\ude00\ud800"}`, "{\"z\":\"\xff\",\"\xfe\":1}", ` { "x" : [ 1 , 2 ] } `, `"a\\"`, `{"a":"}","b":"\"]"}`, `{"":0}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		if !json.Valid(raw) {
			t.Skip()
		}
		got, err := Canonical(json.RawMessage(raw))
		if err != nil {
			t.Fatal(err)
		}
		if want := asDecoded(t, raw); !bytes.Equal(got, want) {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	})
}

func TestCanonicalOfValues(t *testing.T) {
	v := struct {
		Z string         `json:"z"`
		A map[string]any `json:"a"`
		N json.Number
	}{"<&>\u2028\xff", map[string]any{"k": 1.5, "b": []byte("x")}, "10"}
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	got, err := Canonical(v)
	if want := asDecoded(t, raw); err != nil || !bytes.Equal(got, want) {
		t.Errorf("got  %s, %v\nwant %s", got, err, want)
	}
}
