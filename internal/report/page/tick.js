// Ticks stay in this browser, one set per record.
const key = 'automaton:' + document.documentElement.dataset.record;
const ticks = (() => { try { return JSON.parse(localStorage.getItem(key)) || {}; } catch { return {}; } })();
const fixes = all('.fix input');
const numbers = JSON.parse(document.getElementById('automaton-numbers')?.textContent || 'null');
const shown = v => v === null ? '\u2013' : (Math.floor(v / 100) / 100).toFixed(2);
const rise = (v, from) => shown(Math.max(0, Math.floor(v / 100) - Math.floor(from / 100)) * 100);

// What the ticked remedies come to: the total, and each criterion that changes. Where
// models sat, only how much the built-in judges give more.
const now = numbers && tried(numbers, []);
const names = all('table.scores tbody th a').map(a => a.textContent);
const tell = () => {
  const at = document.getElementById('tried');
  if (!at) return;
  const done = fixes.flatMap((f, i) => f.checked ? [i] : []);
  const lines = [done.length + ' of ' + fixes.length + ' ticked'], changed = [];
  if (numbers && done.length) {
    const then = tried(numbers, done), about = at.dataset.about !== undefined;
    const words = (from, to) => about ? 'about ' + rise(to, from) + ' more' : shown(from) + ' \u2192 ' + shown(to);
    lines[0] += '. Total with these: ' + words(now.total, then.total);
    then.criteria.forEach((c, i) => { if (!c.gone && shown(c.exact) !== shown(now.criteria[i].exact)) changed.push(names[i] + ' ' + (now.criteria[i].gone ? '\u2013 \u2192 ' + shown(c.exact) : words(now.criteria[i].exact, c.exact))); });
    if (changed.length) lines.push(changed.join(' \u00b7 '));
  }
  at.replaceChildren(...lines.map((text, i) => Object.assign(document.createElement('p'), { textContent: text, id: i ? '' : 'fixcount', className: i ? 'then' : 'eyebrow' })));
};
for (const i of fixes) {
  i.checked = !!ticks[i.id];
  i.onchange = () => {
    ticks[i.id] = i.checked;
    try { localStorage.setItem(key, JSON.stringify(ticks)); } catch { /* a private window keeps nothing */ }
    tell();
  };
}
tell();
