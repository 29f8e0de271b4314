package safety

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/facts"
	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/tables"
)

// outsideKeys are names under which a state, a record or a parameter carries
// the submission or a question of somebody's.
var outsideKeys = regexp.MustCompile(`^(repo|repository|git|github|clone|remote|target|submission|peer|project|source)?_?(url|uri)$|^(user_(input|query|text)|pdf_(path|url))$`)

// parameter is the origin of a parameter that no known call fills: what a framework
// puts there.
func (x *lowered) parameter(from analyse.Origin) facts.Origin {
	f, p := from.Function, from.Function.Params[from.Param]
	if object := x.Names.Instance(f, from.Operand); object.Outside != "" {
		for i := len(from.Keys); i >= 0; i-- {
			if o, ok := known(f.Module.Language, strings.Join(append([]string{object.Outside}, from.Keys[:i]...), ".")); ok {
				return o
			}
		}
	}
	switch f.Module.Language {
	case python:
		return x.parameterOfPython(from, p)
	case "go":
		if p.Type == "[]string" && p.Name == "args" && from.Param > 0 && strings.HasSuffix(f.Params[0].Type, "cobra.Command") {
			return facts.User
		}
	case "java":
		if slices.ContainsFunc(p.Decorators, senderMark.MatchString) {
			return facts.Sender
		}
		if last(f.Name) == "main" && strings.HasPrefix(p.Type, "String") {
			return facts.User
		}
	case "rust":
		if x.extracts(f, p) {
			return facts.Sender
		}
	case "c#":
		if valueType.MatchString(p.Type) {
			return facts.Own
		}
		if slices.ContainsFunc(p.Decorators, boundMark.MatchString) || slices.ContainsFunc(f.Decorators, actionMark.MatchString) && !slices.ContainsFunc(p.Decorators, serviceMark.MatchString) && wordType.MatchString(p.Type) {
			return facts.Sender
		}
		if last(f.Name) == "Main" && strings.HasPrefix(p.Type, "string[]") {
			return facts.User
		}
	default:
		if slices.ContainsFunc(p.Decorators, senderMark.MatchString) || x.request(from, p) {
			return facts.Sender
		}
	}
	return unclear(f)
}

var (
	senderMark   = regexp.MustCompile(`^(\w+\.)*(RequestParam|PathVariable|RequestBody|RequestHeader|CookieValue|ModelAttribute|RequestPart|QueryParam|PathParam|FormParam|HeaderParam|CookieParam|MatrixParam|BeanParam|Query|Param|Body|Headers|UploadedFile)$`)
	boundMark    = regexp.MustCompile(`^(\w+\.)*From(Query|Route|Body|Form|Header)(\(|$)`)
	serviceMark  = regexp.MustCompile(`^(\w+\.)*FromServices`)
	actionMark   = regexp.MustCompile(`^(\w+\.)*(Http(Get|Post|Put|Patch|Delete|Head|Options)|Route|AcceptVerbs)(\(|$)`)
	valueType    = regexp.MustCompile(`^[:\s]*(System\.)?(s?byte|u?short|u?int|u?long|float|double|decimal|bool|U?Int(16|32|64)|Double|Decimal|Boolean|Guid|Date(Time(Offset)?|Only)|TimeSpan)\??$`)
	wordType     = regexp.MustCompile(`^[:\s]*(string|String|IFormFile|object|dynamic)\??(\[\])?$`)
	extractor    = regexp.MustCompile(`(^|[&:\s])(Query|Path|Json|Form|Multipart|TypedHeader|RawQuery|Bytes|LenientForm|TempFile)(<|$)`)
	routeMark    = regexp.MustCompile(`^(\w+(\.|::))*(get|post|put|patch|delete|route|head|options)$`)
	requestType  = regexp.MustCompile(`(^|\.)(FastifyRequest|NextApiRequest|NextRequest|IncomingMessage|Request|HttpRequest|ParameterizedContext)(<.*)?$`)
	requestWord  = regexp.MustCompile(`^_?(req|request|ctx|context|c)$`)
	responseWord = regexp.MustCompile(`^_?(res|resp|response|reply)$`)
	senderMember = regexp.MustCompile(`^(query|params?|body|rawBody|headers?|cookies|url|originalUrl|path|href|hostname|files?|nextUrl|searchParams|formData|json|text|get|request|req|query(string|Params?)|args)$`)
	routers      = regexp.MustCompile(`^(get|post|put|patch|delete|del|use|all|route|head|options|on|createServer|handle)$`)
	routerWord   = regexp.MustCompile(`(?i)(app|router|server|api|fastify|routes?|koa|hono|express)$`)
	handlerFile  = regexp.MustCompile(`(^|/)(pages/api/|app/.*/route\.[jt]s|api/)`)
)

// extracts tells a parameter that a web framework of Rust takes out of a request.
func (x *lowered) extracts(f *il.Function, p il.Param) bool {
	brings := func(crates ...string) bool {
		for _, in := range f.Module.Top.Instructions() {
			if in.Op == il.Import && slices.ContainsFunc(crates, func(c string) bool {
				name := strings.ReplaceAll(in.Kind, "::", ".")
				return name == c || strings.HasPrefix(name, c+".")
			}) {
				return true
			}
		}
		return false
	}
	if extractor.MatchString(p.Type) && brings("actix_web", "axum", "rocket", "warp") {
		return true
	}
	return slices.ContainsFunc(f.Decorators, routeMark.MatchString) && !strings.Contains(p.Type, "State") && brings("rocket")
}

// request tells a part of a parameter of JavaScript that a framework fills with the
// request: by its type, or by the place of its function.
func (x *lowered) request(from analyse.Origin, p il.Param) bool {
	f := from.Function
	if len(from.Keys) == 0 || !senderMember.MatchString(from.Keys[0]) && p.Name != "" {
		return false
	}
	if requestType.MatchString(strings.TrimLeft(p.Type, ": ")) {
		return true
	}
	if from.Param > 0 && !(requestWord.MatchString(p.Name) && from.Param == 1 && len(f.Params) > 3) {
		return false
	}
	return (p.Name == "" || requestWord.MatchString(p.Name)) && x.handles(f)
}

// handles tells a function that is handed to a router, or that a framework finds by
// its place.
func (x *lowered) handles(f *il.Function) bool {
	if slices.ContainsFunc(x.Names.Sites(f), func(s analyse.Site) bool { return !s.Call && x.routes(s.Function, s.At, 3) }) {
		return true
	}
	if !exported(f) {
		return false
	}
	return handlerFile.MatchString(f.Module.Path) || len(f.Params) > 1 && requestWord.MatchString(f.Params[0].Name) && responseWord.MatchString(f.Params[1].Name)
}

// exported tells a function that its module hands out.
func exported(f *il.Function) bool {
	for _, in := range f.Module.Top.Instructions() {
		if in.Op == il.Set && (in.Kind == "export" || in.Kind == "attr") {
			if def := f.Module.Top.Def(f.Module.Top.Root(in.Args[2])); def != nil && def.Ref == f {
				return true
			}
		}
	}
	return false
}

// routes tells a call that hands requests to functions, or what goes into one.
func (x *lowered) routes(f *il.Function, in *il.Instr, deep int) bool {
	if in.Op != il.Call {
		return deep > 0 && in.Dst != il.NoDst && (in.Op == il.Make || in.Op == il.Set || in.Op == il.Bind || in.Op == il.Phi) &&
			slices.ContainsFunc(f.Versions[in.Dst].Uses, func(u *il.Instr) bool { return x.routes(f, u, deep-1) })
	}
	c := call{f: f, in: in}
	if !routers.MatchString(c.method()) {
		return deep > 0 && slices.ContainsFunc(f.Versions[in.Dst].Uses, func(u *il.Instr) bool {
			return slices.Contains(u.Args[min(1, len(u.Args)):], il.Operand{Kind: il.Local, ID: in.Dst}) && x.routes(f, u, deep-1)
		})
	}
	if s := x.Names.Operand(f, in.Args[0]); s != nil && s.Outside != "" {
		return named(s.Outside, "express*", "fastify*", "koa*", "@koa/*", "http.createServer", "https.createServer", "hono*", "restify*", "polka*", "Bun.serve", "http2.create*", "connect*")
	} else if s != nil && s.Function != nil {
		return false
	}
	first, _ := c.in.Argument("", 0)
	path, constant := f.Str(f.Root(first))
	object := strings.TrimSuffix(in.Kind, "."+c.method())
	for strings.Contains(object, "()") { // app.route("/x").get(...)
		object = strings.TrimSuffix(object, "()")
		object = object[:max(strings.LastIndexByte(object, '.'), 0)]
	}
	return routerWord.MatchString(object) && (constant && strings.HasPrefix(path, "/") || c.method() == "use")
}

// parameterOfPython is what a framework of Python puts into a parameter: by what
// decorates its function, the class that it handles requests in, or its type.
func (x *lowered) parameterOfPython(from analyse.Origin, p il.Param) facts.Origin {
	f := from.Function
	if from.Param == 0 && f.Class != "" && (p.Name == "self" || p.Name == "cls") {
		if len(from.Keys) > 0 && x.handlerPart(f, from.Keys[0]) {
			return facts.Sender
		}
		if len(from.Keys) == 0 {
			return facts.Own
		}
		return facts.Open
	}
	if o, ok := x.djangoRequest(from, p); ok {
		return o
	}
	if n := len(from.Keys); n > 0 && x.wired[lineOf(f)] && outsideKeys.MatchString(from.Keys[n-1]) && p.Name != "settings" && p.Name != "config" {
		return facts.Sender
	}
	if n := len(from.Keys); n == 0 && x.wired[lineOf(f)] && outsideKeys.MatchString(p.Name) && len(x.Names.Sites(f)) > 0 {
		return facts.Sender
	}
	if p.Spread != "" {
		return facts.Open
	}
	for _, c := range x.decorations(f) {
		row, ok := tables.Of(tables.Flow).Find(python, c.name, "route", "typed route", "command")
		switch {
		case !ok:
			continue
		case row.Role == "route":
			return x.routed(f, p)
		case row.Role == "command":
			if len(from.Keys) > 0 {
				return facts.Open
			}
			return x.commandOption(f, p, from.Param)
		}
		return x.typedParameter(from, p)
	}
	return facts.Open
}

// decorations are the calls that decorate a function.
func (x *lowered) decorations(f *il.Function) (out []call) {
	if f.Outer == nil || len(f.Decorators) == 0 {
		return nil
	}
	for _, in := range f.Outer.Instructions() {
		if in.Op != il.Call || in.Mode != il.Decorate || len(in.Args) < 2 {
			continue
		}
		if def := f.Outer.Def(f.Outer.Root(in.Args[1])); def == nil || def.Ref != f {
			continue
		}
		name, _ := x.callee(f.Outer, in)
		out = append(out, call{f.Outer, in, name})
	}
	return out
}

// handlerPart tells what a class of request handlers of a library hands to its
// methods, where the class does not bind it itself.
func (x *lowered) handlerPart(f *il.Function, key string) bool {
	class := x.Names.Class(f.Outer)
	if class == nil {
		return false
	}
	return slices.ContainsFunc(x.Names.Above(class.Body), func(base string) bool {
		return tables.Of(tables.Flow).Has(python, base+"."+key, "handler")
	})
}

// djangoRequest is what a view of a framework that knows requests by their place
// reads of one.
func (x *lowered) djangoRequest(from analyse.Origin, p il.Param) (facts.Origin, bool) {
	f, first := from.Function, 0
	if f.Class != "" {
		first = 1
	}
	if p.Name != "request" || p.Type != "" || from.Param != first || len(from.Keys) == 0 {
		return 0, false
	}
	if slices.ContainsFunc(x.Names.Sites(f), func(s analyse.Site) bool { return s.Call }) {
		return 0, false
	}
	for _, in := range f.Module.Top.Instructions() {
		if in.Op == il.Import && (strings.HasPrefix(in.Kind, "django.") || strings.HasPrefix(in.Kind, "rest_framework.") || in.Kind == "aiohttp" || strings.HasPrefix(in.Kind, "aiohttp.")) {
			return known(python, "django.http.HttpRequest."+from.Keys[0])
		}
	}
	return 0, false
}

var converter = regexp.MustCompile(`<(?:([a-zA-Z_]\w*)(?:\([^)]*\))?:)?([a-zA-Z_]\w*)>|\{([a-zA-Z_]\w*)(?::([a-zA-Z_]\w*))?\}`)

// routed is what a part of a path carries: text, unless its converter makes a number
// of it.
func (x *lowered) routed(f *il.Function, p il.Param) facts.Origin {
	answer, named := facts.Open, false
	for _, c := range x.decorations(f) {
		for _, o := range c.in.Args[1:] {
			text, _ := c.f.Str(c.f.Root(o))
			for _, m := range converter.FindAllStringSubmatch(text, -1) {
				if m[2]+m[3] != p.Name {
					continue
				}
				named = true
				switch m[1] + m[4] {
				case "int", "float", "uuid", "any":
					answer = facts.Own
				case "", "string", "str", "path":
					return facts.Sender
				}
			}
		}
	}
	if answer == facts.Open && !named && !p.Filled && p.Type == "" {
		return facts.Sender
	}
	return answer
}
