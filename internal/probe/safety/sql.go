package safety

import (
	"strings"

	"github.com/automaton-auditor/automaton/internal/facts"
	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
)

// runsSQL are methods that run a statement, by language.
var runsSQL = map[string]*regexp.Regexp{
	"go":         regexp.MustCompile(`^(Query|Exec|QueryRow|Prepare|Raw|NewQuery|MustExec|Select|Get)(Context|x)?$`),
	"java":       regexp.MustCompile(`^(execute|executeQuery|executeUpdate|executeLargeUpdate|addBatch|prepareStatement|prepareCall|createNativeQuery|createQuery|query|queryForObject|queryForList|queryForMap|update|batchUpdate|nativeSQL)$`),
	"javascript": regexp.MustCompile(`^(query|execute|exec|run|all|get|each|raw|prepare|\$queryRawUnsafe|\$executeRawUnsafe)$`),
	"typescript": regexp.MustCompile(`^(query|execute|exec|run|all|get|each|raw|prepare|\$queryRawUnsafe|\$executeRawUnsafe)$`),
	"rust":       regexp.MustCompile(`^(execute|query|query_row|query_one|query_as|prepare|execute_batch|batch_execute|simple_query|sql_query|query_scalar|query_map)$`),
	"c#":         regexp.MustCompile(`^(\w*Command|CommandText|FromSqlRaw|ExecuteSqlRaw(Async)?|SqlQueryRaw|Query(First|Single)?(OrDefault)?(Async)?|Execute(Scalar|Reader)?(Async)?|CreateSQLQuery|\w*DataAdapter)$`),
	python:       regexp.MustCompile(`^execute`),
}

var (
	sqlHead     = regexp.MustCompile(`(?is)^\s*(select\s.*\sfrom\s|insert\s+into\s|update\s.*\sset\s|delete\s+from\s|select\s[^*]*\*|drop\s+table\s|alter\s+table\s|create\s+table\s)`)
	beforeValue = regexp.MustCompile(`(?i)(=|<|>|like|in\s*\(|values\s*\(|,|\(|'|"|%|and|or|where|limit|offset|between)\s*['"%(]*$`)
	beforeName  = regexp.MustCompile("(?i)\\b(from|into|update|table|join|order\\s+by|group\\s+by|select|set|index|on|by|column|pragma|as)\\s*[`\"\\[{]*$|[.`]$")
	marksWord   = regexp.MustCompile(`(?i)(placeholder|marks|params|binds?)\w*$`)
)

// formatsSQL tells a call of a database that is given a statement with something in
// it that may be anybody's.
func formatsSQL(x *lowered, c call) bool {
	if re := runsSQL[c.f.Module.Language]; re == nil || !re.MatchString(c.method()) {
		return false
	}
	_, bad := x.statement(c)
	return bad
}

// statement is where what is put into the text of a statement comes from, and
// whether some of it is a value at a place of values, or input.
func (x *lowered) statement(c call) (worst facts.Origin, bad bool) {
	for i, o := range c.in.Args[1:] {
		if c.f.Module.Language == python && i > 0 || x.tagged(c.f, o) {
			continue
		}
		whole := x.flow(c.f, o, c.in)
		if whole == facts.Own {
			continue // whatever is put into it is the program's own
		}
		for _, s := range x.values.Shapes(c.f, o, c.in) {
			if s.Kind != analyse.Text || !sqlHead.MatchString(pattern(s)) {
				continue
			}
			text := ""
			for _, p := range s.Parts {
				if p.Known {
					text += p.Text
					continue
				}
				if p.In != nil && !marksWord.MatchString(spelled(p.In, p.Of, 3)) {
					from := min(whole, x.flow(p.In, p.Of, putBy(p)))
					worst = max(worst, from)
					bad = bad || from >= facts.Open || from == facts.Unclear && beforeValue.MatchString(text) && !beforeName.MatchString(text)
				}
				text += " ? "
			}
		}
	}
	return worst, bad
}

// putBy is the instruction that puts a part into a text.
func putBy(p analyse.Part) *il.Instr {
	if p.Of.Kind == il.Local {
		for _, use := range p.In.Versions[p.Of.ID].Uses {
			if use.Op == il.Make || use.Op == il.Bind || use.Op == il.Call {
				return use
			}
		}
	}
	return p.In.Def(p.Of)
}

// pattern is a text with " ? " for what is put into it.
func pattern(s analyse.Shape) string {
	var b strings.Builder
	for _, p := range s.Parts {
		if p.Known {
			b.WriteString(p.Text)
		} else {
			b.WriteString(" ? ")
		}
	}
	return b.String()
}

// tagged tells a template with a tag: the tag makes its values parameters.
func (x *lowered) tagged(f *il.Function, o il.Operand) bool {
	def := f.Def(f.Root(o))
	return def != nil && def.Op == il.Call && def.Mode == il.Plain && len(def.Args) > 1 && strings.HasSuffix(def.Kind, "`")
}
