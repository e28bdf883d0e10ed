import { isJsonObject } from '../../app/kernel/json/json-object.ts';
import { namesOfPath } from '../../app/kernel/json/member-path.ts';
import type { JsonValue } from '../../ports/index.ts';

/** What systems usually call what they say of a list, for accounts that do not say it. */

const NEXT = [
  'next',
  'links.next',
  '_links.next',
  'meta.next',
  'meta.links.next',
  'paging.next',
  'pagination.next',
  '@odata\\.nextLink',
  'nextLink',
  'next_page_url',
  'next_url',
];
const MORE = [
  'has_more',
  'hasMore',
  'has_next',
  'hasNext',
  'hasNextPage',
  'pageInfo.hasNextPage',
  'meta.has_more',
  'pagination.has_more',
];
const LAST = ['isLast', 'isLastPage', 'is_last', 'lastPage', 'last'];
const CURSORS = [
  'next_cursor',
  'nextCursor',
  'nextPageToken',
  'next_page_token',
  'nextToken',
  'response_metadata.next_cursor',
  'meta.next_cursor',
  'next',
];
const TOTALS = [
  '@odata\\.count',
  'total',
  'totalCount',
  'total_count',
  'totalResults',
  'totalSize',
  'count',
  'meta.total',
  'meta.total_count',
  'pagination.total',
  'paging.total',
  'page.totalElements',
  'meta.pagination.total',
];

/** The value at a dotted path. */
export function valueAt(value: JsonValue, path: string): JsonValue | undefined {
  let found: JsonValue | undefined = value;
  for (const name of namesOfPath(path)) {
    found = isJsonObject(found) && Object.hasOwn(found, name) ? found[name] : undefined;
  }
  return found;
}

/** Where the answer has the address of its next page: the path to it, which walks take, and the address. */
export function nextAddress(value: JsonValue): { readonly path: string; readonly address: string } | undefined {
  for (const name of NEXT) {
    for (const path of [name, `${name}.href`, `${name}.url`]) {
      const found = valueAt(value, path);
      if (typeof found === 'string' && /^(?:https?:\/\/|\/|\?)/.test(found)) return { path, address: found };
    }
  }
  return undefined;
}

/** What in the answer says that there is more, other than an address. */
export function saysMore(value: JsonValue): string | undefined {
  return (
    MORE.find((path) => valueAt(value, path) === true) ??
    LAST.find((path) => valueAt(value, path) === false) ??
    CURSORS.find((path) => isCursor(valueAt(value, path)))
  );
}

function isCursor(found: JsonValue | undefined): boolean {
  return typeof found === 'number' || (typeof found === 'string' && found !== '');
}

/** How many records there are in all, by what the answer or its head says. */
export function saidTotal(
  value: JsonValue,
  headers: Readonly<Record<string, string>>,
): { readonly path: string; readonly total: number } | undefined {
  for (const path of TOTALS) {
    const total = countOf(valueAt(value, path));
    if (total !== undefined) return { path: path.replaceAll('\\', ''), total };
  }
  const total = countOf(headers['x-total-count']);
  return total === undefined ? undefined : { path: 'X-Total-Count', total };
}

/** The number of all records where the account says it is. */
export function totalAt(value: JsonValue, headers: Readonly<Record<string, string>>, path: string): number | undefined {
  const header = /^header:\s*(.+)$/.exec(path)?.[1]?.toLowerCase();
  return countOf(header === undefined ? valueAt(value, path) : headers[header]?.replace(/^.*\//, '').trim());
}

function countOf(found: JsonValue | undefined): number | undefined {
  const number = typeof found === 'string' && /^\d{1,15}$/.test(found) ? Number(found) : found;
  return typeof number === 'number' && Number.isInteger(number) && number >= 0 ? number : undefined;
}
