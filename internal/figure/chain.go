package figure

import (
	"slices"
	"strings"

	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
)

// Bounds of one chain.
const (
	chainRows  = 40
	chainBytes = 4_000
)

// step is what stands between two arrows of a chain: one name, or several side by side.
type step struct {
	names []string
	open  bool // it stands for several that it does not name, or nobody can tell
}

// strand is a row of names with arrows between them, over one line or several: START -> a -> [b | c] -> d -> END.
type strand struct {
	steps []step
	loose int  // arrows behind what was understood
	cut   bool // something in it is no name
}

var (
	chainArrow  = regexp.MustCompile(`\s*(?:-{1,3}>|={1,3}>|─{1,3}[>►▶]|[→⟶⇒➔➜►▶])\s*`)
	leadingHead = regexp.MustCompile(`^\s*(?:-{1,3}>|={1,3}>|─{1,3}[>►▶]|[→⟶⇒➔➜►▶])`)
	endingHead  = regexp.MustCompile(`(?:-{1,3}>|={1,3}>|─{1,3}[>►▶]|[→⟶⇒➔➜►▶])\s*$`)
	chainFirst  = regexp.MustCompile(`(?i)^(?:__)?start(?:__)?$`)
	chainLast   = regexp.MustCompile(`(?i)^(?:__)?end(?:__)?$`)
	chainName   = regexp.MustCompile(`^[\p{L}_][\p{L}\p{N}_-]*(?: [\p{L}\p{N}_-]+){0,3}$`)
	chainRemark = regexp.MustCompile(`^(.*\S)\s+\(([^()]*)\)$`)
	chainList   = regexp.MustCompile(`^(?:\[([^\[\](){}]*)\]|\(([^\[\](){}]*)\)|\{([^\[\](){}]*)\})$`)
	chainMarks  = regexp.MustCompile(`\s*(?:\|\||[∥‖|,])\s*|\s+[/+&]\s+`)
	chainSides  = regexp.MustCompile(`\s*(?:\|\||[∥‖])\s*`)
	inParallel  = regexp.MustCompile(`(?i)\s*\b(?:in\s+)?(?:parallel|concurrently|simultaneously)$`)
	fansOut     = regexp.MustCompile(`(?i)\bfan[ _-]?out\b`)
	// A name that stands for several: nobody can tell how many, and whether they are side by side.
	collective = regexp.MustCompile(`(?i)(?:[^sui]s|layer|panel|bench|swarm|team|pool|group|phase|stage)$`)
)

// chainRun is how many rows from the first one on are one chain: each goes on where the one above ended with an arrow
// or in an open bracket, or begins with an arrow, all those in one column.
func chainRun(rows []string) int {
	column, depth, size := -1, 0, 0
	for i, row := range rows[:min(len(rows), chainRows)] {
		leads := leadingHead.MatchString(row)
		switch {
		case size+len(row) > chainBytes, strings.TrimSpace(row) == "":
			return i
		case i == 0 && leads, i > 0 && !leads && depth == 0 && !endingHead.MatchString(rows[i-1]):
			return i
		case i > 0 && leads:
			at := len([]rune(row)) - len([]rune(strings.TrimLeft(row, " \t")))
			if column >= 0 && at != column || depth > 0 || endingHead.MatchString(rows[i-1]) {
				return i
			}
			column = at
		}
		size += len(row)
		depth += strings.Count(row, "(") + strings.Count(row, "[") + strings.Count(row, "{")
		depth -= strings.Count(row, ")") + strings.Count(row, "]") + strings.Count(row, "}")
	}
	return min(len(rows), chainRows)
}

// readChain takes rows that are one chain apart. What is not a name ends it: the arrows from there on are loose.
func readChain(rows []string) strand {
	text := strings.Join(strings.Fields(strings.Join(rows, " ")), " ")
	var c strand
	var parts []string
	from := 0
	for _, at := range chainArrow.FindAllStringIndex(text, -1) {
		if nested(text[from:at[0]]) {
			return strand{cut: true}
		}
		parts = append(parts, text[from:at[0]])
		from = at[1]
	}
	parts = append(parts, text[from:])
	for i, part := range parts {
		s, ok := readStep(part)
		if !ok {
			c.cut, c.loose = true, len(parts)-max(i, 1)
			break
		}
		c.steps = append(c.steps, s)
	}
	return c
}

// nested: a bracket is open at the end of a text.
func nested(text string) bool {
	return strings.Count(text, "(") != strings.Count(text, ")") || strings.Count(text, "[") != strings.Count(text, "]") ||
		strings.Count(text, "{") != strings.Count(text, "}")
}

func readStep(text string) (step, bool) {
	text = strings.Trim(text, " `*")
	var s step
	together := false
	if m := chainRemark.FindStringSubmatch(text); m != nil && !chainSides.MatchString(text[len(m[1]):]) {
		if condition.MatchString(m[2]) {
			return step{}, false
		}
		text, together = m[1], parallelWord.MatchString(m[2])
		s.open = together || chainMarks.MatchString(m[2]) || collective.MatchString(m[2]) || fansOut.MatchString(m[2])
	}
	marks := chainSides
	if m := chainList.FindStringSubmatch(text); m != nil {
		text, marks = strings.TrimSpace(m[1]+m[2]+m[3]), chainMarks
	} else if together {
		marks = chainMarks
	}
	if short := inParallel.ReplaceAllString(text, ""); short != text {
		text, s.open = short, true
	}
	for _, name := range marks.Split(text, -1) {
		name = strings.Trim(name, " `*\"'")
		if !chainName.MatchString(name) || condition.MatchString(name) || slices.Contains(s.names, name) {
			return step{}, false
		}
		s.names = append(s.names, name)
	}
	if len(s.names) > 1 {
		s.open = false
	} else {
		s.open = s.open || collective.MatchString(s.names[0])
	}
	return s, true
}

func (c strand) starts() bool {
	return len(c.steps) > 0 && len(c.steps[0].names) == 1 && chainFirst.MatchString(c.steps[0].names[0])
}

func (c strand) ends() bool {
	last := len(c.steps) - 1
	return last >= 0 && !c.cut && len(c.steps[last].names) == 1 && chainLast.MatchString(c.steps[last].names[0])
}

func (c strand) splits() bool {
	return slices.ContainsFunc(c.steps, func(s step) bool { return len(s.names) > 1 })
}

// shows: the chain is a graph and not a figure of speech. It has its start or end, or puts names side by side; over
// rows that begin with an arrow, which may be the branches of a fork as well, it has more of that.
func (c strand) shows(stacked bool) bool {
	const fewest = 3 // steps
	switch {
	case len(c.steps) < fewest:
		return false
	case c.cut:
		return c.starts() && c.splits()
	case stacked:
		return c.starts() && (c.ends() || c.splits())
	}
	return c.starts() || c.ends() || c.splits()
}

// graph ties each step to the next one. Between two lists nobody can tell which belongs to which.
func (c strand) graph() *Graph {
	b := newBuild(Flow)
	loose := c.loose
	for i, s := range c.steps {
		for _, name := range s.names {
			b.node(name, "")
		}
		if s.open {
			loose++
		}
		switch {
		case i == 0:
		case len(s.names) > 1 && len(c.steps[i-1].names) > 1:
			loose++
		default:
			b.edges(c.steps[i-1].names, s.names, "")
		}
	}
	g, err := b.result()
	if err != nil || len(g.Edges) == 0 {
		return nil
	}
	g.Loose = loose
	return g
}

// stacked: rows that begin with an arrow.
func stacked(rows []string) bool {
	return slices.ContainsFunc(rows, leadingHead.MatchString)
}

// chainFigure makes a figure of rows that are a chain and nothing else; below a branch that cannot be read may
// stand anything.
func chainFigure(source string, rows []string) (Figure, bool) {
	rows = slices.DeleteFunc(slices.Clone(rows), func(row string) bool { return strings.TrimSpace(row) == "" })
	n := chainRun(rows)
	c := readChain(rows[:n])
	for _, row := range rows[n:] {
		c.loose += len(chainArrow.FindAllString(row, -1))
	}
	if n < len(rows) && !c.cut || !c.shows(stacked(rows[:n])) {
		return Figure{}, false
	}
	f := Figure{Origin: Chain, Source: source, Digest: digest(source), Graph: c.graph()}
	f.Readable = f.Graph != nil && f.Graph.Loose == 0
	return f, f.Graph != nil
}

// chainOn makes a figure of the chain that begins in the first of the lines of a page, if it stands by itself: with
// space, a colon or another font above and below. A sentence goes on in the next line.
func chainOn(lines []placed, at int) (f Figure, n int) {
	const reach = chainRows
	if first := lines[at].Text; !chainArrow.MatchString(first) && !chainFirst.MatchString(strings.TrimSpace(first)) {
		return Figure{}, 0
	}
	rows := columns(lines[at:min(len(lines), at+reach)])
	n = chainRun(rows)
	if n == 0 {
		return Figure{}, 0
	}
	c := readChain(rows[:n])
	if c.cut || !c.starts() && !c.ends() || !c.shows(stacked(rows[:n])) || !apart(lines, at, at+n) {
		return Figure{}, 0
	}
	f = textFigure(Chain, lines[at:at+n])
	f.Graph = c.graph()
	f.Readable = f.Graph != nil && f.Graph.Loose == 0
	if f.Graph == nil {
		return Figure{}, 0
	}
	return f, n
}

// apart: what stands above and below some lines is not one paragraph with them.
func apart(lines []placed, from, to int) bool {
	const pitch = 1.7 // times the size of the font, from line to line
	parted := func(a, b placed) bool {
		return a.page != b.page || a.Mono != b.Mono || caption.MatchString(b.Text) || caption.MatchString(a.Text) ||
			b.Box.Y0-a.Box.Y0 > pitch*max(a.Size, b.Size) || a.Bold != b.Bold
	}
	above := from == 0 || parted(lines[from-1], lines[from]) || strings.HasSuffix(strings.TrimSpace(lines[from-1].Text), ":")
	below := to == len(lines) || parted(lines[to-1], lines[to])
	return above && below
}
