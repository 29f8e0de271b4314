'use strict';
// All of it is convenience: every page works without it.
const rows = [...document.querySelectorAll('table.cohort tbody tr')];
let at = -1;
const go = step => {
  if (!rows.length) return;
  if (at >= 0) rows[at].classList.remove('at');
  at = Math.min(rows.length - 1, Math.max(0, at + step));
  rows[at].classList.add('at');
  rows[at].querySelector('a').focus();
};
addEventListener('keydown', e => {
  if (e.ctrlKey || e.metaKey || e.altKey || /^(INPUT|TEXTAREA|SELECT)$/.test(e.target.tagName)) return;
  const find = document.getElementById('find'), keys = document.getElementById('keys');
  switch (e.key) {
    case '/': if (!find) return; find.focus(); break;
    case 'j': go(1); break;
    case 'k': go(-1); break;
    case 'g': location.assign('/groups'); break;
    case '?': keys.showModal(); break;
    default: return;
  }
  e.preventDefault();
});
// What is watched comes as a part of the page, whole each time. A page that nobody sees does not watch: a browser has six
// connections to one server for all its pages.
const live = document.querySelector('[data-live]');
if (live) {
  let from;
  const watch = () => {
    from?.close();
    if (document.hidden) return;
    from = new EventSource(live.dataset.live);
    from.onmessage = e => { live.innerHTML = e.data; };
    from.addEventListener('over', () => { from.close(); location.reload(); });
  };
  document.addEventListener('visibilitychange', watch);
  watch();
}
