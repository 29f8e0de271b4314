package tables

import (
	"slices"
	"strings"
	"testing"
)

func TestTablesAreRead(t *testing.T) {
	for question, table := range load() {
		if len(table) == 0 {
			t.Errorf("table %s is empty", question)
		}
	}
}

func TestReadRefuses(t *testing.T) {
	for name, x := range map[string]struct{ raw, want string }{
		"unknown key": {`[{"languages":["go"],"role":"a","names":["x"],"source":"y","sevrity":"high"}]`, "unknown field"},
		"no name":     {`[{"languages":["go"],"role":"a","names":[],"source":"y"}]`, "row 1"},
		"empty name":  {`[{"languages":["go"],"role":"a","names":[""],"source":"y"}]`, "empty name"},
		"no source":   {`[{"languages":["go"],"role":"a","names":["x"]}]`, "source"},
		"no language": {`[{"role":"a","names":["x"],"source":"y"}]`, "languages"},
		"twice":       {`[{"languages":["go"],"role":"a","names":["x"],"source":"y"},{"languages":["go"],"role":"a","names":["x"],"source":"y"}]`, "row 2: x stands twice"},
		"more behind": {`[] []`, "after the table"},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := read([]byte(x.raw)); err == nil || !strings.Contains(err.Error(), x.want) {
				t.Errorf("got %v, want %q", err, x.want)
			}
		})
	}
}

func TestMatch(t *testing.T) {
	for _, x := range []struct {
		name, glob string
		want       bool
	}{
		{"os.system", "os.system", true},
		{"os.systems", "os.system", false},
		{"requests.Session().get", "requests.*", true},
		{"a.b.c", "a*c", true},
		{"a.b.c", "a*b", false},
		{"github.com/labstack/echo/v4.Context.Param", "github.com/labstack/echo*.Context.Param*", true},
		{"", "*", true},
		{"", "*.x", false},
		{"aXbXc", "*X*X*", true},
		{"aX", "*X*X*", false},
	} {
		if got := Match(x.name, x.glob); got != x.want {
			t.Errorf("Match(%q, %q) = %v", x.name, x.glob, got)
		}
	}
}

func TestFind(t *testing.T) {
	table, err := read([]byte(`[{"languages":["go","rust"],"role":"a","names":["x.*"],"source":"s"},{"languages":["go"],"role":"b","names":["x.y"],"source":"s"}]`))
	if err != nil {
		t.Fatal(err)
	}
	if r, ok := table.Find("go", "x.y"); !ok || r.Role != "a" {
		t.Errorf("the first row that fits is wanted, got %+v", r)
	}
	if !table.Has("go", "x.y", "b") || table.Has("rust", "x.y", "b") || table.Has("java", "x.y") {
		t.Error("rows are told apart by language and role")
	}
	if got := table.Names("go"); !slices.Equal(got, []string{"x.*", "x.y"}) {
		t.Errorf("names of go: %v", got)
	}
}
