package pdf

import (
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

// remember puts a module that keeps its functions into an instance.
func remember(instance pdfium.Pdfium) error {
	field, err := moduleField(instance)
	if err != nil {
		return err
	}
	inner, ok := field.Interface().(api.Module)
	if !ok {
		return errBinding
	}
	field.Set(reflect.ValueOf(&module{Module: inner, functions: map[string]api.Function{}}))
	return nil
}

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
