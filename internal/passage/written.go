package passage

import (
	"path"
	"strings"
)

// Written tells by its name whether a document is text with lines or paragraphs.
func Written(name string) bool { return Marked(name) || InHTML(name) || InWord(name) }

// Marked tells the name of a Markdown or plain text file.
func Marked(name string) bool { return ends(name, ".md", ".markdown", ".txt") }

// InHTML tells the name of a page of HTML.
func InHTML(name string) bool { return ends(name, ".html", ".htm") }

// InWord tells the name of a DOCX file.
func InWord(name string) bool { return ends(name, ".docx") }

func ends(name string, any ...string) bool {
	for _, ext := range any {
		if strings.EqualFold(path.Ext(name), ext) {
			return true
		}
	}
	return false
}
