package tool

import (
	"regexp"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code/syntax"
)

// origin says where what flows into a value comes from, the worst of it.
type origin uint8

const (
	ownValue origin = iota // the program's own: constants, numbers, clocks
	unclear                // not known, or tested on its way
	byUser                 // of whoever starts the program: its arguments, the terminal
	byPage                 // of the address of a page, which a link names
	bySender               // of somebody else: a request, a message
)

// tainted is the word for a finding.
func (o origin) tainted() string {
	switch o {
	case ownValue:
		return "no"
	case unclear:
		return "unknown"
	case byUser, byPage, bySender:
	}
	return "yes"
}

// senderNames are what somebody sends who is not the program's user.
var senderNames = []string{
	"net/http.Request.URL*", "net/http.Request.Form*", "net/http.Request.PostForm*", "net/http.Request.MultipartForm*", "net/http.Request.Header*",
	"net/http.Request.Body*", "net/http.Request.PathValue", "net/http.Request.Cookie*", "net/http.Request.Host", "net/http.Request.RequestURI",
	"net/http.Request.UserAgent", "net/http.Request.Referer", "net/http.Request.BasicAuth",
	"github.com/gin-gonic/gin.Context.Query*", "github.com/gin-gonic/gin.Context.Param*", "github.com/gin-gonic/gin.Context.PostForm*",
	"github.com/gin-gonic/gin.Context.DefaultQuery", "github.com/gin-gonic/gin.Context.DefaultPostForm", "github.com/gin-gonic/gin.Context.GetHeader",
	"github.com/gin-gonic/gin.Context.Cookie", "github.com/gin-gonic/gin.Context.GetRawData", "github.com/gin-gonic/gin.Context.GetQuery*",
	"github.com/gin-gonic/gin.Context.Request.*", "github.com/labstack/echo*.Context.Param*", "github.com/labstack/echo*.Context.Query*",
	"github.com/labstack/echo*.Context.FormValue", "github.com/labstack/echo*.Context.Request().*", "github.com/gofiber/fiber*.Ctx.Params",
	"github.com/gofiber/fiber*.Ctx.Query*", "github.com/gofiber/fiber*.Ctx.FormValue", "github.com/gofiber/fiber*.Ctx.Body*", "github.com/gofiber/fiber*.Ctx.Get",
	"github.com/gofiber/fiber*.Ctx.Cookies", "github.com/go-chi/chi*.URLParam*", "github.com/gorilla/mux.Vars()*", "github.com/gorilla/websocket.Conn.ReadMessage*",
	"express*.Request.query*", "express*.Request.params*", "express*.Request.body*", "express*.Request.headers*", "express*.Request.cookies*", "express*.Request.url", "express*.Request.originalUrl", "express*.Request.path", "express*.Request.files*",
	"*.FastifyRequest.query*", "*.FastifyRequest.params*", "*.FastifyRequest.body*", "*.FastifyRequest.headers*", "*.NextApiRequest.query*", "*.NextApiRequest.body*",
	"*.NextRequest.nextUrl*", "*.IncomingMessage.url", "*.IncomingMessage.headers*", "*.MultipartFile.getOriginalFilename",
	"*.HttpServletRequest.getParameter*", "*.HttpServletRequest.getHeader*", "*.HttpServletRequest.getQueryString", "*.HttpServletRequest.getInputStream",
	"*.HttpServletRequest.getReader", "*.HttpServletRequest.getCookies*", "*.HttpServletRequest.getPathInfo", "*.HttpServletRequest.getRequestURI",
	"*.HttpServletRequest.getRequestURL", "*.HttpServletRequest.getPart*", "*.ServletRequest.getParameter*", "*.ServletRequest.getInputStream",
	"java.net.Socket.getInputStream", "java.net.ServerSocket.accept().getInputStream", "com.sun.net.httpserver.HttpExchange.getRequest*",
	"actix_web.HttpRequest.*", "axum.extract.Request.*", "hyper.Request.*",
}

// pageNames are what a link to a page puts into its address.
var pageNames = []string{"location.hash", "location.search", "location.href", "window.location", "window.location.hash", "window.location.search", "window.location.href",
	"document.location*", "document.URL", "document.referrer", "window.name"}

// userNames are what the program's user gives.
var userNames = []string{"os.Args*", "flag.Arg*", "flag.Args()*", "os.Stdin*", "process.argv*", "process.stdin*", "std.env.args()*", "std.env.args", "std.env.args_os*",
	"std.io.stdin*", "java.lang.System.in*", "java.lang.System.console()*", "prompt"}

// ownNames give values of the program's own, or no text.
var ownNames = []string{"time.*", "math/rand*", "crypto/*", "os.Getpid", "os.MkdirTemp", "os.CreateTemp*", "os.TempDir", "os.Executable", "os.Getwd", "runtime.*",
	"strconv.Itoa", "strconv.Format*", "strconv.Atoi", "strconv.ParseInt", "strconv.ParseUint", "strconv.ParseFloat", "strconv.ParseBool", "len", "cap", "os/exec.LookPath",
	"encoding/hex.EncodeToString", "hash/*", "github.com/google/uuid.*", "path/filepath.Base", "path.Base", "net/url.QueryEscape", "net/url.PathEscape", "make", "new",
	"parseInt", "parseFloat", "Number", "Math.*", "Date*", "crypto.*", "process.cwd", "process.pid", "process.execPath", "process.platform", "__dirname", "__filename",
	"os.tmpdir", "os.homedir", "os.platform", "path.basename", "performance.*", "encodeURIComponent", "isNaN", "Boolean", "process.version*", "uuid.*", "path.sep", "os.EOL",
	"java.lang.Integer.*", "java.lang.Long.*", "java.lang.Double.*", "java.lang.Boolean.*", "java.util.UUID.*", "java.lang.System.currentTimeMillis", "java.lang.System.nanoTime",
	"java.time.*", "java.lang.Math.*", "java.nio.file.Files.createTemp*", "java.io.File.createTempFile", "java.io.File.separator*", "java.lang.System.lineSeparator",
	"java.lang.String.length", "java.lang.String.hashCode",
	"std.process.id", "std.env.current_dir*", "std.env.current_exe*", "std.env.temp_dir*", "std.time.*", "rand.*", "uuid.*", "chrono.*", "tempfile.*"}

// textCalls give what they are given in another form.
var textCalls = []string{"strings.*", "bytes.*", "net/url.*", "path.*", "path/filepath.*", "fmt.*", "io.ReadAll*", "io/ioutil.ReadAll*", "bufio.New*", "encoding/json.*", "encoding/base64.*",
	"html.UnescapeString", "decodeURIComponent", "decodeURI", "unescape", "JSON.parse", "JSON.stringify", "Buffer.*", "String*", "querystring.*", "url.*", "URL", "URLSearchParams*", "atob", "btoa",
	"Object.*", "Array.*", "java.net.URLDecoder.*", "java.lang.String.*", "java.util.Base64*", "java.nio.file.Path*", "java.io.*", "java.util.Optional*", "std.*", "serde_json.*", "percent_encoding.*"}

// textMethods are methods that give a part or another form of what they are
// called on.
var textMethods = regexp.MustCompile(`(?i)^(trim\w*|to_?lower\w*|to_?upper\w*|split\w*|slice|sub_?str(ing)?|get|get_?all|entries|values|keys|next|pop|shift|at|char_?at|filter|map|lines|chars|bytes|` +
	`decode\w*|string|text|json|body|query|read\w*|collect|nth|iter|into_iter|first|last|item|as_?\w+|to_?\w+|or_?else|or_?default|is_?present|param|header|strip_\w+|into_\w+|unwrap\w*)$`)

// cleaners are functions that make a value harmless, or refuse it.
var cleaners = regexp.MustCompile(`(?i)(escap|sanit|quot|clean|valid|assert|check|verif|normali[sz]e|allow|safe|purify|encode|strip_?tags|ensure|replace|permit|whitelist|slug|hash)`)

// flow is where the parts of values come from.
func (x *abroad) flow(nodes ...syntax.Node) origin {
	t := tracer{abroad: x}
	worst := ownValue
	for _, n := range nodes {
		if n.Valid() {
			worst = max(worst, t.expression(syntax.Part{}, n, 0))
		}
	}
	return worst
}

// tracer follows one question to where values come from. It is bounded: what
// takes longer is not known.
type tracer struct {
	*abroad
	steps int
}

// Bounds on how far a value is followed: calls in each other, and expressions.
const (
	maxDeep  = 8
	maxTrace = 200
)

// expression is the origin of an expression that stands where a part of another
// value comes from.
func (x *tracer) expression(from syntax.Part, n syntax.Node, depth int) origin {
	if x.steps++; depth > maxDeep || x.steps > maxTrace {
		return unclear
	}
	worst := ownValue
	for _, part := range x.p.Inside(from, n) {
		if worst = max(worst, x.part(part, depth)); worst == bySender {
			break
		}
	}
	return worst
}

// part is the origin of one part of a value, after what is tested on its way.
func (x *tracer) part(p syntax.Part, depth int) origin {
	o := unclear
	switch p.Kind {
	case "text", "number", "nil":
		return ownValue
	case "param":
		o = x.parameter(p.Node)
	case "call":
		o = x.called(p, p.Node, depth)
	case "member", "index":
		o = x.read(p, p.Node, depth)
	}
	if o >= byUser && slices.ContainsFunc(p.Via, x.refused) {
		return unclear
	}
	return o
}

// called is the origin of what a call gives.
func (x *tracer) called(from syntax.Part, n syntax.Node, depth int) origin {
	full, callee := x.p.Resolve(n.Child("callee")), n.Child("callee")
	if o, ok := x.known(full, n); ok {
		return o
	}
	object := callee.Child("object")
	if o := x.read(from, callee, depth); o == bySender && x.sent(callee) {
		return o
	}
	if cleaners.MatchString(callee.Name()) {
		return min(unclear, x.inputs(from, n, object, depth))
	}
	through := named(full, textCalls...) || callee.Is("member") && textMethods.MatchString(callee.Name()) && !x.module(object) && !x.p.Target(n).Valid()
	o := x.inputs(from, n, object, depth)
	if o >= byUser && !through {
		return unclear
	}
	if o == ownValue && !through {
		return unclear // what it gives is not known
	}
	return o
}

// inputs is the origin of what a call is given, and of what it is called on.
func (x *tracer) inputs(from syntax.Part, n, object syntax.Node, depth int) origin {
	worst := ownValue
	if object.Valid() && !x.module(object) {
		worst = x.expression(from, object, depth+1)
	}
	for a := range n.Children("arg") {
		if !a.Is("func") {
			worst = max(worst, x.expression(from, a, depth+1))
		}
	}
	return worst
}

// module tells a name that stands for a module or a class.
func (x *abroad) module(n syntax.Node) bool {
	if !n.Is("name") {
		return false
	}
	full := x.p.Resolve(n)
	return full != "" && !strings.Contains(full, "()") && x.p.Value(n)[0].Kind == "member"
}

// known is the origin of what has a name of the lists.
func (x *abroad) known(full string, n syntax.Node) (origin, bool) {
	switch {
	case full == "":
		return unclear, false
	case named(full, senderNames...):
		return bySender, true
	case named(full, pageNames...):
		return byPage, true
	case named(full, userNames...):
		return byUser, true
	case named(full, ownNames...):
		return ownValue, true
	}
	return unclear, n.File() == nil
}

// read is the origin of a member or an element: its own by its name, else that
// of what it is taken from.
func (x *tracer) read(from syntax.Part, n syntax.Node, depth int) origin {
	for at := n; at.Valid(); at = inner(at) {
		if x.sent(at) {
			return bySender
		}
		if at.Is("call") && at != n {
			break
		}
		if o, ok := x.known(x.p.Resolve(at), at); ok {
			return o
		}
	}
	object := n.Child("object")
	if !object.Valid() || object.Is("name") && (object.Name() == "this" || object.Name() == "self") || depth > maxDeep {
		return unclear
	}
	if o := x.filled(from, object, depth); o != ownValue {
		return o
	}
	if x.module(object) {
		return unclear
	}
	o := x.expression(from, object, depth+1)
	if o == ownValue {
		return unclear
	}
	return o
}

// inner is what a member, an element or a call is taken from.
func inner(n syntax.Node) syntax.Node {
	switch n.Kind() {
	case "member", "index":
		return n.Child("object")
	case "call":
		return n.Child("callee")
	case "unary", "cast":
		return n.Child("value")
	}
	return syntax.Node{}
}

var fillers = regexp.MustCompile(`(?i)^(decode|unmarshal\w*|(should)?bind\w*|bodyparser|queryparser|paramsparser|scan\w*|readjson|readbody)$`)

// filled is the origin of a record that a call is told to fill.
func (x *tracer) filled(from syntax.Part, object syntax.Node, depth int) origin {
	if !object.Is("name") || object.File().Language != "go" {
		return ownValue
	}
	worst := ownValue
	for c := range function(object).Walk() {
		if !c.Is("call") || !fillers.MatchString(c.Child("callee").Name()) {
			continue
		}
		for a := range c.Children("arg") {
			if a.Is("unary") && a.Detail() == "&" && a.Child("value").Name() == object.Name() {
				o := x.inputs(from, c, c.Child("callee").Child("object"), depth+1)
				if full := x.callee(c); named(full, "github.com/gin-gonic/*", "github.com/labstack/echo*", "github.com/gofiber/fiber*") {
					o = bySender
				}
				worst = max(worst, o)
			}
		}
	}
	return worst
}
