package safety

import (
	"strings"

	"github.com/automaton-auditor/automaton/internal/code/syntax"
	"github.com/automaton-auditor/automaton/internal/facts"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
)

var (
	requestType  = regexp.MustCompile(`(^|\.)(FastifyRequest|NextApiRequest|NextRequest|IncomingMessage|Request|HttpRequest|ParameterizedContext|Context)(<.*)?$`)
	requestWord  = regexp.MustCompile(`^_?(req|request|ctx|context|c)$`)
	senderMember = regexp.MustCompile(`^(query|params?|body|rawBody|headers?|cookies|url|originalUrl|path|href|hostname|files?|nextUrl|searchParams|formData|json|text|get|request|req|query(string|Params?)|args)$`)
	routers      = regexp.MustCompile(`^(get|post|put|patch|delete|del|use|all|route|head|options|on|createServer|handle)$`)
	routerWord   = regexp.MustCompile(`(?i)(app|router|server|api|fastify|routes?|koa|hono|express)$`)
	extractor    = regexp.MustCompile(`(^|[&:\s])(Query|Path|Json|Form|Multipart|TypedHeader|RawQuery|Bytes|LenientForm|TempFile)(<|$)`)
	routeMark    = regexp.MustCompile(`^(\w+\.)*(get|post|put|patch|delete|route|head|options)$`)
	senderMark   = regexp.MustCompile(`^(\w+\.)*(RequestParam|PathVariable|RequestBody|RequestHeader|CookieValue|ModelAttribute|RequestPart|QueryParam|PathParam|FormParam|HeaderParam|CookieParam|MatrixParam|BeanParam|Query|Param|Body|Headers|UploadedFile)$`)
)

// parameter is the origin of a parameter that no known caller gives.
func (x *foreignCode) parameter(d syntax.Node) facts.Origin {
	fn := d.Parent()
	for m := range d.Children("decorator") {
		if senderMark.MatchString(m.Name()) {
			return facts.Sender
		}
	}
	kind := d.Child("type").Name()
	switch d.File().Language {
	case "go":
		if kind == "[]string" && d.Name() == "args" && strings.HasSuffix(fn.Child("param").Child("type").Name(), "cobra.Command") {
			return facts.User
		}
	case "java":
		if fn.Name() == "main" && fn.Has(syntax.Static) && strings.HasPrefix(kind, "String") {
			return facts.User
		}
	case "rust":
		if extractor.MatchString(kind) && (x.imports(d.File(), "actix_web", "axum", "rocket", "warp")) {
			return facts.Sender
		}
		for m := range fn.Children("decorator") {
			if routeMark.MatchString(m.Name()) && x.imports(d.File(), "rocket") && !strings.Contains(kind, "State") {
				return facts.Sender
			}
		}
	default:
		if d.Child("pattern").Valid() && x.request(d) {
			return facts.Sender
		}
	}
	return facts.Unclear
}

// imports tells a file that imports one of the modules, or something in it.
func (x *foreignCode) imports(f *syntax.File, modules ...string) bool {
	for n := range f.Root().Walk() {
		if !n.Is("import") {
			continue
		}
		name := strings.ReplaceAll(n.Name(), "::", ".")
		for _, m := range modules {
			if name == m || strings.HasPrefix(name, m+".") || strings.HasPrefix(name, m+"/") {
				return true
			}
		}
	}
	return false
}

// sent tells a part of a request that its sender writes.
func (x *foreignCode) sent(n syntax.Node) bool {
	if n.Is("call") {
		n = n.Child("callee")
	}
	if !n.Is("member") || !senderMember.MatchString(n.Name()) {
		return false
	}
	root := n.Child("object")
	if root.Is("member") && requestWord.MatchString(root.Name()) {
		root = root.Child("object")
	}
	if !root.Is("name") {
		return false
	}
	d := x.p.Declared(root)
	return d.Is("param") && x.request(d)
}

// request tells a parameter of JavaScript that a framework fills with the
// request: by its type, or by the place of its function.
func (x *foreignCode) request(d syntax.Node) bool {
	if lang := d.File().Language; lang != "javascript" && lang != "typescript" {
		return false
	}
	fn := d.Parent()
	if t := d.Child("type"); t.Valid() && requestType.MatchString(t.Name()) && t.Name() != "Context" {
		return true
	}
	if first := fn.Child("param"); d != first && !(requestWord.MatchString(d.Name()) && d == fn.Nth("param", 1) && fn.Nth("param", 3).Valid()) {
		return false
	}
	return x.handler(fn) && (requestWord.MatchString(d.Name()) || d.Child("pattern").Valid())
}

// handler tells a function that is handed to a router.
func (x *foreignCode) handler(fn syntax.Node) bool {
	if x.routed(fn) {
		return true
	}
	name := fn.Name()
	if name == "" && fn.Parent().Is("assign") {
		name = fn.Parent().Name()
	}
	file := fn.File()
	if name != "" && regexp.MustCompile(`(^|/)(pages/api/|app/.*/route\.[jt]s|api/)`).MatchString(file.Path) && fn.Has(syntax.Exported) {
		return true
	}
	if name == "" {
		return false
	}
	for n := range file.Root().Walk() { // handed on by its name
		if n.Is("name") && n.Name() == name && n.Role() == "arg" && x.routes(n.Parent()) {
			return true
		}
	}
	return fn.Has(syntax.Exported) && secondResponse(fn)
}

var responseWord = regexp.MustCompile(`^_?(res|resp|response|reply)$`)

// secondResponse tells a function of a request and a response.
func secondResponse(fn syntax.Node) bool {
	return requestWord.MatchString(fn.Nth("param", 0).Name()) && responseWord.MatchString(fn.Nth("param", 1).Name())
}

// routed tells a lambda among the arguments of a router's call, or under the
// handler of its options.
func (x *foreignCode) routed(fn syntax.Node) bool {
	p := fn.Parent()
	for p.Is("list", "entry", "record") || p.Is("call") && !x.routes(p) && p.Role() == "arg" {
		p = p.Parent()
	}
	return p.Is("call") && x.routes(p)
}

// routes tells a call that hands requests to functions.
func (x *foreignCode) routes(c syntax.Node) bool {
	callee := c.Child("callee")
	if !c.Is("call") || !routers.MatchString(callee.Name()) {
		return false
	}
	if full := x.p.Resolve(callee); named(full, "express*", "fastify*", "koa*", "@koa/*", "http.createServer", "https.createServer", "hono*", "restify*", "polka*", "Bun.serve", "http2.create*", "connect*") {
		return true
	} else if full != "" && !strings.HasPrefix(full, "./") {
		return false
	}
	object := callee.Child("object")
	for object.Is("call") { // app.route("/x").get(...)
		object = object.Child("callee").Child("object")
	}
	path, known := x.p.Text(arg(c, 0))
	return routerWord.MatchString(object.Name()) && (known && strings.HasPrefix(path, "/") || callee.Name() == "use")
}
