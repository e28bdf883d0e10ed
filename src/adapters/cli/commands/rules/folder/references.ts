import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { SECRET, STORED } from '../../../../../app/rules-folder/secret-references.ts';
import { isJsonObject } from '../../../../../kit/json/json-object.ts';
import type { JsonValue } from '../../../../../ports/json.ts';
import type { Terminal } from '../../../terminal.ts';

const MOST_BYTES = 1024 * 1024;

/** A member that stands for a secret which cannot be read. */
export interface ReferenceFault {
  readonly path: readonly string[];
  readonly message: string;
}

/**
 * Returns a document of a file in the form that the service accepts. `{env: NAME}` and `{file: path}` become the secrets that
 * they name, `{stored: true}` the stored one; `{literal: …}` becomes its content, for values that look like one of these.
 */
export async function withReferences(
  value: JsonValue,
  file: string,
  terminal: Terminal,
  faults: ReferenceFault[],
  path: readonly string[] = [],
): Promise<JsonValue> {
  if (Array.isArray(value)) {
    const items: JsonValue[] = [];
    for (const [index, item] of value.entries())
      items.push(await withReferences(item, file, terminal, faults, [...path, String(index)]));
    return items;
  }
  if (!isJsonObject(value)) return value;
  const reference = referenceOf(value);
  if (reference === undefined) {
    const members: [string, JsonValue][] = [];
    for (const [name, member] of Object.entries(value))
      members.push([name, await withReferences(member, file, terminal, faults, [...path, name])]);
    return Object.fromEntries(members);
  }
  const { kind, target } = reference;
  if (kind === 'literal') return target;
  if (kind === 'stored') return { [STORED]: true };
  try {
    return { [SECRET]: kind === 'env' ? variable(String(target), terminal) : await contentOf(String(target), file) };
  } catch (error) {
    faults.push({ path, message: (error as Error).message });
    return value;
  }
}

/** A document as a file holds it: the opposite of `withReferences`. */
export function asWritten(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map((item: JsonValue) => asWritten(item));
  if (!isJsonObject(value)) return value;
  if (value[STORED] === true && Object.keys(value).length === 1) return { stored: true };
  if (referenceOf(value) !== undefined) return { literal: value };
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, asWritten(member)]));
}

interface Reference {
  readonly kind: 'env' | 'file' | 'stored' | 'literal';
  readonly target: JsonValue;
}

function referenceOf(value: Readonly<Record<string, JsonValue>>): Reference | undefined {
  const [only, ...others] = Object.entries(value);
  if (only === undefined || others.length > 0) return undefined;
  const [kind, target] = only;
  if (kind === 'literal') return { kind, target };
  if (kind === 'stored') return target === true ? { kind, target } : undefined;
  return (kind === 'env' || kind === 'file') && typeof target === 'string' ? { kind, target } : undefined;
}

function variable(name: string, terminal: Terminal): string {
  const value = terminal.variable(name);
  if (value === undefined || value === '') throw new Error(`the environment variable ${name} is not set`);
  return value;
}

/** Reads a path relative to the file that names it; the final line break is not part of the secret. */
async function contentOf(path: string, file: string): Promise<string> {
  let bytes: Uint8Array;
  try {
    bytes = await readFile(resolve(dirname(file), path));
  } catch (error) {
    throw new Error(`the file ${path} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
  if (bytes.length > MOST_BYTES) throw new Error(`the file ${path} is too large for a secret`);
  const text = Buffer.from(bytes)
    .toString('utf8')
    .replace(/\r?\n$/, '');
  if (text === '') throw new Error(`the file ${path} is empty`);
  return text;
}
