package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/automaton-auditor/automaton/internal/trial"
)

// beat is how often the live view looks for what is new.
const beat = 100 * time.Millisecond

// liveView draws the steps of a run in place, and takes them away at the end.
// The run never waits for the terminal: news change what is known, and the
// screen looks at that at its own pace.
type liveView struct {
	stream *shared
	now    func() time.Time
	look   look
	screen *tea.Program
	once   sync.Once
	gone   chan struct{} // closed when nothing is drawn any more
	bug    any           // what the drawing panicked with; read once it is gone

	mu    sync.Mutex
	rows  []*row
	above []string // lines that scroll past, and stay
	drawn int      // lines of the last drawing
}

// row is a step as it stands.
type row struct {
	name     string
	state    tiding // begun or ended; waiting is neither
	done, of int
	text     string
	began    time.Time
	spent    time.Duration // in earlier rounds, or in all
	waiting  bool
}

// liveView takes the stream of standard error over until it is stopped, or the
// context ends. The nodes are the steps behind the fetch.
func (a *app) liveView(ctx context.Context, nodes []string) *liveView {
	return a.liveRows(ctx, append([]string{fetch}, nodes...))
}

// liveRows is a live view of the rows of these names.
func (a *app) liveRows(ctx context.Context, names []string) *liveView {
	v := &liveView{stream: a.stream, now: a.Now, look: newLook(a.colored(a.stream.w), a.speaksUTF8()), gone: make(chan struct{})}
	for _, name := range names {
		v.rows = append(v.rows, &row{name: name, waiting: true})
	}
	width, height, _ := size(v.stream.w)
	v.screen = tea.NewProgram(screen{view: v, width: width, height: height}, tea.WithOutput(v.stream.w), tea.WithInput(nil), tea.WithoutSignalHandler(), tea.WithoutCatchPanics(),
		tea.WithFPS(60), tea.WithWindowSize(width, height), tea.WithEnvironment(a.terminalEnvironment()))
	v.stream.divert(v.over)
	go v.run()
	context.AfterFunc(ctx, v.leave)
	return v
}

// nodes are the steps of an audit. ErrorHandler has work only when the others
// have none.
func (a *app) nodes() (names []string) {
	g, err := a.ownGraph()
	if err != nil {
		return nil // it is told when the graph is run
	}
	for _, n := range g.Nodes {
		if n.Name != trial.ErrorHandler {
			names = append(names, n.Name)
		}
	}
	return names
}

// terminalEnvironment is what the drawing library learns of the environment.
func (a *app) terminalEnvironment() []string {
	term := a.getenv("TERM")
	if term == "" || term == "dumb" { // it was asked for
		term = "xterm"
	}
	return []string{"TERM=" + term, "CLICOLOR_FORCE=1"} // without colour, nothing coloured is given to it
}

// run draws until the end, and gives the stream back.
func (v *liveView) run() {
	defer close(v.gone)
	defer func() {
		v.stream.divert(nil)
		v.mu.Lock()
		defer v.mu.Unlock()
		l := &lines{w: v.stream}
		for _, text := range v.above { // what was not drawn is said
			l.f("%s\n", text)
		}
		v.above = nil
	}()
	defer func() {
		if v.bug = recover(); v.bug != nil {
			v.screen.Kill() // it leaves the terminal as it was
		}
	}()
	if _, err := v.screen.Run(); err == nil { // a terminal that is gone is no failure of the case
		v.wipe()
	}
}

// wipe takes the last drawing away. The library left the cursor below it; made
// to draw less, it would forget where that was.
func (v *liveView) wipe() {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.drawn > 0 {
		_, _ = fmt.Fprintf(v.stream.w, "\r\x1b[%dA\x1b[J", v.drawn)
	}
}

// leave takes the drawing away.
func (v *liveView) leave() {
	v.once.Do(func() { v.screen.Send(leave{}) })
	<-v.gone
}

// stop ends the view. A bug in the drawing is one of ours, and told where all
// are told.
func (v *liveView) stop() {
	v.leave()
	if v.bug != nil {
		panic(v.bug)
	}
}

// over takes what others write to the stream: it is put above the drawing.
func (v *liveView) over(p []byte) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.above = append(v.above, strings.Split(strings.TrimSuffix(string(p), "\n"), "\n")...)
}

func (v *liveView) tell(n news) error {
	n.text = string(v.stream.hide([]byte(n.text)))
	v.mu.Lock()
	defer v.mu.Unlock()
	r := v.row(n.step)
	switch n.what {
	case begun:
		r.waiting, r.state, r.began, r.done, r.of, r.text = false, begun, v.now(), 0, 0, ""
	case moved:
		if r.state == ended {
			break // a report that came late
		}
		r.done, r.of, r.text = n.done, n.of, n.text
	case ended:
		r.spent += v.now().Sub(r.began)
		r.state, r.text = ended, n.text
	case sighted:
		v.above = append(v.above, v.look.finding(n.text))
	case failed:
		v.above = append(v.above, v.look.fault(n.step, n.text))
	case noted: // the rows show it
	}
	return nil
}

// row is the row of a step; one that nobody expected is put at the end.
func (v *liveView) row(step string) *row {
	if i := slices.IndexFunc(v.rows, func(r *row) bool { return r.name == step }); i >= 0 {
		return v.rows[i]
	}
	v.rows = append(v.rows, &row{name: step})
	return v.rows[len(v.rows)-1]
}

// picture is the drawing at this moment.
func (v *liveView) picture(width, height int) string {
	v.mu.Lock()
	defer v.mu.Unlock()
	text := v.look.draw(v.rows, width, height, v.now())
	v.drawn = strings.Count(text, "\n")
	return text
}

// passing takes lines that are to scroll past, as many as there is room for.
func (v *liveView) passing(width int) string {
	v.mu.Lock()
	defer v.mu.Unlock()
	var out []string
	for room := spare; len(v.above) > 0; v.above = v.above[1:] {
		text := v.look.pass(v.above[0], width)
		if room -= 1 + strings.Count(text, "\n"); room < 0 && len(out) > 0 {
			break
		}
		out = append(out, text)
	}
	return strings.Join(out, "\n")
}

// screen is the view as the drawing library wants it.
type screen struct {
	view            *liveView
	width, height   int
	passing, ending bool // lines are on their way; nothing is drawn after them
}

type (
	pulse  struct{} // it is time to look
	passed struct{} // the lines that were on their way have scrolled past
	leave  struct{} // the end
)

func again() tea.Cmd { return tea.Tick(beat, func(time.Time) tea.Msg { return pulse{} }) }

// Init begins to look.
func (s screen) Init() tea.Cmd { return again() }

// Update follows the terminal's size, and looks for what is new. It ends when
// everything that stays is on the screen.
func (s screen) Update(m tea.Msg) (tea.Model, tea.Cmd) {
	switch m := m.(type) {
	case tea.WindowSizeMsg:
		s.width, s.height = m.Width, m.Height
		return s, nil
	case pulse:
		s, pass := s.pass()
		return s, tea.Batch(pass, again())
	case passed:
		s.passing = false
	case leave:
		s.ending = true
	default:
		return s, nil
	}
	s, pass := s.pass()
	if s.ending && !s.passing {
		return s, tea.Quit
	}
	return s, pass
}

// pass lets what is new scroll past, one handful after the other.
func (s screen) pass() (screen, tea.Cmd) {
	if s.passing {
		return s, nil
	}
	text := s.view.passing(s.width)
	if text == "" {
		return s, nil
	}
	s.passing = true
	return s, tea.Sequence(tea.Println(text), func() tea.Msg { return passed{} })
}

// View is the drawing. The cursor stays visible on a line of its own below, so
// that whatever ends the program leaves a terminal that can be used.
func (s screen) View() tea.View {
	text := s.view.picture(s.width, s.height)
	v := tea.NewView(text)
	v.DisableBracketedPasteMode = true
	v.Cursor = tea.NewCursor(0, strings.Count(text, "\n"))
	v.Cursor.Shape, v.Cursor.Blink = ownShape, false
	return v
}

// ownShape makes the library's number of the cursor's shape 0, the terminal's
// own: the shape is left alone.
const ownShape tea.CursorShape = -1

// lively tells whether stderr can show a live view, and somebody may look.
func (a *app) lively() bool {
	_, _, known := size(a.stream.w)
	return known && isTerminal(a.stream.w) && a.getenv("CI") == "" && a.getenv("TERM") != "dumb"
}
