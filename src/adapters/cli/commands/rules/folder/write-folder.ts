import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type ExportedDocument, exportFolder } from '../../../../../app/rules-folder/operations/export-folder.ts';
import { counted } from '../../../../../kit/words/amounts.ts';
import { printable } from '../../../../../kit/words/escape.ts';
import { AppError } from '../../../../../ports/errors.ts';
import type { CommandContext } from '../../../context.ts';
import { asWritten } from './references.ts';
import { documentText } from './yaml-text.ts';

const LONGEST_NAME = 80;
/** One folder below the given one, whatever name the service gives a type. */
const TYPE = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}$/;

/** `muster rules export --folder`: a file for each document, in a folder for each type. */
export async function writeFolderCommand(
  context: CommandContext,
  type: string | undefined,
  folder: string,
): Promise<void> {
  const root = resolve(context.terminal.workingDirectory, folder);
  await requireEmpty(root, folder);
  const answer = await context.value(exportFolder, type === undefined ? {} : { rule_type: type });
  const strange = answer.documents.find(({ rule_type }) => !TYPE.test(rule_type));
  if (strange !== undefined) {
    const name = printable(strange.rule_type);
    throw new AppError(
      'failed',
      `the service names a type ${name}, which is not a valid folder name; nothing was written`,
    );
  }
  const taken = new Set<string>();
  for (const one of answer.documents) {
    context.terminal.signal.throwIfAborted();
    await writeDocument(root, one, taken);
  }
  for (const { rule_type, count } of answer.left_out) {
    context.note(
      context.noteColours.yellow(
        `left out: ${counted(count, 'document')} of ${printable(rule_type)}, whose plugin is not loaded`,
      ),
    );
  }
  context.note(`Wrote ${counted(answer.documents.length, 'document')} to ${folder}.`);
}

/** Files already there could be mistaken for exported ones. */
async function requireEmpty(root: string, folder: string): Promise<void> {
  await mkdir(root, { recursive: true });
  const entries = await readdir(root);
  if (entries.every((name) => name.startsWith('.'))) return;
  throw new AppError('failed', `${folder} is not empty; name a new folder, or empty it first`);
}

async function writeDocument(root: string, { rule_type, name, document }: ExportedDocument, taken: Set<string>) {
  const { text, extension } = documentText({ rule_type, rules: [asWritten(document)] });
  const folder = join(root, rule_type);
  await mkdir(folder, { recursive: true });
  const base = fileName(name);
  let file = join(folder, base);
  for (let turn = 2; taken.has(file.toLowerCase()); turn++) file = join(folder, `${base}-${turn}`);
  taken.add(file.toLowerCase());
  await writeFile(`${file}.${extension}`, text, { flag: 'wx' });
}

/** `site-from-hostname`: letters and digits that every file system takes. */
function fileName(name: string): string {
  const words =
    name
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? [];
  return words.join('-').slice(0, LONGEST_NAME) || 'document';
}
