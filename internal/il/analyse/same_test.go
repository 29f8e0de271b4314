package analyse_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
)

// same is one program in several languages: values of a request reach a shell, a
// file and SQL. Two of the four tests are right: one leaves before the use, one is
// made by a function that raises. One is about another value, one comes too late.
var same = map[string]struct {
	file, text             string
	shell, open, read, add string // the calls, as they are written
}{
	"python": {"app.py", `
import subprocess
def ensure(path):
    if ".." in path:
        raise ValueError("path")
def handle(request, db):
    name = request.args.get("name")
    kind = request.args.get("kind")
    path = request.args.get("path")
    key = request.args.get("key")
    row = request.args.get("row")
    if not safe(name):
        raise ValueError("name")
    subprocess.run("ls " + name, shell=True)
    ensure(path)
    open(path)
    if not safe(kind):
        raise ValueError("kind")
    db.execute(f"select * from t where k = {key}")
    db.update("delete from t where k = " + row)
    if not safe(row):
        raise ValueError("row")
`, "subprocess.run", "open", "db.execute", "db.update"},
	"go": {"app.go", `package app
import ("os"; "os/exec")
func ensure(path string) {
	if bad(path) { panic("path") }
}
func handle(request *Request, db *DB) error {
	name := request.FormValue("name")
	kind := request.FormValue("kind")
	path := request.FormValue("path")
	key := request.FormValue("key")
	row := request.FormValue("row")
	if !safe(name) { return errName }
	exec.Command("sh", "-c", "ls " + name)
	ensure(path)
	os.Open(path)
	if !safe(kind) { return errKind }
	db.Query("select * from t where k = " + key)
	db.Exec("delete from t where k = " + row)
	if !safe(row) { return errRow }
	return nil
}
`, "exec.Command", "os.Open", "db.Query", "db.Exec"},
	"javascript": {"app.js", `
const { exec } = require("child_process");
const fs = require("fs");
function ensure(path) { if (path.includes("..")) throw new Error("path"); }
function handle(request, db) {
  const name = request.query.name, kind = request.query.kind;
  const path = request.query.path;
  const { key, row } = request.query;
  if (!safe(name)) throw new Error("name");
  exec("ls " + name);
  ensure(path);
  fs.readFileSync(path);
  if (!safe(kind)) { return null; }
  db.query(` + "`select * from t where k = ${key}`" + `);
  db.run("delete from t where k = " + row);
  if (!safe(row)) throw new Error("row");
}
`, "exec", "fs.readFileSync", "db.query", "db.run"},
	"typescript": {"app.ts", `
import { exec } from "node:child_process";
import * as fs from "node:fs";
function ensure(path: string): void { if (path.includes("..")) throw new Error("path"); }
export async function handle(request: Request, db: Database): Promise<void> {
  const name: string = request.query.name as string;
  const kind = request.query["kind"];
  const path = request.query.path!;
  const key = request.query.key ;
  const { row } = request.query;
  if (!safe(name)) { throw new Error("name"); }
  exec("ls " + name);
  ensure(path);
  fs.readFileSync(path);
  if (!safe(kind)) throw new Error("kind");
  await db.query(` + "`select * from t where k = ${key}`" + `);
  await db.run("delete from t where k = " + row);
  if (!safe(row)) throw new Error("row");
}
`, "exec", "fs.readFileSync", "db.query", "db.run"},
	"java": {"App.java", `
class App {
  void ensure(String path) { if (path.contains("..")) throw new IllegalArgumentException(path); }
  void handle(HttpServletRequest request, Statement db) throws Exception {
    String name = request.getParameter("name");
    String kind = request.getParameter("kind");
    String path = request.getParameter("path");
    String key = request.getParameter("key");
    String row = request.getParameter("row");
    if (!safe(name)) throw new IllegalArgumentException(name);
    Runtime.getRuntime().exec("ls " + name);
    ensure(path);
    new FileReader(path);
    if (!safe(kind)) { return; }
    db.executeQuery("select * from t where k = " + key);
    db.executeUpdate("delete from t where k = " + row);
    if (!safe(row)) throw new IllegalArgumentException(row);
  }
}
`, "Runtime.getRuntime().exec", "FileReader", "db.executeQuery", "db.executeUpdate"},
	"rust": {"app.rs", `
use std::process::Command;
fn ensure(path: &str) { if path.contains("..") { panic!("path"); } }
fn handle(request: &Request, db: &Db) -> Result<(), Error> {
    let name = request.param("name");
    let kind = request.param("kind");
    let path = request.param("path");
    let key = request.param("key");
    let row = request.param("row");
    if !safe(&name) { return Err(Error::Name); }
    Command::new("sh").arg(format!("ls {}", name)).spawn()?;
    ensure(&path);
    std::fs::File::open(&path)?;
    if !safe(&kind) { return Err(Error::Kind); }
    db.query(&format!("select * from t where k = {key}"));
    db.execute("delete from t where k = ".to_string() + &row);
    if !safe(&row) { return Err(Error::Row); }
    Ok(())
}
`, "Command.new().arg", "std.fs.File.open", "db.query", "db.execute"},
	"c#": {"App.cs", `
class App {
  void Ensure(string path) { if (path.Contains("..")) throw new ArgumentException(path); }
  void handle(HttpRequest request, Database db) {
    var name = request.Query["name"];
    var kind = request.Query["kind"];
    string path = request.Query["path"];
    string key = request.Query["key"];
    string row = request.Query["row"];
    if (!Safe(name)) throw new ArgumentException(name);
    Process.Start("sh", "ls " + name);
    Ensure(path);
    File.OpenRead(path);
    if (!Safe(kind)) return;
    db.Query($"select * from t where k = {key}");
    db.Execute("delete from t where k = " + row);
    if (!Safe(row)) throw new ArgumentException(row);
  }
}
`, "Process.Start", "File.OpenRead", "db.Query", "db.Execute"},
}

// TestSameFacts asks the same of each: where a value arrives, and whether it was
// tested on every way. What does not arrive is never said to; some of it is lost from
// sight, and unknown.
func TestSameFacts(t *testing.T) {
	want := "name shell yes tested true\npath open yes tested true\nkey read yes tested false\nrow add yes tested false\n"
	for language, c := range same {
		t.Run(language, func(t *testing.T) {
			p := program(t, "-- "+c.file+" --\n"+c.text)
			var f *il.Function
			for g := range p.All() {
				if strings.HasSuffix(g.Name, "handle") {
					f = g
				}
			}
			names := analyse.Resolve(p)
			ends := map[string]string{"shell": c.shell, "open": c.open, "read": c.read, "add": c.add}
			arrives := func(variable, end string) analyse.Tri {
				w := &analyse.Flow{Names: names, To: func(_ *il.Function, in *il.Instr, arg int) bool {
					return in.Op == il.Call && arg > 0 && in.Kind == ends[end]
				}}
				return w.Arrives(f, first(t, f, variable)).Is
			}
			var got strings.Builder
			for _, q := range [][2]string{{"name", "shell"}, {"path", "open"}, {"key", "read"}, {"row", "add"}} {
				use := call(t, f, ends[q[1]])
				fmt.Fprintf(&got, "%s %s %s tested %t\n", q[0], q[1], arrives(q[0], q[1]), len(analyse.Guards(f, names, first(t, f, q[0]), use)) > 0)
			}
			for _, q := range [][2]string{{"name", "open"}, {"path", "read"}, {"kind", "shell"}} {
				if arrives(q[0], q[1]) == analyse.Yes {
					fmt.Fprintf(&got, "%s %s yes\n", q[0], q[1])
				}
			}
			if got.String() != want {
				t.Errorf("got\n%s\nwant\n%s\n%s", got.String(), want, f)
			}
		})
	}
}

// first is a variable as it is bound first.
func first(t testing.TB, f *il.Function, name string) il.Operand {
	t.Helper()
	for i, v := range f.Versions {
		if v.Var == name {
			return il.Operand{Kind: il.Local, ID: int32(i)}
		}
	}
	t.Fatalf("%s has no %s", f.Name, name)
	return il.Operand{}
}
