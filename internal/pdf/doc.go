// Package pdf reads text, pages, images and page objects of PDF files.
//
// A PDF of unknown origin is parsed by PDFium, compiled to WebAssembly, inside a worker process of package
// sandbox: no file system, no network, bounded memory, killed at its deadline. This package has two ends. Service
// is what the worker runs; Read, Render and View.Sketch are what everybody else calls. Nothing of the PDF is ever executed. A few
// pages are rendered to see whether text that looks hidden leaves ink; a picture leaves the worker only where somebody
// asks for one, as bare pixels, and the outside program that OCR runs sees nothing else of the document.
//
// The package reports what is drawn where. It must not decide what the text means (package passage) nor which
// picture is a diagram (package figure), and it never opens a file.
package pdf
