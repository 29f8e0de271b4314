package safety

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code/syntax"
	"github.com/automaton-auditor/automaton/internal/facts"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
)

// runsSQL are methods that run a statement, by language.
var runsSQL = map[string]*regexp.Regexp{
	"go":         regexp.MustCompile(`^(Query|Exec|QueryRow|Prepare|Raw|NewQuery|MustExec|Select|Get)(Context|x)?$`),
	"java":       regexp.MustCompile(`^(execute|executeQuery|executeUpdate|executeLargeUpdate|addBatch|prepareStatement|prepareCall|createNativeQuery|createQuery|query|queryForObject|queryForList|queryForMap|update|batchUpdate|nativeSQL)$`),
	"javascript": regexp.MustCompile(`^(query|execute|exec|run|all|get|each|raw|prepare|\$queryRawUnsafe|\$executeRawUnsafe)$`),
	"typescript": regexp.MustCompile(`^(query|execute|exec|run|all|get|each|raw|prepare|\$queryRawUnsafe|\$executeRawUnsafe)$`),
	"rust":       regexp.MustCompile(`^(execute|query|query_row|query_one|query_as|prepare|execute_batch|batch_execute|simple_query|sql_query|query_scalar|query_map)$`),
}

// hole tells a part of a statement that is put into it.
func hole(p syntax.Part) bool { return p.Kind != "text" && p.Kind != "number" && p.Kind != "nil" }

var sqlHead = regexp.MustCompile(`(?is)^\s*(select\s.*\sfrom\s|insert\s+into\s|update\s.*\sset\s|delete\s+from\s|select\s[^*]*\*|drop\s+table\s)`)

// sqlPattern is the text of a statement with "?" for what is put into it, ""
// where it is no SQL.
func sqlPattern(parts []syntax.Part) string {
	var b strings.Builder
	for _, p := range parts {
		if p.Kind == "text" {
			b.WriteString(p.Text)
		} else {
			b.WriteString(" ? ")
		}
	}
	if s := b.String(); sqlHead.MatchString(s) {
		return s
	}
	return ""
}

var (
	beforeValue = regexp.MustCompile(`(?i)(=|<|>|like|in\s*\(|values\s*\(|,|\(|'|"|%|and|or|where|limit|offset|between)\s*['"%(]*$`)
	beforeName  = regexp.MustCompile("(?i)\\b(from|into|update|table|join|order\\s+by|group\\s+by|select|set|index|on|by|column|pragma|as)\\s*[`\"\\[{]*$|[.`]$")
	marksWord   = regexp.MustCompile(`(?i)(placeholder|marks|params|binds?)\w*$`)
)

// placeholders tells a hole that is filled with the marks of placeholders.
func placeholders(parts []syntax.Part, i int) bool {
	n := parts[i].Node
	return marksWord.MatchString(n.Name()) || slices.ContainsFunc(parts[i].Via, func(v syntax.Node) bool { return v.Is("name") && marksWord.MatchString(v.Name()) })
}

// formatsStatement tells a call of a database that is given a statement with
// something in it that may be anybody's.
func formatsStatement(x *foreignCode, c syntax.Node) bool {
	callee := c.Child("callee")
	re := runsSQL[string(c.File().Language)]
	if !callee.Is("member") && !(callee.Is("name") && c.File().Language == "rust") || !re.MatchString(callee.Name()) || x.tagged(c) {
		return false
	}
	_, bad := x.statement(c)
	return bad
}

// statement is where what is put into the text of a statement comes from, and
// whether some of it is a value at a place of values, or input.
func (x *foreignCode) statement(c syntax.Node) (worst facts.Origin, bad bool) {
	for a := range c.Children("arg") {
		parts := x.p.Value(a)
		if a.Is("func") || sqlPattern(parts) == "" {
			continue
		}
		text := ""
		for i, p := range parts {
			if p.Kind == "text" {
				text += p.Text
				continue
			}
			if hole(p) && !placeholders(parts, i) {
				o := (&tracer{foreignCode: x}).part(p, 0)
				worst = max(worst, o)
				bad = bad || o >= facts.User || o == facts.Unclear && beforeValue.MatchString(text) && !beforeName.MatchString(text)
			}
			text += " ? "
		}
	}
	return worst, bad
}

// tagged tells a call that is given a template with a tag: the tag makes its
// values parameters.
func (x *foreignCode) tagged(c syntax.Node) bool {
	a := arg(c, 0)
	return x.written(a).Is("template") && x.written(a).Detail() == "tagged"
}
