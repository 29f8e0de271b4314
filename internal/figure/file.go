package figure

import (
	"path"
	"strings"
)

// HasFigures says whether files of a name may hold figures as text: Markdown and the sources of diagrams.
func HasFigures(name string) bool {
	return isMarkdown(name) || notation(name) != ""
}

// FromFile lists the figures of a text file, by the notation that its name stands for. It is empty for other files.
func FromFile(name, text string) []Figure {
	if isMarkdown(name) {
		return FromMarkdown(text)
	}
	origin := notation(name)
	if origin == "" || strings.TrimSpace(text) == "" {
		return nil
	}
	f := fromSource(origin, text)
	f.Line = 1
	return []Figure{f}
}

func isMarkdown(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".md", ".markdown", ".mdx":
		return true
	}
	return false
}

// notation is what a file name's ending stands for, empty for others.
func notation(name string) Origin {
	name = strings.ToLower(name)
	switch path.Ext(name) {
	case ".mmd", ".mermaid":
		return Mermaid
	case ".dot", ".gv":
		return DOT
	case ".puml", ".plantuml", ".pu", ".iuml":
		return PlantUML
	case ".drawio", ".dio":
		return Drawio
	}
	if strings.HasSuffix(name, ".drawio.xml") {
		return Drawio
	}
	return ""
}
