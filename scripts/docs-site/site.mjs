// What the pages of the documentation do in a browser: search, colours, the menu of a phone, copying. Without it they can be read.
import MiniSearch from 'minisearch';
import { searchOptions } from './search-options.mjs';

const COLOURS = 'mantine-color-scheme-value';
const SHOWN = 12;
const byId = (id) => document.getElementById(id);

function element(name, properties, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

function addColours() {
  const button = byId('colours-button');
  const { dataset } = document.documentElement;
  const isDark = () =>
    (dataset.colours ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')) === 'dark';
  const draw = () => {
    button.textContent = isDark() ? '☀' : '☾';
    button.setAttribute('aria-label', isDark() ? 'Light colours' : 'Dark colours');
  };
  button.addEventListener('click', () => {
    dataset.colours = isDark() ? 'light' : 'dark';
    try {
      localStorage.setItem(COLOURS, dataset.colours);
    } catch {
      // Then it is so on this page only.
    }
    draw();
  });
  draw();
  button.hidden = false;
}

function addMenu() {
  const button = byId('menu-button');
  const menu = byId('menu');
  button.hidden = false;
  document.documentElement.classList.add('has-menu-button');
  const show = (open) => {
    menu.classList.toggle('open', open);
    button.setAttribute('aria-expanded', String(open));
  };
  button.addEventListener('click', () => show(button.getAttribute('aria-expanded') === 'false'));
  addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape' || button.getAttribute('aria-expanded') === 'false') return;
    show(false);
    button.focus();
  });
  menu.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
}

function addCopying() {
  if (navigator.clipboard === undefined) return;
  for (const block of document.querySelectorAll('.code')) {
    const button = element('button', { type: 'button', className: 'copy', textContent: 'Copy' });
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(block.querySelector('code').textContent);
      button.textContent = 'Copied';
      setTimeout(() => {
        button.textContent = 'Copy';
      }, 2000);
    });
    block.append(button);
  }
}

/** The first page is shown at an address without a slash at its end too. */
const here = (name) => new URL(name, import.meta.url).href;

/** Read when somebody begins to search. */
let index;
function searchIndex() {
  index ??= fetch(here('search.json'))
    .then((answer) => {
      if (!answer.ok) throw new Error(`the answer is ${answer.status}`);
      return answer.json();
    })
    .then((sections) => {
      const search = new MiniSearch(searchOptions);
      search.addAll(sections);
      return search;
    })
    .catch((error) => {
      index = undefined;
      throw error;
    });
  return index;
}

/** The text around the first of the found words, which are marked. */
function excerpt(text, words) {
  const pattern = new RegExp(`(${words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')})`, 'giu');
  const first = Math.max(0, text.search(pattern));
  const from = first < 60 ? 0 : text.lastIndexOf(' ', first - 40) + 1;
  const end = from + 160 < text.length ? text.lastIndexOf(' ', from + 160) : text.length;
  const part = text.slice(from, end);
  const pieces = part
    .split(pattern)
    .map((piece, at) => (at % 2 === 1 ? element('mark', { textContent: piece }) : piece));
  return [from > 0 ? '… ' : '', ...pieces, end < text.length ? ' …' : ''];
}

function resultLine({ id, page, heading, href, text, terms }) {
  const where = heading === page ? page : `${page} › ${heading}`;
  const link = element(
    'a',
    { href: here(href), tabIndex: -1 },
    element('strong', { textContent: where }),
    element('span', {}, ...excerpt(text, terms)),
  );
  const line = element('li', { id: `result-${id}` }, link);
  line.setAttribute('role', 'option');
  line.setAttribute('aria-selected', 'false');
  return line;
}

function addSearch() {
  const input = byId('query');
  const list = byId('results');
  const status = byId('found');
  let chosen = -1;

  const choose = (at) => {
    chosen = at;
    for (const [number, line] of [...list.children].entries())
      line.setAttribute('aria-selected', String(number === at));
    const line = list.children[at];
    if (line === undefined) return input.removeAttribute('aria-activedescendant');
    input.setAttribute('aria-activedescendant', line.id);
    line.scrollIntoView({ block: 'nearest' });
  };
  const show = (lines, words) => {
    list.replaceChildren(...lines);
    list.hidden = lines.length === 0;
    input.setAttribute('aria-expanded', String(lines.length > 0));
    status.textContent = words;
    choose(lines.length > 0 ? 0 : -1);
  };
  const search = async () => {
    const query = input.value.trim();
    if (query === '') return show([], '');
    try {
      const results = (await searchIndex()).search(query);
      if (query !== input.value.trim()) return;
      const words = results.length === 0 ? 'Nothing found. Try fewer or other words.' : `${results.length} found`;
      show(results.slice(0, SHOWN).map(resultLine), words);
    } catch {
      show([], 'The search could not be loaded. Try again.');
    }
  };

  input.addEventListener('focus', () => searchIndex().catch(() => undefined), { once: true });
  input.addEventListener('input', search);
  input.addEventListener('keydown', (event) => {
    const { length } = list.children;
    if (event.key === 'Escape') {
      input.value = '';
      show([], '');
    } else if (length > 0 && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
      event.preventDefault();
      choose((chosen + (event.key === 'ArrowDown' ? 1 : length - 1)) % length);
    } else if (event.key === 'Enter') {
      list.children[chosen]?.querySelector('a').click();
    }
  });
  list.addEventListener('click', () => show([], ''));
  addEventListener('click', ({ target }) => {
    if (!byId('search').contains(target)) show([], '');
  });
  addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof HTMLInputElement;
    const isAsked =
      (event.key === '/' && !isTyping) || (event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey));
    if (!isAsked || event.altKey) return;
    event.preventDefault();
    input.focus();
    input.select();
  });
  byId('search').hidden = false;
}

addColours();
addMenu();
addCopying();
addSearch();
