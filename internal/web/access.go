package web

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// Access says who may do what.
type Access struct {
	Hosts      []string // names and addresses with ports under which the server is asked; others are refused
	Tokens     []Token  // nil: whoever reaches the address may do all that the server does
	UserHeader string   // header in which a proxy says who asks; empty: none does
	As         string   // who decides where nothing else says it
	ReadOnly   bool     // there are no ways in that write
	Encrypted  bool     // browsers reach the server by https
}

// Token lets somebody in.
type Token struct {
	Name   string // who that is, for the log; empty: not told
	Role   string // read, decide or start
	Secret string
}

// LeastSecret is how many bytes a token has at least.
const LeastSecret = 32

// maxForm bounds what is read of a form, in bytes.
const maxForm = 64 << 10

// roles are the words for roles.
var roles = map[string]role{"read": reader, "decide": decider, "start": starter}

// ParseTokens reads a file of tokens: one a line, alone, or as ROLE NAME TOKEN with the role read, decide or start. A token
// alone may do everything. Empty lines and lines that begin with # are left out.
func ParseTokens(text string) (list []Token, err error) {
	for n, l := range strings.Split(text, "\n") {
		f := strings.Fields(l)
		if len(f) == 0 || strings.HasPrefix(f[0], "#") {
			continue
		}
		t := Token{Role: "start", Secret: f[len(f)-1]}
		switch len(f) {
		case 1:
		case 3:
			t.Role, t.Name = f[0], f[1]
		default:
			return nil, fmt.Errorf("line %d is neither TOKEN nor ROLE NAME TOKEN", n+1)
		}
		if roles[t.Role] == nobody {
			return nil, fmt.Errorf("line %d: the role %q is none of read, decide and start", n+1, t.Role)
		}
		if len(t.Secret) < LeastSecret {
			return nil, fmt.Errorf("line %d: the token has %d bytes, and %d are the least", n+1, len(t.Secret), LeastSecret)
		}
		list = append(list, t)
	}
	if len(list) == 0 {
		return nil, errors.New("it holds no token")
	}
	return list, nil
}

// guard lets requests in.
type guard struct {
	Access
	now   func() time.Time
	sums  [][sha256.Size]byte // of the tokens
	cross *http.CrossOriginProtection

	mu     sync.Mutex
	missed map[string][]time.Time // wrong tokens, by the address that they came from
}

// A place may try this many wrong tokens in a while.
const (
	mostMisses = 10
	missWhile  = time.Minute
	mostPlaces = 4096
)

func newGuard(a Access, now func() time.Time) *guard {
	g := &guard{Access: a, now: now, cross: http.NewCrossOriginProtection(), missed: map[string][]time.Time{}}
	for _, t := range a.Tokens {
		g.sums = append(g.sums, sha256.Sum256([]byte(t.Secret)))
	}
	return g
}

// cookieName is the cookie that holds a token.
const cookieName = "automaton-token"

var (
	errHost     = &refusal{http.StatusMisdirectedRequest, "This server is not asked under that name."}
	errCross    = &refusal{http.StatusForbidden, "The request came from another site."}
	errLogin    = &refusal{http.StatusUnauthorized, "A token is needed."}
	errGuessing = &refusal{http.StatusTooManyRequests, "Too many wrong tokens: wait a minute."}
	errRole     = &refusal{http.StatusForbidden, "Your token does not allow this."}
	errProxy    = &refusal{http.StatusUnauthorized, "The proxy does not say who asks."}
)

// policy is what a browser may load for a page of the app's own.
const policy = "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'self'" + unframed

// unframed keeps pages out of frames of others.
const unframed = "; frame-ancestors 'none'"

// enter looks at every request before any page does.
func (s *Server) enter(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		began := s.Now()
		a := &answered{ResponseWriter: w, status: http.StatusOK}
		h := a.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cache-Control", "no-store")
		r.Body = &body{http.MaxBytesReader(a, r.Body, maxForm), r.Body}
		var id who
		err := s.guard.let(r)
		if err == nil { // who asks under a foreign name is nobody, and is shown nothing
			id, err = s.guard.who(r)
			id.seen = new(seen)
			r = r.WithContext(context.WithValue(r.Context(), visitorKey{}, id))
		}
		if err != nil {
			s.refuse(a, r, err)
		} else {
			next.ServeHTTP(a, r)
		}
		if s.Log != nil {
			s.Log(Visit{At: began.UTC(), By: id.name, Method: r.Method, Path: loggedPath(r), Status: a.status, Took: s.Now().Sub(began)})
		}
	})
}

// body is that of a request, as far as a form goes; whole is for uploads, which have their own bounds.
type body struct {
	io.ReadCloser
	whole io.ReadCloser
}

// loggedPath is the path of a request without the token of a link, which lets in whoever reads it.
func loggedPath(r *http.Request) string {
	if rest, ok := strings.CutPrefix(r.URL.Path, "/s/"); ok {
		_, rest, _ = strings.Cut(rest, "/")
		return "/s/{token}/" + rest
	}
	return r.URL.Path
}

// answered remembers the status of an answer.
type answered struct {
	http.ResponseWriter
	status int
}

// WriteHeader keeps the status.
func (a *answered) WriteHeader(status int) {
	a.status = status
	a.ResponseWriter.WriteHeader(status)
}

// Unwrap gives http.ResponseController what it needs.
func (a *answered) Unwrap() http.ResponseWriter { return a.ResponseWriter }

// let refuses what no page may see: a foreign Host, as a name that was bound to this address brings it, and writing
// requests that another site caused.
func (g *guard) let(r *http.Request) error {
	if !slices.ContainsFunc(g.Hosts, func(h string) bool { return strings.EqualFold(h, r.Host) }) {
		return errHost
	}
	if g.cross.Check(r) != nil {
		return errCross
	}
	return nil
}

// who is the one that asks, with nobody's role where no token came. A wrong one is counted.
func (g *guard) who(r *http.Request) (who, error) {
	id := who{name: g.As, role: starter}
	if g.UserHeader != "" {
		if id.name = r.Header.Get(g.UserHeader); id.name == "" {
			return who{}, nil // who has a link needs no name
		}
	}
	if len(g.Tokens) == 0 {
		return id, nil
	}
	secret, cookie := tokenOf(r)
	if secret == "" {
		return who{}, nil
	}
	if g.blocked(r) {
		return who{}, errGuessing
	}
	t := g.find(secret)
	if t == nil {
		g.miss(r)
		if cookie { // it may be an old one
			return who{}, nil
		}
		return who{}, errLogin
	}
	if id.role, id.cookie = roles[t.Role], cookie; t.Name != "" && g.UserHeader == "" {
		id.name = t.Name
	}
	return id, nil
}

func tokenOf(r *http.Request) (secret string, cookie bool) {
	if bearer, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer "); ok {
		return bearer, false
	}
	if c, err := r.Cookie(cookieName); err == nil {
		return c.Value, true
	}
	return "", false
}

// find compares with all tokens, in the same time whichever is right.
func (g *guard) find(secret string) (found *Token) {
	sum := sha256.Sum256([]byte(secret))
	for i := range g.sums {
		if subtle.ConstantTimeCompare(g.sums[i][:], sum[:]) == 1 {
			found = &g.Tokens[i]
		}
	}
	return found
}

func placeOf(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr
	}
	return host
}

// recent are the misses of a place that still count. The caller holds the lock.
func (g *guard) recent(place string) []time.Time {
	since := g.now().Add(-missWhile)
	return slices.DeleteFunc(g.missed[place], func(t time.Time) bool { return t.Before(since) })
}

func (g *guard) blocked(r *http.Request) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return len(g.recent(placeOf(r))) >= mostMisses
}

func (g *guard) miss(r *http.Request) {
	g.mu.Lock()
	defer g.mu.Unlock()
	place := placeOf(r)
	list := append(g.recent(place), g.now())
	if len(g.missed) >= mostPlaces {
		clear(g.missed)
	}
	g.missed[place] = list
}

// open is a way in for those who may take it.
func (s *Server) open(r route) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		id := visitor(q.Context())
		var err error
		switch {
		case id.role >= r.least:
			if err = formOf(q); err == nil {
				err = r.answer(w, q)
			}
		case id.role > nobody:
			err = errRole
		case s.Access.UserHeader != "":
			err = errProxy
		case q.Method == http.MethodGet && !strings.HasPrefix(q.URL.Path, "/api/"):
			http.Redirect(w, q, "/login", http.StatusSeeOther)
		default:
			err = errLogin
		}
		if large, ok := errors.AsType[*http.MaxBytesError](err); ok {
			err = &refusal{http.StatusRequestEntityTooLarge, fmt.Sprintf("The form has more than %d KiB.", large.Limit>>10)}
		}
		if err != nil {
			s.refuse(w, q, err)
		}
	})
}

// formOf reads the form that a request brings, for whoever answers it.
func formOf(r *http.Request) error {
	if r.Method != http.MethodPost {
		return nil
	}
	if err := r.ParseForm(); err != nil {
		return fmt.Errorf("reading the form: %w", err)
	}
	return nil
}

func (s *Server) loginPage(w http.ResponseWriter, r *http.Request) error {
	if visitor(r.Context()).role > nobody {
		http.Redirect(w, r, "/", http.StatusSeeOther)
		return nil
	}
	return s.show(w, r, http.StatusOK, "login", "Sign in", "")
}

// login keeps a token in a cookie that no script and no other site sees.
func (s *Server) login(w http.ResponseWriter, r *http.Request) error {
	if s.guard.blocked(r) {
		return errGuessing
	}
	secret := r.PostForm.Get("token")
	if s.guard.find(secret) == nil {
		s.guard.miss(r)
		return s.show(w, r, http.StatusUnauthorized, "login", "Sign in", "This token is not known.")
	}
	s.cookie(w, secret, 0)
	http.Redirect(w, r, "/", http.StatusSeeOther)
	return nil
}

func (s *Server) logout(w http.ResponseWriter, r *http.Request) error {
	s.cookie(w, "", -1)
	http.Redirect(w, r, "/login", http.StatusSeeOther)
	return nil
}

func (s *Server) cookie(w http.ResponseWriter, secret string, age int) {
	http.SetCookie(w, &http.Cookie{Name: cookieName, Value: secret, Path: "/", MaxAge: age, HttpOnly: true, Secure: s.Access.Encrypted, SameSite: http.SameSiteStrictMode})
}

// json writes an answer for a program.
func (s *Server) json(w http.ResponseWriter, status int, v any) {
	raw, err := json.Marshal(v)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	send(w, "application/json; charset=utf-8", status, append(raw, '\n'))
}
