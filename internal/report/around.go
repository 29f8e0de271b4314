package report

import (
	"fmt"
	"html/template"
)

// Around is what the web app puts around a page of ours: ways to its other pages, and its forms. All of it is the web
// app's own, or was escaped by its templates.
type Around struct {
	Nav   template.HTML            // at the top
	Head  template.HTML            // of a report: above the verdict
	Of    map[string]template.HTML // of a report: beneath the hearing of a criterion, by its id
	Files string                   // of a report: path under which its files can be had, with a slash at its end
	// Source, with a place in it, is where what lies at the place can be looked at; empty: where the repository is.
	Source string
	CSS    string
	JS     string
	// Policy is what a browser may load for the page. Writing the page sets it.
	Policy string
}

// policy is what a browser may load for a page. Only pages of the web app have forms.
func (a *Around) policy(css, js string) string {
	p := "default-src 'none'; img-src data:; style-src " + sourceDigest(css)
	if js != "" {
		p += "; script-src " + sourceDigest(js)
	}
	if a == nil {
		return p + "; base-uri 'none'; form-action 'none'"
	}
	a.Policy = p + "; base-uri 'none'; form-action 'self'"
	return a.Policy
}

// dress is the style of a page without script, and its policy.
func (a *Around) dress(css string) (template.CSS, string) {
	if a != nil {
		css += a.CSS
	}
	return template.CSS(css), a.policy(css, "") // #nosec G203 -- our own files
}

// within gives the criteria of a page what stands beneath them.
func (p *page) within(a *Around) {
	for _, list := range [][]criterionView{p.Criteria, p.Disputed, p.Rest} {
		for i := range list {
			list[i].Desk = a.Of[list[i].ID]
		}
	}
}

// Style is the look of all pages: colours in light and dark, type, tables, chips.
func Style() (string, error) {
	css, err := ownFiles("page/report.css")
	if err != nil {
		return "", fmt.Errorf("reading the look: %w", err)
	}
	return css, nil
}
