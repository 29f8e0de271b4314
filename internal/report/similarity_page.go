package report

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"html/template"
	"io"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
)

// likePage is what the template of similarity reads.
type likePage struct {
	Headline string
	Remarks  []string
	Clusters []string
	Common   []string
	Pairs    []likeView

	CSP string
	CSS template.CSS
}

// likeView is one pair. Its anchor is a number, as ids may be anything.
type likeView struct {
	Anchor, A, B, Contained, Alike, Longest, Document, History, Equal string
	Facts                                                             []string
	Places                                                            []placeView
}

type placeView struct {
	Size string
	A, B excerptView
}

type excerptView struct {
	Of, Place, Since, More string
	From                   int
	Lines                  []string
}

// likeStyle are the files of the page's style.
var likeStyle = []string{"page/report.css", "page/similarity.css"}

// What of a page that Page wrote is put into one of the web app.
const likeOpen, likeClose = `<main id="main">`, `</main>`

// Similarity writes a page that Page wrote, perhaps by an older version, with what the web app puts around it and in the look of
// today.
func (a *Around) Similarity(w io.Writer, page []byte) error {
	css, err := ownFiles(likeStyle...)
	if err != nil {
		return err
	}
	_, rest, _ := bytes.Cut(page, []byte(likeOpen))
	text, _, ok := bytes.Cut(rest, []byte(likeClose))
	if !ok {
		return errors.New("reading the page of similarity: it is not one of ours")
	}
	v := likeAround{Around: a, Main: template.HTML(text)} // #nosec G203 -- Page escaped it
	v.CSS, v.CSP = a.dress(css)
	var b bytes.Buffer
	if err := pageTemplates().ExecuteTemplate(&b, "similarity-within", v); err != nil {
		return fmt.Errorf("rendering similarity: %w", err)
	}
	return put(w, b.Bytes())
}

// likeAround is what the template of a page within the web app reads.
type likeAround struct {
	Around *Around
	CSP    string
	CSS    template.CSS
	Main   template.HTML
}

// Page writes the list as one page that needs nothing else. It has no script.
func (s *Similarity) Page(w io.Writer) error {
	css, err := ownFiles(likeStyle...)
	if err != nil {
		return err
	}
	p := &likePage{Headline: s.headline() + ".", Remarks: s.remarks()}
	for _, ids := range s.Clusters {
		p.Clusters = append(p.Clusters, line(strings.Join(ids, ", ")))
	}
	for _, m := range s.Common {
		p.Common = append(p.Common, line(fmt.Sprintf("%s: %s", m.ID, inHundred(m.Share))))
	}
	for i, x := range s.Pairs {
		p.Pairs = append(p.Pairs, x.view(fmt.Sprintf("pair-%d", i+1)))
	}
	p.CSP = fmt.Sprintf("default-src 'none'; style-src %s; base-uri 'none'; form-action 'none'", sourceDigest(css))
	p.CSS = template.CSS(css) // #nosec G203 -- our own files
	var b bytes.Buffer
	if err := pageTemplates().ExecuteTemplate(&b, "similarity.tmpl", p); err != nil {
		return fmt.Errorf("rendering similarity: %w", err)
	}
	return put(w, b.Bytes())
}

func (s *Similarity) headline() string {
	of := plural(s.Submissions, "submission")
	if len(s.Pairs) == 0 {
		return fmt.Sprintf("No two of %s have much in common", of)
	}
	return fmt.Sprintf("%s of %s to look at", plural(len(s.Pairs)+s.Left, "pair"), of)
}

func (s *Similarity) remarks() (list []string) {
	if s.Old > 0 {
		list = append(list, fmt.Sprintf("They were also compared with %s of earlier cohorts.", plural(s.Old, "submission")))
	}
	if s.Left > 0 {
		list = append(list, fmt.Sprintf("The list has the %s with most in common. %s not shown.", plural(len(s.Pairs), "pair"), plural2(s.Left, "further pair is", "further pairs are")))
	}
	if len(s.Unread) > 0 {
		list = append(list, line("Some code could not be read, and was not compared, in: "+strings.Join(s.Unread, ", ")+"."))
	}
	return list
}

// inHundred shows a share of 1; a part that there is never shows as none.
func inHundred(share court.Fixed) string {
	if share > 0 && share < 50 {
		return "under 1 %"
	}
	return fmt.Sprintf("%d %%", (share+50)/100)
}

func (p LikePair) view(anchor string) likeView {
	v := likeView{Anchor: anchor, A: line(p.A), B: line(p.B), Contained: inHundred(p.Contained), Alike: inHundred(p.Alike), Longest: orDash(p.Longest, fmt.Sprint(p.Longest)),
		Document: orDash(int(p.Document), inHundred(p.Document)), History: orDash(p.Commits+p.States, p.history()), Equal: orDash(p.equal(), fmt.Sprint(p.equal()))}
	if p.Contained == 0 {
		v.Contained, v.Alike = "–", "–"
	}
	if p.Commits+p.States > 0 {
		v.Facts = append(v.Facts, p.origin())
	}
	if len(p.Files) > 0 {
		text := "Equal files: " + strings.Join(p.Files, "; ")
		if p.MoreFiles > 0 {
			text += fmt.Sprintf("; and %d more", p.MoreFiles)
		}
		v.Facts = append(v.Facts, line(text)+".")
	}
	for _, x := range p.Places {
		v.Places = append(v.Places, x.view(p))
	}
	return v
}

func orDash(n int, text string) string {
	if n == 0 {
		return "–"
	}
	return text
}

func (p LikePair) equal() int { return len(p.Files) + p.MoreFiles }

// facts is what a pair has in common, in a line.
func (p LikePair) facts() string {
	var list []string
	add := func(there bool, text string) {
		if there {
			list = append(list, text)
		}
	}
	add(p.Contained > 0, "code "+inHundred(p.Contained))
	add(p.Document > 0, "document "+inHundred(p.Document))
	add(p.equal() > 0, plural(p.equal(), "equal file"))
	add(p.Commits+p.States > 0, p.history())
	return strings.Join(list, ", ")
}

// history is what the histories have in common, in a few words.
func (p LikePair) history() string {
	switch {
	case p.Commits > 0:
		return plural(p.Commits, "commit") + " (fork)"
	case p.States > 0:
		return plural(p.States, "equal state")
	}
	return ""
}

// origin says what common history means.
func (p LikePair) origin() string {
	if p.Commits > 0 {
		return "Both histories contain " + plural2(p.Commits, "commit", "commits") + " with the same id: one repository is a fork or copy of the other, or both are of a third."
	}
	return fmt.Sprintf("At %s of their histories, the two repositories had exactly the same files, although they share no commit.", plural(p.States, "point"))
}

func (x LikePlace) view(p LikePair) placeView {
	v := placeView{Size: fmt.Sprintf("%d tokens or more in common", x.Tokens), A: x.A.view(p.A, x.Text), B: x.B.view(p.B, x.Text)}
	if x.Text {
		v.Size = fmt.Sprintf("%d words or more in common", x.Tokens)
	}
	return v
}

func (e LikeExcerpt) view(of string, text bool) excerptView {
	v := excerptView{Of: line(of), Place: line(fmt.Sprintf("%s:%d-%d", e.Path, e.From, e.To)), Since: line(e.Since), From: e.From}
	if text {
		v.Place = line(fmt.Sprintf("%s, paragraphs %d to %d", e.Path, e.From, e.To))
	}
	for _, l := range e.Lines {
		v.Lines = append(v.Lines, court.Clean(l, 0))
	}
	if n := e.To - e.From + 1 - len(e.Lines); n > 0 && len(e.Lines) > 0 {
		v.More = plural2(n, "more line is", "more lines are") + " in common."
		if text {
			v.More = plural2(n, "more paragraph is", "more paragraphs are") + " in common."
		}
	}
	return v
}

// likeColumns are the columns of the list as a table. Shares are percent with one decimal.
var likeColumns = []string{"a", "b", "contained", "alike", "longest", "document", "commits", "equal_states", "equal_files", "places"}

// CSV writes one row per pair.
func (s *Similarity) CSV(w io.Writer) error {
	var b bytes.Buffer
	table := csv.NewWriter(&b)
	_ = table.Write(likeColumns) // to memory
	tenth := func(share court.Fixed) string { return fmt.Sprintf("%d.%d", share/100, share%100/10) }
	for _, p := range s.Pairs {
		var places []string
		for _, x := range p.Places {
			places = append(places, fmt.Sprintf("%s:%d-%d = %s:%d-%d", x.A.Path, x.A.From, x.A.To, x.B.Path, x.B.From, x.B.To))
		}
		_ = table.Write(cellsOf([]string{p.A, p.B, tenth(p.Contained), tenth(p.Alike), fmt.Sprint(p.Longest), tenth(p.Document),
			fmt.Sprint(p.Commits), fmt.Sprint(p.States), fmt.Sprint(p.equal()), strings.Join(places, "; ")})) // to memory
	}
	table.Flush()
	return put(w, b.Bytes())
}
