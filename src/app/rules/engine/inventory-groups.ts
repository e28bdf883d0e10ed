import { scalarText } from '../../../kit/document/members.ts';
import type { JsonValue } from '../../../ports/json.ts';
import { readList } from './compiler.ts';

/** Names that mean something else in the document; a host cannot be put into them. */
const RESERVED = new Set(['all', '_meta']);
const NONE: readonly string[] = [];

/** The groups that a value of `ansible_groups` names: a list, the text of one, or names separated by commas. */
export function readGroups(value: JsonValue | undefined): readonly string[] {
  if (value === undefined || value === null || value === '') return NONE;
  if (typeof value === 'string') return unique(value.startsWith('[') ? listItems(value) : value.split(','));
  return Array.isArray(value) ? unique(texts(value)) : NONE;
}

function listItems(text: string): readonly string[] {
  const list = readList(text);
  return list === undefined ? text.split(',') : texts(list);
}

function texts(list: readonly JsonValue[]): readonly string[] {
  return list.flatMap((item) => (item === null ? [] : (scalarText(item) ?? [])));
}

function unique(names: readonly string[]): readonly string[] {
  const groups = new Set<string>();
  for (const name of names) {
    const trimmed = name.trim();
    if (trimmed !== '' && !RESERVED.has(trimmed)) groups.add(trimmed);
  }
  return [...groups];
}
