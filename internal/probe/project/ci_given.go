package project

import (
	"strings"

	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
)

// given is what a pipeline says of its variables and of its matrix.
type given map[string][]string

var (
	givesValue = regexp.MustCompile(`^\s*(?:- )?["']?([\w.-]+)["']?\s*:\s*(\S.*)?$`)
	givesItem  = regexp.MustCompile(`^\s*-\s+["']?([^"':]+?)["']?$`)
	takesValue = regexp.MustCompile(`\$\{\{\s*(?:[a-z]+\.)?([\w.-]+)[^}]*\}\}`)
)

func givenBy(lines []string) given {
	out := given{}
	key := ""
	for _, line := range lines {
		text := strings.TrimRight(uncommented([]string{line}), "\r\n ")
		if m := givesItem.FindStringSubmatch(text); m != nil && key != "" {
			out[key] = append(out[key], m[1])
			continue
		}
		key = ""
		m := givesValue.FindStringSubmatch(text)
		switch {
		case m == nil:
		case m[2] == "":
			key = m[1]
		default:
			for v := range strings.SplitSeq(strings.Trim(m[2], "[]"), ",") {
				out[m[1]] = append(out[m[1]], strings.Trim(v, " \"'"))
			}
		}
	}
	return out
}

// fill puts the values into a command, as many commands as one of its holes has
// values. A hole of which the pipeline says nothing is one word.
func (g given) fill(text string) []string {
	const most = 12
	out := []string{text}
	for _, m := range takesValue.FindAllStringSubmatch(text, 4) {
		values := g[m[1]]
		if len(values) == 0 || strings.Contains(values[0], "${{") {
			values = []string{"$"}
		}
		var next []string
		for _, t := range out {
			for _, v := range values[:min(len(values), most)] {
				next = append(next, strings.Replace(t, m[0], v, 1))
			}
		}
		out = next[:min(len(next), most)]
	}
	return out
}

// unsaid are the commands that Travis runs for a language when a definition
// names none.
var unsaid = map[string]string{"node_js": "npm test", "go": "go test", "rust": "cargo test", "java": "mvn test", "ruby": "rake test", "elixir": "mix test"}

var (
	travisScript   = regexp.MustCompile(`(?m)^\s*(?:- )?script\s*:`)
	travisLanguage = regexp.MustCompile(`(?m)^language\s*:\s*["']?(\w+)`)
)

// ordersOf lists the commands of a pipeline with its own values in them.
func ordersOf(f *file, lines []string) []ordered {
	var out []ordered
	values := givenBy(lines)
	for _, c := range commandsOf(lines) {
		for _, text := range values.fill(c.text) {
			out = append(out, ordered{text, c.line})
		}
	}
	if m := travisLanguage.FindStringSubmatch(f.text); m != nil && strings.Contains(f.base, "travis") && !travisScript.MatchString(f.text) && unsaid[m[1]] != "" {
		out = append(out, ordered{unsaid[m[1]], lineWith(f.text, "language")})
	}
	return out
}
