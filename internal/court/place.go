package court

import (
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
)

// ParsePlace reads a place as a person names it: PATH:LINE, PATH:FIRST-LAST, or pdf:PAGE.
func ParsePlace(s string) (Place, error) {
	at := strings.LastIndexByte(s, ':')
	if at <= 0 {
		return Place{}, errPlace
	}
	path, where := s[:at], strings.TrimPrefix(s[at+1:], "page ")
	first, last, more := strings.Cut(where, "-")
	n, err := strconv.Atoi(first)
	if err != nil || n < 1 || n > mostLines {
		return Place{}, errPlace
	}
	if path == "pdf" && !more {
		return Place{Page: n}, nil
	}
	end := n
	if more {
		if end, err = strconv.Atoi(last); err != nil || end < n || end > mostLines {
			return Place{}, errPlace
		}
	}
	return Place{Path: path, Line: n, EndLine: end}, nil
}

// mostLines bounds what is taken for the number of a line.
const mostLines = 1 << 30

var errPlace = errors.New("a place is PATH:LINE, PATH:FIRST-LAST or pdf:PAGE")

// Meets tells whether two places have a line or a page in common. A place without lines is all of its file.
func (p Place) Meets(o Place) bool {
	if p.Path == "" || o.Path == "" {
		return p.Path == o.Path && p.Page > 0 && p.Page == o.Page
	}
	if p.Path != o.Path {
		return false
	}
	if p.Line == 0 || o.Line == 0 {
		return true
	}
	return p.Line <= max(o.Line, o.EndLine) && o.Line <= max(p.Line, p.EndLine)
}

// Places are all files, commits and pages that a record names.
func (r *Record) Places() (list []Place) {
	for _, exhibits := range r.Evidences {
		for _, x := range exhibits {
			list = append(list, x.At...)
		}
	}
	for _, m := range r.Remedies {
		list = append(list, m.At...)
	}
	docs := r.Case.Further
	if r.Case.PDF != nil {
		docs = append([]PDF{*r.Case.PDF}, docs...)
	}
	for _, d := range docs {
		for _, c := range d.Claims {
			list = append(append(list, c.At), c.Proof...)
		}
	}
	if r.Portrait != nil {
		list = append(list, r.Portrait.places()...)
	}
	return list
}

func (p *Portrait) places() (list []Place) {
	for _, a := range p.Chain {
		for _, q := range append(append([]Quoted{}, a.Source...), a.Target...) {
			list = append(list, q.At)
		}
	}
	if g := p.Graph; g != nil {
		list = append(list, g.At)
		for _, n := range g.Nodes {
			list = append(list, n.At)
		}
		for _, m := range append(append([]Mark{}, g.Defects...), g.Unread...) {
			list = append(list, m.At...)
		}
	}
	return list
}

// Query is the part of an address that names the place, with the mark of its first line. ReadQuery reads it.
func (p Place) Query() string {
	q, mark := url.Values{}, ""
	for key, text := range map[string]string{"path": p.Path, "commit": p.Commit, "digest": p.Digest} {
		if text != "" {
			q.Set(key, text)
		}
	}
	for key, n := range map[string]int{"line": p.Line, "end": p.EndLine, "page": p.Page} {
		if n > 0 {
			q.Set(key, strconv.Itoa(n))
		}
	}
	if p.Path != "" && p.Line > 0 {
		mark = fmt.Sprintf("#L%d", p.Line)
	}
	return q.Encode() + mark
}

// ReadQuery takes the place that an address names. What it says of lines and pages that is no number is left out.
func (p *Place) ReadQuery(q url.Values) {
	number := func(key string) int {
		n, err := strconv.Atoi(q.Get(key))
		if err != nil || n < 0 || n > mostLines {
			return 0
		}
		return n
	}
	*p = Place{Path: q.Get("path"), Commit: q.Get("commit"), Digest: q.Get("digest"), Line: number("line"), EndLine: number("end"), Page: number("page")}
}
