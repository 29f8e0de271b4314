#!/usr/bin/env node
// Starts the binary that the package of this platform carries, and ends as it ends.
const {spawn} = require("node:child_process");
const name = `automaton-auditor-${process.platform}-${process.arch}`;
let program;
try {
  program = require.resolve(`${name}/automaton`);
} catch {
  console.error(`automaton: ${name} is not installed: there is no build for this platform, or optional dependencies were left out`);
  process.exit(2);
}
const child = spawn(program, process.argv.slice(2), {stdio: "inherit"});
for (const s of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(s, () => child.kill(s));
child.on("error", e => { console.error(`automaton: ${e.message}`); process.exit(2); });
child.on("exit", (code, signal) => signal ? process.kill(process.pid, signal) : process.exit(code));
