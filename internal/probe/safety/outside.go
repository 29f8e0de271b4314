package safety

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
)

// handlerParts are what a request handler of a class hands to its methods.
var handlerParts = map[string][]string{
	"http.server.*":                {"path", "headers", "rfile", "requestline"},
	"socketserver.*RequestHandler": {"rfile", "request"},
	"tornado.web.RequestHandler":   {"get_argument", "get_arguments", "get_query_argument", "get_body_argument", "request", "path_kwargs"},
}

// requestTypes are the requests of web frameworks.
var requestTypes = []string{"fastapi.Request", "starlette.requests.Request", "django.http.HttpRequest", "django.http.request.HttpRequest",
	"rest_framework.request.Request", "aiohttp.web.Request", "sanic.Request", "sanic.request.Request"}

// requestParts are the parts of a request that its sender writes.
var requestParts = []string{"GET", "POST", "FILES", "COOKIES", "META", "headers", "cookies", "body", "data", "json", "text", "form", "post", "read",
	"stream", "query", "query_string", "query_params", "path_params", "match_info", "rel_url", "args", "url"}

// requested tells a read from a request that somebody sends: of a handler
// class, or of a parameter that is a request.
func (v *survey) requested(n code.Node) bool {
	for n.Is("attribute", "subscript", "call", "await") {
		switch n.Kind() {
		case "attribute":
			if v.sent(n) {
				return true
			}
			n = n.Field("object")
		case "subscript":
			n = n.Field("value")
		case "call":
			n = n.Field("function")
		default:
			n = n.Child(0)
		}
	}
	return false
}

// sent tells the part of a request that an attribute reads.
func (v *survey) sent(n code.Node) bool {
	object, name := n.Field("object"), n.Field("attribute").Text()
	fn := v.function(n)
	if fn == nil || !fn.IsFunction() || !isParameter(fn, object) {
		return false
	}
	if class := fn.Class(); class != nil && object.Text() == "self" {
		for base, parts := range handlerParts {
			if slices.Contains(parts, name) && v.p.Inherits(class, base) && !v.assigns(class, name) {
				return true
			}
		}
		return false
	}
	return slices.Contains(requestParts, name) && v.isRequest(fn, object.Text())
}

// assigns tells whether a class gives an attribute a value of its own.
func (v *survey) assigns(class *code.Definition, name string) bool {
	return slices.ContainsFunc(v.p.Fields(code.Symbol{Qualified: class.Qualified, Def: class}), func(f code.Field) bool { return f.Name == name })
}

// isRequest tells a parameter that a web framework fills with the request: by
// its type, or, where the module uses such a framework, by its name and place.
func (v *survey) isRequest(fn *code.Definition, name string) bool {
	i := slices.IndexFunc(fn.Params(), func(p code.Param) bool { return p.Name == name })
	if i < 0 {
		return false
	}
	p := fn.Params()[i]
	if p.Annotation.Valid() {
		return v.p.Resolve(p.Annotation).Matches(requestTypes...)
	}
	first := 0
	if fn.Kind == code.DefMethod {
		first = 1
	}
	if name != "request" || i != first || len(v.p.Callers(fn)) > 0 {
		return false
	}
	return slices.ContainsFunc(fn.Module.Imports(), func(m code.Import) bool {
		return strings.HasPrefix(m.Target, "django.") || strings.HasPrefix(m.Target, "rest_framework.") || strings.HasPrefix(m.Target+".", "aiohttp.")
	})
}
