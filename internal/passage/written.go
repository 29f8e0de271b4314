package passage

import (
	"path"
	"strings"
)

// Written tells by its name whether a document is text with lines.
func Written(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".md", ".markdown", ".txt":
		return true
	}
	return false
}
