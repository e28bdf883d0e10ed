#!/usr/bin/env node
// Writes the lists of operations that the program loads into `generated/`, from the files that declare operations. The build
// does it first; `npm run catalogue` does nothing else, for type checks after a new operation.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundledModule } from './bundled-module.mjs';
import { commandLists } from './command-list.mjs';
import { SetupError } from './report.mjs';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');
const FOLDER = 'generated';
const CATALOGUE = `${FOLDER}/catalogue.ts`;
const COMMANDS = `${FOLDER}/commands.ts`;
/** One file for each first word. */
const COMMAND_FOLDER = `${FOLDER}/commands`;
const TOOLS = `${FOLDER}/tools.ts`;
/** Titles for the audit log of the pages. */
const TITLES = `${FOLDER}/operation-titles.ts`;
const HEAVY_LIST = `${FOLDER}/heavy.ts`;
const FEATURE_LIST = `${FOLDER}/features.ts`;
const OPERATION = `import type { AnyOperation } from '../src/app/kernel/operation.ts';`;
const DECLARATION = /^export const (\w+) = (?:define(?:Stream)?Operation\(|secondName\((\w+), )\{\s*name: '([^']+)'/m;
const ANY_DECLARATION = /^export const (\w+) = (?:define(?:Stream)?Operation|secondName)\(/m;
const BEFORE_DECLARATION = /^(?=export const )/m;
const TOOL = /\btool: \{/;
const TITLE = /^ {2}title: '([^']+)'/m;
const READS = /^ {2}effect: 'read'/m;
const HEAVY = /\bweight: 'heavy'/;

function operationFiles() {
  const operations = readdirSync(join(ROOT, 'src/app'), { recursive: true })
    .map((path) => `src/app/${path.replaceAll('\\', '/')}`)
    .filter((path) => path.includes('/operations/') && path.endsWith('.ts'))
    .flatMap((path) => declarationsIn(path, readFileSync(join(ROOT, path), 'utf8')))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  refuseTwice(operations, 'variable');
  refuseTwice(operations, 'name');
  return operations;
}

/** The lists import operations by what they are called: of two that are called the same, a bundler would take one for both. */
function refuseTwice(operations, member) {
  const known = new Map();
  for (const operation of operations) {
    const other = known.get(operation[member]);
    if (other !== undefined)
      throw new SetupError(
        `two operations are called ${operation[member]}, in ${other.path} and ${operation.path}: rename one`,
      );
    known.set(operation[member], operation);
  }
}

/** The operations of a file, and their second names, which are in the file of the operation. */
function declarationsIn(path, file) {
  const found = file.split(BEFORE_DECLARATION).flatMap((text) => {
    const [, variable, first, name] = DECLARATION.exec(text) ?? [];
    if (name !== undefined) return [{ variable, first, name, text }];
    const [, unread] = ANY_DECLARATION.exec(text) ?? [];
    if (unread === undefined) return [];
    // Left out of the lists, it would be there for types and tests, and for no one else.
    throw new SetupError(`${unread} in ${path} has to begin with name: '…', written out`);
  });
  return found.map(({ variable, first, name, text }) => {
    const [, title] = TITLE.exec(text) ?? [];
    const whole = text + (found.find((other) => other.variable === first)?.text ?? '');
    return {
      path,
      variable,
      name,
      title,
      reads: READS.test(whole),
      isTool: TOOL.test(text),
      isHeavy: HEAVY.test(whole),
    };
  });
}

/** The folders of the features that a list imports. */
function featuresOf(list) {
  const text = readFileSync(join(ROOT, list), 'utf8');
  return [...text.matchAll(/from '\.\.\/app\/([\w-]+)\/feature\.ts'/g)].map(([, folder]) => folder);
}

/** The lists that the text of the files suffices for, by path. */
function lists(operations) {
  return {
    [CATALOGUE]: catalogue(operations),
    [TOOLS]: toolList(operations),
    [TITLES]: titleList(operations.filter(({ reads, title }) => !reads && title !== undefined)),
    [HEAVY_LIST]: heavyIndex(operations.filter(({ isHeavy }) => isHeavy)),
  };
}

function catalogue(operations) {
  return `${[
    ...imports(CATALOGUE, operations),
    '',
    '/** Every operation by its name. */',
    'export const CATALOGUE = {',
    ...operations.map(({ name, variable }) => `  '${name}': ${variable},`),
    '} satisfies Readonly<Record<string, AnyOperation>>;',
  ].join('\n')}\n`;
}

function toolList(operations) {
  const tools = operations.filter(({ isTool }) => isTool);
  return `${[
    ...imports(TOOLS, tools),
    '',
    '/** The operations that are tools: the tool server loads no others. */',
    'export const TOOL_OPERATIONS: readonly AnyOperation[] = [',
    ...tools.map(({ variable }) => `  ${variable},`),
    '];',
  ].join('\n')}\n`;
}

function titleList(operations) {
  return `${[
    '/** What operations that change something are called, as the audit log shows it. */',
    'export const OPERATION_TITLES: Readonly<Record<string, string>> = {',
    ...operations.map(({ name, title }) => `  '${name}': '${title}',`),
    '};',
  ].join('\n')}\n`;
}

function heavyIndex(operations) {
  return `${[
    OPERATION,
    '',
    '/** Each heavy operation by its name, loaded when it is asked for: a worker thread needs few of them. */',
    'export const HEAVY_OPERATIONS: Readonly<Record<string, () => Promise<AnyOperation>>> = {',
    ...operations.map(({ name, path, variable }) => {
      return `  '${name}': async () => (await import('${specifier(HEAVY_LIST, path)}')).${variable},`;
    }),
    '};',
  ].join('\n')}\n`;
}

function featureList(features, leftOut) {
  return `${[
    '/** What the program has beside its core, for commands that no operation declares. */',
    'export const FEATURES: ReadonlySet<string> = new Set([',
    ...features.map((id) => `  '${id}',`),
    ']);',
    '',
    '/** Operations of features that this program does not have. */',
    'export const LEFT_OUT: ReadonlySet<string> = new Set([',
    ...leftOut.map(({ name }) => `  '${name}',`),
    ']);',
  ].join('\n')}\n`;
}

function imports(list, operations) {
  return [
    OPERATION,
    ...operations.map(({ path, variable }) => `import { ${variable} } from '${specifier(list, path)}';`),
  ];
}

function specifier(from, to) {
  const path = posix.relative(posix.dirname(from), to);
  return path.startsWith('.') ? path : `./${path}`;
}

/** Writes the lists; a list that is as it was stays untouched. */
export async function writeCatalogue() {
  const features = featuresOf('src/main/features.ts');
  const isThere = ({ path }) => {
    const [, , room] = path.split('/');
    return features.includes(room) || !existsSync(join(ROOT, 'src/app', room, 'feature.ts'));
  };
  const all = operationFiles();
  const files = all.filter(isThere);
  mkdirSync(join(ROOT, COMMAND_FOLDER), { recursive: true });
  writeChanged(lists(files));
  writeChanged({
    [FEATURE_LIST]: featureList(
      features,
      all.filter((file) => !isThere(file)),
    ),
  });
  const { CATALOGUE: operations } = await bundledModule(ROOT, CATALOGUE);
  const commands = commandLists(operations, files, { index: COMMANDS, folder: COMMAND_FOLDER, specifier });
  writeChanged(commands);
  for (const name of readdirSync(join(ROOT, COMMAND_FOLDER))) {
    if (!(`${COMMAND_FOLDER}/${name}` in commands)) rmSync(join(ROOT, COMMAND_FOLDER, name));
  }
}

function writeChanged(texts) {
  for (const [path, text] of Object.entries(texts)) {
    const file = join(ROOT, path);
    if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await writeCatalogue();
