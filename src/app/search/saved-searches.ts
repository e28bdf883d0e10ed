import { createHash } from 'node:crypto';
import * as z from 'zod';
import { phrase } from '../../kit/worded.ts';
import { type RuleDocument, type RuleRecord, StoredJson } from '../../ports/index.ts';
import type { Caller } from '../kernel/caller.ts';
import type { SearchServices } from './services.ts';

/** The ident of their documents: those of installations that move here have it too, and exports and backups hold all of them. */
const TYPE = 'saved_searches';
/** Page that documents of our own searches name; other pages belong to another installation. */
const OUR_PAGE = '/admin/hosts';
const MOST_OF_ONE_OWNER = 200;
/** Read at a time; documents of one type are a few hundred at most. */
const AT_ONCE = 500;

export const savedNameSchema = z.string().trim().min(1, phrase`is required`).max(120).describe('Name of the search');

/** Filters in addition to the query, and how a search is shown and sent; those not chosen are absent. */
export const narrowedSchema = z.object({
  kind: z.enum(['hosts', 'objects', 'all']).optional().describe('Hosts, objects that are not hosts, or all'),
  state: z.enum(['active', 'archived', 'any']).optional().describe('Only those of this state'),
  account: z.string().min(1).max(200).optional().describe('Only those of this account'),
  provider: z.string().min(1).max(200).optional().describe('The inventory that group: and served. ask'),
  rows: z.string().trim().min(1).max(500).optional().describe('Makes it a report: hosts are counted by this field'),
  by: z.string().trim().min(1).max(500).optional().describe('The second field of a report, against the first'),
  dashboard: z.string().trim().min(1).max(60).optional().describe('Name of the dashboard that shows it'),
  show: z.enum(['hosts', 'number']).optional().describe('Display on its dashboard: the first hosts, or their number'),
  send_to: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('Account that the job Report of a cron group sends it through, as a CSV file'),
});

/** Documents come from imports too: what means nothing narrows nothing. */
const storedSchema = z.object({
  kind: narrowedSchema.shape.kind.catch(undefined),
  state: narrowedSchema.shape.state.catch(undefined),
  account: narrowedSchema.shape.account.catch(undefined),
  provider: narrowedSchema.shape.provider.catch(undefined),
  rows: narrowedSchema.shape.rows.catch(undefined),
  by: narrowedSchema.shape.by.catch(undefined),
  dashboard: narrowedSchema.shape.dashboard.catch(undefined),
  show: narrowedSchema.shape.show.catch(undefined),
  send_to: narrowedSchema.shape.send_to.catch(undefined),
});

export const savedSearchSchema = narrowedSchema.extend({
  name: z.string(),
  where: z.string().describe('The query'),
  columns: z.array(z.string()),
  sort: z.string().nullable(),
  owner: z.string(),
  shared: z.boolean().describe('True when everyone who may see hosts sees it'),
  own: z.boolean().describe('True when it belongs to the caller; only its owner may change it'),
  unread: z.array(z.string()).describe('Filters of another installation that have no counterpart here'),
});

export type SavedSearch = z.infer<typeof savedSearchSchema>;

/** Searches of the caller and those that others share: by name, own ones first. */
export async function savedSearches(services: SearchServices, caller: Caller): Promise<readonly SavedSearch[]> {
  const found: SavedSearch[] = [];
  for await (const { id: _, ...search } of everySavedSearch(services, caller))
    if (search.own || search.shared) found.push(search);
  return found.sort((a, b) => Number(b.own) - Number(a.own) || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

/** Yields saved searches of all owners with the ids of their documents; `own` are those of the caller. */
export async function* everySavedSearch(
  { storage }: Pick<SearchServices, 'storage'>,
  caller: Pick<Caller, 'name'>,
): AsyncGenerator<SavedSearch & { readonly id: string }> {
  for await (const records of storage.rules.scan(TYPE, AT_ONCE)) {
    for (const { id, document } of records) {
      const search = searchOf(document.value, caller);
      if (search !== undefined) yield { ...search, id };
    }
  }
}

/** Returns true if the owner saved the search, so that nothing is done in the name of a user whose name was only imported. */
export async function isSavedByOwner(
  { storage }: Pick<SearchServices, 'storage'>,
  { id, owner }: { readonly id: string; readonly owner: string },
): Promise<boolean> {
  const [last] = await storage.rules.versions(TYPE, id, 1);
  return last?.actor === owner;
}

export interface SearchToSave extends z.infer<typeof narrowedSchema> {
  readonly name: string;
  readonly where: string;
  readonly columns: readonly string[];
  readonly sort?: string | undefined;
  readonly shared: boolean;
}

/** Takes the place of the caller's search of the same name. `too_many` where the caller has as many as anybody may have. */
export async function saveSearch(
  services: SearchServices,
  caller: Caller,
  { name, where, columns, sort, shared, ...narrowed }: SearchToSave,
): Promise<'saved' | 'too_many'> {
  const own = (await savedSearches(services, caller)).filter((search) => search.own);
  if (own.length >= MOST_OF_ONE_OWNER && !own.some((search) => search.name === name)) return 'too_many';
  const id = idOf(caller.name, name);
  const now = services.clock.now();
  const query = new URLSearchParams({
    ...(where === '' ? {} : { where }),
    ...(columns.length === 0 ? {} : { columns: columns.join(',') }),
    ...(sort === undefined ? {} : { sort }),
    ...Object.fromEntries(Object.entries(narrowed).filter(([, value]) => value !== undefined)),
  });
  const document: RuleDocument = {
    _id: { $oid: id },
    name,
    path: OUR_PAGE,
    query_string: query.toString(),
    owner_email: caller.name,
    shared,
    created_at: { $date: now.getTime() },
  };
  const entry = { type: TYPE, id, name, uniqueName: false, document: StoredJson.ofValue(document) };
  await services.storage.rules.write({
    entries: [{ ...entry, confirmedBy: null }],
    mode: 'replace',
    at: now,
    actor: { kind: 'user', name: caller.name },
  });
  return 'saved';
}

/** False where the caller has no search of the name. */
export async function removeSearch({ storage, clock }: SearchServices, caller: Caller, name: string): Promise<boolean> {
  let isRemoved = false;
  for await (const records of storage.rules.scan(TYPE, AT_ONCE)) {
    for (const record of records.filter((one) => isOwnOfName(one, caller, name))) {
      const actor = { kind: 'user', name: caller.name } as const;
      isRemoved = (await storage.rules.remove({ type: TYPE, id: record.id, at: clock.now(), actor })) || isRemoved;
    }
  }
  return isRemoved;
}

/** The shared searches of an owner stay for the others; the history of the removed ones does too. */
export async function removePrivateSearches(
  { storage, clock }: Pick<SearchServices, 'storage' | 'clock'>,
  owner: string,
  by: string,
): Promise<void> {
  for await (const { id, own, shared } of everySavedSearch({ storage }, { name: owner })) {
    if (!own || shared) continue;
    await storage.rules.remove({ type: TYPE, id, at: clock.now(), actor: { kind: 'user', name: by } });
  }
}

function isOwnOfName({ document }: RuleRecord, caller: Caller, name: string): boolean {
  const search = searchOf(document.value, caller);
  return search?.own === true && search.name === name;
}

/** One for each owner and name, so that two who save at once do not make two of them. */
function idOf(owner: string, name: string): string {
  return createHash('sha256')
    .update(JSON.stringify([owner, name]))
    .digest('hex')
    .slice(0, 24);
}

const documentSchema = z.object({
  name: z.string(),
  path: z.string().default(''),
  query_string: z.string().default(''),
  owner_email: z.string().nullish(),
  shared: z.boolean().default(false),
});

/** Pages of the other product that list hosts. */
const THEIR_PAGES = /^\/admin\/(?:host|hosts|object|objects)\/?$/;

/** Reads the search of a document; `undefined` for one that does not search for hosts. */
function searchOf(document: RuleDocument, caller: Pick<Caller, 'name'>): SavedSearch | undefined {
  const read = documentSchema.safeParse(document);
  if (!read.success) return undefined;
  const { name, path, query_string: text, owner_email: owner, shared } = read.data;
  const isOurs = path === OUR_PAGE;
  if (!isOurs && !THEIR_PAGES.test(path)) return undefined;
  const query = new URLSearchParams(text);
  const asked = isOurs ? ours(query) : theirs(query);
  return { ...asked, name, owner: owner ?? '', shared, own: owner === caller.name };
}

type Asked = Omit<SavedSearch, 'name' | 'owner' | 'shared' | 'own'>;

function ours(query: URLSearchParams): Asked {
  const columns = query.get('columns')?.split(',') ?? [];
  const narrowed = storedSchema.parse(Object.fromEntries(query));
  return { where: query.get('where') ?? '', columns, sort: query.get('sort'), ...narrowed, unread: [] };
}

/** Words mean the same in their searches. Filters are reported, since half of a query would find other hosts. */
function theirs(query: URLSearchParams): Asked {
  const words = (query.get('search') ?? '').split(/\s+/).filter((word) => word !== '');
  const unread = [...query].filter(([name]) => name.startsWith('flt')).map(([name, value]) => `${name}=${value}`);
  const where = words.map((word) => (/^[\w.]+$/.test(word) ? word : JSON.stringify(word))).join(' ');
  return { where, columns: [], sort: null, unread };
}
