import { scalarText } from '../../../../kit/document/members.ts';
import { getOwn } from '../../../../kit/file-source/own-property.ts';
import type { JsonObject, Labels } from '../../../../ports/index.ts';
import type { PreparedRecord } from './prepare-record.ts';

/** The record as the content of an inventory section: what its source says, else its members, and what its source keeps nested. */
export function sectionOf({ labels, inventory, fills }: PreparedRecord): JsonObject {
  if (fills !== undefined) return fills.content;
  return { ...labels.value, ...Object.fromEntries(inventory.map(({ key, section }) => [key, section.value])) };
}

/**
 * Whether a host with these labels takes the record by `inventorize_match_attribute`: `label=member` asks for the same text in both,
 * one word names both. Without it every record is taken.
 */
export function takesRecord(labels: Labels, record: PreparedRecord, match: string): boolean {
  if (match === '') return true;
  const parts = match.split('=');
  const [label = '', member = label] = parts.length === 2 ? parts : [parts[0]];
  const wanted = scalarText(getOwn(record.labels.value, member));
  const present = scalarText(getOwn(labels, label));
  return wanted !== undefined && present !== undefined && present === wanted.trim();
}

/** The host that the record is collected under: what its member says, unless that is the record itself. */
export function collectedUnder(
  record: PreparedRecord,
  member: string,
  render: (() => string) | undefined,
): string | undefined {
  const value = scalarText(getOwn(record.labels.value, member)) ?? '';
  if (value === '') return undefined;
  const host = (render === undefined ? value : render()).trim();
  return host === '' || host === record.hostname ? undefined : host;
}

/** Every ending of a name, itself first. */
export function* suffixesOf(name: string): Generator<string> {
  for (let start = 0; start < name.length; start++) yield name.slice(start);
}
