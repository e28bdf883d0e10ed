// One page of markdown as HTML that needs no style and no script of its own, with its headings and the texts that people search.
import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';
import GithubSlugger from 'github-slugger';
import highlight from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import ini from 'highlight.js/lib/languages/ini';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import nginx from 'highlight.js/lib/languages/nginx';
import python from 'highlight.js/lib/languages/python';
import typescript from 'highlight.js/lib/languages/typescript';
import yaml from 'highlight.js/lib/languages/yaml';
import MarkdownIt from 'markdown-it';
import { root, SetupError } from '../report.mjs';

const LANGUAGES = {
  ini,
  javascript,
  json,
  nginx,
  python,
  typescript,
  yaml,
  sh: bash,
  js: javascript,
  ts: typescript,
  tsx: typescript,
};
for (const [name, language] of Object.entries(LANGUAGES)) highlight.registerLanguage(name, language);

const markdown = new MarkdownIt({ html: false, linkify: false });
const { escapeHtml } = markdown.utils;

/** What `env` is to the rules below: where the page is, what the site has, and what was found on the way. */
export function renderPage({ path, text }, { names, pictures }) {
  const env = { path, names, pictures, slugger: new GithubSlugger(), headings: [] };
  const tokens = markdown.parse(text, env);
  const sections = sectionsOf(tokens, env);
  return { html: markdown.renderer.render(tokens, markdown.options, env), headings: env.headings, sections };
}

/** Gives headings their names, as code hosts do, and collects the text below each of them. */
function sectionsOf(tokens, env) {
  const sections = [];
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'heading_open') {
      const heading = plainText(tokens[index + 1]);
      const id = env.slugger.slug(heading);
      token.attrSet('id', id);
      const level = Number(token.tag.slice(1));
      env.headings.push({ id, level, text: heading });
      sections.push({ id: level === 1 ? '' : id, heading, texts: [] });
    } else if (token.type === 'inline' && tokens[index - 1].type !== 'heading_open') {
      sections.at(-1)?.texts.push(plainText(token));
    } else if (token.type === 'fence') {
      sections.at(-1)?.texts.push(token.content);
    }
  }
  return sections.map(({ texts, ...section }) => ({ ...section, text: texts.join(' ').replace(/\s+/g, ' ').trim() }));
}

function plainText(inline) {
  return inline.children
    .map(({ type, content }) => (type === 'softbreak' || type === 'hardbreak' ? ' ' : type === 'image' ? '' : content))
    .join('');
}

const { rules } = markdown.renderer;
const asIs = (tokens, index, options, _env, self) => self.renderToken(tokens, index, options);

rules.heading_close = (tokens, index) => {
  const { tag } = tokens[index];
  const id = tokens[index - 2].attrGet('id');
  if (tag === 'h1') return '</h1>\n';
  return ` <a class="anchor" href="#${id}" aria-label="Link to this section">#</a></${tag}>\n`;
};

rules.fence = (tokens, index) => {
  const { content, info } = tokens[index];
  const [language = ''] = info.trim().split(/\s+/);
  const code = Object.hasOwn(LANGUAGES, language)
    ? highlight.highlight(content, { language }).value
    : escapeHtml(content);
  return `<div class="code"><pre tabindex="0"><code>${code}</code></pre></div>\n`;
};

// Wide tables scroll by themselves, and the policy of the site knows no style of an element.
rules.table_open = () => '<div class="table" tabindex="0"><table>\n';
rules.table_close = () => '</table></div>\n';
rules.th_open = rules.td_open = (tokens, index, options, _env, self) => {
  const token = tokens[index];
  const alignment = /text-align:(\w+)/.exec(token.attrGet('style') ?? '')?.[1];
  token.attrs = alignment === undefined ? null : [['class', alignment]];
  return self.renderToken(tokens, index, options);
};

rules.link_open = (tokens, index, options, env, self) => {
  const token = tokens[index];
  const target = token.attrGet('href');
  if (/^https?:/.test(target)) token.attrSet('rel', 'noreferrer');
  else if (!target.startsWith('#')) {
    const [file, anchor] = target.split('#');
    const path = posix.join(posix.dirname(env.path), decodeURI(file));
    if (!existsSync(join(root, path))) throw new SetupError(`${env.path} links to ${target}, which is not there.`);
    const name = env.names.get(path);
    // Files of the checkout that are no pages are named, and not linked.
    if (name === undefined) {
      token.tag = tokens[closeOf(tokens, index)].tag = 'span';
      token.attrs = null;
    } else {
      token.attrSet('href', anchor === undefined ? name : `${name}#${anchor}`);
    }
  }
  return asIs(tokens, index, options, env, self);
};

function closeOf(tokens, index) {
  return tokens.findIndex(({ type }, at) => at > index && type === 'link_close');
}

// A picture of a page has a twin in dark colours; code hosts show the light one.
rules.image = (tokens, index, _options, env) => {
  const token = tokens[index];
  const path = posix.join(posix.dirname(env.path), token.attrGet('src'));
  if (!env.pictures.has(path)) throw new SetupError(`${env.path} shows ${path}, which is not there.`);
  const alt = escapeHtml(token.content);
  const picture = (file, colours) =>
    `<img class="${colours}" src="${posix.basename(file)}" alt="${alt}" loading="lazy" width="1280" height="800">`;
  const dark = path.replace('-light.', '-dark.');
  return dark !== path && env.pictures.has(dark)
    ? picture(path, 'light') + picture(dark, 'dark')
    : picture(path, 'any');
};
