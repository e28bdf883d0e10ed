import { setImmediate } from 'node:timers/promises';
import * as z from 'zod';
import { phrase, worded } from '../../../kit/worded.ts';
import { secondsOf } from '../../../kit/words/moment.ts';
import { AppError, type ChangePlace, type HostChange, type KeptChange } from '../../../ports/index.ts';
import { charactersOf } from '../../hosts/decisions/host-size.ts';
import { inScope } from '../../hosts/decisions/scope.ts';
import { entriesOf, reportedChange } from '../../hosts/reported-history.ts';
import { type Caller, hostScopeOf, isRestricted } from '../../kernel/caller.ts';
import { SizeBudget } from '../../kernel/size-budget.ts';
import { leftOutSchema, type OpenedSearch, openSearch } from '../open-search.ts';
import { searchInput } from '../search-input.ts';
import { defineOperation, type SearchServices } from '../services.ts';

const CHANGE_KINDS = ['labels', 'inventory', 'archived', 'restored', 'account', 'renamed'] as const;

/** Changes that are read at once. */
const BATCH_SIZE = 200;
/** How many are examined for one page; a page may hold fewer than requested, and the next one continues. */
const MOST_LOOKED_AT = 5_000;

/** And so much of them, as characters of JSON. */
const MOST_CHARACTERS = 64 * 1024 * 1024;

/** The purpose for which a place is sealed that names a host beyond the scope of the caller. */
const SEALED_FOR = 'place among changes';
const SEALED = 'sealed:';

const placeSchema = z
  .string()
  .regex(/^(?:\d{1,15}:.{1,1000}|sealed:.{1,4000})$/su, phrase`must be what an earlier page answered as next`)
  .describe('Continues after an earlier page: the next of that page');
const momentSchema = z
  .string()
  .regex(
    /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?Z?)?$/,
    'must be a date or a time in UTC: 2026-01-31 or 2026-01-31T14:00:00Z',
  )
  .refine((text) => !Number.isNaN(momentOf(text).getTime()), phrase`is not a date or time of the calendar`);

export const listChanges = defineOperation({
  name: 'hosts/list-changes',
  title: 'Changes of hosts',
  description:
    'Changes to all hosts, newest first, with the values before and after and their cause. New hosts are found by created>… in a search.',
  effect: 'read',
  roles: ['objects'],
  weight: 'light',
  at: {
    rest: { path: 'GET /changes', query: ['from', 'until', 'by', 'kind', 'before', 'limit', 'where', 'field'] },
    tool: { name: 'list_changes' },
    page: true,
  },
  input: z.object({
    from: momentSchema.optional().describe('Only changes since then: a date or a time in UTC'),
    until: momentSchema.optional().describe('Only changes until then; a date means its beginning'),
    by: z.string().trim().min(1).optional().describe('Only what this caused: account:name, user:name or rule:name'),
    kind: z.enum(CHANGE_KINDS).optional().describe('Only changes of this kind'),
    before: placeSchema.optional(),
    limit: z.coerce.number().int().min(1).max(1000).default(50).describe('At most this many changes'),
    where: searchInput.shape.where.describe(
      'Only changes of hosts that this query finds now, archived ones too; written as in a search',
    ),
    field: z
      .string()
      .trim()
      .min(1)
      .max(500)
      .optional()
      .describe(
        'Only changes of this field: the name of a label, labels or inventory for any of them, inventory.section, account, archive or hostname',
      ),
  }),
  output: z.object({
    changes: z.array(
      z.object({
        hostname: z.string(),
        time: z.string(),
        kind: z.enum(CHANGE_KINDS),
        by: z.string().describe('Cause, as account:name, user:name, rule:name or system:name'),
        changes: z.array(z.object({ path: z.string(), before: z.unknown().optional(), after: z.unknown().optional() })),
      }),
    ),
    next: z.string().nullable().describe('Start of older changes; null when there are none'),
    left_out: leftOutSchema,
  }),
  async run(
    { where, field, from, until, by, kind, before, limit },
    { services, caller, signal, holds, answerCharacters },
  ) {
    const room = new SizeBudget(answerCharacters);
    const leftOut = new Set<string>();
    const search =
      where === ''
        ? undefined
        : await openSearch(
            { ...ANY_HOST, where },
            { services, caller, signal, leftOut, operation: 'hosts/list-changes' },
          );
    const found: KeptChange[] = [];
    let place = before === undefined ? placeAfter(until) : await placeOf(services, before);
    const since = from === undefined ? {} : { from: momentOf(from) };
    const isWanted = (change: HostChange): boolean =>
      (kind === undefined || change.kind === kind) &&
      (by === undefined || `${change.actor.kind}:${change.actor.name}` === by) &&
      (field === undefined || change.changes.some(({ path }) => isOfField(path, field)));
    let next: string | null = null;
    let held = 0;
    for (let looked = 0; ; ) {
      const batch = await services.storage.history.latest({
        limit: Math.min(BATCH_SIZE, Math.max(limit, 20)),
        ...since,
        ...(place === undefined ? {} : { before: place }),
      });
      const last = batch.at(-1);
      if (last === undefined) break;
      held += batch.reduce((sum, change) => sum + change.characters, 0);
      holds(held);
      const full = await takeVisible(services, { caller, search, isWanted, holds }, batch, { found, limit, room });
      if (full !== undefined) {
        next = textOf(full);
        break;
      }
      place = last;
      looked += batch.length;
      if (looked >= MOST_LOOKED_AT || held >= MOST_CHARACTERS) {
        // The host of the last one that was looked at may be none that the caller reaches.
        next = isRestricted(caller) ? await sealedText(services, last) : textOf(last);
        break;
      }
      signal.throwIfAborted();
      // A store in this process answers at once, and other requests would have to wait until the end.
      await setImmediate();
    }
    return {
      changes: found.map((change) => ({
        hostname: change.hostname,
        time: secondsOf(change.at),
        kind: change.kind as (typeof CHANGE_KINDS)[number],
        by: `${change.actor.kind}:${change.actor.name}`,
        changes: valuesOf(change, answerCharacters),
      })),
      next,
      ...(leftOut.size > 0 && { left_out: [...leftOut] }),
    };
  },
});

/** Hosts whose records are in memory at a time, which may be large. */
const HOSTS_AT_ONCE = 16;
/** Size of a change in an answer, without its values. */
const FRAME_CHARACTERS = 400;

/** The values of a change; only their paths if they are larger than the caller accepts at all. */
function valuesOf({ changes, characters }: KeptChange, most = Number.POSITIVE_INFINITY) {
  return changes.map(({ path, ...values }) => (characters > most ? { path } : { path, ...values }));
}

/** Hosts that are archived by now are among those that changed. */
const ANY_HOST = { kind: 'all', state: 'any', provider: 'automation' } as const;

/** Labels are called by their names. */
function isOfField(path: string, field: string): boolean {
  return path === field || path === `labels.${field}` || path.startsWith(`${field}.`);
}

/** Adds what the caller may see and asks for; answers the place behind which the next page begins once there are enough. */
async function takeVisible(
  { storage }: SearchServices,
  {
    caller,
    search,
    isWanted,
    holds,
  }: {
    readonly caller: Caller;
    readonly search: OpenedSearch | undefined;
    isWanted(change: HostChange): boolean;
    holds(characters: number): void;
  },
  batch: readonly KeptChange[],
  { found, limit, room }: { readonly found: KeptChange[]; readonly limit: number; readonly room: SizeBudget },
): Promise<ChangePlace | undefined> {
  const scope = hostScopeOf(caller);
  const wanted = batch.filter(isWanted);
  const names = [...new Set(wanted.map(({ hostname }) => hostname))];
  const isAnyHost = scope === null && search === undefined;
  const reached = new Set<string>();
  for (let start = 0; start < names.length && !isAnyHost; start += HOSTS_AT_ONCE) {
    const records = await storage.hosts.findEach(names.slice(start, start + HOSTS_AT_ONCE));
    const known = records.flatMap((host) => (host !== undefined && inScope(host, scope) ? [host] : []));
    holds(charactersOf(known));
    for (const { hostname } of search === undefined ? known : await search.among(known)) reached.add(hostname);
  }
  const entries = await entriesOf(storage, caller, [...reached]);
  // Filters examine the visible changes again: otherwise they would find hidden ones.
  const changes = wanted.flatMap((change) => reportedChange(change, entries) ?? []).filter(isWanted);
  for (const change of changes) {
    const last = found.at(-1);
    // All changes of one host at one moment stay together, because a place is behind all of them.
    const belongs = last !== undefined && last.hostname === change.hostname && +last.at === +change.at;
    if (found.length >= limit && !belongs) return last;
    if (!isAnyHost && !reached.has(change.hostname)) continue;
    const hasRoom = room.takesCharacters(change.characters + FRAME_CHARACTERS);
    if (!hasRoom && last !== undefined && !belongs) return last;
    found.push(change);
  }
  return undefined;
}

/** Changes of the moment itself are still included. */
function placeAfter(until: string | undefined): ChangePlace | undefined {
  return until === undefined ? undefined : { at: new Date(momentOf(until).getTime() + 1), hostname: '' };
}

/** In UTC, as all times are. */
function momentOf(text: string): Date {
  return new Date(text.length === 10 || text.endsWith('Z') ? text : `${text}Z`);
}

async function placeOf({ secrets }: Pick<SearchServices, 'secrets'>, text: string): Promise<ChangePlace> {
  if (!text.startsWith(SEALED)) return openPlace(text);
  try {
    return openPlace(await secrets.open(text.slice(SEALED.length), SEALED_FOR));
  } catch (cause) {
    throw new AppError('invalid_input', worded`before: must be what an earlier page answered as next`, { cause });
  }
}

function openPlace(text: string): ChangePlace {
  const colon = text.indexOf(':');
  return { at: new Date(Number(text.slice(0, colon))), hostname: text.slice(colon + 1) };
}

async function sealedText({ secrets }: Pick<SearchServices, 'secrets'>, place: ChangePlace): Promise<string> {
  return `${SEALED}${await secrets.seal(textOf(place), SEALED_FOR)}`;
}

function textOf({ at, hostname }: ChangePlace): string {
  return `${at.getTime()}:${hostname}`;
}
