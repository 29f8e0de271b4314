package project

import regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"

var (
	goFunction = regexp.MustCompile(`(?m)^func (?:\([^)\n]*\) ?)?(\w+)(?:\[[^\]\n]*\])?\(([^)\n]*)`)
	takesTest  = regexp.MustCompile(`\btesting\.(?:TB|T|F)\b`)
	goHands    = regexp.MustCompile(`\b(\w+)(?:\[[^\]\n]*\])?\(\s*(?:t|tb)\s*[,)]`)
	goChecks   = regexp.MustCompile(`\b(?:t|tb)\.(?:Error|Errorf|Fatal|Fatalf|Fail|FailNow)\(|\b(?:require|assert|is|cmp|qt)\.\w+\(|\b(?:testscript|suite)\.Run\(|\bpanic\(`)
)

// goHelpers names, for each folder, the functions of its Go test files that are
// given a test and check something, themselves or in a helper that they hand it
// to.
func goHelpers(files []file) map[string]map[string]bool {
	all := map[string]map[string]bool{}
	bodies := map[string]map[string]string{}
	for _, f := range files {
		if f.lang != "go" {
			continue
		}
		if all[f.dir()] == nil {
			all[f.dir()], bodies[f.dir()] = map[string]bool{}, map[string]string{}
		}
		text := split(f.lang, f.text).code()
		found := goFunction.FindAllStringSubmatchIndex(text, 2000)
		for i, m := range found {
			end := len(text)
			if i+1 < len(found) {
				end = found[i+1][0]
			}
			if name, body := text[m[2]:m[3]], text[m[1]:end]; takesTest.MatchString(text[m[4]:m[5]]) {
				bodies[f.dir()][name] += body
				all[f.dir()][name] = all[f.dir()][name] || goChecks.MatchString(body)
			}
		}
	}
	for dir, names := range bodies {
		for found := true; found; {
			found = false
			for name, body := range names {
				if !all[dir][name] && handsOn(body, all[dir]) {
					all[dir][name], found = true, true
				}
			}
		}
	}
	return all
}

// handsOn tells whether a body calls one of the helpers with its test.
func handsOn(body string, helpers map[string]bool) bool {
	for _, m := range goHands.FindAllStringSubmatch(body, -1) {
		if helpers[m[1]] {
			return true
		}
	}
	return false
}
