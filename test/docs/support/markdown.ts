import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const ROOT = resolve(import.meta.dirname, '../../..');

/** Every page that people read, from the project's root. */
export const PAGES: readonly string[] = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync(join(ROOT, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`)
    .sort(),
];

/**
 * A fenced block. The first word after the fence is its language, the others say what the tests do with it:
 *
 * - `sh`: run, in the order of the page, in one folder a page. `sh fails`: run, and it must fail. `sh service`: started, and
 *   stopped at the end of the page. `sh background`: the same for any other program. `sh no-run`: shown only.
 * - `text output`, `json output`: what the block before it prints; `…` matches anything.
 * - `json rule <type>`: a rule document that the program accepts. `yaml config`, `json config`, `python config`: a
 *   configuration file that the program accepts.
 * - `<language> file <path>`: the same text as that file of the project. `ts operation <path>`, `tsx operation <path>`: files that
 *   work when they are put there.
 * - `text`: shown only. Other JSON and YAML must at least be well-formed.
 */
export interface Block {
  readonly page: string;
  /** Of its first line of text, from 1. */
  readonly line: number;
  readonly language: string;
  readonly purpose: string;
  readonly text: string;
}

export function readPage(page: string): string {
  return readFileSync(join(ROOT, page), 'utf8');
}

export function blocksOf(page: string): readonly Block[] {
  const lines = readPage(page).split('\n');
  const blocks: Block[] = [];
  for (let index = 0; index < lines.length; index++) {
    const fence = /^(\s*)```+(.*)$/.exec(lines[index] ?? '');
    if (fence === null) continue;
    const start = index + 1;
    while (index + 1 < lines.length && !/^\s*```+\s*$/.test(lines[index + 1] ?? '')) index++;
    const text = lines.slice(start, index + 1).map((line) => line.slice(fence[1]?.length ?? 0));
    const [language = '', ...purpose] = (fence[2] ?? '').trim().split(/\s+/);
    blocks.push({ page, line: start + 1, language, purpose: purpose.join(' '), text: `${text.join('\n')}\n` });
    index++;
  }
  return blocks;
}

export const allBlocks = (): readonly Block[] => PAGES.flatMap(blocksOf);

export const placeOf = (block: Block): string => `${block.page}:${block.line}`;

/** Rows of the table below a heading, cells without their back-ticks. */
export function tableBelow(page: string, heading: string): readonly (readonly string[])[] {
  const lines = readPage(page).split('\n');
  const start = lines.findIndex((line) => /^#+ /.test(line) && line.replace(/^#+ /, '') === heading);
  if (start === -1) throw new Error(`${page} has no heading "${heading}"`);
  const rows: string[][] = [];
  for (const line of lines.slice(start + 1)) {
    if (/^#+ /.test(line)) break;
    if (line.startsWith('|')) rows.push(cellsOf(line));
    else if (rows.length > 0) break;
  }
  return rows.slice(2);
}

/** A pipe inside of a cell is written `\|`. */
function cellsOf(line: string): string[] {
  return line
    .slice(1, line.trimEnd().lastIndexOf('|'))
    .split(/(?<!\\)\|/)
    .map((cell) =>
      cell
        .trim()
        .replaceAll('\\|', '|')
        .replace(/^`(.*)`$/, '$1'),
    );
}
