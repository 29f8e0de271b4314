package code

import (
	"path"
	"strings"
)

// Language names a language by its lower-case name, such as "python",
// "typescript" or "markdown"; "" is not text that we know.
type Language string

// byExtension names a programming language by its extension, and falls back to
// byDataExtension.
func byExtension(ext string) Language {
	switch ext {
	case ".py", ".pyi", ".pyw":
		return "python"
	case ".go":
		return "go"
	case ".js", ".jsx", ".mjs", ".cjs":
		return "javascript"
	case ".ts", ".tsx", ".mts", ".cts":
		return "typescript"
	case ".java":
		return "java"
	case ".rs":
		return "rust"
	case ".c", ".h":
		return "c"
	case ".cc", ".cpp", ".cxx", ".hpp", ".hh":
		return "c++"
	case ".cs":
		return "c#"
	case ".kt", ".kts":
		return "kotlin"
	case ".swift", ".scala", ".php", ".lua", ".dart", ".zig", ".sql":
		return Language(ext[1:])
	case ".rb":
		return "ruby"
	case ".r":
		return "r"
	case ".ex", ".exs":
		return "elixir"
	case ".hs":
		return "haskell"
	case ".sh", ".bash", ".zsh":
		return "shell"
	case ".ps1":
		return "powershell"
	case ".vue", ".svelte":
		return Language(ext[1:])
	}
	return byDataExtension(ext)
}

// byDataExtension names prose, data and markup.
func byDataExtension(ext string) Language {
	switch ext {
	case ".md", ".mdx", ".markdown":
		return "markdown"
	case ".rst":
		return "restructuredtext"
	case ".txt", ".log":
		return "text"
	case ".yaml", ".yml":
		return "yaml"
	case ".html", ".htm":
		return "html"
	case ".css", ".scss", ".sass", ".less":
		return "css"
	case ".json", ".jsonl", ".toml", ".xml", ".csv", ".ini", ".cfg":
		return Language(ext[1:])
	case ".ipynb":
		return "notebook"
	case ".mmd", ".mermaid":
		return "mermaid"
	case ".dot", ".gv":
		return "dot"
	case ".tf":
		return "terraform"
	case ".proto":
		return "protobuf"
	case ".graphql":
		return "graphql"
	case ".j2", ".jinja", ".jinja2":
		return "jinja"
	}
	return ""
}

// Language names the language of the file by its path alone; the bytes are not
// needed.
func (f File) Language() Language {
	base := strings.ToLower(path.Base(f.Path))
	switch {
	case base == "makefile" || base == "gnumakefile":
		return "make"
	case strings.HasPrefix(base, "dockerfile") || strings.HasPrefix(base, "containerfile"):
		return "docker"
	case base == "jenkinsfile":
		return "groovy"
	case base == "license" || base == "readme" || base == "notice":
		return "text"
	}
	return byExtension(path.Ext(base))
}

// Level returns how well a language can be read: 'A' full parse, 'B'
// structure, 'C' lines only, 0 for an unknown one.
func (l Language) Level() byte {
	switch l {
	case "":
		return 0
	case "python", "go":
		return 'A'
	case "javascript", "typescript", "java", "rust":
		return 'B'
	}
	return 'C'
}

// Code reports whether the language is a programming language, as opposed to
// prose, data and markup.
func (l Language) Code() bool {
	switch l {
	case "", "markdown", "restructuredtext", "text", "yaml", "html", "css", "json", "jsonl", "toml",
		"xml", "csv", "ini", "cfg", "notebook", "mermaid", "dot", "docker", "make", "jinja", "graphql", "protobuf":
		return false
	}
	return true
}
