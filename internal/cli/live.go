package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"github.com/automaton-auditor/automaton/internal/trial"
)

// beat is how often the live view is drawn.
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
// context ends.
func (a *app) liveView(ctx context.Context) *liveView {
	v := &liveView{stream: a.stream, now: a.Now, look: newLook(a.colored(a.stream.w), a.speaksUTF8()), gone: make(chan struct{})}
	v.rows = append(v.rows, &row{name: fetch, waiting: true})
	if g, err := a.ownGraph(); err == nil { // a program that cannot draw its graph finds out when it runs it
		for _, n := range g.Nodes {
			if n.Name != trial.ErrorHandler { // who has work only when the others have none
				v.rows = append(v.rows, &row{name: n.Name, waiting: true})
			}
		}
	}
	v.screen = tea.NewProgram(screen{view: v, width: 80, height: 24}, tea.WithOutput(v.stream.w), tea.WithInput(nil), tea.WithoutSignalHandler(), tea.WithoutCatchPanics(),
		tea.WithFPS(int(time.Second/beat)), tea.WithWindowSize(80, 24), tea.WithEnvironment(a.terminalEnvironment()))
	v.stream.divert(v.over)
	go v.run()
	context.AfterFunc(ctx, v.leave)
	return v
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
	case noted:
		v.above = append(v.above, v.look.note(n.step, n.text))
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

// passing takes the lines that are to scroll past.
func (v *liveView) passing(width int) string {
	v.mu.Lock()
	defer v.mu.Unlock()
	var out []string
	for _, text := range v.above {
		out = append(out, lipgloss.Wrap(text, max(width-1, 1), " "))
	}
	v.above = nil
	return strings.Join(out, "\n")
}

// screen is the view as the drawing library wants it.
type screen struct {
	view          *liveView
	width, height int
}

type (
	pulse struct{} // it is time to look
	leave struct{} // the end
)

func again() tea.Cmd { return tea.Tick(beat, func(time.Time) tea.Msg { return pulse{} }) }

// Init begins to look.
func (s screen) Init() tea.Cmd { return again() }

// Update follows the terminal's size, and looks for what is new.
func (s screen) Update(m tea.Msg) (tea.Model, tea.Cmd) {
	switch m := m.(type) {
	case tea.WindowSizeMsg:
		s.width, s.height = m.Width, m.Height
	case pulse:
		return s, tea.Batch(s.pass(), again())
	case leave:
		return s, tea.Sequence(s.pass(), tea.Quit)
	}
	return s, nil
}

// pass lets what is new scroll past.
func (s screen) pass() tea.Cmd {
	text := s.view.passing(s.width)
	if text == "" {
		return nil
	}
	return tea.Println(text)
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
	return isTerminal(a.stream.w) && a.getenv("CI") == "" && a.getenv("TERM") != "dumb"
}
