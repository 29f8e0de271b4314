package code

import (
	"path"
	"strings"

	"github.com/automaton-auditor/automaton/internal/manifest"
)

// declares reports whether a file can declare entry points or dependencies.
func declares(p string) bool {
	base := strings.ToLower(path.Base(p))
	return isOneOf(base, "pyproject.toml", "setup.cfg", "setup.py", "pipfile", "langgraph.json") || requirements.MatchString(base)
}

// declaredImports guesses the import names of the packages that manifests
// require. It serves only to tell an installed package from a file of the same
// name, so a generous reading is right.
func declaredImports(manifests map[string]string) map[string]bool {
	out := map[string]bool{}
	for p, text := range manifests {
		base := strings.ToLower(path.Base(p))
		for _, d := range manifest.Read(p, text).Dependencies {
			if base != "setup.py" || d.Role != manifest.Named { // it also names the project's own parts
				out[importName(d.Name)] = true
			}
		}
	}
	return out
}

// importName turns a distribution's name into the name it is imported by.
func importName(dist string) string {
	name := strings.ToLower(strings.ReplaceAll(dist, "-", "_"))
	switch name {
	case "gitpython":
		return "git"
	case "pyyaml":
		return "yaml"
	case "python_dotenv":
		return "dotenv"
	case "beautifulsoup4":
		return "bs4"
	case "pymupdf":
		return "fitz"
	case "pillow":
		return "PIL"
	case "scikit_learn":
		return "sklearn"
	case "python_dateutil":
		return "dateutil"
	}
	return name
}
