package analyse_test

var shapeCases = []struct{ name, file, before, body, want string }{
	{name: "a list", file: "m.py", body: `run(["git", "clone", url])`, want: `["git" "clone" {url}]`},
	{name: "a tuple", file: "m.py", body: `run(("git", url))`, want: `["git" {url}]`},
	{name: "a list that grows", file: "m.py", want: `["git" "clone" {url} "--depth" "1" *{extra} {dest}]`, body: `
cmd = ["git", "clone", url]
cmd += ["--depth", "1"]
cmd.extend(extra)
cmd.append(dest)
run(cmd)`},
	{name: "elements are put in", file: "m.py", want: `["env" "hg" "clone"]`, body: `
cmd = ["git", "clone"]
cmd.insert(0, "env")
cmd[1] = "hg"
run(cmd)`},
	{name: "one or the other", file: "m.py", want: `["git" {url}] or ["sh" "-c" {url}]`, body: `
cmd = ["git", url]
if on:
    cmd = ["sh", "-c", url]
run(cmd)`},
	{name: "more under a condition", file: "m.py", want: `["git"] or ["git" "-q"]`, body: `
cmd = ["git"]
if on:
    cmd.append("-q")
run(cmd)`},
	{name: "more in a loop", file: "m.py", want: `["git" {x}+ "-q"]`, body: `
cmd = ["git"]
for x in extra:
    cmd.append(x)
cmd.append("-q")
run(cmd)`},
	{name: "a new list in a loop", file: "m.py", want: `["git"]`, body: `
for x in extra:
    cmd = ["git"]
    run(cmd)
    cmd.append(x)`},
	{name: "many conditions", file: "m.py", want: `["git" "a"? "b"? "c"? "d"?]`, body: `
cmd = ["git"]
if on: cmd.append("a")
if dest: cmd.append("b")
if url: cmd.append("c")
if extra: cmd.append("d")
run(cmd)`},
	{name: "a comprehension", file: "m.py", body: `run([x for x in extra])`, want: `[{x}+]`},
	{name: "keys of a loop that are not known", file: "m.py", want: `{{url}+ last={1}}`, body: `
out = {}
for x in extra:
    out[x] = url
out["last"] = 1
run(out)`},
	{name: "keys of a loop", file: "m.py", want: `{a={url}? b={url}?}`, body: `run({k: url for k in ("a", "b")})`},
	{name: "a key behind a test for it", file: "m.py", want: `{a={url}}`, body: `
out = {}
if on == "a":
    out[on] = url
    run(out)`},
	{name: "one of two keys, unless it is there", file: "m.py", want: `{a={url}? b={url}?}`, body: `
out = {}
at = "a" if on else "b"
out.setdefault(at, url)
run(out)`},
	{name: "a computed key", file: "m.py", before: "KEY = 'a'\n", want: `{z={0} a={1} x_a={2}}`, body: `run({"z": 0, KEY: 1, f"x_{KEY}": 2})`},
	{name: "a key of a class", file: "m.py", before: "class K:\n    A = 'a'\nclass E(Base):\n    B = 'b'\n", want: `{a={1} {2}+}`, body: `run({K.A: 1, E.B: 2})`},
	{name: "more of a map in place", file: "m.py", want: `{a={1} b={2}}`, body: `
out = {"a": 1}
out |= {"b": 2}
run(out)`},
	{name: "a list in a map", file: "m.py", want: `{a={1} b={2}}`, body: `
out = {"in": {}}
out["in"]["a"] = 1
out["in"]["b"] = 2
run(out["in"])`},
	{name: "a list of what is not known", file: "m.py", want: `[*{url} {dest}]`, body: `
out = list(url)
out.append(dest)
run(out)`},
	{name: "what is given away before it is made", file: "m.py", want: `{a={dest}} or {a={seen}}`, body: `
if on:
    seen = url(extra)
    out = {"a": seen}
else:
    out = {"a": dest}
log(run(out))`},
	{name: "changed under another name", file: "m.py", want: `["git"] ... it is changed by append`, body: `
cmd = ["git"]
other = cmd
other.append(url)
run(cmd)`},
	{name: "changed by an unknown function", file: "m.py", want: `["git"] ... it is given to on`, body: `
cmd = ["git"]
on(cmd)
run(cmd)`},
	{name: "given to a function of a library", file: "m.py", want: `["git"]`, body: `
cmd = ["git"]
log(cmd)
run(cmd)`},
	{name: "taken from", file: "m.py", want: `["git" {url}] ... it is changed by pop`, body: `
cmd = ["git", url]
cmd.pop()
run(cmd)`},
	{name: "changed afterwards", file: "m.py", want: `["git"]`, body: `
cmd = ["git"]
run(cmd)
cmd.pop()`},
	{name: "by a function inside", file: "m.py", want: `["git"] ... a function inside may change it`, body: `
cmd = ["git"]
def more():
    cmd.append(url)
more()
run(cmd)`},
	{name: "a table of the module", file: "m.py", before: "GIT = ['git', '-c', 'a=b']\n", body: `run([*GIT, "clone", url])`, want: `["git" "-c" "a=b" "clone" {url}]`},
	{name: "a table that is changed", file: "m.py", before: "GIT = ['git']\ndef g():\n    GIT.append('x')\n", body: `run(GIT + [url])`, want: `["git" {url}] ... another scope binds GIT`},
	{name: "made by a function", file: "m.py", before: "def git(*a):\n    return 1\ndef words(url, quiet=False):\n    cmd = ['git', 'clone', url]\n    return cmd\n", body: `run(words(dest) + ["x"])`, want: `["git" "clone" {dest} "x"]`},
	{name: "a function adds", file: "m.py", before: "def more(cmd):\n    cmd.append('x')\n", body: "cmd = ['git']\nmore(cmd)\nrun(cmd)", want: `["git"] ... it is given to more`},
	{name: "a function reads", file: "m.py", before: "def show(cmd):\n    print(' '.join(cmd))\n", body: "cmd = ['git']\nshow(cmd)\nrun(cmd)", want: `["git"]`},
	{name: "a function hands its list on", file: "m.py", before: "def more(cmd):\n    return cmd + ['x']\n", body: "run(more(['git', url]))", want: `["git" {url} "x"]`},
	{name: "a list in a map", file: "m.py", body: "table = {'a': ['git', url], 'b': ['hg']}\nrun(table['a'])", want: `["git" {url}]`},
	{name: "a list of a list", file: "m.py", body: "for cmd in [['git', url], ['hg']]:\n    run(cmd)", want: `["git" {url}] or ["hg"]`},
	{name: "words", file: "m.py", body: `run("git clone".split() + [url])`, want: `["git" "clone" {url}]`},
	{name: "words of a text with a hole", file: "m.py", body: `run(f"git clone {url}".split())`, want: `["git" "clone" {url}+] ... a word may be several`},
	{name: "a text of parts", file: "m.py", body: `run(f"git clone {url} {dest}")`, want: `"git clone {url} {dest}"`},
	{name: "texts put together", file: "m.py", body: "z = 'git ' + url + ' a'\nz += ' b'\nrun(z)", want: `"git {url} a b"`},
	{name: "a text by verbs", file: "m.py", body: `run("git %s %-3s 100%%" % (url, dest))`, want: `"git {url} {dest} 100%"`},
	{name: "a text by named verbs", file: "m.py", body: `run("git %(a)s" % {"a": url})`, want: `"git {url}"`},
	{name: "a text by braces", file: "m.py", body: `run("{{git}} {1} {0} {x!r}".format(url, dest, x=on))`, want: `"{git} {dest} {url} {on}"`},
	{name: "a text of a list", file: "m.py", body: `run(" ".join(["git", url, "x"]))`, want: `"git {url} x"`},
	{name: "a text in a text", file: "m.py", body: "a = f'git {url}'\nrun(f'{a} && {dest}')", want: `"git {url} && {dest}"`},
	{name: "a text that grows in a loop", file: "m.py", body: "a = 'x'\nfor e in extra:\n    a += f'- {e}'\nrun(a)", want: `"x- +{%1}+"`},
	{name: "a prompt", file: "m.py", before: "import textwrap\nRULES = 'Be fair.'\n", body: "run(textwrap.dedent(f'''\n{RULES} Judge {url}.\n''').strip())", want: `"Be fair. Judge {url}."`},
	{name: "a map", file: "m.py", want: `{a={url} *{extra} b={2} c={3} d={4} e={5}}`, body: `
m = {"a": url, "b": 1, **extra}
m["b"] = 2
m.update({"c": 3})
m.update(d=4)
m["e"] = 5
run(m)`},
	{name: "a map of keywords", file: "m.py", body: `run(dict(a=url))`, want: `{a={url}}`},
	{name: "maps together", file: "m.py", body: `run({"a": 1} | {"b": url})`, want: `{a={1} b={url}}`},
	{name: "a key that is not known", file: "m.py", body: "m = {'a': 1}\nm[url] = 2\nrun(m)", want: `{a={1} {2}+}`},
	{name: "what is added to a parameter", file: "m.py", body: "extra['x'] = url\nrun(extra)", want: `{*{extra} x={url}}`},
	{name: "a parameter", file: "m.py", body: "run(url)", want: `{url}`},
	{name: "bound by a function inside", file: "m.py", body: "c = 'a'\ndef g():\n    nonlocal c\n    c = 'b'\ng()\nrun(c)", want: `{c} ... another function binds c`},

	{name: "a list", file: "m.go", body: "run([]string{\"git\", url})\n", want: `["git" {url}]`},
	{name: "a list that grows", file: "m.go", want: `["git" "-q" *{extra} {dest}]`, body: "var cmd []string\ncmd = append(cmd, \"git\", \"-q\")\ncmd = append(cmd, extra...)\ncmd = append(cmd, dest)\nrun(cmd)\n"},
	{name: "one or the other", file: "m.go", want: `["git"] or ["git" "-q"]`, body: "cmd := []string{\"git\"}\nif on {\n\tcmd = append(cmd, \"-q\")\n}\nrun(cmd)\n"},
	{name: "made with room", file: "m.go", body: "cmd := make([]string, 0, 4)\ncmd = append(cmd, \"git\")\nrun(cmd)\n", want: `["git"]`},
	{name: "a text by verbs", file: "m.go", before: "", body: "run(fmt.Sprintf(\"git %s %[1]v %d\", url, 3) + strings.Join([]string{\"\", dest}, \"/\"))\n", want: `"git {url} {url} {3}/{dest}"`},
	{name: "a map", file: "m.go", body: "m := map[string]string{\"a\": url}\nm[\"b\"] = dest\nrun(m)\n", want: `{a={url} b={dest}}`},
	{name: "a map that is deleted from", file: "m.go", body: "m := map[string]string{\"a\": url}\ndelete(m, \"a\")\nrun(m)\n", want: `{a={url}} ... it is given to delete`},
	{name: "a text", file: "m.go", body: "run(\"git \" + url)\n", want: `"git {url}"`},

	{name: "a list", file: "m.ts", body: "const a = ['git', `https://${url}`, ...extra]\na.push('x', dest)\na.unshift('env')\nrun(a)\n", want: `["env" "git" {%1} *{extra} "x" {dest}]`},
	{name: "lists together", file: "m.ts", body: "run(['git'].concat(['x', url]))\n", want: `["git" "x" {url}]`},
	{name: "spliced", file: "m.ts", body: "const a = ['git']\na.splice(0, 1)\nrun(a)\n", want: `["git"] ... it is changed by a.splice`},
	{name: "an object", file: "m.ts", body: "const o: any = { a: 1, [url]: 2, ...extra, dest }\no.z = 3\nrun(o)\n", want: `{a={1} {2}+ *{extra} dest={dest} z={3}}`},
	{name: "a text", file: "m.ts", body: "run(`git ${url} ` + dest + ['', 'a'].join(' '))\n", want: `"git {url} {dest} a"`},

	{name: "a list", file: "M.java", body: "List<String> a = new ArrayList<>();\na.add(\"git\");\na.add(url);\na.addAll(extra);\na.add(0, \"env\");\nrun(a);\n", want: `["env" "git" {url} *{extra}]`},
	{name: "a list of words", file: "M.java", body: "run(List.of(\"git\", url));\n", want: `["git" {url}]`},
	{name: "a copy", file: "M.java", body: "List<String> a = new ArrayList<>(Arrays.asList(\"git\", url));\na.add(dest);\nrun(a);\n", want: `["git" {url} {dest}]`},
	{name: "an array", file: "M.java", body: "run(new String[]{\"git\", url});\n", want: `["git" {url}]`},
	{name: "a map", file: "M.java", body: "Map<String, String> m = new HashMap<>();\nm.put(\"a\", url);\nm.putAll(Map.of(\"b\", dest));\nrun(m);\n", want: `{a={url} b={dest}}`},
	{name: "a text", file: "M.java", body: "run(String.format(\"git %s %2$s\", url, dest) + String.join(\"-\", \"a\", url));\n", want: `"git {url} {dest}a-{url}"`},
	{name: "a text that is built", file: "M.java", body: "StringBuilder sb = new StringBuilder();\nsb.append(\"git \");\nsb.append(url);\nrun(sb.toString());\n", want: `"git {url}"`},

	{name: "a list", file: "src/m.rs", body: "let mut a = vec![\"git\", url];\na.push(\"x\");\na.extend(extra);\nrun(&a);\n", want: `["git" {url} "x" *{extra}]`},
	{name: "a new list", file: "src/m.rs", body: "let mut a = Vec::new();\na.push(\"git\".to_string());\nrun(a);\n", want: `["git"]`},
	{name: "a text", file: "src/m.rs", body: "let a = format!(\"git {} {dest}\", url);\nrun(String::from(\"sh \") + &a);\n", want: `"sh git {url} {dest}"`},
	{name: "a text that grows", file: "src/m.rs", body: "let mut a = String::new();\na.push_str(\"x\");\na += url;\nrun(a);\n", want: `"x{url}"`},
	{name: "a map", file: "src/m.rs", body: "let mut m = HashMap::new();\nm.insert(\"a\", url);\nrun(m);\n", want: `{a={url}}`},

	{name: "a list", file: "M.cs", body: "var a = new List<string> { \"git\", url };\na.Add(\"x\");\na.AddRange(extra);\na.Insert(0, \"env\");\nrun(a);\n", want: `["env" "git" {url} "x" *{extra}]`},
	{name: "an array", file: "M.cs", body: "string[] a = { \"git\", url };\nrun(a);\n", want: `["git" {url}]`},
	{name: "a map", file: "M.cs", body: "var m = new Dictionary<string, string> { [\"a\"] = url, { \"b\", \"c\" } };\nm[\"z\"] = dest;\nrun(m);\n", want: `{a={url} b="c" z={dest}}`},
	{name: "a text", file: "M.cs", body: "run($\"git {url}\" + string.Format(\" {1} {0}\", url, dest));\n", want: `"git {url} {dest} {url}"`},
}
