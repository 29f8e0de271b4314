package pixels

import (
	"slices"
	"testing"
)

var plain = style{paper: 255, box: 255, ink: 0, text: 40, border: 2, line: 2, size: 14}

func styles() map[string]style {
	with := func(change func(*style)) style {
		s := plain
		change(&s)
		return s
	}
	return map[string]style{
		"outlined":          plain,
		"thin and grey":     with(func(s *style) { s.ink, s.border, s.line, s.size = 90, 1, 1.2, 12 }),
		"filled":            with(func(s *style) { s.box, s.ink, s.gap = 236, 60, 3 }),
		"filled, no border": with(func(s *style) { s.box, s.border, s.gap = 190, 0, 3 }),
		"shadows":           with(func(s *style) { s.box, s.shadow, s.gap = 250, true, 6 }),
		"dark theme":        with(func(s *style) { s.paper, s.box, s.ink, s.text, s.border = 13, 31, 200, 220, 1.5 }),
		"light boxes on black": with(func(s *style) {
			s.paper, s.box, s.ink, s.text, s.gap = 0, 235, 170, 40, 2
		}),
		"curved":     with(func(s *style) { s.curved, s.box, s.ink, s.border = true, 238, 70, 1.3 }),
		"elbows":     with(func(s *style) { s.elbow = true }),
		"open heads": with(func(s *style) { s.open, s.gap = true, 2 }),
		"ellipses":   with(func(s *style) { s.round, s.box = true, 255; s.border = 1.5 }),
	}
}

// named maps the boxes of a sketch to those of the plan by the middle of these; -1 for others.
func named(s Sketch, nodes []node) []int {
	of := make([]int, len(s.Boxes))
	for i, b := range s.Boxes {
		of[i] = slices.IndexFunc(nodes, func(n node) bool {
			return !b.Group && int(n.x) >= b.X0 && int(n.x) <= b.X1 && int(n.y) >= b.Y0 && int(n.y) <= b.Y1
		})
	}
	return of
}

// compare gives the arrows that were missed and those that are not there.
func compare(s Sketch, nodes []node, want []Arrow) (missed, wrong []Arrow) {
	of := named(s, nodes)
	var got []Arrow
	for _, a := range s.Arrows {
		got = append(got, Arrow{of[a.From], of[a.To]})
	}
	for _, a := range got {
		if !slices.Contains(want, a) {
			wrong = append(wrong, a)
		}
	}
	for _, a := range want {
		if !slices.Contains(got, a) {
			missed = append(missed, a)
		}
	}
	return missed, wrong
}

func TestRead(t *testing.T) {
	for name, s := range styles() {
		t.Run(name, func(t *testing.T) {
			e, nodes, want := diagram(s)
			got := reader.Read(e.picture())
			if missed, wrong := compare(got, nodes, want); len(missed)+len(wrong) > 0 {
				t.Errorf("missed %v, wrong %v, lines %v, loose %d, of %d boxes", missed, wrong, got.Lines, got.Loose, len(got.Boxes))
			}
			if !got.Valid(e.w, e.h) {
				t.Error("the sketch is not valid")
			}
		})
	}
}

// The same picture turned inside out, black for white, shows the same.
func TestReadInverted(t *testing.T) {
	e, _, _ := diagram(plain)
	first := reader.Read(e.picture())
	for i := range e.grey {
		e.grey[i] = 255 - e.grey[i]
	}
	if second := reader.Read(e.picture()); !slices.Equal(first.Arrows, second.Arrows) || !slices.Equal(first.Boxes, second.Boxes) {
		t.Errorf("%+v\n%+v", first, second)
	}
}

// A group around boxes is not a box, and arrows go through its border.
func TestReadGroups(t *testing.T) {
	for name, fill := range map[string]byte{"filled": 246, "only a frame": 255} {
		t.Run(name, func(t *testing.T) {
			e := newEasel(900, 900, 255)
			e.rect(30, 150, 870, 290, fill)
			e.frame(30, 150, 870, 290, 2, 120)
			nodes, want := plan()
			for _, n := range nodes {
				e.node(n, plain)
			}
			for _, a := range want {
				from, to := nodes[a.From], nodes[a.To]
				start := max(-50, min(50, (to.x-from.x)/5))
				if a.To == 4 || a.To == 8 {
					to.x += max(-60, min(60, (from.x-to.x)/5))
				}
				e.arrow(from, to, start, plain)
			}
			got := reader.Read(e.picture())
			if missed, wrong := compare(got, nodes, want); len(missed)+len(wrong) > 0 {
				t.Errorf("missed %v, wrong %v, %+v", missed, wrong, got)
			}
			of := named(got, nodes)
			for i, b := range got.Boxes {
				inside := of[i] >= 1 && of[i] <= 3
				if !b.Group && (b.In >= 0) != inside || b.In >= 0 && !got.Boxes[b.In].Group {
					t.Errorf("box %d: %+v", of[i], b)
				}
			}
		})
	}
}

// A word that lies on a line, on a ground of its own, is not a box.
func TestReadLabelled(t *testing.T) {
	e := newEasel(500, 600, 255)
	nodes := []node{{250, 60, 200, 60}, {250, 300, 200, 60}, {250, 520, 200, 60}}
	for _, n := range nodes {
		e.node(n, plain)
	}
	e.arrow(nodes[0], nodes[1], 0, plain)
	e.arrow(nodes[1], nodes[2], 0, plain)
	e.rect(190, 150, 310, 180, 210)
	e.word(215, 159, 8, 30)
	got := reader.Read(e.picture())
	if missed, wrong := compare(got, nodes, []Arrow{{0, 1}, {1, 2}}); len(missed)+len(wrong) > 0 || len(got.Boxes) != 3 {
		t.Errorf("missed %v, wrong %v, %+v", missed, wrong, got)
	}
}

// A trunk that forks is one line to each box; lines that cross say nothing.
func TestReadTrunks(t *testing.T) {
	nodes := []node{{300, 60, 200, 60}, {110, 330, 160, 60}, {300, 330, 160, 60}, {490, 330, 160, 60}}
	cases := map[string]struct {
		draw func(*easel)
		want []Arrow
	}{
		"fork": {func(e *easel) {
			e.line(spot{300, 90}, spot{300, 190}, 2, 0)
			e.line(spot{110, 190}, spot{490, 190}, 2, 0)
			for _, x := range []float64{110, 300, 490} {
				e.line(spot{x, 190}, spot{x, 288}, 2, 0)
				e.head(spot{x, 200}, spot{x, 298}, 14, false, 0)
			}
		}, []Arrow{{0, 1}, {0, 2}, {0, 3}}},
		"join": {func(e *easel) {
			for _, x := range []float64{110, 300, 490} {
				e.line(spot{x, 190}, spot{x, 300}, 2, 0)
			}
			e.line(spot{110, 190}, spot{490, 190}, 2, 0)
			e.line(spot{300, 190}, spot{300, 102}, 2, 0)
			e.head(spot{300, 190}, spot{300, 92}, 14, false, 0)
		}, []Arrow{{1, 0}, {2, 0}, {3, 0}}},
		"without heads": {func(e *easel) {
			e.line(spot{300, 90}, spot{300, 300}, 2, 0)
		}, nil},
		"into nowhere": {func(e *easel) {
			e.line(spot{300, 90}, spot{300, 200}, 2, 0)
			e.head(spot{300, 100}, spot{300, 214}, 14, false, 0)
		}, nil},
		"a line beside": {func(e *easel) {
			e.line(spot{20, 130}, spot{580, 130}, 2, 0)
			e.line(spot{580, 130}, spot{580, 390}, 2, 0)
		}, nil},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			e := newEasel(600, 420, 255)
			for _, n := range nodes {
				e.node(n, plain)
			}
			c.draw(e)
			got := reader.Read(e.picture())
			if missed, wrong := compare(got, nodes, c.want); len(missed)+len(wrong) > 0 {
				t.Errorf("missed %v, wrong %v, %+v", missed, wrong, got)
			}
		})
	}
}

func TestReadForms(t *testing.T) {
	e := newEasel(700, 300, 255)
	e.node(node{120, 150, 160, 90}, plain)
	e.fill(0, spot{350, 70}, spot{450, 150}, spot{350, 230}, spot{250, 150})
	e.fill(255, spot{350, 73}, spot{447, 150}, spot{350, 227}, spot{253, 150})
	e.word(320, 144, 7, 0)
	round := plain
	round.round = true
	e.node(node{570, 150, 160, 110}, round)
	var forms []Form
	for _, b := range reader.Read(e.picture()).Boxes {
		forms = append(forms, b.Form)
	}
	slices.Sort(forms)
	if !slices.Equal(forms, []Form{Diamond, Rectangle, Round}) {
		t.Error(forms)
	}
}

func TestReadBounds(t *testing.T) {
	for name, p := range map[string]Picture{
		"nothing":     {},
		"too small":   {20, 20, make([]byte, 400)},
		"other bytes": {100, 100, make([]byte, 99)},
		"too large":   {1 << 20, 1 << 20, nil},
		"negative":    {-100, -100, make([]byte, 10_000)},
		"one shade":   {200, 200, make([]byte, 40_000)},
	} {
		if got := reader.Read(p); len(got.Boxes)+len(got.Arrows) > 0 {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestValid(t *testing.T) {
	box := Box{X0: 1, Y0: 1, X1: 9, Y1: 9, In: -1}
	for name, s := range map[string]Sketch{
		"beyond the picture":    {Boxes: []Box{{X1: 10, Y1: 5, In: -1}}},
		"inside out":            {Boxes: []Box{{X0: 5, X1: 1, Y1: 5, In: -1}}},
		"in a box that is none": {Boxes: []Box{{X1: 5, Y1: 5, In: 1}}},
		"an arrow to nothing":   {Boxes: []Box{box}, Arrows: []Arrow{{0, 1}}},
		"a line to itself":      {Boxes: []Box{box}, Lines: []Arrow{{0, 0}}},
		"more unread than ink":  {Ink: 5, Unread: 6},
		"more ink than pixels":  {Ink: 101},
	} {
		if s.Valid(10, 10) {
			t.Errorf("%s is valid", name)
		}
	}
	if !(Sketch{Boxes: []Box{box, box}, Arrows: []Arrow{{0, 1}}, Ink: 3, Unread: 2}).Valid(10, 10) {
		t.Error("a good one is not valid")
	}
}
