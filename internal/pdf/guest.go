package pdf

import (
	"context"
	"errors"
	"math"

	"github.com/klippa-app/go-pdfium/enums"
	"github.com/tetratelabs/wazero/api"
)

// Page objects are asked for by the thousand. go-pdfium files each of them, each segment and each mark under a name that
// it draws by chance, and gets memory of the guest for each number that it reads. These questions are put to PDFium
// itself: to its functions as fpdf_edit.h has them, with one piece of memory for all answers.

// object is a page object, a path segment, a clip path or a mark: an address in the guest.
type object uint64

// answerSize is the memory for one answer, in bytes: a matrix has six numbers of four.
const answerSize = 32

var errGuest = errors.New("PDFium gives no memory for its answers")

// prepare gets the memory for answers.
func (s *session) prepare() error {
	field, err := moduleField(s.Pdfium)
	if err != nil {
		return err
	}
	kept, ok := field.Interface().(*module)
	if !ok {
		return errBinding
	}
	s.guest = kept
	at, ok := s.call("malloc", answerSize)
	if s.dead != nil || !ok || at == 0 {
		return errors.Join(errGuest, s.dead)
	}
	s.answer = uint32(at)
	return nil
}

// call calls a function of PDFium. A trap gives false and is kept, as with ask.
func (s *session) call(name string, params ...uint64) (uint64, bool) {
	if s.dead != nil {
		return 0, false
	}
	results, err := s.guest.ExportedFunction(name).Call(context.Background(), params...)
	if err != nil {
		s.dead = err
		return 0, false
	}
	if len(results) == 0 {
		return 0, true
	}
	return results[0], true
}

// count is a function's whole number; false for less than nothing, which says that there is no answer.
func (s *session) count(name string, params ...uint64) (int, bool) {
	n, ok := s.call(name, params...)
	if count := int(int32(uint32(n))); ok && count >= 0 {
		return count, true
	}
	return 0, false
}

// part is a function's object; false when there is none.
func (s *session) part(name string, of object, index int) (object, bool) {
	o, ok := s.call(name, uint64(of), uint64(index))
	return object(o), ok && o != 0
}

// numbers asks for n numbers of four bytes, each by an address of its own.
func (s *session) numbers(name string, of object, n int) (found [4]uint32, ok bool) {
	params := [5]uint64{uint64(of)}
	for i := range n {
		params[i+1] = uint64(s.answer) + 4*uint64(i)
	}
	if done, ok := s.call(name, params[:n+1]...); !ok || uint32(done) == 0 {
		return found, false
	}
	for i := range n {
		if found[i], ok = s.guest.Memory().ReadUint32Le(s.answer + 4*uint32(i)); !ok {
			return found, false
		}
	}
	return found, true
}

func real32(bits uint32) float64 { return float64(math.Float32frombits(bits)) }

func (s *session) objectType(o object) (enums.FPDF_PAGEOBJ, bool) {
	n, ok := s.call("FPDFPageObj_GetType", uint64(o))
	return enums.FPDF_PAGEOBJ(int32(uint32(n))), ok
}

// bounds are left, bottom, right and top.
func (s *session) bounds(o object) (b [4]float64, ok bool) {
	n, ok := s.numbers("FPDFPageObj_GetBounds", o, 4)
	for i := range b {
		b[i] = real32(n[i])
	}
	return b, ok
}

func (s *session) matrix(o object) (matrix, bool) {
	if done, ok := s.call("FPDFPageObj_GetMatrix", uint64(o), uint64(s.answer)); !ok || uint32(done) == 0 {
		return matrix{}, false
	}
	var m [6]float64
	for i := range m {
		n, ok := s.guest.Memory().ReadUint32Le(s.answer + 4*uint32(i))
		if !ok {
			return matrix{}, false
		}
		m[i] = real32(n)
	}
	return matrix{m[0], m[1], m[2], m[3], m[4], m[5]}, true
}

// colour asks for the colour of a fill or a stroke.
func (s *session) colour(name string, o object) (colour, bool) {
	n, ok := s.numbers(name, o, 4)
	return colour{uint(n[0]), uint(n[1]), uint(n[2]), uint(n[3])}, ok
}

func (s *session) segmentType(o object) enums.FPDF_SEGMENT {
	n, _ := s.call("FPDFPathSegment_GetType", uint64(o))
	return enums.FPDF_SEGMENT(int32(uint32(n)))
}

func (s *session) segmentPoint(o object) (x, y float64, ok bool) {
	n, ok := s.numbers("FPDFPathSegment_GetPoint", o, 2)
	return real32(n[0]), real32(n[1]), ok
}

// isLayer tells whether a mark is called OC. The name comes as UTF-16 with a zero at its end, and not at all when it is
// longer than the memory for it.
func (s *session) isLayer(mark object) bool {
	const room = answerSize - 8
	done, ok := s.call("FPDFPageObjMark_GetName", uint64(mark), uint64(s.answer)+8, room, uint64(s.answer))
	if !ok || uint32(done) == 0 {
		return false
	}
	size, ok := s.guest.Memory().ReadUint32Le(s.answer)
	if !ok || size != 2*uint32(len("OC\x00")) {
		return false
	}
	name, ok := s.guest.Memory().Read(s.answer+8, size)
	return ok && string(name) == "O\x00C\x00\x00\x00"
}

// raw calls with the bytes of an image as they stand in the file.
func (s *session) raw(image object, use func([]byte)) bool {
	size, ok := s.count("FPDFImageObj_GetImageDataRaw", uint64(image), 0, 0)
	if !ok || size == 0 {
		return false
	}
	at, ok := s.call("malloc", uint64(size))
	if !ok || at == 0 {
		return false
	}
	if _, ok = s.call("FPDFImageObj_GetImageDataRaw", uint64(image), at, uint64(size)); !ok {
		return false
	}
	data, ok := s.guest.Memory().Read(uint32(at), uint32(size))
	if ok {
		use(data)
	}
	_, freed := s.call("free", at)
	return ok && freed
}

// loader is the function that loads a page. go-pdfium keeps the page to itself; it has one at a time, the last.
type loader struct {
	api.Function
	page *uint64
}

// Call loads a page.
func (l loader) Call(ctx context.Context, params ...uint64) ([]uint64, error) {
	results, err := l.Function.Call(ctx, params...)
	*l.page = 0
	if err == nil && len(results) == 1 {
		*l.page = results[0]
	}
	return results, err
}

// segments counts those of a path.
func (s *session) segments(o object) (int, bool) { return s.count("FPDFPath_CountSegments", uint64(o)) }
