import type {
  Change,
  ChangeOutcome,
  EntryOutcome,
  JsonObject,
  OwnedKey,
  OwnedObject,
  PlanEntry,
  TargetKind,
} from '../../../../ports/index.ts';
import { digestOf, fieldOf } from './canonical.ts';
import { isRetiring } from './entry-state.ts';
import type { Remote } from './match-object.ts';

/** An entry, the change that was asked for, and what the target answered. */
export interface AppliedEntry {
  readonly entry: PlanEntry;
  readonly change: Change;
  readonly outcome: ChangeOutcome;
}

interface Remembering {
  readonly kinds: ReadonlyMap<string, TargetKind>;
  readonly writtenAt: Date;
}

/**
 * Returns what to remember before the target is asked to create or adopt objects: a call whose answer is lost may have made them.
 */
export function ownedBefore(entries: readonly PlanEntry[], { kinds, writtenAt }: Remembering): OwnedObject[] {
  return entries
    .filter(({ action }) => action === 'create' || action === 'adopt')
    .map((entry) => ({
      kind: entry.kind,
      key: entry.key,
      remoteId: entry.remote?.id ?? null,
      hostname: rememberedHost(entry),
      secrets: entry.secrets,
      writtenAt,
      ...pendingOf(kinds.get(entry.kind), entry),
    }));
}

/** Returns what to remember and what to forget of our objects once the target has answered. */
export function ownedAfter(
  applied: readonly AppliedEntry[],
  { kinds, writtenAt }: Remembering,
): { readonly saved: readonly OwnedObject[]; readonly removed: readonly OwnedKey[] } {
  const saved = applied.flatMap(({ entry, change, outcome }): OwnedObject[] => {
    if (entry.action === 'delete' && !isRetiring(entry)) return [];
    const { kind, key, secrets } = entry;
    const hostname = rememberedHost(entry);
    if (isMadeInPart(entry, outcome))
      return [{ kind, key, remoteId: outcome.id, hostname, digest: '', secrets: '', writtenAt, pending: null }];
    if (!outcome.done) return [];
    const remoteId = outcome.id ?? change.id ?? null;
    // Without an id only what was written says which object it is.
    const known = remoteId === null ? pendingOf(kinds.get(kind), entry) : { digest: entry.digest, pending: null };
    return [{ kind, key, remoteId, hostname, secrets, writtenAt, ...known }];
  });
  const removed = applied.flatMap(({ entry, outcome }): OwnedKey[] => {
    const { action, kind, key, previousKey } = entry;
    if (outcome.done && action === 'delete' && !isRetiring(entry)) return [{ kind, key }];
    if (outcome.done && action === 'move' && previousKey !== null && previousKey !== key)
      return [{ kind, key: previousKey }];
    // It was remembered just before, and nothing was made.
    const isKept = outcome.done || outcome.code === 'unknown' || isMadeInPart(entry, outcome);
    return !isKept && (action === 'create' || action === 'adopt') ? [{ kind, key }] : [];
  });
  return { saved, removed };
}

/** Returns the host to remember of an object; none of several, because each of them may be undecided. */
export function rememberedHost({ hostname, several }: Pick<PlanEntry, 'hostname' | 'several'>): string {
  return several === true ? '' : (hostname ?? '');
}

interface PlacedRemote {
  readonly kind: string;
  readonly key: string;
  readonly remote: Remote;
}

/**
 * Returns the changes to the system's objects once the target has answered, as far as later entries need them. Moved objects free
 * their keys first.
 */
export function remoteAfter(applied: readonly AppliedEntry[]): {
  readonly removed: readonly OwnedKey[];
  readonly put: readonly PlacedRemote[];
} {
  const removed: OwnedKey[] = [];
  const put: PlacedRemote[] = [];
  for (const { entry, change, outcome } of applied) {
    if (!outcome.done) continue;
    const { action, kind, key, previousKey } = entry;
    const isGone = action === 'delete' && !isRetiring(entry);
    if (previousKey !== null || isGone) removed.push({ kind, key: previousKey ?? key });
    const id = outcome.id ?? change.id;
    if (isGone || id === undefined) continue;
    const fields = { ...change.current, ...change.fields };
    put.push({ kind, key, remote: { id, owner: 'us', fields, etag: outcome.etag ?? null } });
  }
  return { removed, put };
}

/** Returns the fields that identify an object made by a call whose answer was lost, and their digest. */
function pendingOf(
  kind: TargetKind | undefined,
  { fields, action, digest }: PlanEntry,
): { readonly pending: readonly string[]; readonly digest: string } {
  if (kind === undefined) return { pending: [], digest };
  const pending: string[] = [];
  const written: Record<string, JsonObject[string]> = {};
  for (const { name, secret, after } of action === 'delete' ? [] : fields) {
    const field = fieldOf(kind, name);
    if (secret === true || field === undefined || field.once === true || field.later === true) continue;
    // If only some members of an object are written, it has others there.
    if (field.compare === 'members') continue;
    pending.push(name);
    if (after !== undefined) written[name] = after;
  }
  return { pending, digest: digestOf(kind, written) };
}

/** An object that is there by now, and lacks some of what it should have. */
function isMadeInPart(
  { action }: PlanEntry,
  outcome: ChangeOutcome,
): outcome is ChangeOutcome & { readonly done: false; readonly id: string } {
  return !outcome.done && outcome.id !== undefined && action === 'create';
}

export function endOf(outcome: ChangeOutcome): EntryOutcome {
  if (outcome.done) return 'done';
  return outcome.code === 'in_the_way' ? 'refused' : outcome.code;
}

export function isNotTried(outcome: ChangeOutcome | undefined): boolean {
  return outcome?.done === false && outcome.code === 'not_tried';
}

const CODES: ReadonlySet<string> = new Set([
  'refused',
  'changed',
  'gone',
  'exists',
  'not_tried',
  'unknown',
  'in_the_way',
]);

/** Plugins are written in plain JavaScript too. */
export function checkedOutcomes(answers: unknown, count: number): readonly ChangeOutcome[] | undefined {
  if (!Array.isArray(answers) || answers.length !== count) return undefined;
  const isOutcome = (answer: unknown): answer is ChangeOutcome => {
    if (typeof answer !== 'object' || answer === null || !('done' in answer)) return false;
    if ('id' in answer && typeof answer.id !== 'string' && answer.id !== undefined) return false;
    if (answer.done === true) return true;
    return 'code' in answer && typeof answer.code === 'string' && CODES.has(answer.code) && 'reason' in answer;
  };
  return answers.every(isOutcome) ? answers : undefined;
}
