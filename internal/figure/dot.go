package figure

import (
	"fmt"
	"strings"
)

// ParseDOT reads the source of a Graphviz graph: nodes, edges, labels and clusters. Ports are dropped, defaults for
// all nodes are not applied. Edges of an undirected graph come in the order they are written in.
func ParseDOT(source string) (*Graph, error) {
	if len(source) > maxSource {
		return nil, errTooLarge
	}
	p := &dotParser{tokens: dotTokens(source), b: newBuild(Flow)}
	p.accept("strict")
	if !p.accept("digraph") && !p.accept("graph") {
		return nil, errSource
	}
	if p.peek().text != "{" {
		p.next() // the graph's name
	}
	if !p.accept("{") {
		return nil, errSource
	}
	if _, err := p.block(0); err != nil {
		return nil, err
	}
	return p.b.result()
}

// dotToken is a word, a string or a mark. Words in quotes are never keywords.
type dotToken struct {
	text   string
	quoted bool
	mark   bool
}

type dotParser struct {
	tokens []dotToken
	at     int
	b      *build
}

func (p *dotParser) peek() dotToken {
	if p.at < len(p.tokens) {
		return p.tokens[p.at]
	}
	return dotToken{}
}

func (p *dotParser) next() dotToken {
	t := p.peek()
	p.at++
	return t
}

func (p *dotParser) done() bool { return p.at >= len(p.tokens) }

// accept takes a keyword or mark if it is the next token.
func (p *dotParser) accept(text string) bool {
	t := p.peek()
	if t.quoted || !strings.EqualFold(t.text, text) || p.done() {
		return false
	}
	p.at++
	return true
}

// block reads the statements up to the closing brace and returns the nodes named in it, for edges to a subgraph.
func (p *dotParser) block(depth int) ([]string, error) {
	if depth > maxDepth {
		return nil, errTooLarge
	}
	var named []string
	for !p.done() {
		if p.accept("}") {
			return named, nil
		}
		if p.accept(";") || p.accept(",") {
			continue
		}
		ids, err := p.statement(depth)
		if err != nil {
			return nil, err
		}
		named = append(named, ids...)
	}
	return nil, fmt.Errorf("reading DOT: %w", errUnclosed)
}

func (p *dotParser) statement(depth int) ([]string, error) {
	if t := p.peek(); !t.quoted && !t.mark {
		switch strings.ToLower(t.text) {
		case "node", "edge", "graph":
			p.next()
			p.attributes()
			return nil, nil
		}
	}
	from, err := p.operand(depth)
	if err != nil {
		return nil, err
	}
	named := from
	type hop struct{ from, to []string }
	var hops []hop
	for p.accept("->") || p.accept("--") {
		to, err := p.operand(depth)
		if err != nil {
			return nil, err
		}
		hops = append(hops, hop{from, to})
		named = append(named, to...)
		from = to
	}
	if len(hops) == 0 && p.accept("=") { // a setting such as rankdir=LR
		p.next()
		return nil, nil
	}
	attributes := p.attributes()
	if len(hops) == 0 && len(from) == 1 {
		p.b.node(from[0], attributes["label"])
	}
	for _, id := range named {
		p.b.node(id, "")
	}
	for _, h := range hops {
		p.b.edges(h.from, h.to, attributes["label"])
	}
	return named, nil
}

// operand is a node or a subgraph.
func (p *dotParser) operand(depth int) ([]string, error) {
	sub := p.accept("subgraph")
	name := ""
	if sub && p.peek().text != "{" {
		name = p.next().text
	}
	if p.accept("{") {
		p.b.open(p.title(name))
		ids, err := p.block(depth + 1)
		p.b.close()
		return ids, err
	}
	t := p.next()
	if t.mark || t.text == "" && !t.quoted {
		return nil, fmt.Errorf("reading DOT: %w %q", errUnexpected, t.text)
	}
	for p.accept(":") { // a port
		p.next()
	}
	return []string{t.text}, nil
}

// title is the label of a cluster, which stands somewhere between its braces. Other subgraphs draw no box.
func (p *dotParser) title(name string) string {
	if !strings.HasPrefix(name, "cluster") {
		return ""
	}
	depth := 0
	for i := p.at; i+2 < len(p.tokens); i++ {
		switch t := p.tokens[i]; {
		case t.mark && (t.text == "{" || t.text == "["):
			depth++
		case t.mark && (t.text == "}" || t.text == "]"):
			depth--
		case depth == 0 && t.text == "label" && p.tokens[i+1].text == "=":
			return label(p.tokens[i+2].text)
		}
		if depth < 0 {
			break
		}
	}
	return name
}

// attributes reads any number of [a=b, c=d].
func (p *dotParser) attributes() map[string]string {
	found := map[string]string{}
	for p.accept("[") {
		for !p.done() && !p.accept("]") {
			key := p.next()
			if p.accept("=") {
				found[strings.ToLower(key.text)] = label(p.next().text)
			}
		}
	}
	return found
}
