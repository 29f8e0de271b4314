package llm

import (
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"testing"
)

type decoded struct {
	Judge  string   `json:"judge"`
	Score  int      `json:"score"`
	Claims []string `json:"claims"`
	Share  float64  `json:"share"`
}

func TestDecode(t *testing.T) {
	for in, want := range map[string]string{
		`{"judge":"a","score":4,"claims":["x"]}`: "",
		` {"score":4} `:                          "",
		`{"share":0.5}`:                          "",
		`{"score":"5"}`:                          "score: a string is not an integer in range",
		`{"score":4.7}`:                          "score: 4.7 is not an integer in range",
		`{"score":1e400}`:                        "score: 1e400 is not an integer in range",
		`{"score":99999999999999999999}`:         "score: 99999999999999999999 is not an integer in range",
		`{"score":true}`:                         "score: true is not an integer in range",
		`{"score":[4]}`:                          "score: a list is not an integer in range",
		`{"share":1e400}`:                        "share: 1e400 is not a number in range",
		`{"share":NaN}`:                          "the JSON is not valid: invalid character 'N' at start of value, at byte 9",
		`{"judge":4}`:                            "judge: a number is not a string",
		`{"claims":{}}`:                          "claims: an object is not a list",
		`{"claims":["a",4]}`:                     "claims/1: a number is not a string",
		`{"score":4,"score":5}`:                  "score stands twice",
		`{"SCORE":4}`:                            "SCORE is not a name of the schema",
		`{"score":4,"Score":5}`:                  "Score is not a name of the schema",
		`{"sc\u006fre":4,"score":5}`:             "score stands twice",
		`{"extra":1}`:                            "extra is not a name of the schema",
		`{"score":4}{}`:                          "the JSON is not valid: invalid character '{' after top-level value, at byte 11",
		`{"score":4} x`:                          "the JSON is not valid: invalid character 'x' after top-level value, at byte 12",
		`{"score":4`:                             "the JSON is not valid: unexpected EOF, at byte 10",
		``:                                       "the JSON is not valid: unexpected EOF, at byte 0",
		`[]`:                                     "the answer: a list is not an object",
		`"text"`:                                 "the answer: a string is not an object",
		"{\"judge\":\"\xff\"}":                   "the JSON is not valid: invalid UTF-8, at byte 10",
		`{"judge":"\ud800"}`:                     "the JSON is not valid: invalid surrogate pair `\\ud800\"}` in string, at byte 10",
		"{\"\x1b[2J\":1}":                        "the JSON is not valid: invalid character '\\x1b' in string (expecting non-control character), at byte 2",
		`{"\u001b[2J":1}`:                        `\u{1b}[2J is not a name of the schema`,
		strings.Repeat("[", 65) + strings.Repeat("]", 65):    "the answer nests deeper than 64",
		`{"claims":` + strings.Repeat("[", 100_000):          "the answer nests deeper than 64",
		`{"judge":"` + strings.Repeat("[", 100) + `"}`:       "",
		`{"judge":"\"` + strings.Repeat("[", 100) + `"}`:     "",
		`{"judge":"` + strings.Repeat("x", maxAnswer) + `"}`: "the answer has more than 1048576 bytes",
		`{"` + strings.Repeat("n", 500) + `":1}`:             strings.Repeat("n", maxShown-1) + "… is not a name of the schema",
	} {
		var v decoded
		err := Decode([]byte(in), &v)
		got := ""
		if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%.60q: %q, want %q", in, got, want)
		}
	}
}

// What a value may be that is read without a type of its own.
func TestDecodeLoose(t *testing.T) {
	var any1 any
	if err := Decode([]byte(`{"a":1e400}`), &any1); err == nil {
		t.Errorf("1e400 became %v", any1)
	}
	var raw struct {
		A json.RawMessage `json:"a"`
	}
	if err := Decode([]byte(`{"a":{"b":[1]}}`), &raw); err != nil || string(raw.A) != `{"b":[1]}` {
		t.Error(err, string(raw.A))
	}
}

// FuzzDecode: what is accepted is one JSON object of our names, in range, and
// stays the same when it is written and read again; what is refused says so in
// printable words.
func FuzzDecode(f *testing.F) {
	for _, seed := range []string{
		`{"judge":"a","score":4,"claims":["x"],"share":0.25}`, `{"score":"5"}`, `{"score":1e400}`, `{"score":4,"SCORE":5}`, `{"score":4}{}`,
		"{\"judge\":\"\xff\"}", `{"judge":"\ud800\udc00"}`, `{"judge":"\ud800"}`, "```json\n{}\n```", strings.Repeat("[", 70), `{"share":1e308}`, `{"score":-0}`, `null`, "\ufeff{}",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		var v decoded
		if err := Decode(raw, &v); err != nil {
			if s := err.Error(); s == "" || len(s) > 4000 || strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r == 0x7f || r == 0x202e }) {
				t.Errorf("%q: %q", raw, s)
			}
			return
		}
		if !json.Valid(raw) || math.IsInf(v.Share, 0) || math.IsNaN(v.Share) {
			t.Errorf("%q was accepted: %+v", raw, v)
		}
		again, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		var w decoded
		if err := Decode(again, &w); err != nil || v.Judge != w.Judge || v.Score != w.Score || v.Share != w.Share || len(v.Claims) != len(w.Claims) || len(v.Claims) > 0 && !reflect.DeepEqual(v.Claims, w.Claims) {
			t.Errorf("%q: %+v, again %+v, %v", raw, v, w, err)
		}
	})
}
