package project

import (
	"context"
	"encoding/json"
	"path"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/il/intree"

	"github.com/automaton-auditor/automaton/internal/code"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/probe"
)

// projectKind is what a project is for others: a library that they build on, a
// server that answers them, neither or both. Each is named by what shows it.
type projectKind struct {
	library *file // the manifest that publishes it
	line    int   // of the manifest
	serves  *file // what listens
	at      int   // its line
}

// projectKindOf reads the manifests and looks for what listens.
func projectKindOf(ctx context.Context, s *probe.Scene) (projectKind, error) {
	return probe.Shared(s, "project.projectKind", func() (projectKind, error) {
		var n projectKind
		inv, err := files(ctx, s)
		if err != nil {
			return n, err
		}
		p, err := s.Joined(ctx)
		if err != nil {
			return n, err
		}
		all, err := sources(ctx, s, "production")
		if err != nil {
			return n, err
		}
		for i := range all {
			if at := listens(&all[i]); at > 0 {
				n.serves, n.at = &all[i].file, at
				break
			}
		}
		for _, e := range p.Entries() { // applications of a web framework, without a call that listens
			if f := inv.at(e.Path); n.serves == nil && e.Kind == "server" && f != nil {
				n.serves, n.at = f, max(e.Line, 1)
			}
		}
		runs := slices.ContainsFunc(p.Entries(), func(e intree.Entry) bool { return e.Kind != "main" })
		n.library, n.line = inv.published(runs)
		return n, nil
	})
}

// at is the file of a path, nil when there is none.
func (inv *inventory) at(path string) *file {
	i := slices.IndexFunc(inv.files, func(f file) bool { return f.path == path })
	if i < 0 {
		return nil
	}
	return &inv.files[i]
}

// listening are the calls that wait for requests, by language. Their names are
// those of the standard libraries and the usual frameworks.
var listening = map[code.Language]*regexp.Regexp{
	"python":     regexp.MustCompile(`\b(?:uvicorn\.run|serve_forever|run_app|HTTPServer|TCPServer|make_server|create_server|start_server|run_simple|web\.run_app|run_server)\s*\(|\b(?:app|application|server|socketio)\.run\s*\(`),
	"go":         regexp.MustCompile(`\bListenAndServe(?:TLS)?\s*\(|\bnet\.Listen\s*\(|\bhttp\.Serve\s*\(|\bgrpc\.NewServer\s*\(`),
	"javascript": regexp.MustCompile(`\b(?:app|server|httpServer|fastify)\.listen\s*\(|\bcreateServer\s*\(|\bDeno\.serve\s*\(|\bBun\.serve\s*\(`),
	"java":       regexp.MustCompile(`@SpringBootApplication|@QuarkusMain|\bHttpServer\.create\s*\(|\bnew\s+(?:Server|ServerSocket|TomcatServer|JettyServer)\s*\(|\bServerSocketChannel\.open\s*\(|\bServerBuilder\b`),
	"rust":       regexp.MustCompile(`\bTcpListener::bind\s*\(|\bHttpServer::new\s*\(|\baxum::(?:serve|Server)\b|\bwarp::serve\s*\(|\brocket::build\s*\(`),
	"c#":         regexp.MustCompile(`\bWebApplication\.CreateBuilder\s*\(|\bHttpListener\s*\(`),
	"php":        regexp.MustCompile(`\bRoute::(?:get|post)\s*\(`),
	"kotlin":     regexp.MustCompile(`@SpringBootApplication|\bembeddedServer\s*\(`),
}

func listens(d *divided) int {
	lang := d.file.lang
	if lang == "typescript" {
		lang = "javascript"
	}
	re := listening[lang]
	if re == nil {
		return 0
	}
	text := d.code()
	if m := re.FindStringIndex(text); m != nil {
		return lineOf(text, m[0])
	}
	return 0
}

var (
	tomlPackage = regexp.MustCompile(`(?m)^\[(?:package|workspace)\]`)
	tomlBinary  = regexp.MustCompile(`(?m)^\[\[bin\]\]`)
	tomlBuilt   = regexp.MustCompile(`(?m)^\[(?:build-system|tool\.poetry|tool\.flit[\w.]*)\]`)
	tomlScripts = regexp.MustCompile(`(?m)^\[(?:project|tool\.poetry)\.(?:scripts|gui-scripts)\]`)
	javaShares  = regexp.MustCompile(`<distributionManagement>|central-publishing|nexus-staging|oss-parent|maven-gpg-plugin|['"` + "`" + `](?:maven-publish|java-library|com\.vanniktech\.maven\.publish|signing)['"` + "`" + `]|\bmavenPublishing\b|\bpublishing\s*\{`)
	javaRuns    = regexp.MustCompile(`spring-boot-maven-plugin|org\.springframework\.boot|<mainClass>|['"]application['"]|\bmainClassName\b|quarkus-maven-plugin`)
	goPackage   = regexp.MustCompile(`(?m)^package (\w+)`)
)

// published names the manifest by which others build on the project: that of a
// package with no program of its own. Python's programs are handed in, as they
// are known from more than the manifest.
func (inv *inventory) published(pythonRuns bool) (*file, int) {
	var own []int
	for i, f := range inv.files {
		if !f.foreign() && !aside(f) && (f.dir() == inv.layout.Root() || f.dir() == "") {
			own = append(own, i)
		}
	}
	if inv.workspace() {
		for i, f := range inv.files {
			if f.base == "package.json" && !f.foreign() && !aside(f) && f.dir() != "" && strings.Count(f.path, "/") <= 3 {
				own = append(own, i)
			}
		}
	}
	for _, i := range own {
		f := &inv.files[i]
		is := false
		switch f.base {
		case "cargo.toml":
			is = tomlPackage.MatchString(f.text) && !inv.binary(f)
		case "package.json":
			is = packageShared(f.text, inv.at(path.Join(f.dir(), "index.js")) != nil)
		case "pyproject.toml":
			is = !pythonRuns && tomlBuilt.MatchString(f.text) && !tomlScripts.MatchString(f.text)
		case "setup.py":
			is = !pythonRuns && strings.Contains(f.text, "setup(") && !strings.Contains(f.text, "console_scripts")
		case "pom.xml", "build.gradle", "build.gradle.kts":
			is = javaShares.MatchString(f.text) && !javaRuns.MatchString(f.text)
		case "go.mod":
			is = inv.goLibrary(f.dir())
		}
		if is {
			return f, 1
		}
		if strings.HasSuffix(f.base, ".gemspec") || f.base == "composer.json" && strings.Contains(f.text, `"library"`) {
			return f, 1
		}
	}
	return nil, 0
}

// workspace tells whether the project is one of several packages of npm.
func (inv *inventory) workspace() bool {
	for _, name := range []string{"package.json", "lerna.json", "pnpm-workspace.yaml"} {
		if f := inv.at(name); f != nil && (name != "package.json" || strings.Contains(f.text, `"workspaces"`)) {
			return true
		}
	}
	return false
}

// binary tells whether a package of Rust makes a program.
func (inv *inventory) binary(manifest *file) bool {
	if tomlBinary.MatchString(manifest.text) {
		return true
	}
	return slices.ContainsFunc(inv.files, func(f file) bool {
		return strings.HasSuffix("/"+f.path, "/src/main.rs") && f.scope == code.ScopeProduction || strings.Contains("/"+f.path, "/src/bin/") && f.lang == "rust"
	})
}

// packageShared tells a package of npm that others depend on: it is not private,
// names a module or leaves that to an index.js beside its name and version, and
// has no program.
func packageShared(text string, index bool) bool {
	var m struct {
		Name    string          `json:"name"`
		Version string          `json:"version"`
		Private bool            `json:"private"`
		Bin     json.RawMessage `json:"bin"`
		Main    json.RawMessage `json:"main"`
		Module  json.RawMessage `json:"module"`
		Exports json.RawMessage `json:"exports"`
	}
	if json.Unmarshal([]byte(text), &m) != nil {
		return false
	}
	return !m.Private && m.Bin == nil && (m.Main != nil || m.Module != nil || m.Exports != nil || index && m.Name != "" && m.Version != "")
}

// goLibrary tells whether the folder of a module holds a package that others
// can import, or has such packages below it and no program.
func (inv *inventory) goLibrary(dir string) bool {
	below, program := false, false
	for _, f := range inv.files {
		if f.lang != "go" || f.scope != code.ScopeProduction {
			continue
		}
		m := goPackage.FindStringSubmatch(f.text)
		switch {
		case m == nil:
		case m[1] == "main":
			program = true
		case f.dir() == dir:
			return true
		case !strings.Contains("/"+f.path, "/internal/"):
			below = true
		}
	}
	return below && !program
}
