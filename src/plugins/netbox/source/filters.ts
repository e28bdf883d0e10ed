import type { Query } from '../api/pages.ts';

/** A filter that cannot be read, as the rest of a sentence that begins with its name. */
export class FilterFault extends Error {
  override readonly name = 'FilterFault';
}

/**
 * Parses `role:router,role:firewall,status:active`: parameters of NetBox's lists. A parameter that is given several times matches
 * any of its values. A value may contain colons.
 */
export function readImportFilter(text: string): Query {
  const found = new Map<string, string[]>();
  for (const part of text.split(',').map((one) => one.trim())) {
    if (part === '') continue;
    const colon = part.indexOf(':');
    const [key, value] = [part.slice(0, colon).trim(), part.slice(colon + 1).trim()];
    // NetBox passes over what it does not know, and would answer everything.
    if (colon < 1 || key === '') throw new FilterFault(`has ${JSON.stringify(part)}, which is not key:value`);
    if (RESERVED.has(key)) throw new FilterFault(`names ${key}, which says how lists are read and is not a filter`);
    found.set(key, [...(found.get(key) ?? []), value]);
  }
  return Object.fromEntries([...found].map(([key, values]) => [key, values.length === 1 ? (values[0] ?? '') : values]));
}

const RESERVED: ReadonlySet<string> = new Set([
  'limit',
  'offset',
  'start',
  'ordering',
  'brief',
  'fields',
  'omit',
  'exclude',
  'format',
]);

/** Reads `vms=cluster:berlin,status:active; prefixes=site:berlin`: a filter for each part that has one of its own. */
export function readPartFilters(text: string, parts: readonly string[]): ReadonlyMap<string, Query> {
  const filters = new Map<string, Query>();
  for (const entry of text.split(';').map((one) => one.trim())) {
    if (entry === '') continue;
    const [part = ''] = entry.split('=').map((one) => one.trim());
    if (!parts.includes(part) || !entry.includes('=')) {
      throw new FilterFault(
        `has ${JSON.stringify(entry)}; write part=key:value, with one of the parts ${parts.join(', ')}`,
      );
    }
    if (filters.has(part)) throw new FilterFault(`names ${part} twice`);
    filters.set(part, readImportFilter(entry.slice(entry.indexOf('=') + 1)));
  }
  return filters;
}
