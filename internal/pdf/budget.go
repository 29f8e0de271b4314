package pdf

// budget counts the work that one document may cost, over all its pages. A method is false when its part is used
// up. The numbers keep the worst document under the worker's deadline of 20 seconds on a machine that is busy with
// other things, where an object costs 0.2 ms, and its answer under the frame's size. A report of 50 pages needs a
// fifth of them.
type budget struct {
	chars, objects, segments, images, lines, links, text, points, letters, further, clips int
}

const (
	maxChars    = 800_000 // characters asked for
	maxObjects  = 50_000  // page objects
	maxSegments = 50_000  // path segments
	maxLines    = 60_000  // lines in the answer
	maxLinks    = 2_000   // links in the answer
	maxText     = 8 << 20 // bytes of text in the answer
	maxOutline  = 30_000  // path segments that are taken down
	maxPoints   = 30_000  // points of shapes in the answer
	maxLetters  = 30_000  // characters looked at for labels
	maxClips    = 200_000 // segments of clip paths around text
	maxAreas    = 5_000   // painted areas of one page that text is compared with
)

func newBudget(o Options) *budget {
	return &budget{chars: maxChars, objects: maxObjects, segments: maxSegments, images: o.MaxImages, lines: maxLines,
		links: maxLinks, text: maxText, points: maxPoints, letters: maxLetters, further: maxOutline, clips: maxClips}
}

func spend(left *int, n int) bool {
	if *left < n {
		return false
	}
	*left -= n
	return true
}

func (b *budget) char() bool         { return spend(&b.chars, 1) }
func (b *budget) object() bool       { return spend(&b.objects, 1) }
func (b *budget) segment() bool      { return spend(&b.segments, 1) }
func (b *budget) image() bool        { return spend(&b.images, 1) }
func (b *budget) link() bool         { return spend(&b.links, 1) }
func (b *budget) outline(n int) bool { return spend(&b.further, n) }
func (b *budget) clip() bool         { return spend(&b.clips, 1) }
func (b *budget) letter() bool       { return spend(&b.letters, 1) }
func (b *budget) point(n int) bool   { return spend(&b.points, n) }
func (b *budget) line(n int) bool    { return spend(&b.lines, 1) && spend(&b.text, n) }
