import type { ObjectReference, TargetKind } from '../../../ports/index.ts';
import { digestOf } from './decisions/canonical.ts';
import { allFields, differences, isOurs, type Owned, type Remote, withBack } from './decisions/match-object.ts';
import { foreignText, foreignWhole } from './foreign-wholes.ts';
import type { OpenedObjectTarget } from './open-object-target.ts';
import { openSecrets, type PlanInMaking } from './plan-in-making.ts';
import { type Draft, joined, placeOf } from './plan-tables.ts';
import { gapText } from './read-remote.ts';

/** Completes the drafts once all desired objects are known: moves, deletions, the order of entries. */
export async function resolveDrafts(plan: PlanInMaking): Promise<void> {
  await resolveContradictions(plan);
  await findOrphans(plan);
  await findRenamed(plan);
  plan.signal.throwIfAborted();
  await resolveCreated(plan);
  await resolveOrphans(plan);
  plan.signal.throwIfAborted();
  await putInOrder(plan);
}

async function resolveContradictions({ tables, tally }: PlanInMaking): Promise<void> {
  for await (const step of tables.conflicts.steps()) {
    const drafts = tables.drafts.get(step.map(([place]) => place));
    for (const [index, [place]] of step.entries()) {
      const draft = drafts[index];
      if (draft === undefined) tally.count('unchanged', -1);
      tables.confirmed.remove([place]);
    }
    tables.drafts.put(step);
  }
}

/** Whether unwanted objects of the kind are kept. */
function stays({ ensured, onlyThere }: TargetKind): boolean {
  return ensured === true || onlyThere === true;
}

/** Finds our objects that no record wants. */
async function findOrphans({ opened, tables }: PlanInMaking): Promise<void> {
  const { kinds, covers } = opened;
  for await (const unwanted of tables.remote.stepsWithout(tables.desired)) {
    const owned = tables.owned.get(unwanted.map(([place]) => place));
    for (const [index, [place, remote]] of unwanted.entries()) {
      const { kind: id, key } = placeOf(place);
      const kind = kinds.get(id);
      if (kind === undefined || stays(kind) || !covers(id) || !isOurs(kind, remote, owned[index])) continue;
      // Found by its id if someone gave it another key there.
      const known = owned[index] ?? (await tables.ownedAs(id, remote));
      tables.orphans.put([[joined(id, known?.hostname ?? '', key), { remoteKey: key }]]);
    }
  }
}

/**
 * Finds objects that are ours by id, have another key there by now, and are unwanted. Objects that are gone for good are
 * forgotten.
 */
async function findRenamed({ opened, tables, tally, gaps }: PlanInMaking): Promise<void> {
  const { kinds, covers } = opened;
  for await (const step of tables.owned.stepsWithout(tables.desired)) {
    const remotes = tables.remote.get(step.map(([place]) => place));
    for (const [index, [place, owned]] of step.entries()) {
      const remote = remotes[index];
      if (remote !== undefined && (owned.remoteId === null || owned.remoteId === remote.id)) continue;
      const { kind, key } = placeOf(place);
      const declared = kinds.get(kind);
      // Nothing was read of a kind that the target does not declare at present, and not all of a kind of another part.
      if (declared === undefined || !covers(kind)) continue;
      const remoteKey = owned.remoteId === null ? undefined : await tables.remoteById(kind, owned.remoteId);
      const renamed = remoteKey === undefined ? undefined : tables.remote.one(joined(kind, remoteKey));
      const isWanted = remoteKey !== undefined && tables.desired.one(joined(kind, remoteKey)) !== undefined;
      const isOthers = renamed?.owner === 'other';
      const isAlike = ({ fields }: Remote): boolean => digestOf(declared, fields) === owned.digest;
      if (!stays(declared) && !isWanted && isMissing(owned, renamed, isAlike)) tally.miss(kind);
      if (stays(declared) && remoteKey !== undefined) continue;
      if (remoteKey !== undefined && !isWanted && !isOthers) {
        tables.orphans.put([[joined(kind, owned.hostname, remoteKey), { remoteKey }]]);
      } else if (!gaps.has(kind)) tables.forgotten.put([[place, { kind, key }]]);
    }
  }
}

/**
 * Whether the system no longer shows an object that is not there under its key. An object without a mark that has its id may be
 * another one if it does not look alike: systems that were set up again give the same ids.
 */
function isMissing(
  { remoteId, pending }: Owned,
  found: Remote | undefined,
  isAlike: (found: Remote) => boolean,
): boolean {
  if (remoteId === null || pending !== null) return false;
  return found === undefined || (found.owner === 'nobody' && !isAlike(found));
}

/** Whether an object has any of the wanted fields, as far as they can be compared. */
function hasAny(kind: TargetKind, wanted: Draft['wanted'], found: Remote): boolean {
  const names = Object.keys(wanted).filter((name) => {
    const { once, secret } = kind.fields[name] ?? {};
    return once !== true && secret !== true;
  });
  const differing = new Set(differences({ kind, wanted, lastSecrets: undefined }, found).map(({ name }) => name));
  return names.length === 0 || names.some((name) => !differing.has(name));
}

/** Settles creations, whose objects may exist under another key. */
async function resolveCreated(plan: PlanInMaking): Promise<void> {
  const { opened, tables } = plan;
  const areOrphaned = tables.orphans.count > 0;
  if (areOrphaned) await listCreated(plan);
  // If several drafts match one object, the first gets it.
  for await (const step of areOrphaned ? tables.drafts.inOrder() : tables.drafts.steps()) {
    for (const [place, draft] of step) {
      const kind = opened.kinds.get(draft.kind);
      if (draft.action !== 'create' || kind === undefined) continue;
      const resolved = await resolvedCreate(plan, { kind, draft, place, areOrphaned });
      if (resolved !== draft) tables.drafts.put([[place, resolved]]);
    }
  }
}

async function listCreated({ tables }: PlanInMaking): Promise<void> {
  for await (const step of tables.drafts.steps()) {
    const created = step.filter(([, { action }]) => action === 'create');
    tables.created.put(created.map(([, { kind, hostname, key }]) => [joined(kind, hostname ?? '', key), null]));
  }
}

interface Created {
  readonly kind: TargetKind;
  readonly draft: Draft;
  readonly place: string;
  /** Whether any object is no longer wanted. */
  readonly areOrphaned: boolean;
}

async function resolvedCreate(plan: PlanInMaking, created: Created): Promise<Draft> {
  const { tables, tally, gaps } = plan;
  const { draft, kind, place } = created;
  const former = await formerOf(plan, created);
  const remote = former === undefined ? undefined : tables.remote.one(joined(draft.kind, former.key));
  const owned = stays(kind) || gaps.has(kind.id) ? undefined : tables.owned.one(place);
  const found = former === undefined || former.byHand ? remote : undefined;
  const isAlike = (object: Remote): boolean => hasAny(kind, draft.wanted, object);
  if (owned !== undefined && isMissing(owned, found, isAlike)) tally.miss(kind.id);
  if (former !== undefined && remote !== undefined && !remote.twice && remote.owner !== 'other') {
    tables.orphans.remove([former.place]);
    const fields = await movedFields(plan, created, former.key, remote);
    return { ...draft, action: 'move', previousKey: former.key, fields, drift: former.byHand };
  }
  if (!gaps.has(draft.kind)) return draft;
  const reason = `it may be there already, because ${gapText(gaps)}`;
  return { ...draft, action: 'conflict', fields: [], reason };
}

interface Former {
  readonly key: string;
  /** Among the orphans. */
  readonly place: string;
  /** Whether someone else gave it that key. */
  readonly byHand: boolean;
}

/** Returns the former object of one that is to be created, as far as it is known. */
async function formerOf(plan: PlanInMaking, created: Created): Promise<Former | undefined> {
  const { kind, areOrphaned } = created;
  if (kind.ensured === true) return undefined;
  const renamed = await renamedKey(plan, created);
  if (renamed !== undefined || !areOrphaned) return renamed;
  return (await movedWithin(plan, created)) ?? soleOrphan(plan, created);
}

/** The same part of what had another key before. */
async function movedWithin(plan: PlanInMaking, { kind: part, draft }: Created): Promise<Former | undefined> {
  const { opened, tables } = plan;
  const outer = draft.after.find(({ kind, key }) => kind === part.within && draft.key.startsWith(`${key}/`));
  const kind = outer === undefined ? undefined : opened.kinds.get(outer.kind);
  if (outer === undefined || kind === undefined) return undefined;
  const place = joined(outer.kind, outer.key);
  const moving = tables.drafts.one(place);
  // It may be settled later than its parts.
  const previous =
    moving?.action === 'create'
      ? (await formerOf(plan, { kind, draft: moving, place, areOrphaned: true }))?.key
      : moving?.previousKey;
  if (previous === undefined || previous === null) return undefined;
  const key = `${previous}${draft.key.slice(outer.key.length)}`;
  const orphan = joined(draft.kind, draft.hostname ?? '', key);
  return tables.orphans.one(orphan) === undefined ? undefined : { key, place: orphan, byHand: false };
}

/** Returns the key of the object remembered under the wanted key, if someone gave it another one. */
async function renamedKey({ tables }: PlanInMaking, { draft, place }: Created): Promise<Former | undefined> {
  const owned = tables.owned.one(place);
  if (owned === undefined || owned.remoteId === null) return undefined;
  const key = await tables.remoteById(draft.kind, owned.remoteId);
  if (key === undefined || tables.desired.one(joined(draft.kind, key)) !== undefined) return undefined;
  return { key, place: joined(draft.kind, owned.hostname, key), byHand: true };
}

/**
 * Returns the former object of the same record, if it is the only one that the record no longer wants and this is its only new
 * one.
 */
function soleOrphan({ tables }: PlanInMaking, { kind, draft }: Created): Former | undefined {
  const { family } = kind;
  // A host that could not be decided on may want a shared object as it is.
  if (draft.hostname === null || (kind.shared === true && tables.undecided.count > 0)) return undefined;
  const shared = family === undefined ? '' : draft.key.slice(0, draft.key.indexOf(family) + family.length);
  const prefix = joined(draft.kind, draft.hostname, shared);
  const [orphan, another] = tables.orphans.some(prefix, 2);
  if (orphan === undefined || another !== undefined || tables.created.some(prefix, 2).length !== 1) return undefined;
  const [place, { remoteKey }] = orphan;
  return { key: remoteKey, place, byHand: false };
}

async function movedFields(
  plan: PlanInMaking,
  { kind, draft }: Created,
  key: string,
  remote: Remote,
): Promise<Draft['fields']> {
  const { tables } = plan;
  const ownedKey = (await tables.ownedById(draft.kind, remote.id)) ?? key;
  const sealed = tables.owned.one(joined(draft.kind, ownedKey))?.secrets ?? '';
  const owned = { kind: draft.kind, key: ownedKey };
  const lastSecrets = sealed === '' ? undefined : await openSecrets(plan, sealed, owned);
  return differences({ kind, wanted: withBack(kind, draft.wanted, remote), lastSecrets }, remote);
}

async function resolveOrphans({ opened, tables, tally, gaps }: PlanInMaking): Promise<void> {
  const areUndecided = tables.undecided.count > 0;
  for await (const step of tables.orphans.steps()) {
    for (const [place, { remoteKey }] of step) {
      const [kind = '', hostname = ''] = place.split('\u0000');
      const at = joined(kind, remoteKey);
      const remote = tables.remote.one(at);
      const declared = opened.kinds.get(kind);
      if (remote === undefined || declared === undefined) continue;
      const retiring = retiringFields(declared, remote);
      if (retiring?.length === 0) continue;
      const mayBeOfSeveral = hostname === '' || declared.shared === true;
      const isUndecided = mayBeOfSeveral ? areUndecided : tables.undecided.one(hostname) !== undefined;
      if (gaps.has(kind) || isUndecided) {
        tally.count('kept');
        const why = gaps.has(kind) ? gapText(gaps) : 'the desired state of its host is not known';
        tally.note(hostname === '' ? remoteKey : hostname, `${kind} ${remoteKey} stays, because ${why}`);
        continue;
      }
      const draft: Draft = {
        action: remote.twice ? 'conflict' : 'delete',
        kind,
        key: remoteKey,
        previousKey: null,
        hostname: hostname === '' ? null : hostname,
        rule: null,
        drift: false,
        fields: remote.twice ? [] : (retiring ?? []),
        after: [],
        wanted: declared.retired?.fields ?? {},
        digest: digestOf(declared, declared.retired?.fields ?? {}),
        reason: remote.twice ? 'is there more than once, so it is not known which one is ours' : '',
      };
      tables.drafts.put([[at, draft]]);
    }
  }
}

/** Returns the fields to write instead of deleting; empty if that was done, `undefined` for kinds that are deleted. */
function retiringFields(kind: TargetKind, remote: Remote): Draft['fields'] | undefined {
  const { retired } = kind;
  return retired === undefined
    ? undefined
    : differences({ kind, wanted: retired.fields, lastSecrets: undefined }, remote);
}

/** Makers before what comes after them, kind by kind; deletions the other way round; conflicts last. */
async function putInOrder(plan: PlanInMaking): Promise<void> {
  const { tables } = plan;
  const isDeletion = ([, { action }]: readonly [string, Draft]): boolean => action === 'delete';
  for await (const step of tables.drafts.steps()) {
    await orderDrafts(
      plan,
      step.filter((row) => !isDeletion(row)),
    );
  }
  if (tables.orphans.count === 0) return;
  // Only now it is known which hosts cannot have what they want.
  for await (const step of tables.drafts.steps()) await orderDrafts(plan, certain(plan, step.filter(isDeletion)));
}

/** Leaves out deletions whose host cannot have another object of the kind: it would lose what it has. */
function certain({ tables, tally }: PlanInMaking, deletions: readonly (readonly [string, Draft])[]) {
  return deletions.filter(([place, { kind, key, hostname }]) => {
    if (hostname === null || tables.refused.one(joined(kind, hostname)) === undefined) return true;
    tables.drafts.remove([place]);
    tally.count('kept');
    tally.note(hostname, `${kind} ${key} stays, because its host cannot have what it wants instead`);
    return false;
  });
}

async function orderDrafts(plan: PlanInMaking, step: readonly (readonly [string, Draft])[]): Promise<void> {
  const { opened, tables, tally } = plan;
  const { kinds } = opened;
  const order = [...kinds.keys()];
  const areDeleted = tables.orphans.count > 0;
  const depths = new Map<string, number>();
  const foreign = new Map<string, string>();
  for (const [place, draft] of step) {
    const whole = draft.action === 'conflict' ? undefined : await foreignWhole(plan, draft);
    if (whole !== undefined) foreign.set(place, foreignText(whole));
  }
  const rows = step.map(([place, drafted]): [string, string] => {
    const problem = foreign.get(place) ?? referenceProblem(plan, drafted, place, depths);
    const draft = problem === undefined ? drafted : refused(drafted, problem, kinds);
    if (draft !== drafted) tables.drafts.put([[place, draft]]);
    tally.count(draft.action);
    const index = order.indexOf(draft.kind);
    if (draft.action === 'conflict' && areDeleted) {
      const hosts = new Set([draft.hostname ?? '', tables.desired.one(place)?.hostname ?? '']);
      tables.refused.put([...hosts].map((hostname) => [joined(draft.kind, hostname), null]));
    }
    if (draft.action === 'conflict') return [joined('3', number(index), draft.key), place];
    // Among objects that hold others, longer keys are deleted first: paths and names of networks are built this way.
    if (draft.action === 'delete') {
      return [joined('2', number(order.length - index), number(MAX_KEY - draft.key.length), draft.key), place];
    }
    const depth = number(depths.get(place) ?? 0);
    return [joined('1', number(index), depth, ACTION_ORDER[draft.action], draft.key), place];
  });
  tables.ordered.put(rows);
}

/** Moves first: they free keys. */
const ACTION_ORDER = { move: 'a', adopt: 'b', update: 'c', create: 'd' } as const;
const MAX_KEY = 99_999;

function number(value: number): string {
  return String(value).padStart(5, '0');
}

function refused(draft: Draft, reason: string, kinds: OpenedObjectTarget['kinds']): Draft {
  const kind = kinds.get(draft.kind);
  const fields = draft.action === 'create' && kind !== undefined ? allFields(kind, draft) : draft.fields;
  return { ...draft, action: 'conflict', fields, reason };
}

/** Returns the problem of a draft that comes after a missing object that no record wants, or after itself. */
function referenceProblem(
  plan: PlanInMaking,
  draft: Draft,
  place: string,
  depths: Map<string, number>,
): string | undefined {
  if (draft.after.length === 0 || draft.action === 'conflict' || draft.action === 'delete') return undefined;
  const missing = draft.after.find((reference) => !isExpected(plan, reference));
  if (missing !== undefined) {
    const what = `${missing.kind} ${missing.key}`;
    return plan.opened.covers(missing.kind)
      ? `it depends on ${what}, which is missing or being removed, and which no host needs`
      : `it depends on ${what}, which is missing, and which this part does not create`;
  }
  if (depthOf(plan, draft, place, depths, new Set()) !== undefined) return undefined;
  return 'it depends on itself, through what it depends on';
}

function isExpected({ opened, tables }: PlanInMaking, { kind, key }: ObjectReference): boolean {
  const place = joined(kind, key);
  if (opened.covers(kind) && tables.desired.one(place) !== undefined) return true;
  return tables.remote.one(place) !== undefined && tables.drafts.one(place)?.action !== 'delete';
}

/** How many objects of its own kind come before it, one after the other; `undefined` when they go in a circle. */
function depthOf(
  plan: PlanInMaking,
  draft: Draft,
  place: string,
  depths: Map<string, number>,
  path: Set<string>,
): number | undefined {
  const known = depths.get(place);
  if (known !== undefined) return known;
  if (path.has(place)) return undefined;
  path.add(place);
  let depth = 0;
  for (const { kind, key } of draft.after) {
    if (kind !== draft.kind) continue;
    const before = plan.tables.drafts.one(joined(kind, key));
    if (before === undefined) continue;
    const above = depthOf(plan, before, joined(kind, key), depths, path);
    if (above === undefined) return undefined;
    depth = Math.max(depth, above + 1);
  }
  path.delete(place);
  depths.set(place, depth);
  return depth;
}
