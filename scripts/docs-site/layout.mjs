// What stands around the text of each page of the documentation's site.

const ICON =
  '<svg viewBox="0 0 24 24" width="26" height="26" aria-hidden="true"><rect width="24" height="24" rx="6" fill="#3d51ad"/>' +
  '<path d="M5.5 18V7.5L12 14l6.5-6.5V18" fill="none" stroke="#fff" stroke-width="1.9" stroke-linecap="round" stroke-linejoin="round"/>' +
  '<g fill="#fff"><circle cx="5.5" cy="6.8" r="2.3"/><circle cx="18.5" cy="6.8" r="2.3"/></g><circle cx="12" cy="14.4" r="2.3" fill="#f7b955"/></svg>';

const text = (value) =>
  value.replace(/[&<>"]/g, (char) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[char]);

const link = ({ name, title }, current) =>
  `<a href="${name}"${name === current ? ' aria-current="page"' : ''}>${text(title)}</a>`;

export function pageHtml({ page, html, headings, groups, order, version }) {
  const { name, title } = page;
  const sidebar = groups
    .map(
      (group) =>
        `<section><h2 class="group">${text(group.title)}</h2><ul>${group.pages.map((entry) => `<li>${link(entry, name)}</li>`).join('')}</ul></section>`,
    )
    .join('\n');
  const parts = headings.filter(({ level }) => level === 2 || level === 3);
  const few = parts.length <= 40 ? parts : parts.filter(({ level }) => level === 2);
  const outline = few
    .map(({ id, level, text: heading }) => `<li class="level${level}"><a href="#${id}">${text(heading)}</a></li>`)
    .join('');
  const at = order.findIndex((entry) => entry.name === name);
  const neighbour = (entry, rel, label) =>
    entry === undefined
      ? ''
      : `<a class="neighbour" rel="${rel}" href="${entry.name}"><small>${label}</small>${text(entry.title)}</a>`;
  const around = at === -1 ? '' : neighbour(order[at - 1], 'prev', 'Before') + neighbour(order[at + 1], 'next', 'Next');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${text(title)} · Muster</title>
<link rel="icon" href="icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="site.css">
<script src="colours.js"></script>
<script type="module" src="site.js"></script>
</head>
<body>
<a class="skip" href="#content">Skip to the text</a>
<header>
<a class="name" href="index.html">${ICON}<span>Muster</span></a>
<button type="button" id="menu-button" aria-expanded="false" aria-controls="menu" hidden>Contents</button>
<search id="search" class="search" hidden><input id="query" class="query" type="search" placeholder="Search (press /)" aria-label="Search the documentation" role="combobox" aria-expanded="false" aria-controls="results" aria-autocomplete="list" autocomplete="off" spellcheck="false"><ul id="results" class="results" role="listbox" aria-label="What was found" hidden></ul><p id="found" class="found" role="status"></p></search>
<nav class="elsewhere" aria-label="This service"><a href="openapi">REST reference</a><a href="../admin">Admin interface</a></nav>
<button type="button" id="colours-button" hidden></button>
</header>
<div class="columns">
<nav id="menu" class="menu" aria-label="Contents">
${sidebar}
</nav>
<main id="content" tabindex="-1">
<article>
${html}</article>
<nav class="around" aria-label="Neighbouring pages">${around}</nav>
<footer>Muster ${text(version)}</footer>
</main>
<nav class="outline" aria-label="On this page">${outline === '' ? '' : `<h2 class="group">On this page</h2><ul>${outline}</ul>`}</nav>
</div>
</body>
</html>
`;
}

export const iconSvg = ICON.replace('<svg ', '<svg xmlns="http://www.w3.org/2000/svg" ');

export const LOST = `<h1>There is no such page</h1>
<p>It may have another name in this version of Muster. The search above finds it, or <a href="index.html">the contents</a> list it.</p>
`;
