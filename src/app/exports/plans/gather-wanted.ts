import { setImmediate as nextTurn } from 'node:timers/promises';
import type { HostRecord, HostStore, JsonObject, PlanRule, TargetKind, WantedObject } from '../../../ports/index.ts';
import { type CollectedObject, collectedObject, withDesired } from './collected-objects.ts';
import { digestOf, digestOfAll, hostDigest } from './decisions/canonical.ts';
import { isOurs, matchObject, type Owned, type Verdict } from './decisions/match-object.ts';
import { desiredObjects, ruleOf, targetRecord } from './desired-objects.ts';
import { foreignText } from './foreign-wholes.ts';
import type { OpenedObjectTarget } from './open-object-target.ts';
import { openSecrets, type PlanInMaking, PlanTally, type PlanWork } from './plan-in-making.ts';
import { type Desired, type Draft, joined, type PlanTables, placeOf } from './plan-tables.ts';

/** Records that are evaluated at once. */
const RECORDS_A_STEP = 250;

/** An object that is wanted, and by whom. */
interface Wanted {
  readonly place: string;
  readonly hostname: string;
  readonly object: WantedObject;
  readonly digest: string;
  rule(): PlanRule | null;
  /** Digest of what the record is. */
  host(): string;
  /** The records that want different things of it. */
  readonly contradiction?: string;
}

/** An object that a target wants for one record, checked. */
interface Wanting extends Wanted {
  /** A digest of all its fields. */
  readonly desiredDigest: string;
}

/**
 * Asks the rules and the target which objects each record wants, and compares them with those that exist. A record whose desired
 * objects are unknown keeps what it has. `onRecords` receives the number of records processed so far. Throws when the target wants
 * what it does not declare.
 */
export async function gatherWanted(plan: PlanInMaking, onRecords: (done: number) => void): Promise<void> {
  const { opened, tables, hosts, scope, signal } = plan;
  const ensured = new EnsuredObjects(opened);
  let done = 0;
  for await (const records of hosts.scan({ scope, kind: opened.takes, state: 'active' }, RECORDS_A_STEP)) {
    signal.throwIfAborted();
    const shared: Wanting[] = [];
    const own: Wanting[] = [];
    for (const record of records) {
      for (const wanting of wantedOf(plan, ensured, record)) {
        (sharedKind(opened, wanting.object.kind) === undefined ? own : shared).push(wanting);
      }
    }
    collect(plan, shared);
    await compare(plan, firstOfEach(plan, own));
    done += records.length;
    onRecords(done);
    await nextTurn();
  }
  for await (const step of tables.collected.steps()) {
    signal.throwIfAborted();
    const wanted = step.flatMap(([place, collected]) => togetherWanted(opened, place, collected));
    await compare(plan, wanted);
  }
  await settleSeveral(plan);
}

/** Puts into the tables which objects records want at present, and which records cannot be decided on. */
export async function gatherDesired({ opened, tables, hosts, signal }: DesiredNow): Promise<void> {
  const plan = { opened, tables, tally: new PlanTally() };
  const ensured = new EnsuredObjects(opened);
  for await (const records of hosts.scan({ scope: null, kind: opened.takes, state: 'active' }, RECORDS_A_STEP)) {
    signal.throwIfAborted();
    const wanted = records.flatMap((record) => wantedOf(plan, ensured, record));
    tables.desired.add(wanted.map(({ place, hostname, digest }) => [place, { hostname, digest }]));
    await nextTurn();
  }
}

interface DesiredNow extends Pick<PlanWork, 'opened' | 'tables' | 'signal'> {
  readonly hosts: Pick<HostStore, 'scan'>;
}

/** The kind where what several records want of one object is put together. */
function sharedKind({ kinds, covers }: OpenedObjectTarget, id: string): TargetKind | undefined {
  const kind = kinds.get(id);
  return kind?.shared === true && kind.ensured !== true && covers(id) ? kind : undefined;
}

/** Collects what these records want of shared objects, with what the records before them want. */
function collect({ opened, tables }: PlanInMaking, all: readonly Wanting[]): void {
  if (all.length === 0) return;
  const added = tables.desired.add(
    all.map(({ place, hostname, desiredDigest }) => [place, { hostname, digest: desiredDigest }]),
  );
  noteSeveral(
    tables,
    all.filter((_, index) => added[index] === false),
  );
  const stored = tables.collected.get(all.map(({ place }) => place));
  const news = new Map<string, CollectedObject>();
  for (const [index, { place, hostname, object, rule, host }] of all.entries()) {
    const kind = sharedKind(opened, object.kind);
    if (kind === undefined) continue;
    const known = news.get(place) ?? stored[index];
    const collected =
      known === undefined
        ? collectedObject(object, { hostname, host: host(), rule: rule() })
        : withDesired(kind, known, hostname, object);
    if (collected !== known) news.set(place, collected);
  }
  tables.collected.put([...news]);
}

function togetherWanted(opened: OpenedObjectTarget, place: string, collected: CollectedObject): readonly Wanted[] {
  const { hostname, object, rule, host, contradiction } = collected;
  const kind = sharedKind(opened, object.kind);
  if (kind === undefined) return [];
  const digest = digestOf(kind, object.fields);
  const wanted = { place, hostname, object, digest, rule: () => rule, host: () => host };
  return [contradiction === '' ? wanted : { ...wanted, contradiction }];
}

/** Most ensured objects are wanted again by each host, and only the first of them counts: later ones need not be looked at. */
class EnsuredObjects {
  readonly #kinds: OpenedObjectTarget['kinds'];
  readonly #known = new Set<string>();

  constructor({ kinds }: Pick<OpenedObjectTarget, 'kinds'>) {
    this.#kinds = kinds;
  }

  /** Those that are not known to be wanted already. */
  news(objects: readonly WantedObject[]): readonly WantedObject[] {
    // Plugins are written in plain JavaScript too.
    return Array.isArray(objects) ? objects.filter((object) => !this.#isKnown(object)) : objects;
  }

  #isKnown({ kind, key }: WantedObject): boolean {
    if (this.#kinds.get(kind)?.ensured !== true) return false;
    const place = joined(kind, key);
    if (this.#known.has(place)) return true;
    if (this.#known.size < MOST_ENSURED_KNOWN) this.#known.add(place);
    return false;
  }
}

/** The tables know those beyond. */
const MOST_ENSURED_KNOWN = 10_000;

function wantedOf(
  { opened, tables, tally }: Pick<PlanInMaking, 'opened' | 'tables' | 'tally'>,
  ensured: EnsuredObjects,
  record: HostRecord,
): readonly Wanting[] {
  const evaluated = opened.evaluator.evaluate(record, 'export');
  const { hostname } = evaluated;
  if (evaluated.undecided === true) {
    tables.undecided.put([[record.hostname, '']]);
    const what =
      'is left as it is, because a filter rule or one of the target broke off or a rule met a limit on it; see the errors of rules';
    tally.failure(hostname, what);
    return [];
  }
  if (!evaluated.included) return [];
  tally.records++;
  const handed = targetRecord(record, evaluated);
  let objects: readonly WantedObject[];
  try {
    objects = opened.target.wanted(handed);
  } catch (error) {
    tables.undecided.put([[record.hostname, '']]);
    const reason = error instanceof Error ? error.message : String(error);
    tally.failure(
      hostname,
      opened.mask(`is left as it is, because the target could not determine its desired state: ${reason}`),
    );
    return [];
  }
  let known: string | undefined;
  const host = (): string => {
    known ??= hostDigest(record);
    return known;
  };
  return desiredObjects(opened, handed, ensured.news(objects)).map(({ object, kind }): Wanting => {
    const place = joined(kind.id, object.key);
    const digest = digestOf(kind, object.fields);
    const all = allWanted(object);
    const desiredDigest = digestOfAll(kind, all, all === object.fields ? digest : digestOf(kind, all));
    const rule = () => ruleOf(handed, object);
    return { place, hostname: record.hostname, object, digest, desiredDigest, rule, host };
  });
}

/** With what is written only when the object is made. */
function allWanted({ initial, fields }: WantedObject): JsonObject {
  return initial === undefined ? fields : { ...initial, ...fields };
}

/** Compares what is wanted with what is there, and drafts what follows. */
async function compare(plan: PlanInMaking, wanted: readonly Wanted[]): Promise<void> {
  const { opened, tables, tally } = plan;
  const places = wanted.map(({ place }) => place);
  const remotes = tables.remote.get(places);
  const remembered = tables.owned.get(places);
  const drafts: [string, Draft][] = [];
  const confirmed: [string, Owned & { kind: string; key: string }][] = [];
  for (const [index, wanting] of wanted.entries()) {
    const { place, hostname, object, digest, contradiction } = wanting;
    const kind = opened.kinds.get(object.kind);
    if (kind === undefined || !opened.covers(kind.id)) continue;
    if (contradiction !== undefined) {
      drafts.push([place, draftOf(wanting, { action: 'conflict', reason: contradiction })]);
      continue;
    }
    const found = remotes[index];
    const whole = kind.of === undefined ? undefined : await wholeOf(plan, kind.of, object.key);
    const remote = whole === 'ours' && found?.owner === 'nobody' ? { ...found, owner: 'us' as const } : found;
    const owned = remembered[index] ?? (await formerOwned(plan, object.kind, remote));
    const lastSecrets =
      owned === undefined || owned.secrets === '' || !hasSecrets(kind.fields, object.fields)
        ? undefined
        : await openSecrets(plan, owned.secrets, object);
    const { adopt } = opened.options;
    const verdict: Verdict =
      whole === 'foreign' && !adopt && (remote === undefined || !isOurs(kind, remote, owned))
        ? { action: 'conflict', reason: foreignText({ kind: kind.of ?? '', key: object.key }) }
        : matchObject({ kind, wanted: object.fields, remote, owned, lastSecrets, adopt });
    if (verdict.action === 'unchanged') {
      tally.count('unchanged');
      const known = remembered[index];
      // References are never changed, and most of them were made by others.
      const isReference = kind.ensured === true && (known === undefined || known.pending === null);
      if (isReference || remote === undefined) tally.notOurs++;
      else if (isNews(known, remote.id, hostname, digest)) {
        const secrets = known?.secrets ?? '';
        const by = known?.hostname === '' ? '' : hostname;
        confirmed.push([
          place,
          { kind: kind.id, key: object.key, remoteId: remote.id, hostname: by, digest, secrets, pending: null },
        ]);
      }
    } else drafts.push([place, draftOf(wanting, verdict)]);
  }
  tables.drafts.put(drafts);
  tables.confirmed.put(confirmed);
}

/** Returns whose object it is that another one is a side of; `undefined` if it does not exist yet. */
async function wholeOf(plan: PlanInMaking, of: string, key: string): Promise<'ours' | 'foreign' | undefined> {
  const { tables } = plan;
  const kind = plan.opened.kinds.get(of);
  if (kind === undefined) return undefined;
  const place = joined(kind.id, key);
  const remote = tables.remote.one(place);
  if (remote === undefined) return undefined;
  const owned = tables.owned.one(place) ?? (await formerOwned(plan, kind.id, remote));
  return isOurs(kind, remote, owned) ? 'ours' : 'foreign';
}

/** Returns what is remembered of an object by its id, if someone gave it the key that is wanted now. */
async function formerOwned(
  { tables }: PlanInMaking,
  kind: string,
  remote: { readonly id: string; readonly owner: string } | undefined,
): Promise<Owned | undefined> {
  return remote?.owner === 'nobody' ? await tables.ownedAs(kind, remote) : undefined;
}

/** Whether there is something to remember that is not known yet. */
function isNews(known: Owned | undefined, id: string, hostname: string, digest: string): boolean {
  if (known === undefined || known.pending !== null) return true;
  const isOfAnother = known.hostname !== hostname && known.hostname !== '';
  return known.remoteId !== id || isOfAnother || known.digest !== digest;
}

function hasSecrets(declared: Readonly<Record<string, { readonly secret?: boolean }>>, fields: JsonObject): boolean {
  return Object.keys(fields).some((name) => declared[name]?.secret === true);
}

/** One of each object. Where two records want different things of one, nothing will be done, and both are named. */
function firstOfEach({ opened, tables }: PlanInMaking, all: readonly Wanting[]): readonly Wanting[] {
  const remembered = tables.owned.get(all.map(({ place }) => place));
  const added = tables.desired.add(
    all.map(({ place, hostname, desiredDigest }, index) => {
      // An unchanged object is not stored twice.
      const owned = remembered[index];
      const isAsBefore = owned !== undefined && owned.hostname === hostname && owned.digest === desiredDigest;
      return [place, isAsBefore ? owned : { hostname, digest: desiredDigest }];
    }),
  );
  const again = all.filter((_, index) => added[index] === false);
  if (again.length === 0) return all;
  const firsts = noteSeveral(tables, again);
  for (const [index, wanting] of again.entries()) {
    const first = firsts[index];
    if (first === undefined || first.digest === wanting.desiredDigest || mayDiffer(opened, wanting)) continue;
    const reason = `${first.hostname} and ${wanting.hostname} want different states for it`;
    tables.conflicts.put([[wanting.place, draftOf(wanting, { action: 'conflict', reason })]]);
  }
  return all.filter((_, index) => added[index] === true);
}

/** Notes of objects that are wanted again whether another record wants them. Returns by whom each was wanted first. */
function noteSeveral(tables: PlanTables, again: readonly Wanting[]): readonly (Desired | undefined)[] {
  const firsts = tables.desired.get(again.map(({ place }) => place));
  const noted = again.flatMap(({ place, hostname }, index): [string, Desired][] => {
    const first = firsts[index];
    if (first === undefined || first.several === true || first.hostname === hostname) return [];
    return [[place, { hostname: first.hostname, digest: first.digest, several: true }]];
  });
  if (noted.length > 0) {
    tables.desired.put(noted);
    tables.several.put(noted.map(([place]) => [place, null]));
  }
  return firsts;
}

/** Remembers no single host of objects that several want: whether one of them can be decided on says nothing about the others. */
async function settleSeveral({ tables }: PlanInMaking): Promise<void> {
  for await (const step of tables.several.steps()) {
    const places = step.map(([place]) => place);
    const owned = tables.owned.get(places);
    const confirmed = tables.confirmed.get(places);
    for (const [index, place] of places.entries()) {
      const known = confirmed[index] ?? owned[index];
      if (known === undefined || known.hostname === '') continue;
      tables.confirmed.put([[place, { ...known, ...placeOf(place), hostname: '' }]]);
    }
  }
}

/** Whether records may want different things of one object: it is made as the first one wants, or another part reports that. */
function mayDiffer({ kinds, covers }: OpenedObjectTarget, { object }: Wanting): boolean {
  return kinds.get(object.kind)?.ensured === true || !covers(object.kind);
}

function draftOf(
  { hostname, object, rule, digest, host }: Wanted,
  verdict: Exclude<Verdict, { readonly action: 'unchanged' }>,
): Draft {
  return {
    action: verdict.action,
    kind: object.kind,
    key: object.key,
    previousKey: null,
    hostname,
    ...(verdict.action === 'conflict' ? {} : { host: host() }),
    rule: rule(),
    drift: 'drift' in verdict && verdict.drift,
    fields: 'fields' in verdict ? verdict.fields : [],
    after: object.after ?? [],
    wanted: object.fields,
    ...(object.initial === undefined ? {} : { initial: object.initial }),
    digest,
    reason: 'reason' in verdict ? verdict.reason : '',
  };
}
