import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  AppError,
  type Change,
  type ChangeOutcome,
  type Clock,
  type EntryEnd,
  type EntryOutcome,
  type JsonObject,
  type OwnedKey,
  type OwnedObject,
  type OwnershipStore,
  type PlanAction,
  type PlanEntry,
  type PlanStore,
  type SecretBox,
  type TargetKind,
} from '../../../ports/index.ts';
import { type ExportFailure, MAX_REPORTED_HOSTS } from '../export/decisions/summary.ts';
import { digestOf, fieldOf, picked, remoteDigest, sameValue } from './decisions/canonical.ts';
import { isOurs, type Remote } from './decisions/match-object.ts';
import type { OpenedObjectTarget } from './open-object-target.ts';
import { openSecrets, ownershipPlace } from './owned-secrets.ts';
import { joined, type PlanTables } from './plan-tables.ts';
import { PluginTurn } from './plugin-turn.ts';
import type { Gaps } from './read-remote.ts';

export interface ApplyDeps {
  readonly plans: PlanStore;
  readonly ownership: OwnershipStore;
  readonly clock: Clock;
  readonly secrets: () => SecretBox;
}

export interface ApplyRequest {
  readonly planId: string;
  readonly accountId: string;
  /** Its name. */
  readonly account: string;
  /** Who holds the plan. */
  readonly holder: string;
  readonly timeoutSeconds: number;
  readonly signal: AbortSignal;
  /** What could not be read: nothing of these kinds is known well enough. */
  readonly gaps: Gaps;
  progress?(progress: { readonly done: number; readonly failed: number; readonly note: string }): void;
}

export interface AppliedPlan {
  /** By what was done. */
  readonly applied: Readonly<Record<Exclude<PlanAction, 'conflict'>, number>>;
  readonly done: number;
  readonly failed: number;
  /** The first entries that were not applied, and why. */
  readonly failures: readonly ExportFailure[];
  /** Why it ended before the last entry; `undefined` when it did not. */
  readonly broken: AppError | undefined;
}

/** How long a plan holds its account when its process has died. */
export const LEASE_MS = 15_000;
export const KEEP_EVERY_MS = 4_000;
const ENTRIES_A_STEP = 250;
/** After so many calls in a row whose answer nobody knows, the system is not there. */
const MOST_LOST_CALLS = 3;
/** More of them are refused at once: they wait in memory. */
const MOST_POSTPONED = 10_000;

/** An entry with the change that it makes. */
interface Tried {
  readonly entry: PlanEntry;
  readonly change: Change;
  readonly secrets: JsonObject;
}

/** What became of an entry. */
interface Ended {
  readonly entry: PlanEntry;
  readonly outcome: EntryOutcome;
  readonly reason: string;
}

/**
 * Does what a plan says, entry by entry, and nothing else. The tables hold what the system has now: an entry whose object is not what the plan
 * was made from is refused. What was done is remembered before the entry is noted as done, so that a process that dies loses nothing.
 */
export async function applyPlan(
  deps: ApplyDeps,
  request: ApplyRequest,
  opened: OpenedObjectTarget,
  tables: PlanTables,
): Promise<AppliedPlan> {
  const run = new Application(deps, request, opened, tables);
  try {
    await run.all();
  } catch (error) {
    run.breakOff(error);
  } finally {
    run.end();
  }
  return run.result();
}

class Application {
  readonly #deps: ApplyDeps;
  readonly #request: ApplyRequest;
  readonly #opened: OpenedObjectTarget;
  readonly #tables: PlanTables;
  readonly #turn: PluginTurn;
  readonly #applied = { create: 0, update: 0, move: 0, delete: 0, adopt: 0 };
  readonly #failures: ExportFailure[] = [];
  #done = 0;
  #failed = 0;
  #isLost = false;
  #lostCalls = 0;
  #keptAt = 0;
  #broken: AppError | undefined;
  /** Entries of one kind and action that follow each other. */
  #batch: Tried[] = [];
  /** Remembering what is ours of the entries before, which goes on until the system is asked for the next ones. */
  #remembering: Promise<void> = Promise.resolve();
  /** Outcomes that are noted as soon as that is remembered, and those that can be noted now: with what is written next, in one step. */
  #unremembered: Ended[] = [];
  #ended: Ended[] = [];
  /** What is forgotten may be the key of what is made next. */
  #isForgetting = false;
  /** The last entry that was asked for, and those behind it. */
  #after = 0;
  #next: Promise<readonly PlanEntry[]> | undefined;
  /** Entries that are tried once more after all others; `undefined` as soon as that is what happens. */
  #postponed: PlanEntry[] | undefined = [];

  constructor(deps: ApplyDeps, request: ApplyRequest, opened: OpenedObjectTarget, tables: PlanTables) {
    this.#deps = deps;
    this.#request = request;
    this.#opened = opened;
    this.#tables = tables;
    this.#turn = new PluginTurn({
      pluginId: opened.pluginId,
      what: `writing to the target of account ${request.account}`,
      timeoutSeconds: request.timeoutSeconds,
      signal: request.signal,
      mask: (text) => opened.mask(text),
      onNote: (note) => this.#report(note),
    });
  }

  async all(): Promise<void> {
    // One call may take long.
    const timer = setInterval(() => void this.#keep().catch(() => undefined), KEEP_EVERY_MS);
    try {
      await this.#walk();
      await this.#noteRest();
    } finally {
      clearInterval(timer);
      await this.#noteRest().catch(() => undefined);
    }
  }

  async #walk(): Promise<void> {
    const { signal } = this.#request;
    for (;;) {
      this.#askForNext();
      const entries = (await this.#next) ?? [];
      this.#next = undefined;
      const last = entries.at(-1);
      if (last === undefined) break;
      this.#after = last.number;
      for (const entry of entries) {
        signal.throwIfAborted();
        // Who went before has applied some.
        if (entry.outcome === 'done') this.#done++;
        else if (entry.outcome !== null) this.#failed++;
        else if (entry.action !== 'conflict') await this.#take(entry);
      }
      await nextTurn();
    }
    await this.#flush();
    const postponed = this.#postponed ?? [];
    this.#postponed = undefined;
    for (const entry of postponed) {
      signal.throwIfAborted();
      await this.#take(entry);
    }
    await this.#flush();
  }

  /** Asks for the next entries, unless that was done. */
  #askForNext(): void {
    const asked = { id: this.#request.planId, filter: {}, after: this.#after, limit: ENTRIES_A_STEP };
    this.#next ??= this.#deps.plans.entries(asked);
    // Whoever waits for them gets the error.
    this.#next.catch(() => undefined);
  }

  breakOff(error: unknown): void {
    if (this.#request.signal.aborted) {
      this.#broken = new AppError('cancelled', 'it was cancelled; what was not tried can be applied later');
    } else
      this.#broken =
        error instanceof AppError ? error : new AppError('internal', 'a fault of the program', { cause: error });
  }

  end(): void {
    this.#turn.end();
  }

  result(): AppliedPlan {
    return {
      applied: { ...this.#applied },
      done: this.#done,
      failed: this.#failed,
      failures: this.#failures,
      broken: this.#broken,
    };
  }

  /** Puts an entry to its like, after it was looked at whether it still is what the plan means. */
  async #take(entry: PlanEntry): Promise<void> {
    const [first] = this.#batch;
    const kind = this.#opened.kinds.get(entry.kind);
    const isOther = first !== undefined && (first.entry.kind !== entry.kind || first.entry.action !== entry.action);
    const comesAfter = entry.after.some(
      ({ kind: of, key }) => of === entry.kind && this.#batch.some((tried) => tried.entry.key === key),
    );
    if (isOther || comesAfter || this.#batch.length >= (kind?.batch ?? 1)) await this.#flush();
    if (kind === undefined) {
      await this.#leave(entry, 'refused', `the target has no objects of the kind ${entry.kind} any more`);
      return;
    }
    const box = this.#deps.secrets;
    const place = ownershipPlace(this.#request.accountId, entry);
    const secrets = entry.secrets === '' ? {} : await openSecrets(box(), entry.secrets, place);
    if (secrets === undefined) {
      await this.#leave(entry, 'refused', 'its secret fields do not open any more; make a new plan');
      return;
    }
    const missing = entry.after.find(({ kind: of, key }) => this.#remote(of, key) === undefined);
    if (missing !== undefined) {
      await this.#leave(entry, 'blocked', `${missing.kind} ${missing.key}, which it comes after, is not there`);
      return;
    }
    const remote = this.#remote(entry.kind, entry.previousKey ?? entry.key);
    if (remote === undefined && this.#request.gaps.has(entry.kind)) {
      await this.#leave(entry, 'not_tried', `not everything could be read: ${this.#request.gaps.texts[0] ?? ''}`);
      return;
    }
    const moved = this.#hasMoved(entry, kind, remote, secrets);
    if (moved !== undefined) {
      if (moved.outcome === 'done') await this.#rememberFound(entry);
      await this.#leave(entry, moved.outcome, moved.reason);
      return;
    }
    this.#batch.push({ entry, change: changeOf(entry, remote, secrets), secrets });
  }

  /** What whoever went before had done, and could not say any more. */
  async #rememberFound(entry: PlanEntry): Promise<void> {
    const { ownership, clock } = this.#deps;
    const { kind, key, hostname, digest, secrets } = entry;
    await this.#remembering;
    const now = this.#remote(kind, key);
    if ((entry.action === 'delete' && !isRetiring(entry)) || now === undefined) {
      await ownership.remove(this.#request.accountId, [{ kind, key }]);
      return;
    }
    const known = { kind, key, remoteId: now.id, hostname: hostname ?? '', digest, secrets, pending: null };
    await ownership.save(this.#request.accountId, [{ ...known, writtenAt: clock.now() }]);
  }

  #remote(kind: string, key: string): Remote | undefined {
    return this.#tables.remote.one(joined(kind, key));
  }

  /** Why the entry cannot be applied any more; `done` where what it means is there already. */
  #hasMoved(
    entry: PlanEntry,
    kind: TargetKind,
    remote: Remote | undefined,
    secrets: JsonObject,
  ): { readonly outcome: EntryOutcome; readonly reason: string } | undefined {
    const now = this.#remote(entry.kind, entry.key);
    if (entry.action === 'delete') {
      if (remote === undefined) return { outcome: 'done', reason: 'it was gone already' };
      if (isRetiring(entry) && remote.id === entry.remote?.id && hasAll(entry, kind, remote, secrets))
        return { outcome: 'done', reason: 'it was so already' };
      return isSame(entry, kind, remote) ? undefined : CHANGED;
    }
    if (entry.action === 'create') {
      if (now === undefined) return undefined;
      const owned = this.#tables.owned.one(joined(entry.kind, entry.key));
      if (isOurs(kind, now, owned) && hasAll(entry, kind, now, secrets))
        return { outcome: 'done', reason: 'it was there already' };
      return { outcome: 'exists', reason: 'an object of that name has been made there since the plan' };
    }
    if (remote !== undefined && isSame(entry, kind, remote)) {
      if (entry.action === 'move' && now !== undefined && entry.previousKey !== entry.key) {
        return { outcome: 'exists', reason: 'an object of that name has been made there since the plan' };
      }
      return undefined;
    }
    // A process that died had perhaps done it.
    if (now?.id === entry.remote?.id && now !== undefined && hasAll(entry, kind, now, secrets)) {
      return { outcome: 'done', reason: 'it was so already' };
    }
    return remote === undefined ? GONE : CHANGED;
  }

  async #flush(): Promise<void> {
    const batch = this.#batch;
    if (batch.length === 0) return;
    this.#batch = [];
    await this.#keep();
    const outcomes = await this.#apply(batch);
    const again = batch.length > 1 ? batch.filter((_, index) => isNotTried(outcomes[index])) : [];
    const settled = batch.flatMap((tried, index): (readonly [Tried, ChangeOutcome])[] => {
      const outcome = outcomes[index];
      return outcome === undefined || again.includes(tried) ? [] : [[tried, outcome]];
    });
    this.#settle(settled);
    for (const tried of again) {
      this.#request.signal.throwIfAborted();
      const [outcome] = await this.#apply([tried]);
      if (outcome !== undefined) this.#settle([[tried, outcome]]);
    }
    this.#report(`${this.#done} done`);
    if (this.#lostCalls >= MOST_LOST_CALLS) {
      throw new AppError('failed', 'the system does not answer any more; apply the plan again when it does');
    }
  }

  /** What waits stays remembered as it is while the system is asked. */
  #settle(settled: readonly (readonly [Tried, ChangeOutcome])[]): void {
    const ended = settled.filter(([{ entry }, outcome]) => {
      const waits = !outcome.done && outcome.code === 'in_the_way';
      if (!waits || this.#postponed === undefined || this.#postponed.length >= MOST_POSTPONED) return true;
      this.#postponed.push(entry);
      return false;
    });
    if (ended.length > 0) this.#note(ended);
  }

  /** One call of the target. What is being made is remembered before. */
  async #apply(batch: readonly Tried[]): Promise<readonly ChangeOutcome[]> {
    const { ownership, clock } = this.#deps;
    const { accountId } = this.#request;
    const made = batch.filter(({ entry: { action } }) => action === 'create' || action === 'adopt');
    const writtenAt = clock.now();
    const pending = made.map(({ entry }) => ({
      kind: entry.kind,
      key: entry.key,
      remoteId: entry.remote?.id ?? null,
      hostname: entry.hostname ?? '',
      secrets: entry.secrets,
      writtenAt,
      ...pendingOf(this.#opened.kinds.get(entry.kind), entry),
    }));
    if (this.#isForgetting) await this.#remembering;
    const saved = pending.length === 0 ? undefined : ownership.save(accountId, pending);
    // Stores may write all of it in one step.
    await Promise.all([saved, this.#remembering, this.#noteEnded()]);
    this.#ended.push(...this.#unremembered.splice(0));
    const changes = batch.map(({ change }) => change);
    const context = {
      ...this.#turn.context,
      idOf: (kind: string, key: string) => this.#remote(kind, key)?.id,
    };
    try {
      const answered = this.#turn.call(() => this.#opened.target.apply(changes, context));
      // Reading the next entries costs nothing while the system is at work.
      if (this.#postponed !== undefined) setImmediate(() => this.#askForNext());
      const answers = await answered;
      this.#lostCalls = 0;
      return checkedOutcomes(answers, batch.length) ?? this.#nonsense(batch);
    } catch (error) {
      if (this.#request.signal.aborted) throw error;
      this.#lostCalls++;
      const reason = error instanceof AppError ? error.message : this.#turn.fault(error).message;
      return batch.map(() => ({
        done: false,
        code: 'unknown',
        reason: `it is not known whether it was done: ${reason}`,
      }));
    }
  }

  #nonsense(batch: readonly Tried[]): readonly ChangeOutcome[] {
    this.#lostCalls++;
    const what = `it did not answer each of ${batch.length} changes by an outcome`;
    const { message } = this.#turn.fault(new Error(what));
    return batch.map(() => ({ done: false, code: 'unknown', reason: message }));
  }

  /** Remembers first what is ours by now, then what became of the entries. */
  #note(settled: readonly (readonly [Tried, ChangeOutcome])[]): void {
    const { clock } = this.#deps;
    const writtenAt = clock.now();
    const saved = settled.flatMap(([{ entry, change }, outcome]) => {
      if (entry.action === 'delete' && !isRetiring(entry)) return [];
      const { kind, key, secrets } = entry;
      if (isMadeInPart(entry, outcome)) {
        const hostname = entry.hostname ?? '';
        return [{ kind, key, remoteId: outcome.id, hostname, digest: '', secrets: '', writtenAt, pending: null }];
      }
      if (!outcome.done) return [];
      const remoteId = outcome.id ?? change.id ?? null;
      // Without an id only what was written says which object it is.
      const known =
        remoteId === null ? pendingOf(this.#opened.kinds.get(kind), entry) : { digest: entry.digest, pending: null };
      return [{ kind, key, remoteId, hostname: entry.hostname ?? '', secrets, writtenAt, ...known }];
    });
    const removed = settled.flatMap(([{ entry }, outcome]) => {
      const { action, kind, key, previousKey } = entry;
      if (outcome.done && action === 'delete' && !isRetiring(entry)) return [{ kind, key }];
      if (outcome.done && action === 'move' && previousKey !== null && previousKey !== key)
        return [{ kind, key: previousKey }];
      // It was remembered just before, and nothing was made.
      const isKept = outcome.done || outcome.code === 'unknown' || isMadeInPart(entry, outcome);
      return !isKept && (action === 'create' || action === 'adopt') ? [{ kind, key }] : [];
    });
    this.#updateTables(settled);
    for (const [{ entry }, outcome] of settled) {
      const reason = outcome.done ? '' : this.#opened.mask(String(outcome.reason));
      this.#unremembered.push({ entry, outcome: endOf(outcome), reason });
    }
    this.#isForgetting = removed.length > 0;
    this.#remembering = Promise.all([this.#remembering, this.#remember(saved, removed)]).then(() => undefined);
    // Whoever waits for it gets the error.
    this.#remembering.catch(() => undefined);
  }

  async #remember(saved: readonly OwnedObject[], removed: readonly OwnedKey[]): Promise<void> {
    const { ownership } = this.#deps;
    const { accountId } = this.#request;
    if (saved.length > 0) await ownership.save(accountId, saved);
    if (removed.length > 0) await ownership.remove(accountId, removed);
  }

  /** What the system has by now, as far as later entries ask for it. One step for all: they are of one action, and what moves frees its key first. */
  #updateTables(settled: readonly (readonly [Tried, ChangeOutcome])[]): void {
    const removed: string[] = [];
    const put: [string, Remote][] = [];
    for (const [{ entry, change }, outcome] of settled) {
      if (!outcome.done) continue;
      const { action, kind, key, previousKey } = entry;
      const isGone = action === 'delete' && !isRetiring(entry);
      if (previousKey !== null || isGone) removed.push(joined(kind, previousKey ?? key));
      const id = outcome.id ?? change.id;
      if (isGone || id === undefined) continue;
      const fields = { ...change.current, ...change.fields };
      put.push([joined(kind, key), { id, owner: 'us', fields, etag: outcome.etag ?? null }]);
    }
    this.#tables.remote.remove(removed);
    this.#tables.remote.put(put);
  }

  async #leave(entry: PlanEntry, outcome: EntryOutcome, reason: string): Promise<void> {
    this.#ended.push({ entry, outcome, reason });
    if (this.#ended.length >= ENTRIES_A_STEP) await this.#noteEnded();
    await this.#keep();
  }

  /** Notes the outcomes of all that was tried. What could not be remembered is not noted, either: the next run finds out what became of it. */
  async #noteRest(): Promise<void> {
    await this.#noteEnded();
    await this.#remembering;
    this.#ended.push(...this.#unremembered.splice(0));
    await this.#noteEnded();
  }

  async #noteEnded(): Promise<void> {
    const all = this.#ended.splice(0);
    if (all.length === 0) return;
    const outcomes = all.map(({ entry: { number }, outcome, reason }): EntryEnd => ({ number, outcome, reason }));
    await this.#deps.plans.noteOutcomes({ id: this.#request.planId, outcomes });
    for (const { entry, outcome, reason } of all) {
      const { action, kind, key, hostname } = entry;
      if (outcome === 'done') {
        this.#done++;
        if (action !== 'conflict') this.#applied[action]++;
      } else {
        this.#failed++;
        if (this.#failures.length >= MAX_REPORTED_HOSTS) continue;
        this.#failures.push({ hostname: hostname ?? key, reason: `${kind} ${key} was not ${PAST[action]}: ${reason}` });
      }
    }
  }

  /** Says that the plan is still being applied. Throws when somebody else does by now. */
  async #keep(): Promise<void> {
    if (this.#isLost) throw LOST;
    const now = performance.now();
    if (this.#keptAt !== 0 && now - this.#keptAt < KEEP_EVERY_MS) return;
    this.#keptAt = now;
    const { planId: id, holder } = this.#request;
    const held = { id, holder, leaseMs: LEASE_MS, done: this.#done, failed: this.#failed };
    if (await this.#deps.plans.keep(held)) return;
    this.#isLost = true;
    throw LOST;
  }

  #report(note: string): void {
    this.#request.progress?.({ done: this.#done, failed: this.#failed, note });
  }
}

const LOST = new AppError(
  'conflict',
  'this process was too slow, and another process applies a plan of the account by now',
);

const PAST: Readonly<Record<PlanAction, string>> = {
  create: 'made',
  update: 'changed',
  move: 'moved',
  delete: 'deleted',
  adopt: 'taken over',
  conflict: 'touched',
};

const CHANGED = {
  outcome: 'changed',
  reason: 'it was changed there since the plan; make a new plan',
} as const;
const GONE = { outcome: 'gone', reason: 'it is not there any more; make a new plan' } as const;

/** Whether fields are written instead of deleting the object. */
function isRetiring({ action, fields }: PlanEntry): boolean {
  return action === 'delete' && fields.length > 0;
}

/** Whether the object is the one that the plan was made from. */
function isSame({ remote }: PlanEntry, kind: TargetKind, now: Remote): boolean {
  return remote !== null && !now.twice && now.id === remote.id && remoteDigest(kind, now) === remote.digest;
}

/** Whether the object has all that the entry writes. What the system does not give back is taken for granted. */
function hasAll({ fields }: PlanEntry, kind: TargetKind, now: Remote, secrets: JsonObject): boolean {
  return fields.every(({ name, after, secret }) => {
    const field = fieldOf(kind, name);
    const wanted = secret === true ? secrets[name] : after;
    const there = Object.hasOwn(now.fields, name) ? now.fields[name] : undefined;
    if (field === undefined || wanted === undefined || field.once === true) return true;
    return there === undefined ? field.secret === true : sameValue(there, wanted, field);
  });
}

function changeOf(entry: PlanEntry, remote: Remote | undefined, secrets: JsonObject): Change {
  const { action, kind, key, previousKey, fields: written, after } = entry;
  const fields: Record<string, JsonObject[string]> = {};
  for (const { name, after: plain, secret } of written) {
    const value = secret === true ? secrets[name] : plain;
    if (value !== undefined) fields[name] = value;
  }
  const change = { action: action === 'conflict' ? 'update' : action, kind, key, fields, after } as const;
  if (previousKey === null && (remote === undefined || action === 'create')) return change;
  const names = written.map(({ name }) => name);
  return {
    ...change,
    ...(previousKey === null ? {} : { previousKey }),
    ...(remote === undefined || action === 'create'
      ? {}
      : { id: remote.id, before: picked(remote.fields, names), current: remote.fields }),
    // As it is now: what the plan looks at has not changed.
    ...(remote === undefined || remote.etag === null ? {} : { etag: remote.etag }),
  };
}

/** The fields by which an object is known again that was made by a call whose answer nobody has, and their digest. */
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
    // Of an object of which some members are written there are others.
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

function endOf(outcome: ChangeOutcome): EntryOutcome {
  if (outcome.done) return 'done';
  return outcome.code === 'in_the_way' ? 'refused' : outcome.code;
}

function isNotTried(outcome: ChangeOutcome | undefined): boolean {
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
function checkedOutcomes(answers: unknown, count: number): readonly ChangeOutcome[] | undefined {
  if (!Array.isArray(answers) || answers.length !== count) return undefined;
  const isOutcome = (answer: unknown): answer is ChangeOutcome => {
    if (typeof answer !== 'object' || answer === null || !('done' in answer)) return false;
    if ('id' in answer && typeof answer.id !== 'string' && answer.id !== undefined) return false;
    if (answer.done === true) return true;
    return 'code' in answer && typeof answer.code === 'string' && CODES.has(answer.code) && 'reason' in answer;
  };
  return answers.every(isOutcome) ? answers : undefined;
}
