package web

import (
	"encoding/json"
	"maps"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// described is openapi.yaml.
func described(t *testing.T) map[string]any {
	t.Helper()
	raw, err := pageFiles.ReadFile("page/openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	asJSON, err := yaml.YAMLToJSON(raw)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(string(asJSON)))
	if err != nil {
		t.Fatal(err)
	}
	return doc.(map[string]any)
}

// The description has every way in, and no other.
func TestAPIIsDescribed(t *testing.T) {
	x, _ := starting(t, Access{})
	var have []string
	for _, r := range x.routes() {
		if method, path, _ := strings.Cut(r.pattern, " "); strings.HasPrefix(path, "/api/") {
			have = append(have, strings.ToLower(method)+" "+path)
		}
	}
	var told []string
	for path, ways := range described(t)["paths"].(map[string]any) {
		for method := range ways.(map[string]any) {
			told = append(told, method+" "+path)
		}
	}
	slices.Sort(have)
	slices.Sort(told)
	if !slices.Equal(have, told) {
		t.Errorf("ways in: %q\ndescribed: %q", have, told)
	}
}

// Every answer is what the description says, field by field.
func TestAPIAnswers(t *testing.T) {
	doc := described(t)
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("file:///openapi.json", doc); err != nil {
		t.Fatal(err)
	}
	x := three(t, Access{As: "a.tutor"})
	x.ask("/cases/bob/decide", url.Values{"kind": {"comment"}, "seen": {"0"}, "reason": {"a reason of some length"}})
	x.ask("/cases/bob/decide", url.Values{"kind": {"publish"}, "seen": {"1"}})
	used := map[string]bool{}
	for path, want := range map[string]string{
		"/api/v1/cohort": "Cohort", "/api/v1/cases": "Cases", "/api/v1/cases?find=score%3E4&page=0": "Cases", "/api/v1/cases?page=7": "Cases", "/api/v1/cases/bob": "Case",
		"/api/v1/cases/eve": "Case", "/api/v1/decisions": "Decisions", "/api/v1/decisions?case=ada": "Decisions", "/api/v1/cases/nobody": "Error", "/api/v1/cases?page=x": "Error", "/api/v1/x": "Error",
	} {
		schema, err := compiler.Compile("file:///openapi.json#/components/schemas/" + want)
		if err != nil {
			t.Fatal(err)
		}
		used[want] = true
		body := bodyOf(t, x.ask(path, nil))
		answer, err := jsonschema.UnmarshalJSON(strings.NewReader(body))
		if err != nil {
			t.Fatal(path, err, body)
		}
		if err := schema.Validate(answer); err != nil {
			t.Errorf("%s: %v\n%s", path, err, body)
		}
	}
	asked, err := compiler.Compile("file:///openapi.json#/components/schemas/Submission")
	if err != nil {
		t.Fatal(err)
	}
	for body, want := range map[string]bool{`{"repo_url": "https://github.com/o/n", "id": "a", "replace": true}`: true, `{"id": "a"}`: false, `{"repo_url": "https://github.com/o/n", "rubric": "easy"}`: false} {
		v, err := jsonschema.UnmarshalJSON(strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		if got := asked.Validate(v) == nil; got != want {
			t.Errorf("%s is described as a submission: %t", body, got)
		}
	}
	for name := range doc["components"].(map[string]any)["schemas"].(map[string]any) {
		if inside := []string{"Score", "Criterion", "Decision", "Submission", "SubmissionFiles", "Asked"}; !used[name] && !slices.Contains(inside, name) {
			t.Errorf("no answer is a %s; there are %q", name, slices.Sorted(maps.Keys(used)))
		}
	}
	var list apiCases
	if err := json.Unmarshal([]byte(bodyOf(t, x.ask("/api/v1/cases?find=score%3E4", nil))), &list); err != nil || list.Total != 1 || len(list.Cases) != 1 || list.Cases[0].ID != "bob" {
		t.Errorf("%+v %v", list, err)
	}
	if raw := bodyOf(t, x.ask("/api/v1/cases/bob/record", nil)); raw != bodyOf(t, x.ask("/cases/bob/record.json", nil)) {
		t.Error("the record is another one")
	}
	if r := three(t, Access{Tokens: secrets}).ask("/api/v1/cohort", nil); r.StatusCode != 401 {
		t.Error("without a token: ", r.Status)
	}
}
