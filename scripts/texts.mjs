#!/usr/bin/env node
// Lists every text that a user can meet: `npm run texts` writes the list, and a test compares it with the sources. A change of
// structure leaves the list as it is; a change of words shows in its diff. The list names no files, so that moved code changes nothing.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from '@babel/core';
import { filesBelow } from './fingerprint.mjs';
import { root } from './report.mjs';

/** Path of the committed list, from the root. */
export const LIST = 'test/architecture/texts.txt';

/** Members and attributes with words for people, even if they hold one word. */
const WORDED = /^(?:title|label|summary|description|help|placeholder|heading|example|aria-label|alt)$/;
/** Members and attributes that hold no text. */
const CODED = /^(?:className|classNames|style|path|d|viewBox|pattern)$/;
const QUERY = /^\s*(?:SELECT|INSERT|UPDATE|DELETE|CREATE|DROP|ALTER|WITH|PRAGMA|BEGIN|VALUES|REINDEX|VACUUM)\b/;

/** The texts of the sources, sorted, each once. Values within a text are `{}`. */
export function texts() {
  const found = new Set();
  const sources = filesBelow('src').filter((path) => /\.tsx?$/.test(path) && !path.startsWith('src/testing/'));
  for (const path of sources) collect(treeOf(path), undefined, found);
  return [...found].sort();
}

function treeOf(path) {
  return parseSync(readFileSync(join(root, path), 'utf8'), {
    filename: path,
    babelrc: false,
    configFile: false,
    parserOpts: { plugins: path.endsWith('.tsx') ? ['typescript', 'jsx'] : ['typescript'] },
  }).program;
}

function collect(node, member, found) {
  if (node.type.startsWith('Import') || node.type.startsWith('TS')) return;
  if (node.type === 'JSXText') return add(node.value, 'title', found);
  const text = textOf(node);
  if (text !== undefined) add(text, member, found);
  for (const [name, child] of Object.entries(node)) {
    // The parts of a joined text are in it already; values in a template may hold texts of their own.
    if (text !== undefined && (name === 'left' || name === 'right' || name === 'quasis')) {
      if (name !== 'quasis') collectValues(child, found);
      continue;
    }
    for (const each of Array.isArray(child) ? child : [child]) {
      if (typeof each?.type === 'string') collect(each, memberOf(node) ?? member, found);
    }
  }
}

function collectValues(node, found) {
  if (node.type === 'TemplateLiteral') for (const value of node.expressions) collect(value, undefined, found);
  else if (node.type === 'BinaryExpression') for (const side of [node.left, node.right]) collectValues(side, found);
  else if (node.type !== 'StringLiteral') collect(node, undefined, found);
}

function memberOf(node) {
  if (node.type === 'ObjectProperty') return node.key.name ?? node.key.value;
  if (node.type === 'JSXAttribute') return node.name.name;
  return undefined;
}

/** The text that a literal, a template or a sum of them makes. */
function textOf(node) {
  if (node.type === 'StringLiteral') return node.value;
  if (node.type === 'TemplateLiteral') return node.quasis.map(({ value }) => value.cooked ?? value.raw).join('{}');
  if (node.type !== 'BinaryExpression' || node.operator !== '+') return undefined;
  const sides = [textOf(node.left), textOf(node.right)];
  return sides.every((side) => side === undefined) ? undefined : sides.map((side) => side ?? '{}').join('');
}

function add(text, member, found) {
  const line = text.replace(/\s+/g, ' ').trim();
  if (!/\p{L}/u.test(line) || QUERY.test(text) || CODED.test(member ?? '')) return;
  if (/[\p{L}\d).,:;!?`'"}] [\p{L}\d(`'"{]/u.test(line) || WORDED.test(member ?? '')) found.add(line);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const before = new Set(readFileSync(join(root, LIST), { encoding: 'utf8', flag: 'a+' }).split('\n'));
  const after = texts();
  writeFileSync(join(root, LIST), `${after.join('\n')}\n`);
  const now = new Set(after);
  for (const line of before) if (line !== '' && !now.has(line)) console.log(`- ${line}`);
  for (const line of after) if (!before.has(line)) console.log(`+ ${line}`);
  console.log(`${after.length} texts`);
}
