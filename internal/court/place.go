package court

import (
	"errors"
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
