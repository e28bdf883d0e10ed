import { lstat, readdir, readFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { isJsonObject } from '../../../../../kit/json/json-object.ts';
import { AppError, type ErrorDetail } from '../../../../../ports/errors.ts';
import type { JsonObject, JsonValue } from '../../../../../ports/json.ts';
import type { Terminal } from '../../../terminal.ts';
import { withReferences } from './references.ts';
import { type TextDocument, TextFault, textDocuments } from './yaml-text.ts';

const NAMES = /\.(?:ya?ml|json)$/i;
const MOST_BYTES = 64 * 1024 * 1024;
const FORMS = 'must be {rule_type: …, rules: […]} or {rules: {<rule type>: […]}}';

/** A document of a folder, in the form that operations accept, with the places of its parts. */
export interface FileDocument {
  readonly rule_type: string;
  readonly document: JsonObject;
  readonly place: string;
  placeOf(path: readonly string[]): string;
}

/** Everything that the YAML and JSON files below a folder hold, or one file does. Throws one error for all that cannot be read. */
export async function readFolder(folder: string, terminal: Terminal): Promise<readonly FileDocument[]> {
  const root = resolve(terminal.workingDirectory, folder);
  const documents: FileDocument[] = [];
  const faults: ErrorDetail[] = [];
  let size = 0;
  for (const file of await filesBelow(root, folder)) {
    terminal.signal.throwIfAborted();
    const bytes = await readFile(file);
    size += bytes.length;
    if (size > MOST_BYTES) throw new AppError('too_large', `${folder} holds more than 64 MiB of YAML and JSON`);
    const shown = file === root ? folder : join(folder, relative(root, file));
    try {
      for (const text of textDocuments(decoded(bytes)))
        await addDocuments(text, { file, shown, terminal }, documents, faults);
    } catch (error) {
      if (!(error instanceof TextFault)) throw error;
      faults.push({ path: `${shown}:${error.line}`, message: error.message });
    }
  }
  refuse(faults);
  if (documents.length === 0) {
    throw new AppError(
      'invalid_input',
      `${folder} holds no rules and no accounts; nothing was done, since that is taken for a mistake`,
    );
  }
  return documents;
}

/** Throws one error for everything that is wrong in a folder: the message names the first place, the details name all. */
export function refuse(faults: readonly ErrorDetail[]): void {
  const [first] = faults;
  if (first === undefined) return;
  throw new AppError('invalid_input', `${first.path}: ${first.message}; nothing was applied`, { details: faults });
}

interface File {
  readonly file: string;
  readonly shown: string;
  readonly terminal: Terminal;
}

async function addDocuments(
  text: TextDocument,
  { file, shown, terminal }: File,
  documents: FileDocument[],
  faults: ErrorDetail[],
): Promise<void> {
  const at = (path: readonly string[]): string => `${shown}:${text.lineOf(path)}`;
  for (const { type, value, path } of partsOf(text.value, (path, message) =>
    faults.push({ path: at(path), message }),
  )) {
    if (!isJsonObject(value)) {
      faults.push({ path: at(path), message: 'must be an object, a rule document' });
      continue;
    }
    const unread: { readonly path: readonly string[]; readonly message: string }[] = [];
    const document = (await withReferences(value, file, terminal, unread)) as JsonObject;
    for (const fault of unread) {
      faults.push({ path: at([...path, ...fault.path]), message: `${fault.path.join('.')}: ${fault.message}` });
    }
    documents.push({ rule_type: type, document, place: at(path), placeOf: (inner) => at([...path, ...inner]) });
  }
}

interface Part {
  readonly type: string;
  readonly value: JsonValue;
  readonly path: readonly string[];
}

function partsOf(value: JsonValue, fault: (path: readonly string[], message: string) => void): readonly Part[] {
  const { rule_type: type, rules } = isJsonObject(value) ? value : ({} as JsonObject);
  if (typeof type === 'string' && Array.isArray(rules)) {
    return rules.map((rule: JsonValue, index) => ({ type, value: rule, path: ['rules', String(index)] }));
  }
  if (type === undefined && isJsonObject(rules as JsonValue)) {
    return Object.entries(rules as JsonObject).flatMap(([ident, list]): Part[] => {
      if (Array.isArray(list))
        return list.map((rule: JsonValue, index) => ({
          type: ident,
          value: rule,
          path: ['rules', ident, String(index)],
        }));
      fault(['rules', ident], 'must be a list of rule documents');
      return [];
    });
  }
  fault([], FORMS);
  return [];
}

function decoded(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new TextFault(1, 'is not UTF-8 text');
  }
}

/** Sorted by name. Files and folders beginning with a dot are skipped, and links to folders are not followed. */
async function filesBelow(root: string, shown: string): Promise<readonly string[]> {
  const stat = await lstat(root).catch(() => undefined);
  if (stat === undefined) throw new AppError('failed', `${shown} does not exist`);
  const isFolder = stat.isDirectory() || (stat.isSymbolicLink() && (await isLinkedFolder(root)));
  if (!isFolder) return [root];
  const files: string[] = [];
  const entries = await readdir(root, { withFileTypes: true });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.name.startsWith('.')) continue;
    const path = join(root, entry.name);
    if (entry.isDirectory()) files.push(...(await filesBelow(path, path)));
    else if (NAMES.test(entry.name)) files.push(path);
  }
  return files;
}

async function isLinkedFolder(path: string): Promise<boolean> {
  return (await readdir(path).catch(() => undefined)) !== undefined;
}
