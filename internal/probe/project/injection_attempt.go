package project

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"path"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/pdf"
	"github.com/automaton-auditor/automaton/internal/probe"
)

func injectionAttempt() probe.Probe {
	return probe.Probe{
		ID: "injection.attempt", Version: "1", Target: court.GithubRepo,
		Title:  "No text is addressed to a grader or a model",
		Doc:    "Looks in files, file names, commit messages and hidden text of the document for text that no honest project of 68 contained: orders to ignore earlier instructions, chat tokens in prose, HTML comments that instruct a grader, invisible and direction-changing characters. Tests, detectors of such text and prompts in code are left out. Zero of 68 bounds the false rate at about 4 %. It raises and lowers no score.",
		Remedy: "Remove the text, or say in the README what it is for.",
		Effort: 10, Recall: 8000,
		Run: func(ctx context.Context, s *probe.Scene, _ probe.Args) ([]probe.Finding, error) {
			inv, err := files(ctx, s)
			if err != nil {
				return nil, err
			}
			var found []address
			for _, f := range inv.files {
				found = append(found, inFile(f)...)
			}
			messages, coverage := inMessages(ctx, s)
			found = append(found, messages...)
			hidden, quote := inDocuments(ctx, s)
			found = append(found, hidden...)
			if len(found) == 0 {
				return []probe.Finding{probe.Clean(coverage, court.Structure, "No text addresses a grader or a model.")}, nil
			}
			var at []court.Place
			var words []string
			for _, a := range found {
				at = append(at, a.at)
				if len(words) < 5 {
					words = append(words, fmt.Sprintf("%s at %s", a.what, court.Clean(a.at.String(), 120)))
				}
			}
			f := probe.Against(court.Structure, at, "The submission holds text that addresses a grader or a model: %s.", strings.Join(words, "; ")).
				Do("Remove the text that addresses a grader or a model, or say in the README what it is for: %s.", strings.Join(words, "; "))
			f.Quote = quote
			f.Security = &court.Flaw{Severity: court.Medium, Tainted: "no", Scope: "production"}
			return []probe.Finding{f}, nil
		},
	}
}

// address is one text that speaks to the one who judges.
type address struct {
	what string
	at   court.Place
}

// Patterns of text that is meant for a judging model: none occurred in 68 repositories.
var (
	override  = regexp.MustCompile(`(?i)\b(?:ignore|disregard|forget)\s+(?:(?:all|any|the|your|of|these|those)\s+){0,3}(?:previous|prior|above|preceding|earlier|foregoing)\s+(?:instructions?|prompts?|directions?|rules|guidelines|messages)\b`)
	chatToken = regexp.MustCompile(`<\|im_(?:start|end|sep)\|>|<\|(?:system|user|assistant|endoftext|eot_id|start_header_id)\|>|\[/?INST\]|<</?SYS>>`)
	grader    = regexp.MustCompile(`(?is)<!--[^>]{0,400}\b(?:graders?|evaluators?|auditors?|judges?|LLMs?|AI|language models?|assistants?)\b[^>]{0,200}?\b(?:give|award|assign|must (?:score|give|rate)|full marks|highest score|5\s*/\s*5|ignore)\b[^>]{0,400}-->`)
	zeroWidth = regexp.MustCompile("[\u200b\u200c\u200d\u2060\ufeff]{3,}")
	bidi      = regexp.MustCompile("[\u202a-\u202e\u2066-\u2069]")
	tags      = regexp.MustCompile("[\U000E0000-\U000E007F]{2,}")
	rightLeft = regexp.MustCompile(`[\p{Hebrew}\p{Arabic}]`)
	detector  = regexp.MustCompile(`(?i)regex|re\.compile|pattern|detect|inject|guard|saniti|suspicio|blocklist|denylist|forbidden|attack|jailbreak|malicious|untrusted|adversarial`)
)

// blackFlag begins the emoji flags that end in tag characters.
const blackFlag = "\U0001F3F4"

// inFile looks through one file. Code that detects such text, and prompts that
// fence it, speak about it; so do the lines around a detector's words.
func inFile(f file) []address {
	if f.scope == code.ScopeTest || f.scope == code.ScopeVendor || f.scope == code.ScopeGenerated {
		return nil
	}
	out := inWords(path.Base(f.path), court.Place{Path: f.path}, "file name")
	text := f.text
	note := func(re *regexp.Regexp, what string, honest func(from, to int) bool) {
		for _, m := range re.FindAllStringIndex(text, 20) {
			if !honest(m[0], m[1]) {
				out = append(out, address{what, f.place(lineOf(text, m[0]))})
			}
		}
	}
	about := func(from, to int) bool { return detector.MatchString(text[max(0, from-300):min(len(text), to+300)]) }
	note(override, "an order to ignore earlier instructions", about)
	if !f.lang.Code() && f.lang != "json" && f.lang != "jsonl" && f.lang != "jinja" && f.lang != "notebook" {
		note(chatToken, "a chat token", about)
		note(grader, "a comment that instructs a grader", about)
	}
	never := func(int, int) bool { return false }
	note(zeroWidth, "a run of invisible characters", never)
	note(tags, "invisible tag characters", func(from, _ int) bool { return strings.HasSuffix(text[:from], blackFlag) })
	if !rightLeft.MatchString(text) {
		note(bidi, "a character that changes the direction of text", never)
	}
	return out
}

// inWords looks through a name or message.
func inWords(text string, at court.Place, where string) []address {
	words := strings.NewReplacer("_", " ", "-", " ").Replace(text)
	switch {
	case detector.MatchString(text):
		return nil
	case override.MatchString(words):
		return []address{{"an order to ignore earlier instructions in a " + where, at}}
	case chatToken.MatchString(text):
		return []address{{"a chat token in a " + where, at}}
	}
	return nil
}

// inMessages looks through the commits, as far as they are known.
func inMessages(ctx context.Context, s *probe.Scene) ([]address, court.Fixed) {
	h, err := s.History(ctx)
	if err != nil {
		return nil, 9000 // one of several places was not looked at
	}
	var out []address
	for i := range h.Commits {
		c := &h.Commits[i]
		out = append(out, inWords(c.Subject+"\n"+c.Body, court.Place{Commit: c.ID}, "commit message")...)
	}
	if !h.Complete() {
		return out, 9500
	}
	return out, court.One
}

// hiddenOrder is what counts only in text that nobody can see on the page.
var hiddenOrder = regexp.MustCompile(`(?i)\bfull marks\b|\b5\s*/\s*5\b|\bscore of (?:5|five)\b|\byou are (?:the|a|an) (?:judge|grader|evaluator|auditor|prosecutor|assistant)\b|\bnote to (?:the )?(?:grader|evaluator|auditor|judge)\b`)

// inDocuments looks through each document; what stands in one of several names
// it.
func inDocuments(ctx context.Context, s *probe.Scene) (out []address, quote string) {
	docs := s.Documents()
	for _, d := range docs {
		hidden, said := inHiddenText(ctx, d)
		for _, a := range hidden {
			if len(docs) > 1 && a.at.Page > 0 {
				a.at.Digest = d.PDFDigest()
				a.at = s.Named(a.at)
			}
			out = append(out, a)
		}
		quote = cmp.Or(quote, said)
	}
	return out, quote
}

// inHiddenText looks through the hidden lines of the document; the first is
// quoted.
func inHiddenText(ctx context.Context, s *probe.Scene) (out []address, quote string) {
	if !s.HasPDF() {
		return nil, ""
	}
	d, err := s.Document(ctx)
	if err != nil {
		return nil, "" // the document group says that it cannot be read
	}
	if s.Written() {
		return inUnseen(ctx, s), ""
	}
	return hiddenIn(d)
}

// inUnseen looks through what is not seen of a document that is text and lies
// beside the repository: one that is a file of it is looked through as such.
func inUnseen(ctx context.Context, s *probe.Scene) (out []address) {
	_, hidden := s.WrittenText(ctx)
	for _, l := range hidden {
		at := s.WrittenAt(l.Number, l.Number)
		if at.Digest != "" && (override.MatchString(l.Text) || chatToken.MatchString(l.Text) || hiddenOrder.MatchString(l.Text)) {
			out = append(out, address{"text of the document that is not rendered", at})
		}
	}
	return out
}

func hiddenIn(d *pdf.Document) (out []address, quote string) {
	for _, page := range d.Pages {
		for _, l := range page.Lines {
			if l.Hidden == "" || !override.MatchString(l.Text) && !chatToken.MatchString(l.Text) && !hiddenOrder.MatchString(l.Text) {
				continue
			}
			if quote == "" {
				quote = l.Text
			}
			out = append(out, address{"hidden text (" + string(l.Hidden) + ")", court.Place{Page: page.Number, Box: boxOf(l.Box)}})
		}
	}
	return out, quote
}

func boxOf(b pdf.Box) *court.Box {
	fixed := func(v float64) court.Fixed { return court.Fixed(math.Round(v * float64(court.One))) }
	return &court.Box{X0: fixed(b.X0), Y0: fixed(b.Y0), X1: fixed(b.X1), Y1: fixed(b.Y1)}
}
