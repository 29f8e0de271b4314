// node client.mjs AUTOMATON FOLDER asks "AUTOMATON mcp" over every tool, by a client
// that is not ours, and prints what is asked and answered. FOLDER holds demo, a
// repository, and outside, another one; the client names demo as its only root.
import {Client} from "@modelcontextprotocol/sdk/client/index.js";
import {StdioClientTransport} from "@modelcontextprotocol/sdk/client/stdio.js";
import {ListRootsRequestSchema} from "@modelcontextprotocol/sdk/types.js";
import path from "node:path";
import {pathToFileURL} from "node:url";

const [automaton, folder] = process.argv.slice(2).map(p => path.resolve(p));
const demo = path.join(folder, "demo");
const transport = new StdioClientTransport({command: automaton, args: ["mcp", "--root", folder, "--offline", "--out", path.join(folder, "out")], cwd: folder, env: process.env, stderr: "inherit"});
const client = new Client({name: "transcript", version: "1"}, {capabilities: {roots: {}}});
client.setRequestHandler(ListRootsRequestSchema, () => ({roots: [{uri: pathToFileURL(demo).href}]}));

let failures = 0;
function check(holds, what) {
  console.log(`${holds ? "ok " : "NO "} ${what}`);
  if (!holds) failures++;
}
const short = v => { const s = JSON.stringify(v); return s.length > 300 ? s.slice(0, 300) + "…" : s; };

async function call(name, args, options) {
  console.log(`\n> ${name} ${short(args)}`);
  const got = await client.callTool({name, arguments: args}, undefined, {timeout: 600_000, ...options});
  console.log(`< ${got.isError ? "refused: " + got.content[0].text : short(got.structuredContent.result)}`);
  return got;
}

await client.connect(transport);
const {tools} = await client.listTools();
console.log(`server ${short(client.getServerVersion())}\ntools ${tools.map(t => t.name).join(", ")}`);
check(tools.length === 6, "six tools");

const rubric = (await call("show_rubric", {})).structuredContent.result;
check(rubric.criteria.length > 0, "the rubric has criteria");
const steps = [];
const first = await call("audit_repository", {path: demo, pdf: "none"}, {onprogress: p => steps.push(p)});
check(!first.isError && first.structuredContent.result.record_id, "the audit has a record");
check(steps.length > 5 && steps.every((s, i) => i === 0 || s.progress > steps[i - 1].progress), `${steps.length} steps are told, each further than the one before`);
const id = first.structuredContent.result.record_id, criterion = first.structuredContent.result.rulings[0].criterion_id;
check((await call("explain_ruling", {record_id: id, criterion_id: criterion})).structuredContent.result.opinions.length === 3, "three opinions");
const findings = (await call("list_findings", {record_id: id})).structuredContent.result;
check(findings.total >= findings.findings.length && findings.findings.length > 0, `${findings.total} findings`);
check((await call("what_if", {record_id: id, fixes: ["1"]})).structuredContent.result.overall.new >= first.structuredContent.result.overall.exact, "a fix costs nothing");
const second = await call("audit_repository", {path: demo, pdf: "none", only: [criterion]});
check((await call("compare_records", {old_record_id: id, new_record_id: second.structuredContent.result.record_id})).structuredContent.result.criteria.length > 0, "the two are compared");
const {contents} = await client.readResource({uri: `automaton://records/${id}`});
check(JSON.parse(contents[0].text).digest === first.structuredContent.result.digest, "the resource is the record");

for (const [what, name, args] of [
  ["a path outside of --root is refused", "audit_repository", {path: "/etc"}],
  ["a path outside of the client's roots is refused", "audit_repository", {path: path.join(folder, "outside")}],
  ["the client cannot choose the rubric", "audit_repository", {path: demo, rubric: "software"}],
  ["the client cannot choose the gate", "audit_repository", {path: demo, fail_under: "1"}],
  ["the client cannot choose the bench", "audit_repository", {path: demo, bench: "auto"}],
  ["the client cannot choose the budget", "audit_repository", {path: demo, budget: "100"}],
  ["a record elsewhere is refused", "explain_ruling", {record_id: "../../etc", criterion_id: criterion}],
]) {
  check((await call(name, args)).isError === true, what);
}
const stop = new AbortController();
const stopped = call("audit_repository", {path: demo, pdf: "none", commit: "HEAD"}, {signal: stop.signal, onprogress: () => stop.abort("changed my mind")}).then(() => "answered", e => String(e.message ?? e));
check((await stopped).includes("changed my mind"), "an audit can be cancelled");
check(!(await call("show_rubric", {})).isError, "and the server answers afterwards");
await client.close();
console.log(failures === 0 ? "\nall of it holds" : `\n${failures} do not hold`);
process.exit(failures === 0 ? 0 : 1);
