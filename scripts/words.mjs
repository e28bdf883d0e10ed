#!/usr/bin/env node
// Counts comments of `src` that match a pattern of unclear English (test/architecture/patterns.json): `npm run words` prints
// the figures of each room, `npm run words -- src/app/rules` each such comment below a path. With `--limits` it fails if a
// room has more of them than test/architecture/words.json allows, and `--write` lowers these limits to what there is.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { parseArgs } from 'node:util';
import { parseSync } from '@babel/core';
import { root } from './report.mjs';

const LIMITS = join(root, 'test/architecture/words.json');
const read = (path) => readFileSync(join(root, path), 'utf8');
const patterns = Object.values(JSON.parse(read('test/architecture/patterns.json'))).map((text) => new RegExp(text));

/** The comments of a file as one text each, consecutive line comments joined, with the line where each begins. */
function commentsOf(path, text) {
  const { comments } = parseSync(text, {
    filename: path,
    babelrc: false,
    configFile: false,
    parserOpts: { plugins: path.endsWith('.tsx') ? ['typescript', 'jsx'] : ['typescript'] },
  });
  const found = [];
  for (const { type, value, loc } of comments) {
    const words = value
      .split('\n')
      .map((line) => line.replace(/^\s*\*+/, '').trim())
      .join(' ')
      .trim();
    const last = found.at(-1);
    if (type === 'CommentLine' && last?.next === loc.start.line) {
      last.text += ` ${words}`;
      last.next++;
    } else
      found.push({ line: loc.start.line, text: words, next: type === 'CommentLine' ? loc.start.line + 1 : undefined });
  }
  return found.filter(({ text }) => !text.startsWith('biome-ignore'));
}

const roomOf = (path) =>
  path
    .split('/')
    .slice(0, -1)
    .slice(0, path.startsWith('src/adapters/admin/pages/') ? 5 : 3)
    .join('/');

function main() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { limits: { type: 'boolean' }, write: { type: 'boolean' } },
  });
  const paths = (positionals.length > 0 ? positionals : ['src']).flatMap((path) =>
    path.endsWith('.ts') || path.endsWith('.tsx')
      ? [path]
      : readdirSync(join(root, path), { recursive: true }).map((name) => posix.join(path, name)),
  );
  const rooms = new Map();
  for (const path of paths.filter((name) => /\.tsx?$/.test(name))) {
    const room = roomOf(path);
    const sum = rooms.get(room) ?? rooms.set(room, { comments: 0, matching: 0 }).get(room);
    for (const { line, text } of commentsOf(path, read(path))) {
      sum.comments++;
      if (!patterns.some((pattern) => pattern.test(text))) continue;
      sum.matching++;
      if (positionals.length > 0) console.log(`${path}:${line}: ${text}`);
    }
  }
  const sorted = [...rooms].sort(([a], [b]) => (a < b ? -1 : 1));
  const total = { comments: 0, matching: 0 };
  for (const [, { comments, matching }] of sorted) {
    total.comments += comments;
    total.matching += matching;
  }
  if (values.write) {
    const limits = Object.fromEntries(
      sorted.flatMap(([room, { matching }]) => (matching > 0 ? [[room, matching]] : [])),
    );
    writeFileSync(LIMITS, `${JSON.stringify(limits, null, 2)}\n`);
  }
  if (!values.limits)
    for (const [room, { comments, matching }] of sorted)
      console.log(`${room.padEnd(44)}${String(matching).padStart(6)} of ${comments}`);
  console.log(
    `${total.matching} of ${total.comments} comments match (${((100 * total.matching) / total.comments).toFixed(1)} %)`,
  );
  if (!values.limits) return;
  const limits = JSON.parse(readFileSync(LIMITS, 'utf8'));
  for (const [room, { matching }] of sorted)
    if (matching > (limits[room] ?? 0)) {
      console.error(
        `${room}: ${matching} comments match, ${limits[room] ?? 0} are allowed; see them with: npm run words -- ${room}`,
      );
      process.exitCode = 1;
    }
}

main();
