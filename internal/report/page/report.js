'use strict';
const all = (selector, from = document) => [...from.querySelectorAll(selector)];
const page = document.documentElement;
document.body.classList.add('js');

// The button overrides the system's theme until the page is closed.
all('#theme')[0].onclick = () => {
  const now = page.style.colorScheme || (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
  page.style.colorScheme = now === 'dark' ? 'light' : 'dark';
};

for (const button of all('[data-filter]')) button.onclick = () => {
  const want = button.dataset.filter;
  for (const b of all('[data-filter]')) b.setAttribute('aria-pressed', b === button);
  for (const s of all('section.crit')) s.hidden = want !== 'all' && !s.classList.contains(want);
};

all('#expand')[0].onclick = e => {
  const open = e.target.getAttribute('aria-pressed') !== 'true';
  e.target.setAttribute('aria-pressed', open);
  for (const d of all('details')) d.open = open;
};

// A link to evidence opens and shows whatever it lies in.
const reveal = () => {
  let id = location.hash.slice(1);
  try { id = decodeURIComponent(id); } catch { /* take it as it stands */ }
  const target = id && document.getElementById(id);
  if (!target) return;
  for (let p = target; p; p = p.parentElement) {
    p.hidden = false;
    if (p.tagName === 'DETAILS') p.open = true;
  }
  const fold = target.querySelector(':scope > details.fold');
  if (fold) fold.open = true;
  target.scrollIntoView();
};
addEventListener('hashchange', reveal);
reveal();

// Paper has nothing to click: everything is open on it.
addEventListener('beforeprint', () => { for (const d of all('details')) { d.dataset.was = d.open ? '1' : ''; d.open = true; } });
addEventListener('afterprint', () => { for (const d of all('details')) d.open = d.dataset.was === '1'; });

// A graph begins in its middle.
for (const svg of all('svg.graph')) svg.parentElement.scrollLeft = (svg.parentElement.scrollWidth - svg.parentElement.clientWidth) / 2;

// A command to try is copied with one click where the browser allows it.
if (navigator.clipboard) for (const code of all('dl.do code')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = 'Copy';
  button.setAttribute('aria-label', 'Copy ' + code.textContent);
  button.onclick = () => navigator.clipboard.writeText(code.textContent).then(() => { button.textContent = 'Copied'; }, () => { button.textContent = 'Not allowed'; });
  code.after(button);
}

// The keys take the focus along, so that Tab goes on from there. They go at once,
// so that the next one finds the page where the last one left it.
addEventListener('keydown', e => {
  if (e.target.matches('input,textarea') || e.metaKey || e.ctrlKey || e.altKey || (e.key !== 'j' && e.key !== 'k')) return;
  const shown = all('section.crit:not([hidden])');
  const inSight = r => r.bottom > 0 && r.top < innerHeight;
  const at = shown.findIndex(s => s.contains(document.activeElement) && inSight(document.activeElement.getBoundingClientRect()));
  const here = at >= 0 ? at : shown.findLastIndex(s => s.getBoundingClientRect().top < 80);
  const next = shown[Math.min(shown.length - 1, Math.max(0, here + (e.key === 'j' ? 1 : -1)))];
  if (!next) return;
  const heading = next.querySelector('h3');
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
  next.scrollIntoView({ block: 'start', behavior: 'instant' });
});
