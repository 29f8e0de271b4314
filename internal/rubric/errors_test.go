package rubric

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// one wraps the members of a single criterion into a rubric on line 1.
func one(members string) string {
	return `{"name":"n","version":"1","dimensions":[{` + members + `}]}`
}

// checked wraps checks into a rubric, one check per line from line 2 on.
func checked(checks ...string) string {
	return `{"name":"n","version":"1","dimensions":[{"id":"a","forensic_instruction":"x","checks":[` + "\n" + strings.Join(checks, ",\n") + "\n]}]}"
}

// manyChecks are n checks with ids of their own, the last one marked.
func manyChecks(n int) []string {
	var out []string
	for i := range n {
		mark := ""
		if i == n-1 {
			mark = "¶"
		}
		out = append(out, fmt.Sprintf(`{%s"id":"c%d","probe":"git.count"}`, mark, i))
	}
	return out
}

// unmark takes the pilcrows out of a text and tells their places, as line and
// column in code points.
func unmark(s string) (text string, places []string) {
	parts := strings.Split(s, "¶")
	text = parts[0]
	for _, p := range parts[1:] {
		line := strings.Count(text, "\n")
		last := text[strings.LastIndexByte(text, '\n')+1:]
		places = append(places, fmt.Sprintf("%d:%d", line+1, utf8.RuneCountInString(last)+1))
		text += p
	}
	return text, places
}

// TestRefusals has a pilcrow in each text where the error must be.
func TestRefusals(t *testing.T) {
	many := func(n int, s string) string { return strings.TrimSuffix(strings.Repeat(s+",", n), ",") }
	tests := map[string]struct {
		text string
		want []string // "line:col code: message | hint"
	}{
		"empty":             {"¶", []string{"empty: the file is empty"}},
		"only space":        {"¶ \n\t ", []string{"empty: the file is empty"}},
		"only a mark":       {"¶\ufeff\n", []string{"empty: the file is empty"}},
		"invalid utf-8":     {"{\"näme\":\n \"é¶\xff\"}", []string{`encoding: invalid UTF-8 at byte 14`}},
		"utf-16 no mark":    {"¶{\x00}\x00", []string{"encoding: the file looks like UTF-16 without a byte order mark; save it as UTF-8"}},
		"utf-32":            {"¶\xff\xfe\x00\x00{\x00\x00\x00", []string{"encoding: the file is UTF-32; save it as UTF-8"}},
		"utf-16 odd":        {"¶\xff\xfe{", []string{"encoding: invalid UTF-16 at byte 2"}},
		"utf-16 half pair":  {"¶\xfe\xff\xd8\x00\x00a", []string{"encoding: invalid UTF-16 at byte 2"}},
		"trailing comma":    {"{\"dimensions\": [\n  1¶,\n]}", []string{`syntax: trailing comma before ']'; JSON has none`}},
		"comma first":       {`[¶,1]`, []string{"syntax: a comma without a value before it"}},
		"comment":           {"{\n¶// hello\n}", []string{"syntax: a comment; JSON has none"}},
		"single quotes":     {`{¶'a': 1}`, []string{`syntax: single quotes; JSON strings stand in "double quotes"`}},
		"typographic":       {`{¶“a”: 1}`, []string{`syntax: typographic quote “; JSON strings stand in "double quotes"`}},
		"not a number":      {`{"weight": ¶NaN}`, []string{"syntax: NaN: JSON has no such number"}},
		"infinity":          {`{"weight": ¶Infinity}`, []string{"syntax: Infinity: JSON has no such number"}},
		"python":            {`{"on": ¶True}`, []string{"syntax: True: write true"}},
		"nul":               {"{\"a\": ¶\x00}", []string{"syntax: a NUL character"}},
		"cut":               {`{"a": "b¶`, []string{"syntax: the file ends in the middle of a value"}},
		"two values":        {"{}\n¶{}", []string{"syntax: text behind the end of the rubric"}},
		"other syntax":      {`{"a" ¶1}`, []string{`syntax: not JSON: invalid character '1' after object name (expecting ':')`}},
		"newline in string": {"{\"ä\": \"b¶\nc\"}", []string{`control-character: control character U+000A inside a string; write it as \n`}},
		"bell in string":    {"{\"a\": \"¶\x07\"}", []string{`control-character: control character U+0007 inside a string; write it as \u0007`}},
		"duplicate key": {"{\"a\": 1,\n \"b\": {\"c\": 1, ¶\"c\": 2},\n ¶\"a\": 2}", []string{
			`duplicate-key: key "c" stands here again, first at 2:8`, `duplicate-key: key "a" stands here again, first at 1:2`}},
		"duplicate key escaped": {`{"a": 1, ¶"\u0061": 2}`, []string{`duplicate-key: key "a" stands here again, first at 1:2`}},
		"depth":                 {strings.Repeat("[", 64) + "¶" + strings.Repeat("[", 200_000), []string{"depth: nested more than 64 deep"}},
		"values":                {"[" + many(maxValues-1, "1") + ",¶1]", []string{"too-many: more than 100000 values"}},
		"long string":           {`{"a": ¶"` + strings.Repeat("x", maxText+1) + `"}`, []string{"too-many: a string of 65537 bytes; the limit is 65536"}},
		"criteria":              {`[` + many(200, `{"id":"a"}`) + `,¶{}]`, []string{"too-many: 201 criteria; the limit is 200"}},

		"scalar":               {`¶7`, []string{"no-criteria: a rubric is an object or a list of criteria, not a number"}},
		"nothing":              {`¶{"name": "x", "version": "1"}`, []string{`no-criteria: no criteria found | put a list of criteria under "dimensions"`}},
		"empty list":           {`¶{"dimensions": []}`, []string{`no-criteria: no criteria found | put a list of criteria under "dimensions"`}},
		"not flat":             {`¶{"a": "b", "c": 1}`, []string{`no-criteria: no criteria found | put a list of criteria under "dimensions"`}},
		"dimensions a string":  {`{"dimensions": ¶"x"}`, []string{`type: dimensions must be a list or an object of criteria, not "x"`}},
		"criterion a number":   {`{"dimensions": [¶1, {"id": "a"}]}`, []string{"type: item 1 must be an object, not 1"}},
		"no text":              {`[¶{"id":"a"}]`, []string{`no-text: criterion "a" has no text: no instruction, description, pattern or name`}},
		"blank text":           {`[¶{"id":"a","name":" ","forensic_instruction":" "}]`, []string{`no-text: criterion "a" has no text: no instruction, description, pattern or name`}},
		"text of another type": {one(`"id":"a","forensic_instruction":¶["x"]`), []string{`type: forensic_instruction must be a string, not a list`}},
		"weight of another":    {one(`"id":"a","name":"A","weight":¶"high"`), []string{`type: weight must be a number, not "high"`}},
		"null":                 {one(`"id":"a","name":"A","success_pattern":¶null`), []string{`type: success_pattern must be a string or a list of strings, not null | leave the key out when there is no value`}},
		"collection a list":    {one(`"id":"a","name":"A","evidence_collection":¶[]`), []string{`type: evidence_collection must be an object of objects with instructions, not a list`}},
		"collection of text":   {one(`"id":"a","name":"A","evidence_collection":{"x":¶"y"}`), []string{`type: x must be an object with instructions, not "y"`}},
		"guide a list":         {`{"scoring_guide":¶[],"dimensions":[{"id":"a","name":"A"}]}`, []string{`type: scoring_guide must be an object {"1": text, ...}, not a list`}},
		"logic a number":       {one(`"id":"a","name":"A","judicial_logic":¶3`), []string{`type: judicial_logic must be a string or an object with prosecutor, defense and tech_lead, not 3`}},
		"artifact a number":    {one(`"id":"a","name":"A","target_artifact":["repo",¶3]`), []string{`type: item 2 must be a string, not 3 | put it in quotes`}},
		"pattern of numbers":   {one(`"id":"a","name":"A","success_pattern":["x",¶3]`), []string{`type: item 2 must be a string, not 3 | put it in quotes`}},
		"metadata a string":    {`{"rubric_metadata":¶"x","dimensions":[{"id":"a","name":"A"}]}`, []string{`type: rubric_metadata must be an object, not "x"`}},
		"keyed number":         {`{"dimensions":{"a":¶1}}`, []string{`type: a must be an object or a string, not 1`}},
		"weight out of range":  {one(`"id":"a","name":"A","weight":¶1e30`), []string{`type: weight must be a number between -1e12 and 1e12, not 1e30`}},
		"config a list":        {`{"dimensions":[{"id":"a","name":"A"}],"synthesis_config":¶[]}`, []string{`rule-type: synthesis_config must be an object, not a list`}},
		"config text":          {`{"dimensions":[{"id":"a","name":"A"}],"synthesis_config":{"variance_threshold":¶"2"}}`, []string{`rule-type: variance_threshold must be a number, not "2"`}},
		"synthesis a list":     {`{"dimensions":[{"id":"a","name":"A"}],"synthesis":¶[]}`, []string{`rule-type: synthesis must be an object, not a list`}},
		"applies to a string":  {`{"dimensions":[{"id":"a","name":"A"}],"synthesis":{"functionality_weight":{"applies_to":¶"a"}}}`, []string{`rule-type: applies_to must be a list of criterion ids, not "a"`}},
		"when no such check": {`{"dimensions":[{"id":"graph_orchestration","name":"A","forensic_instruction":"x","checks":[{"id":"parallel","probe":"git.count"}]}],"synthesis":{"orchestration_fraud":{"when_all":["parallel",¶"paralle"]}}}`,
			[]string{`rule-type: when_all: no criterion that orchestration_fraud applies to has a check "paralle" | did you mean parallel`}},
		"when no check":         {`{"dimensions":[{"id":"a","name":"A"}],"synthesis":{"orchestration_fraud":{"when_all":¶[]}}}`, []string{`rule-type: when_all must be a list of check ids, not a list`}},
		"applies to a number":   {`{"dimensions":[{"id":"a","name":"A"}],"synthesis":{"functionality_weight":{"applies_to":[¶1]}}}`, []string{`rule-type: item 1 must be a string, not 1 | put it in quotes`}},
		"args a list":           {checked(`{"probe":"git.count","args":¶[]}`), []string{`check-args: args must be an object of arguments, not a list`}},
		"argument far off":      {checked(`{"probe":"file.exists","args":{"min":¶1e10}}`), []string{`check-args: min must be a number between -1e9 and 1e9, not 1e10`}},
		"argument of a list":    {checked(`{"probe":"doc.mentions","args":{"terms":[¶1]}}`), []string{`check-args: item 1 must be a string, not 1 | put it in quotes`}},
		"argument missing":      {checked(`{"probe":¶"code.query","args":{"language":"rust"}}`), []string{`check-args: probe code.query needs the argument "query"`}},
		"argument blank":        {checked(`{"probe":¶"code.query","args":{"language":"rust","query":" "}}`), []string{`check-args: probe code.query needs the argument "query"`}},
		"a language":            {checked(`{"probe":"code.query","args":{¶"language":"go","query":"(a) @a"}}`), []string{`check-args: argument "language" of probe code.query must be python or rust`}},
		"a command":             {checked(`{"probe":"git.count",¶"command":"make test"}`), []string{`type: criterion "a": a check has no key "command"; a rubric never runs or fetches anything: it names probes, and they read`}},
		"a command as argument": {checked(`{"probe":"git.count","args":{¶"run":"make"}}`), []string{`check-args: probe git.count has no argument "run"; a rubric never runs or fetches anything: it names probes, and they read`}},
		"a script as probe":     {checked(`{"probe":¶"script"}`), []string{`check-probe: probe "script" is unknown; a rubric never runs or fetches anything: it names probes, and they read`}},
		"asks empty":            {checked(`{"id":"x","asks":¶[]}`), []string{`type: asks must be a list of probes, not a list`}},
		"probe a number":        {checked(`{"probe":¶1}`), []string{`type: probe must be a probe id, not 1`}},
		"checks an object":      {one(`"id":"a","name":"A","checks":¶{}`), []string{`type: checks must be a list, not an object`}},
		"check a string":        {checked(`¶"git.count"`), []string{`type: item 1 must be an object, not "git.count"`}},
		"coverage_from":         {one(`"id":"a","name":"A","checks":[{"probe":"git.count"}],"coverage_from":¶"both"`), []string{`type: coverage_from must be own or plan, not "both"`}},
		"carriage return":       {"{\"a\": \"b¶\rc\"}", []string{`control-character: control character U+000D inside a string; write it as \r`}},
		"tab":                   {"{\"a\": \"b¶\tc\"}", []string{`control-character: control character U+0009 inside a string; write it as \t`}},
		"id with a path":        {one(`¶"id":"../x","name":"A"`), []string{`id-invalid: criterion "../x": ` + idWords}},
		"id with a blank":       {one(`¶"id":"safe tools","name":"A"`), []string{`id-invalid: criterion "safe tools": ` + idWords}},
		"id too long":           {one(`¶"id":"` + strings.Repeat("a", 81) + `","name":"A"`), []string{`id-invalid: criterion "` + strings.Repeat("a", 81) + `": ` + idWords}},
		"id of a key":           {`{"dimensions":{¶"a b":{"name":"A"}}}`, []string{`id-invalid: criterion "a b": ` + idWords}},
		"id twice":              {"[{\"id\":\"a\",\"name\":\"A\"},\n {\"name\":\"B\",¶\"id\":\"a\"}]", []string{`id-duplicate: criterion "a" is already defined at line 1`}},
		"weight negative":       {one(`"id":"a","name":"A","weight":¶-1`), []string{`weight: criterion "a": weight -1 is negative`}},
		"weight huge":           {one(`"id":"a","name":"A","weight":¶1e7`), []string{`weight: criterion "a": weight 10000000 is over 1000000`}},
		"weights all zero":      {`[¶{"id":"a","name":"A","weight":0}]`, []string{`weight: all weights are 0; nothing would count`}},
		"scale flat":            {one(`"id":"a","name":"A","max_score":¶0`), []string{`scale: criterion "a": the most points (0) must be more than the fewest (0)`}},
		"scale huge":            {one(`"id":"a","name":"A","points":¶2e6`), []string{`scale: criterion "a": points must lie between -1000000 and 1000000`}},
		"scale kind":            {one(`"id":"a","name":"A","scale":¶{"kind":"stars"}`), []string{`scale: criterion "a": scale.kind must be five, points or levels`}},
		"scale without levels":  {one(`"id":"a","name":"A","scale":¶{"kind":"levels"}`), []string{`level: criterion "a": a scale of kind levels needs levels`}},
		"levels equal":          {one(`"id":"a","name":"A","levels":¶{"x":{"score":3},"y":{"score":3}}`), []string{`scale: criterion "a": the most points (3) must be more than the fewest (3)`}},
		"level without points":  {one(`"id":"a","name":"A","levels":{"x":{"score":3},"y":¶{}}`), []string{`level: criterion "a": level "y" has no points`}},
		"level twice":           {one(`"id":"a","name":"A","levels":¶[{"name":"x","points":1},{"name":"X","points":2}]`), []string{`level: criterion "a": two levels are called "x"`}},
		"level without name":    {one(`"id":"a","name":"A","levels":[¶{"points":1},{"name":"X","points":2}]`), []string{`level: criterion "a": a level without name`}},
		"levels from no text":   {one(`"id":"a","name":"A","levels":¶"good or bad"`), []string{`level: criterion "a": found 0 levels, at least 2 are needed`}},
		"excluded level":        {one(`"id":"a","name":"A","levels":{"x":{"score":3},"y":{"score":1}},"exclude_from_total_if_level":¶"z"`), []string{`level: criterion "a": no level is called "z"`}},
		"base":                  {`{"base":¶"softwear","dimensions":[{"id":"a","name":"A"}]}`, []string{`type: base: unknown built-in rubric "softwear" (have courtroom, software, report) | did you mean software`}},
		"rules a list":          {`{"dimensions":[{"id":"a","name":"A"}],"synthesis_rules":¶[]}`, []string{`rule-type: synthesis_rules must be an object of rules, not a list`}},
		"rule a list":           {`{"dimensions":[{"id":"a","name":"A"}],"synthesis_rules":{"fact_supremacy":¶[]}}`, []string{`rule-type: fact_supremacy must be true or false, not a list`}},
		"rule number as text":   {`{"dimensions":[{"id":"a","name":"A"}],"synthesis_rules":{"variance_threshold":¶"3"}}`, []string{`rule-type: variance_threshold must be a number, true or false; a text sets nothing, not "3"`}},
		"cap out of range":      {`{"dimensions":[{"id":"a","name":"A"}],"synthesis_rules":{"security_override":¶6}}`, []string{`rule-type: security_override must be a number from 1 to 5, not 6`}},
		"judge unknown":         {`{"dimensions":[{"id":"a","name":"A"}],"synthesis_rules":{"functionality_weight":{¶"Clerk":1}}}`, []string{`rule-type: unknown judge "Clerk" | known are Prosecutor, TechLead, Defense`}},
		"weight of a judge":     {`{"dimensions":[{"id":"a","name":"A"}],"synthesis_rules":{"functionality_weight":{"Defense":¶0}}}`, []string{`rule-type: Defense must be a number from 0.0001 to 1000, not 0`}},
		"synthesis key":         {`{"dimensions":[{"id":"a","name":"A"}],"synthesis":{"dissent":{¶"gtt":1}}}`, []string{`rule-type: synthesis/dissent: unknown key "gtt" | did you mean gt`}},
		"synthesis rule":        {`{"dimensions":[{"id":"a","name":"A"}],"synthesis":{¶"spraed":{}}}`, []string{`rule-type: synthesis: unknown key "spraed" | did you mean spread`}},
		"synthesis word":        {`{"dimensions":[{"id":"a","name":"A"}],"synthesis":{"fact_supremacy":{"mode":¶"bend"}}}`, []string{`rule-type: mode must be clamp or label, not "bend"`}},
		"synthesis rounds":      {`{"dimensions":[{"id":"a","name":"A"}],"synthesis":{"re_evaluation":{"max_rounds":¶2}}}`, []string{`rule-type: max_rounds must be 0 or 1, not 2`}},
		"synthesis scope class": {`{"dimensions":[{"id":"a","name":"A"}],"synthesis":{"security_override":{"exclude":[¶"prod"]}}}`, []string{`rule-type: item 1 must be test or vendor or example, not "prod"`}},

		"probe unknown":       {checked(`{"probe":¶"git.cuont"}`), []string{`check-probe: probe "git.cuont" is unknown | did you mean git.count`}},
		"probe missing":       {checked(`¶{"id":"x"}`), []string{"check-probe: a check names no probe"}},
		"probe short unknown": {one(`"id":"a","name":"A","probes":[¶"nothing.like.it"]`), []string{`check-probe: probe "nothing.like.it" is unknown`}},
		"argument unknown":    {checked(`{"probe":"file.exists","args":{¶"glop":"*"}}`), []string{`check-args: probe file.exists has no argument "glop" | did you mean glob`}},
		"argument type":       {checked(`{"probe":"file.exists","args":{¶"min":"3"}}`), []string{`check-args: argument "min" of probe file.exists must be a whole number`}},
		"argument fraction":   {checked(`{"probe":"file.exists","args":{¶"min":1.5}}`), []string{`check-args: argument "min" of probe file.exists must be a whole number`}},
		"argument value":      {checked(`{"probe":"graph.parallel","args":{¶"role":"jury"}}`), []string{`check-args: argument "role" of probe graph.parallel must be detectives or judges`}},
		"argument object":     {checked(`{"probe":"file.exists","args":{"glob":¶{}}}`), []string{`check-args: glob must be a string, a number, true, false or a list of strings, not an object`}},
		"requires unknown":    {checked(`{"probe":"git.count"}`, `¶{"probe":"git.fix","requires":["git.cont"]}`), []string{`check-requires: criterion "a": check "git.fix" requires "git.cont", which it does not have | did you mean git.count`}},
		"cycle": {checked(`{¶"id":"x","probe":"git.count","requires":["y"]}`, `{"id":"y","probe":"git.fix","requires":["x"]}`, `{"id":"z","probe":"git.bulk"}`), []string{
			`check-cycle: criterion "a": checks require each other in a circle: x, y`}},
		"requires itself": {checked(`{¶"id":"x","probe":"git.count","requires":["x"]}`), []string{`check-cycle: criterion "a": checks require each other in a circle: x`}},
		"check twice":     {checked(`{"probe":"git.count"}`, `¶{"probe":"git.count","weight":2}`), []string{`id-duplicate: criterion "a": check "git.count" is already defined at line 2`}},
		"check id":        {checked(`{¶"id":"a b","probe":"git.count"}`), []string{`id-invalid: criterion "a": check "a b": ` + idWords}},
		"check id taken":  {checked(`{¶"id":"testimony","probe":"git.count"}`), []string{`id-invalid: criterion "a": check "testimony": this id is the court's own, for passages of the document; choose another`}},
		"check key":       {checked(`{"probe":"git.count",¶"facett":"core"}`), []string{`type: criterion "a": a check has no key "facett" | did you mean facet`}},
		"check facet":     {checked(`{"probe":"git.count","facet":¶"main"}`), []string{`type: facet must be core, robust, design, security, not "main"`}},
		"check weight":    {checked(`{"probe":"git.count","weight":¶6}`), []string{`weight: weight must be a whole number from 1 to 5, not 6`}},
		"too many checks": {checked(manyChecks(41)...), []string{`too-many: criterion "a" has more than 40 checks`}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			text, marks := unmark(tt.text)
			_, err := Load("r.json", strings.NewReader(text), catalogue(t))
			e, ok := errors.AsType[Errors](err)
			if !ok {
				t.Fatalf("got %v, want Errors", err)
			}
			var got, places []string
			for _, one := range e {
				places = append(places, fmt.Sprintf("%d:%d", one.Line, one.Col))
				s := one.Code + ": " + one.Msg
				if one.Hint != "" {
					s += " | " + one.Hint
				}
				got = append(got, s)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(marks, places); diff != "" {
				t.Errorf("places (-want +got):\n%s", diff)
			}
		})
	}
}
