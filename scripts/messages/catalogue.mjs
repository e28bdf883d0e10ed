// Catalogues of texts: one file of the kind of gettext (.po) a language, beside the pages. The English text is the key.
import { readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import Po from 'pofile';
import { filesBelow } from '../fingerprint.mjs';
import { root } from '../report.mjs';
import { sentencesIn } from './sentences.mjs';
import { compiled, hasMessages, keyOf, withMessages } from './transform.mjs';

const PAGES = 'src/adapters/admin/pages';

/** Texts of types of accounts, rules and jobs, which come from the service: written by test/architecture/languages.test.ts. */
const SERVICE_TEXTS = `${PAGES}/language/service-texts.json`;
const SERVICE = 'service';

/** Every text that pages mark, and those of the service, by their keys, with the files that mark them: `{ message, context, files }`. */
export async function messagesOfPages() {
  const found = new Map();
  for (const message of JSON.parse(await readFile(join(root, SERVICE_TEXTS), 'utf8')))
    found.set(keyOf(message, SERVICE), { message, context: SERVICE, files: new Set([SERVICE]) });
  for (const path of filesBelow('src').filter((one) => one.endsWith('.ts') && !one.startsWith(PAGES))) {
    const source = await readFile(join(root, path), 'utf8');
    for (const message of sentencesIn(source, path))
      found.set(keyOf(message, SERVICE), { message, context: SERVICE, files: new Set([SERVICE]) });
  }
  for (const path of filesBelow(PAGES).filter((one) => /\.tsx?$/.test(one))) {
    const source = await readFile(join(root, path), 'utf8');
    if (!hasMessages(source)) continue;
    const { messages } = await withMessages(source, path, '');
    for (const { message, context } of messages) {
      const key = keyOf(message, context);
      const known = found.get(key) ?? { message, context, files: new Set() };
      known.files.add(path.slice(PAGES.length + 1));
      found.set(key, known);
    }
  }
  return found;
}

/** The catalogues that there are: `{ language, path }`. */
export function catalogues() {
  return filesBelow(`${PAGES}/language`)
    .filter((path) => path.endsWith('.po'))
    .map((path) => ({ language: basename(path, '.po'), path: join(root, path) }));
}

/** The texts of a catalogue, by key. */
export function readCatalogue(text) {
  return textsOf(Po.parse(text).items);
}

function textsOf(items) {
  return new Map(items.map((item) => [keyOf(item.msgid, item.msgctxt ?? undefined), item.msgstr[0] ?? '']));
}

/** A catalogue with the texts of the pages: what is translated stays, what is new comes without a translation, what is gone goes. */
export async function updateCatalogue({ language, path }, marked) {
  const text = await readFile(path, 'utf8');
  const before = readCatalogue(text);
  const po = new Po();
  po.comments = Po.parse(text).comments;
  po.headers = { Language: language, 'Content-Type': 'text/plain; charset=UTF-8', 'Content-Transfer-Encoding': '8bit' };
  const sorted = [...marked].sort(([, a], [, b]) => (placeOf(a) < placeOf(b) ? -1 : 1));
  for (const [key, { message, context, files }] of sorted) {
    const item = new Po.Item();
    item.msgid = message;
    if (context !== undefined) item.msgctxt = context;
    item.msgstr = [before.get(key) ?? ''];
    item.references = [...files].sort();
    po.items.push(item);
  }
  await writeFile(path, `${po.toString().trimEnd()}\n`);
  return po.items.filter(({ msgstr }) => msgstr[0] === '').map(({ msgid }) => msgid);
}

/** Texts of a folder stand together. */
function placeOf({ message, files }) {
  return `${[...files].sort()[0]}\n${message}`;
}

/** Folders of the pages whose texts the login page needs. */
const AT_FIRST = /^(?:calls|language|parts|shell)\//;

/** Texts are loaded in three parts: with the login page, with the pages behind it, and with the first answer of the service. */
function partOf({ references }) {
  if (references.some((file) => AT_FIRST.test(file))) return 'first';
  return references.every((file) => file === SERVICE) ? 'service' : 'pages';
}

/** Compiles a catalogue, or a part of it, into a form that needs no parser in the browser. */
export function compiledCatalogue(text, part) {
  const items = Po.parse(text).items.filter((item) => part === undefined || partOf(item) === part);
  const translated = [...textsOf(items)].filter(([, translation]) => translation !== '');
  // Texts of the service have braces of their own, and no values.
  const formOf = (key, translation) => (key.startsWith(keyOf('', SERVICE)) ? [translation] : compiled(translation));
  return Object.fromEntries(translated.map(([key, translation]) => [key, formOf(key, translation)]));
}
