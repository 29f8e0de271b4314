// node inspector.mjs AUTOMATON FOLDER asks "AUTOMATON mcp" over every tool by the
// command line of the protocol's official inspector, in both generations of the
// protocol, and prints what is asked and answered. FOLDER holds demo, a repository,
// and outside, another one; the client names demo as its only root.
import {execFileSync} from "node:child_process";
import {writeFileSync} from "node:fs";
import path from "node:path";
import {fileURLToPath, pathToFileURL} from "node:url";

const [automaton, folder] = process.argv.slice(2).map(p => path.resolve(p));
const inspector = fileURLToPath(new URL("node_modules/.bin/mcp-inspector", import.meta.url));
const demo = path.join(folder, "demo");
const config = path.join(folder, "inspector.json");
const command = {type: "stdio", command: automaton, args: ["mcp", "--root", folder, "--offline", "--out", path.join(folder, "out")]};
const roots = [{uri: pathToFileURL(demo).href}];

let failures = 0;
function check(holds, what) {
  console.log(`${holds ? "ok " : "NO "} ${what}`);
  if (!holds) failures++;
}
const short = s => s.length > 300 ? s.slice(0, 300) + "…" : s;

// ask gives what the inspector answers, and refused where that is an error.
function ask(era, server, method, ...more) {
  console.log(`\n> ${method} ${more.join(" ")}`);
  writeFileSync(config, JSON.stringify({mcpServers: {named: {...command, roots, protocolEra: era}, none: {...command, roots: [], protocolEra: era}}}));
  let said, refused = false;
  try {
    said = execFileSync(process.execPath, [inspector, "--cli", "--quiet", "--format", "json", "--config", config, "--server", server, "--method", method, ...more], {encoding: "utf8", stdio: "pipe", maxBuffer: 1 << 28});
  } catch (e) {
    [said, refused] = [e.stdout || e.stderr, true];
  }
  const answer = JSON.parse(said).result ?? {};
  const result = answer.structuredContent?.result;
  console.log(`< ${refused ? "refused: " : ""}${short(refused ? answer.content?.[0].text ?? said : JSON.stringify(result ?? answer))}`);
  return {refused, result, answer};
}
const call = (era, name, args, server = "named") => ask(era, server, "tools/call", "--tool-name", name, "--tool-args-json", JSON.stringify(args));

for (const era of ["legacy", "modern"]) {
  console.log(`\nthe ${era} protocol`);
  check(!ask(era, "named", "tools/list", "--strict").refused, "every schema can be carried to other models");
  check(call(era, "show_rubric", {}).result.criteria.length > 0, "the rubric has criteria");
  const first = call(era, "audit_repository", {path: demo, pdf: "none"}).result;
  const criterion = first.rulings[0].criterion_id;
  check(call(era, "explain_ruling", {record_id: first.record_id, criterion_id: criterion}).result.opinions.length === 3, "three opinions");
  check(call(era, "list_findings", {record_id: first.record_id, severity: "note"}).result.findings.map(f => f.severity).join().match(/^(note,?)+$/), "only findings of the severity that was asked for");
  check(call(era, "what_if", {record_id: first.record_id, fixes: ["1"]}).result.overall.new >= first.overall.exact, "a fix costs nothing");
  const second = call(era, "audit_repository", {path: demo, pdf: "none", only: [criterion]}).result;
  check(call(era, "compare_records", {old_record_id: first.record_id, new_record_id: second.record_id}).result.criteria.length > 0, "the two are compared");
  check(ask(era, "named", "resources/templates/list").answer.resourceTemplates.length === 1, "one kind of resource");
  const {answer} = ask(era, "named", "resources/read", "--uri", `automaton://records/${first.record_id}`);
  check(JSON.parse(answer.contents[0].text).digest === first.digest, "the resource is the record");
  for (const [what, args] of [
    ["a path outside of --root is refused", {path: "/etc"}],
    ["a path outside of the client's roots is refused", {path: path.join(folder, "outside")}],
    ["a path that climbs is refused", {path: path.join(demo, "..") + "/outside"}],
    ["the client cannot choose the rubric", {path: demo, rubric: "software"}],
    ["the client cannot choose the gate", {path: demo, fail_under: "1"}],
    ["the client cannot choose the bench", {path: demo, bench: "auto"}],
    ["the client cannot choose the budget", {path: demo, budget: "100"}],
  ]) {
    check(call(era, "audit_repository", args).refused, what);
  }
  check(call(era, "audit_repository", {path: demo}, "none").refused, "a client whose roots are none is allowed none");
  check(ask(era, "named", "resources/read", "--uri", "automaton://records/..%2F..%2Fetc").refused, "a record elsewhere is refused");
}
console.log(failures === 0 ? "\nall of it holds" : `\n${failures} do not hold`);
process.exit(failures === 0 ? 0 : 1);
