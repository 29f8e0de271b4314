package tool

import (
	"regexp"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
)

// hazard is one kind of dangerous call.
type hazard struct {
	kind      string
	globs     []string
	severity  court.Severity
	certainty court.Fixed // 0 means 1: how surely such a call is a flaw
	why       string      // what the call does, after "a call that"
	when      func(v *survey, c *code.Call) bool
	input     func(v *survey, c *code.Call) code.Node // the argument that would be dangerous
}

// danger is one dangerous call.
type danger struct {
	hazard
	call    *code.Call
	tainted tri
}

// half is the certainty of traces that are often harmless.
const half = court.One / 2

func first(_ *survey, c *code.Call) code.Node { return c.Arg("", 0) }

// hazards lists the kinds, the gravest first.
func hazards() []hazard {
	return []hazard{
		{kind: "eval", globs: []string{"builtins.eval", "builtins.exec"}, severity: court.High, why: "runs text as code", input: first},
		{kind: "pickle", severity: court.High, certainty: 8000, why: "runs code that is hidden in data", input: first, globs: []string{
			"pickle.load", "pickle.loads", "pickle.Unpickler", "_pickle.load*", "cPickle.load*", "marshal.load", "marshal.loads",
			"shelve.open", "dill.load", "dill.loads", "cloudpickle.load", "cloudpickle.loads", "jsonpickle.decode", "joblib.load"}},
		{kind: "yaml", globs: []string{"yaml.load", "yaml.load_all", "yaml.unsafe_load", "yaml.unsafe_load_all"}, severity: court.High,
			why: "builds any object that a YAML text asks for", when: unsafeYAML, input: first},
		{kind: "torch", globs: []string{"torch.load"}, severity: court.Medium, why: "runs code that is hidden in a model file", input: first,
			when: func(v *survey, c *code.Call) bool { return v.truth(c.Arg("weights_only", -1)) == no && !c.Splat() }},
		{kind: "sql", globs: []string{"sqlite3.connect().*execute*", "psycopg2.connect().*execute*", "psycopg.connect().*execute*", "pymysql.connect().*execute*",
			"*.execute", "*.executescript", "*.executemany"}, severity: court.High, why: "puts values into the text of an SQL statement",
			when: formatsSQL, input: first},
		{kind: "tar", globs: []string{"tarfile.open().extractall", "tarfile.TarFile().extractall", "tarfile.TarFile.open().extractall"}, severity: court.Medium,
			certainty: 8000, why: "unpacks an archive without a filter for its paths", input: func(_ *survey, c *code.Call) code.Node { return c.Receiver },
			when: func(_ *survey, c *code.Call) bool {
				return !c.Arg("filter", -1).Valid() && !c.Arg("members", 1).Valid() && !c.Splat()
			}},
		{kind: "verify", globs: []string{"requests.*", "httpx.*"}, severity: court.Medium, why: "does not check the server's certificate",
			when: func(v *survey, c *code.Call) bool {
				n := c.Arg("verify", -1)
				return n.Valid() && v.p.Eval(n).Kind == code.ValueBool && v.truth(n) == no
			}},
		{kind: "xml", globs: []string{"lxml.etree.XMLParser"}, severity: court.Medium, certainty: 8000, why: "reads outside entities of an XML text",
			when: func(v *survey, c *code.Call) bool {
				n := c.Arg("resolve_entities", -1)
				return n.Valid() && v.p.Eval(n).Kind == code.ValueBool && v.truth(n) == yes
			}},
		{kind: "mktemp", globs: []string{"tempfile.mktemp"}, severity: court.Low, certainty: half, why: "only makes up the name of a temporary file"},
		{kind: "password", globs: []string{"hashlib.md5", "hashlib.sha1"}, severity: court.Medium, certainty: half, why: "hashes a password with a fast function",
			when: func(_ *survey, c *code.Call) bool { return passwordName.MatchString(c.Arg("", 0).Text()) }},
		{kind: "random", globs: []string{"random.random", "random.randint", "random.choice", "random.choices", "random.getrandbits", "random.sample"},
			severity: court.Low, certainty: half, why: "makes a secret with predictable random numbers", when: namesSecret},
		{kind: "debug", globs: []string{"flask.Flask().run", "quart.Quart().run"}, severity: court.Medium, certainty: half, why: "serves a debugger",
			when: func(v *survey, c *code.Call) bool {
				n := c.Arg("debug", 2)
				return n.Valid() && v.p.Eval(n).Kind == code.ValueBool && v.truth(n) == yes
			}},
		{kind: "html", globs: []string{"jinja2.Environment"}, severity: court.Low, certainty: half, why: "fills HTML templates without escaping",
			when: func(v *survey, c *code.Call) bool {
				n := c.Arg("autoescape", -1)
				return (!n.Valid() && !c.Splat() || n.Valid() && n.Is("false")) && htmlTemplates(v, c)
			}},
	}
}

// sort is the kind that a check may ask for; see code.danger.
func (h hazard) sort() string {
	switch h.kind {
	case "sql":
		return "sql"
	case "eval", "pickle", "yaml", "torch", "tar", "xml":
		return "code"
	}
	return "settings"
}

var passwordName = regexp.MustCompile(`(?i)passw|passphrase|\bpwd\b`)

// unsafeYAML tells a yaml.load whose loader builds objects.
func unsafeYAML(v *survey, c *code.Call) bool {
	if strings.Contains(c.Callee.Qualified, "unsafe") {
		return true
	}
	loader := c.Arg("Loader", 1)
	if !loader.Valid() {
		return !c.Splat()
	}
	s := v.p.Resolve(loader)
	return s.Matches("yaml.Loader", "yaml.UnsafeLoader", "yaml.CLoader", "yaml.loader.Loader", "yaml.loader.UnsafeLoader")
}

var sqlStart = regexp.MustCompile(`(?is)^\s*(select\s.*\sfrom\s|insert\s+into\s|update\s.*\sset\s|delete\s+from\s|drop\s+table\s|alter\s+table\s|create\s+table\s)`)

// formatsSQL tells a statement with values put into its text.
func formatsSQL(v *survey, c *code.Call) bool {
	text := c.Arg("", 0)
	if v.taint(text) == no {
		return false // whatever is put into it is the program's own
	}
	for _, choice := range v.p.Eval(text).Choices() {
		if known, ok := choice.Str(); ok && sqlStart.MatchString(known) && !v.constant(text) {
			return true // known only by a default
		}
		if choice.Kind != code.ValueString || len(choice.Items) == 0 || !sqlStart.MatchString(choice.Pattern()) {
			continue
		}
		for _, part := range choice.Items {
			if _, known := part.Str(); !known && part.Node.Valid() && v.taint(part.Node) != no {
				return true
			}
		}
	}
	return false
}

// namesSecret tells a call whose result is called a secret.
func namesSecret(_ *survey, c *code.Call) bool {
	for a := range c.Node.Around() {
		if a.Is("assignment") {
			return secretName.MatchString(a.Field("left").Text())
		}
		if a.Is("block", "function_definition") {
			return false
		}
	}
	return false
}

var secretName = regexp.MustCompile(`(?i)(^|_|\.)(secret|password|passwd|api_key|session_id|csrf|otp|auth_token|access_token|reset_token|refresh_token|api_token)(_|$)`)

// htmlTemplates tells a file that asks for templates of HTML pages.
func htmlTemplates(_ *survey, c *code.Call) bool {
	return slices.ContainsFunc(c.Node.Module().Calls(), func(o *code.Call) bool {
		text, _ := plain(o.Arg("name", 0))
		return o.Name == "get_template" && (strings.HasSuffix(text, ".html") || strings.HasSuffix(text, ".htm"))
	})
}

// dangers lists the dangerous calls of every scope class, by place.
func (v *survey) dangers(kind string) []danger {
	var out []danger
	for _, h := range hazards() {
		if !asked(kind, h.sort()) {
			continue
		}
		for _, c := range v.p.Calls(h.globs...) {
			if v.p.Dead(c.Node) || c.Callee.Def != nil || h.when != nil && !h.when(v, c) {
				continue
			}
			d := danger{hazard: h, call: c}
			if h.input != nil {
				if n := h.input(v, c); n.Valid() {
					d.tainted = v.taint(n)
				}
			}
			out = append(out, d)
		}
	}
	slices.SortStableFunc(out, func(a, b danger) int { return compareNodes(a.call.Node, b.call.Node) })
	return out
}
