import type { JsonObject, JsonValue } from '../../../src/ports/index.ts';
import type { FaultyRequest, SystemAnswer } from '../../../src/testing/faulty-server.ts';

/** What a NetBox has, by the paths of its lists. */
type NetBoxData = Readonly<Record<string, readonly JsonObject[]>>;

export interface SimulatedNetBox {
  /** Default 4.7.3; those before 4.7 have no cursor, and those before 4.5 do not say who asks. */
  readonly version?: string;
  readonly data: NetBoxData;
  /** The token that it takes, with the word before it. */
  readonly authorization: string;
  /** Lists that the user may not see. */
  readonly hidden?: readonly string[];
  /** Objects a page at most, whatever is asked for. */
  readonly mostAPage?: number;
}

/** Whether a release is that one or a newer one. */
export function isRelease(version: string, major: number, minor: number): boolean {
  const [first = 0, second = 0] = version.split('.').map(Number);
  return first > major || (first === major && second >= minor);
}

/** Answers as NetBox does for reading: its paths, pages, filters by equality, refusals. */
export function netboxAnswer(netbox: SimulatedNetBox, { path, headers }: FaultyRequest): SystemAnswer {
  const { version = '4.7.3', data, authorization, hidden = [], mostAPage = 1_000 } = netbox;
  const url = new URL(path, `http://${headers.host ?? 'localhost'}`);
  const place = url.pathname.replace(/^.*\/api\//, '');
  if (headers.authorization !== authorization) return refused('Invalid v1 token');
  if (place === 'status/') return json({ 'netbox-version': version, plugins: {} });
  if (place === 'authentication-check/' && isRelease(version, 4, 5)) return json({ id: 1, username: 'reader' });
  const list = data[place];
  if (list === undefined) return { status: 404, body: JSON.stringify({ detail: 'Not found.' }) };
  if (hidden.includes(place)) return refused('You do not have permission to perform this action.');
  const asked = url.searchParams;
  const limit = Math.min(Number(asked.get('limit') ?? 50), mostAPage);
  const found = list.filter((object) => matches(object, asked));
  const sorted = [...found].sort((a, b) => Number(a.id) - Number(b.id));
  if (isRelease(version, 4, 7) && asked.has('start')) {
    const from = Number(asked.get('start'));
    const rest = sorted.filter(({ id }) => Number(id) >= from);
    const results = rest.slice(0, limit);
    const last = results.at(-1)?.id;
    const next = rest.length > limit ? withParameters(url, { start: Number(last) + 1, limit }) : null;
    return json({ count: null, next, previous: null, results: shaped(results, asked) });
  }
  const offset = Number(asked.get('offset') ?? 0);
  const ordered = inOrder(asked.get('ordering'), sorted);
  const next = ordered.length > offset + limit ? withParameters(url, { offset: offset + limit, limit }) : null;
  const results = shaped(ordered.slice(offset, offset + limit), asked);
  return json({ count: found.length, next, previous: null, results });
}

/** In an order of its own where none is asked for. */
function inOrder(ordering: string | null, byId: readonly JsonObject[]): readonly JsonObject[] {
  if (ordering === 'id') return byId;
  if (ordering === '-last_updated') {
    const time = ({ last_updated }: JsonObject): number => Date.parse(String(last_updated));
    return [...byId].sort((a, b) => time(b) - time(a));
  }
  return [...byId].reverse();
}

/** What says how a list is read. */
const NO_FILTERS = new Set(['limit', 'offset', 'start', 'ordering', 'exclude', 'fields']);

function matches(object: JsonObject, asked: URLSearchParams): boolean {
  for (const name of new Set(asked.keys())) {
    if (NO_FILTERS.has(name)) continue;
    const wanted = asked.getAll(name);
    if (name === 'id__gte') {
      if (Number(object.id) < Number(wanted[0])) return false;
      continue;
    }
    if (name === 'last_updated__gte') {
      if (Date.parse(String(object.last_updated)) < Date.parse(wanted[0] ?? '')) return false;
      continue;
    }
    const values = filterValues(object, name);
    // It passes over what it does not know.
    if (values !== undefined && !values.some((value) => wanted.includes(value))) return false;
  }
  return true;
}

function filterValues(object: JsonObject, name: string): readonly string[] | undefined {
  if (name === 'tag') return (object.tags as readonly JsonObject[] | undefined)?.map(({ slug }) => String(slug)) ?? [];
  const assignedType = { interface_id: 'dcim.interface', vminterface_id: 'virtualization.vminterface' }[name];
  if (assignedType !== undefined) {
    return object.assigned_object_type === assignedType ? [String(object.assigned_object_id)] : [];
  }
  const isId = name.endsWith('_id');
  const key = isId ? name.slice(0, -3) : name;
  const assigned = object.assigned_object as JsonObject | null | undefined;
  const value = object[key] ?? (isId ? assigned?.[key] : undefined);
  if (value === undefined) return assigned === undefined ? undefined : [];
  if (value === null) return [];
  if (typeof value !== 'object') return [String(value)];
  const { id, slug, value: choice } = value as JsonObject;
  return isId ? [String(id)] : [String(slug ?? choice)];
}

function shaped(results: readonly JsonObject[], asked: URLSearchParams): readonly JsonValue[] {
  const fields = asked.get('fields')?.split(',');
  const without = asked.get('exclude');
  return results.map((object) =>
    Object.fromEntries(Object.entries(object).filter(([name]) => name !== without && (fields?.includes(name) ?? true))),
  );
}

function withParameters(url: URL, parameters: Readonly<Record<string, number>>): string {
  const next = new URL(url);
  for (const [name, value] of Object.entries(parameters)) next.searchParams.set(name, String(value));
  return next.href;
}

function refused(detail: string): SystemAnswer {
  return { status: 403, body: JSON.stringify({ detail }) };
}

function json(value: JsonValue): SystemAnswer {
  return { body: JSON.stringify(value) };
}
