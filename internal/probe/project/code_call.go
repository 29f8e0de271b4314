package project

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/il/intree"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/probe"
)

func codeCall() probe.Probe {
	return probe.Probe{
		ID: "code.call", Version: "1", Target: court.GithubRepo, Generic: true,
		Title:  "The code calls the named function",
		Doc:    "Looks for calls by full name through imports and aliases (\"subprocess.run\"), by last name (\"*.add_edge\", \"clone\"), in Python, Go, JavaScript, TypeScript, Java and Rust as the code means it, in other languages by the text of the call. What makes a value and what calls a macro is a call, too. Python code that can never run does not count. Where the name only stands in code, the answer is unknown.",
		Remedy: "Call the function that the rubric names.",
		Effort: 30,
		Args: []probe.Arg{
			{Name: "name", Type: "strings", Required: true, Doc: "one of these; * is any run of characters"},
			{Name: "arg", Type: "string", Doc: "only calls with this argument, as name=value or name: a keyword, an option in an object or struct that is handed over, or a position from 0"},
			{Name: "min", Type: "int", Default: 1, Doc: "so many at least"},
		},
		Run: beyond(func(ctx context.Context, s *probe.Scene, a probe.Args) ([]probe.Finding, error) {
			names := a.Strings("name")
			if len(names) == 0 || len(names) > 50 {
				return nil, &probe.Unable{Reason: court.NoDetector, Why: "between 1 and 50 names of calls can be looked for"}
			}
			at, source, err := calls(ctx, s, names, a.String("arg"), a.Scope)
			if err != nil {
				return nil, err
			}
			last := names[0][strings.LastIndexByte(names[0], '.')+1:]
			return enough(ctx, s, at, source, a, "Calls of", shown(strings.Join(names, ", ")), strings.Trim(last, "*"))
		}),
	}
}

func calls(ctx context.Context, s *probe.Scene, names []string, arg, scope string) ([]court.Place, court.Source, error) {
	p, err := s.Joined(ctx)
	if err != nil {
		return nil, "", err
	}
	lowered, err := s.Analyses(ctx)
	if err != nil {
		return nil, "", err
	}
	var globs []string
	for _, n := range names {
		if globs = append(globs, n); !strings.Contains(n, ".") {
			globs = append(globs, "*."+n)
		}
	}
	var at []court.Place
	lowered.Lock()
	for _, c := range p.Calls(globs...) {
		if (file{scope: c.Node.Module().Scope}).inScope(scope) && !p.Dead(c.Node) && hasArgument(p, c, arg) {
			at = append(at, court.Place{Path: c.Node.Path(), Line: c.Line()})
		}
	}
	lowered.Unlock()
	source := court.AST
	others, err := trees(ctx, s)
	if err != nil {
		return nil, "", err
	}
	if len(parsed(others, scope)) > 0 {
		lowered.Lock()
		more, weak := treeCalls(others, lowered, names, arg, scope)
		lowered.Unlock()
		if at = append(at, more...); weak {
			source = court.Structure
		}
	}
	if arg != "" {
		slices.SortStableFunc(at, comparePlaces)
		return at, source, nil
	}
	all, err := sources(ctx, s, scope)
	if err != nil {
		return nil, "", err
	}
	re, err := callText(names)
	if err != nil {
		return nil, "", err
	}
	for _, d := range all {
		if !d.byLines() {
			continue
		}
		source = court.Structure
		text := d.code()
		for _, m := range re.FindAllStringSubmatchIndex(text, 500) {
			if !declaration.MatchString(text[max(0, m[2]-40):m[2]]) {
				at = append(at, d.file.place(lineOf(text, m[2])))
			}
		}
	}
	slices.SortStableFunc(at, comparePlaces)
	return at, source, nil
}

// declaration is what stands before a name that is declared, not called.
var declaration = regexp.MustCompile(`\b(?:func|function|fn|fun|def)\s+(?:\([^)]*\)\s*)?$`)

// callText is what a call of one of the names looks like in other languages.
func callText(names []string) (*regexp.Regexp, error) {
	var alternatives []string
	for _, n := range names {
		method := strings.HasPrefix(n, "*.")
		n = strings.ReplaceAll(regexp.QuoteMeta(strings.TrimPrefix(n, "*.")), `\*`, `\w*`)
		if method {
			n = `\.` + n
		}
		alternatives = append(alternatives, n)
	}
	re, err := regexp.Compile(`(?m)(?:^|\b|[^\w])((?:` + strings.Join(alternatives, "|") + `)\s*\()`)
	if err != nil {
		return nil, &probe.Unable{Reason: court.NoDetector, Why: "the names that were asked for cannot be read"}
	}
	return re, nil
}

// hasArgument tells whether a call has a keyword argument, of that value if one
// is given. The caller holds the lock of the analyses.
func hasArgument(p *intree.Program, c *intree.Call, arg string) bool {
	if arg == "" {
		return true
	}
	name, value, valued := strings.Cut(arg, "=")
	n := c.Arg(strings.TrimSpace(name), -1)
	if i, err := strconv.Atoi(name); err == nil && i >= 0 {
		n = c.Arg("", i)
	}
	if !n.Valid() || !valued {
		return n.Valid()
	}
	value = strings.TrimSpace(value)
	from := p.Origins.Of(n)
	text, _ := p.Text(n)
	return n.Text() == value || text == strings.Trim(value, `"'`) && text != "" || len(from) > 0 && !slices.ContainsFunc(from, func(o intree.Origin) bool { return o.Part || o.Node.Text() != value })
}
