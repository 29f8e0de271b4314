// What ticked remedies would be worth: the arithmetic of the court in whole basis
// points, from the numbers that come with the page. It knows nothing of the page.
const ONE = 10000;
const half = (n, d) => Math.trunc((2 * n + d) / (2 * d));
const mean = pairs => {
  const d = pairs.reduce((sum, [w]) => sum + w, 0);
  return d ? half(pairs.reduce((sum, [w, v]) => sum + w * v, 0), d) : 0;
};
const root = (n, k) => { // the largest r with r^k ≤ n, for k of 2 or 3
  const power = r => k === 2 ? r * r : r * r * r;
  let r = Math.floor(k === 2 ? Math.sqrt(n) : Math.cbrt(n));
  while (power(r) > n) r--;
  while (power(r + 1) <= n) r++;
  return r;
};
const curves = {
  strict: x => Math.trunc((root(Math.trunc(4 * x * x * x / ONE), 2) + 1) / 2),
  plain: x => x,
  lenient: x => Math.trunc((root(8 * x * x * ONE, 3) + 1) / 2),
};

// One judge's ledger of a criterion. What falls in the Tech Lead's says for all
// judges what becomes of a check that has nothing to check.
const ledger = (judge, j, checks, done, tech) => {
  const falls = [];
  const rows = checks.map((k, i) => {
    const worst = (list, side) => Math.max(0, ...k.needs.map(n => list[n][side]));
    const mended = done.has(i), row = { w: (k.core ? judge.core : 2) * k.w, core: k.core, d: 0, u: ONE, held: 0, x: 0 };
    const proven = worst(falls, 'proven'), counted = worst(falls, 'counted');
    if (!k.applies && !mended) {
      row.core = false;
      if (worst(tech || falls, 'proven') >= ONE / 2) [row.d, row.u] = [ONE, 0];
      else if (worst(tech || falls, 'counted') >= ONE / 2) row.held = ONE;
      else row.w = 0;
      falls.push({ proven, counted });
      return row;
    }
    const pro = mended ? k.mended[j] : k.pro[j], con = mended ? 0 : k.con[j];
    const b = Math.min(pro, ONE - con, ONE - counted);
    row.d = Math.max(Math.min(con, ONE - pro), proven);
    row.u = ONE - b - row.d;
    row.held = k.withheld && !mended ? row.u : Math.max(counted - row.d, 0);
    row.x = b + half(judge.doubt * (row.u - row.held), ONE);
    falls.push({ proven: row.d, counted: row.d + row.held });
    return row;
  });
  return { rows, falls };
};

// The exact score of a criterion once some of its checks are put right.
const scoreOf = (numbers, c, done) => {
  if (!c.checks) return { ...c };
  const tech = ledger(numbers.judges[1], 1, c.checks, done);
  const said = numbers.judges.map((judge, j) => {
    const { rows } = ledger(judge, j, c.checks, done, tech.falls);
    const e = ONE + 4 * curves[judge.curve](mean(rows.map(r => [r.w, r.x])));
    return rows.some(r => r.core && r.d + r.held >= numbers.proven) ? Math.min(e, judge.gate) : e;
  });
  let exact = mean(said.map((e, j) => [c.seats[j], e]));
  if (c.fraud && c.fraud.every(i => tech.rows[i].d >= 9000)) exact = Math.min(exact, c.fraudCap);
  const flaw = !!c.flaw || c.checks.some((k, i) => k.flaw && !done.has(i));
  if (flaw && c.cap) exact = Math.min(exact, c.cap);
  const dark = tech.rows.map((r, i) => [r.w, r.u === ONE && !r.held && c.checks[i].unseen && !done.has(i) ? ONE : 0]);
  return { w: c.w, exact, flaw, gone: mean(dark) >= ONE / 2, human: c.human, out: c.out, cap: c.cap };
};

// All scores and the total with the remedies that are ticked, by their numbers from 0.
const tried = (numbers, ticked) => {
  const done = numbers.criteria.map(() => new Set());
  for (const n of ticked) for (const [c, check] of numbers.fixes[n]) done[c].add(check);
  const criteria = numbers.criteria.map((c, i) => scoreOf(numbers, c, done[i]));
  const counted = criteria.map(s => s.human === undefined ? s : { ...s, gone: false, exact: Math.min(s.human, s.flaw && s.cap || 5 * ONE) }).filter(s => !s.out && !s.gone);
  const alike = !counted.some(s => s.w > 0);
  const total = mean(counted.map(s => [alike ? 1 : s.w, s.exact]));
  return { criteria, total: !counted.length ? null : numbers.cap && criteria.some(s => s.flaw) ? Math.min(total, numbers.cap) : total };
};
