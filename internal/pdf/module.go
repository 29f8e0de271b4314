package pdf

import (
	"bytes"
	"errors"
	"reflect"

	"github.com/klippa-app/go-pdfium"
	"github.com/tetratelabs/wazero/api"
)

// module is PDFium's WebAssembly module with its functions at hand. wazero makes a function anew each time it is asked
// for by name, with a stack of 10 KiB, and go-pdfium asks for one or more by each of its calls.
type module struct {
	api.Module
	functions map[string]api.Function
	page      uint64 // that was loaded last
}

// ExportedFunction is the function of a name; nil when there is none. No call is made while another of the same
// instance runs, so that one of each is enough.
func (m *module) ExportedFunction(name string) api.Function {
	f, ok := m.functions[name]
	if !ok {
		f = m.Module.ExportedFunction(name)
		if name == "FPDF_LoadPage" && f != nil {
			f = loader{f, &m.page}
		}
		m.functions[name] = f
	}
	return f
}

var errBinding = errors.New("the binding of PDFium has no module of the known kind")

// remember puts a module that keeps its functions, and whose memory lies in a room where there is one, into an instance.
func remember(instance pdfium.Pdfium, room []byte) error {
	field, err := moduleField(instance)
	if err != nil {
		return err
	}
	inner, ok := field.Interface().(api.Module)
	if !ok {
		return errBinding
	}
	field.Set(reflect.ValueOf(&module{Module: inner, functions: map[string]api.Function{}}))
	if room == nil {
		return nil
	}
	return settle(inner.Memory(), room)
}

// settle moves the memory of a guest into a room as large as it may become: wazero copies the whole into a larger one each
// time that it grows, and go-pdfium leaves no way to say where it shall lie. The type is internal to wazero, the fields
// are not.
func settle(memory api.Memory, room []byte) error {
	of := reflect.Indirect(reflect.ValueOf(memory))
	if of.Kind() != reflect.Struct {
		return errBinding
	}
	buffer, pages := of.FieldByName("Buffer"), of.FieldByName("Cap")
	if !buffer.CanSet() || buffer.Type() != reflect.TypeFor[[]byte]() || !pages.CanSet() || !pages.CanUint() || buffer.Len() > len(room) {
		return errBinding
	}
	was := buffer.Bytes()
	for at := 0; at < len(was); at += len(zeros) { // what is zero is so in the room, and takes no memory
		if part := was[at:min(at+len(zeros), len(was))]; !bytes.Equal(part, zeros[:len(part)]) {
			copy(room[at:], part)
		}
	}
	buffer.SetBytes(room[:len(was)])
	pages.SetUint(uint64(len(room) / pageSize))
	if _, ok := memory.Grow(1); !ok { // has the engine look where it lies
		return errBinding
	}
	return nil
}

// zeros is as long as a page of the system.
var zeros [4096]byte

// moduleField is where an instance holds its module. The type is internal to go-pdfium, the field is not.
func moduleField(instance pdfium.Pdfium) (reflect.Value, error) {
	of := reflect.Indirect(reflect.ValueOf(instance.GetImplementation()))
	if of.Kind() != reflect.Struct {
		return reflect.Value{}, errBinding
	}
	field := of.FieldByName("Module")
	if !field.IsValid() || !field.CanSet() || field.Type() != reflect.TypeFor[api.Module]() {
		return reflect.Value{}, errBinding
	}
	return field, nil
}
