#!/usr/bin/env node
// Writes the lists of operations that programs need, from the files that declare them: `npm run catalogue`. An operation is
// declared in its own file and nowhere else; a test says when a list is behind.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { commandLists, loadOperations } from './command-list.mjs';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');
const CATALOGUE = 'src/app/catalogue/catalogue.generated.ts';
const COMMANDS = 'src/app/catalogue/commands.generated.ts';
/** A file for each first word. */
const COMMAND_FOLDER = 'src/app/catalogue/commands';
const TOOLS = 'src/app/catalogue/tools.generated.ts';
/** Pages show them. */
const TITLES = 'src/adapters/admin/pages/logs/operation-titles.generated.ts';
const HEAVY_LIST = 'src/app/catalogue/heavy.generated.ts';
/** As long as the formatter lets a line be. */
const LINE = 120;
const DECLARATION = /^export const (\w+) = define(?:Stream)?Operation\(\{\s*name: '([^']+)'/m;
const TOOL = /\btool: \{/;
const TITLE = /^ {2}title: '([^']+)'/m;
const READS = /^ {2}effect: 'read'/m;
const HEAVY = /\bweight: 'heavy'/;

function operationFiles() {
  return readdirSync(join(ROOT, 'src/app'), { recursive: true })
    .map((path) => `src/app/${path.replaceAll('\\', '/')}`)
    .filter((path) => path.includes('/operations/') && path.endsWith('.ts'))
    .flatMap((path) => {
      const text = readFileSync(join(ROOT, path), 'utf8');
      const [, variable, name] = DECLARATION.exec(text) ?? [];
      if (name === undefined) return [];
      const [, title] = TITLE.exec(text) ?? [];
      return [
        { path, variable, name, title, reads: READS.test(text), isTool: TOOL.test(text), isHeavy: HEAVY.test(text) },
      ];
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The lists of which one sees from the text of the files what is in them, by their path. */
export function lists() {
  const operations = operationFiles();
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
    '/** Every operation by its name. Written by `npm run catalogue` from the files that declare them. */',
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
    '/** The operations that are tools: the tool server loads no others. Written by `npm run catalogue` from the files that declare them. */',
    'export const TOOL_OPERATIONS: readonly AnyOperation[] = [',
    ...tools.map(({ variable }) => `  ${variable},`),
    '];',
  ].join('\n')}\n`;
}

function titleList(operations) {
  return `${[
    '/** What operations that change something are called, as the audit log shows it. Written by `npm run catalogue` from the files that declare them. */',
    'export const OPERATION_TITLES: Readonly<Record<string, string>> = {',
    ...operations.map(({ name, title }) => `  '${name}': '${title}',`),
    '};',
  ].join('\n')}\n`;
}

function heavyIndex(operations) {
  return `${[
    "import type { AnyOperation } from '../kernel/operation.ts';",
    '',
    '/**',
    ' * Each heavy operation by its name, loaded when it is asked for: a worker thread meets few of them. Written by',
    ' * `npm run catalogue` from the files that declare them.',
    ' */',
    'export const HEAVY_OPERATIONS: Readonly<Record<string, () => Promise<AnyOperation>>> = {',
    ...operations.flatMap(({ name, path, variable }) => {
      const loaded = `(await import('${specifier(HEAVY_LIST, path)}')).${variable}`;
      const line = `  '${name}': async () => ${loaded},`;
      return line.length <= LINE ? [line] : [`  '${name}': async () =>`, `    ${loaded},`];
    }),
    '};',
  ].join('\n')}\n`;
}

function imports(list, operations) {
  const declared = operations
    .toSorted((a, b) => (importOrder(a) < importOrder(b) ? -1 : 1))
    .map(({ path, variable }) => `import { ${variable} } from '${specifier(list, path)}';`);
  return ["import type { AnyOperation } from '../kernel/operation.ts';", ...declared];
}

/** As the formatter sorts imports: a name before those that go on from it. */
function importOrder({ path }) {
  return path.replace(/\.ts$/, '');
}

function specifier(from, to) {
  return `./${posix.relative(posix.dirname(from), to)}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [path, text] of Object.entries(lists())) writeFileSync(join(ROOT, path), text);
  const operations = await loadOperations(ROOT, CATALOGUE);
  rmSync(join(ROOT, COMMAND_FOLDER), { recursive: true, force: true });
  mkdirSync(join(ROOT, COMMAND_FOLDER));
  const commands = commandLists(operations, operationFiles(), { index: COMMANDS, folder: COMMAND_FOLDER, specifier });
  for (const [path, text] of Object.entries(commands)) writeFileSync(join(ROOT, path), text);
}
