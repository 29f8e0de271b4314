// Compares the made programs of a folder with Dolos, and prints how well Dolos, ours.csv and, where it is there, jplag.csv
// tell the pairs of one source from those of two. Usage: node measure.mjs FOLDER
import { Dolos, File } from "@dodona/dolos-lib";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const folder = process.argv[2];
const names = readdirSync(folder).filter((n) => n.endsWith(".py")).map((n) => n.slice(0, -3)).sort();
const source = (name) => name.split("-")[0];
const sources = (name) => [source(name), ...name.split("-").slice(3)];
const seeds = names.filter((n) => !n.includes("-"));
const key = (a, b) => [a, b].sort().join("|");

// The pairs: every seed with every changed program. Those of one source are to be found.
const cases = [];
for (const seed of seeds)
  for (const name of names)
    if (name.includes("-"))
      cases.push({ key: key(seed, name), found: sources(name).includes(seed), change: name.split("-")[1], strength: Number(name.split("-")[2]), second: source(name) !== seed });
for (const [i, a] of seeds.entries())
  for (const b of seeds.slice(i + 1)) cases.push({ key: key(a, b), found: false, change: "none" });

async function dolos() {
  const began = performance.now();
  const files = names.map((n) => new File(join(folder, n + ".py"), readFileSync(join(folder, n + ".py"), "utf8")));
  const report = await new Dolos({ language: "python" }).analyze(files);
  const scores = { similarity: new Map(), overlap: new Map() };
  const id = (f) => f.path.split("/").pop().slice(0, -3);
  for (const p of report.allPairs()) {
    const k = key(id(p.leftFile), id(p.rightFile));
    scores.similarity.set(k, p.similarity);
    scores.overlap.set(k, Math.max(p.leftCovered / p.leftTotal, p.rightCovered / p.rightTotal));
  }
  return { ...scores, seconds: (performance.now() - began) / 1000, memory: process.resourceUsage().maxRSS / 1024 };
}

function ours() {
  const rows = readFileSync(join(folder, "ours.csv"), "utf8").trim().split("\n").map((l) => l.split(","));
  const [head, ...pairs] = rows;
  const contained = new Map(pairs.map(([a, b, c]) => [key(a, b), Number(c) / 10000]));
  const alike = new Map(pairs.map(([a, b, , c]) => [key(a, b), Number(c) / 10000]));
  const listed = new Map(pairs.filter(([, , c, , shared]) => c >= 2000 && shared >= 8).map(([a, b]) => [key(a, b), 1]));
  return { contained, alike, listed, seconds: Number(head[1]), memory: Number(head[3]) };
}

function jplag() {
  const [head, ...pairs] = readFileSync(join(folder, "jplag.csv"), "utf8").trim().split("\n").map((l) => l.split(","));
  const read = (i) => new Map(pairs.map((p) => [key(p[0], p[1]), Number(p[i])]));
  return { largest: read(2), average: read(3), seconds: Number(head[1]), memory: Number(head[3]) };
}

// curve is the area under the curve: how often a pair of one source scores higher than one of two.
function curve(scores) {
  const at = (c) => scores.get(c.key) ?? 0;
  const bad = cases.filter((c) => !c.found).map(at).sort((x, y) => x - y);
  let sum = 0;
  const good = cases.filter((c) => c.found);
  for (const c of good) {
    let lower = 0, equal = 0;
    for (const b of bad) {
      if (b < at(c)) lower++;
      else if (b === at(c)) equal++;
    }
    sum += lower + equal / 2;
  }
  return sum / (bad.length * good.length);
}

// recall is the part of those of one source that score higher than all of two.
function recall(scores, keep = () => true) {
  const worst = Math.max(...cases.filter((c) => !c.found).map((c) => scores.get(c.key) ?? 0));
  const good = cases.filter((c) => c.found && keep(c));
  return good.filter((c) => (scores.get(c.key) ?? 0) > worst).length / good.length;
}

// at is precision and recall where a threshold stands.
function at(scores, least) {
  const listed = cases.filter((c) => (scores.get(c.key) ?? 0) >= least);
  const right = listed.filter((c) => c.found).length;
  return `${(right / listed.length).toFixed(3)} / ${(right / cases.filter((c) => c.found).length).toFixed(3)}`;
}

const a = ours();
const b = await dolos();
const row = (...cells) => console.log("| " + cells.join(" | ") + " |");
console.log(`${names.length} programs, ${cases.length} pairs, ${cases.filter((c) => c.found).length} of one source\n`);
const all = [a.contained, a.alike, b.similarity, b.overlap];
const heads = ["ours, contained", "ours, alike", "Dolos, similarity", "Dolos, larger overlap"];
const c = existsSync(join(folder, "jplag.csv")) ? jplag() : null;
if (c) {
  all.push(c.largest, c.average);
  heads.push("JPlag, largest", "JPlag, average");
}
row("", ...heads);
row("---", ...heads.map(() => "---"));
row("area under the curve", ...all.map((s) => curve(s).toFixed(4)));
row("highest of two sources", ...all.map((s) => Math.max(...cases.filter((c) => !c.found).map((c) => s.get(c.key) ?? 0)).toFixed(3)));
row("recall at no false pair", ...all.map((s) => recall(s).toFixed(3)));
row("precision / recall at 0.20", ...all.map((s) => at(s, 0.2)));
row("precision / recall at 0.50", ...all.map((s) => at(s, 0.5)));
row("precision / recall of our list", at(a.listed, 1), ...heads.slice(1).map(() => ""));
for (const change of new Set(cases.filter((x) => x.found).map((x) => x.change)))
  row(`lowest of ${change}`, ...all.map((s) => Math.min(...cases.filter((x) => x.found && x.change === change && !x.second).map((x) => s.get(x.key) ?? 0)).toFixed(3)));
row("seconds", a.seconds, "", b.seconds.toFixed(2), "", ...(c ? [c.seconds, ""] : []));
row("memory of the process, MiB", a.memory, "", Math.round(b.memory), "", ...(c ? [c.memory, ""] : []));
