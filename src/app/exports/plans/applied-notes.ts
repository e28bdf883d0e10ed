import { type ExportFailure, MAX_REPORTED_HOSTS } from '../../../kit/summaries/export-summary.ts';
import type {
  EntryEnd,
  EntryOutcome,
  OwnedKey,
  OwnedObject,
  PlanAction,
  PlanEntry,
  PlanStore,
} from '../../../ports/index.ts';
import { type AppliedEntry, endOf, ownedAfter, ownedBefore, rememberedHost } from './decisions/applied-entries.ts';
import { isRetiring } from './decisions/entry-state.ts';
import type { Remote } from './decisions/match-object.ts';
import type { PlanWork } from './plan-in-making.ts';

interface NotedPlan extends Pick<PlanWork, 'accountId' | 'opened' | 'ownership' | 'clock'> {
  readonly planId: string;
  readonly plans: Pick<PlanStore, 'noteOutcomes'>;
}

/** Number of pending notes that are written in one step. */
const ENTRIES_A_STEP = 250;

/** The outcome of an entry. */
interface Ended {
  readonly entry: PlanEntry;
  readonly outcome: EntryOutcome;
  readonly reason: string;
}

/**
 * Remembers what is ours while a plan is applied, and notes what happened to its entries: what is about to be made before the system is asked,
 * and what is ours by then before an entry is noted as done.
 */
export class AppliedNotes {
  readonly #plan: NotedPlan;
  readonly #applied = { create: 0, update: 0, move: 0, delete: 0, adopt: 0 };
  readonly #failures: ExportFailure[] = [];
  #done = 0;
  #failed = 0;
  /** Pending storage of what is ours of previous entries; it continues until something of the next ones is remembered. */
  #remembering: Promise<void> = Promise.resolve();
  /** Outcomes that are noted as soon as that is remembered, and those that can be noted now: with what is written next, in one step. */
  #unremembered: Ended[] = [];
  #ended: Ended[] = [];
  /** True if keys are being forgotten: one of them may be the key of the next object. */
  #isForgetting = false;

  constructor(plan: NotedPlan) {
    this.#plan = plan;
  }

  get done(): number {
    return this.#done;
  }

  get failed(): number {
    return this.#failed;
  }

  get applied(): Readonly<Record<Exclude<PlanAction, 'conflict'>, number>> {
    return { ...this.#applied };
  }

  get failures(): readonly ExportFailure[] {
    return this.#failures;
  }

  /** Counts an entry that an earlier process noted; false for one that was never tried. */
  countNoted({ outcome }: PlanEntry): boolean {
    if (outcome === 'done') this.#done++;
    else if (outcome !== null) this.#failed++;
    return outcome !== null;
  }

  /** Remembers what the system is about to be asked for. */
  async remember(entries: readonly PlanEntry[]): Promise<void> {
    const pending = ownedBefore(entries, { kinds: this.#plan.opened.kinds, writtenAt: this.#plan.clock.now() });
    if (this.#isForgetting) await this.#remembering;
    const saved = pending.length === 0 ? undefined : this.#plan.ownership.save(this.#plan.accountId, pending);
    // Stores may write all of it in one step.
    await Promise.all([saved, this.#remembering, this.#noteEnded()]);
    this.#ended.push(...this.#unremembered.splice(0));
  }

  /** Forgets what was remembered for a call that was not made. */
  async forget(entries: readonly PlanEntry[]): Promise<void> {
    const { kinds } = this.#plan.opened;
    const pending = ownedBefore(entries, { kinds, writtenAt: this.#plan.clock.now() });
    await this.#remember([], pending);
  }

  /** Remembers what is ours by now, and notes then what happened to the entries; by the next `remember` or `noteRest`. */
  note(answered: readonly AppliedEntry[]): void {
    const { kinds, mask } = this.#plan.opened;
    const { saved, removed } = ownedAfter(answered, { kinds, writtenAt: this.#plan.clock.now() });
    for (const { entry, outcome } of answered) {
      const reason = outcome.done ? '' : mask(String(outcome.reason));
      this.#unremembered.push({ entry, outcome: endOf(outcome), reason });
    }
    this.#isForgetting = removed.length > 0;
    this.#remembering = Promise.all([this.#remembering, this.#remember(saved, removed)]).then(() => undefined);
    // The error goes to the code that awaits it.
    this.#remembering.catch(() => undefined);
  }

  /** Notes an entry for which the system is not asked. */
  async leave(entry: PlanEntry, outcome: EntryOutcome, reason: string): Promise<void> {
    this.#ended.push({ entry, outcome, reason });
    if (this.#ended.length >= ENTRIES_A_STEP) await this.#noteEnded();
  }

  /** Remembers what an earlier process had done but could not note any more. */
  async rememberFound(entry: PlanEntry, now: Remote | undefined): Promise<void> {
    const { ownership, clock } = this.#plan;
    const { kind, key, digest, secrets } = entry;
    await this.#remembering;
    if ((entry.action === 'delete' && !isRetiring(entry)) || now === undefined) {
      await ownership.remove(this.#plan.accountId, [{ kind, key }]);
      return;
    }
    const known = { kind, key, remoteId: now.id, hostname: rememberedHost(entry), digest, secrets, pending: null };
    await ownership.save(this.#plan.accountId, [{ ...known, writtenAt: clock.now() }]);
  }

  /** Notes the outcomes of all that was tried. What could not be remembered is not noted, either: the next run finds out what happened to it. */
  async noteRest(): Promise<void> {
    await this.#noteEnded();
    await this.#remembering;
    this.#ended.push(...this.#unremembered.splice(0));
    await this.#noteEnded();
  }

  async #remember(saved: readonly OwnedObject[], removed: readonly OwnedKey[]): Promise<void> {
    const { ownership } = this.#plan;
    if (saved.length > 0) await ownership.save(this.#plan.accountId, saved);
    if (removed.length > 0) await ownership.remove(this.#plan.accountId, removed);
  }

  async #noteEnded(): Promise<void> {
    const all = this.#ended.splice(0);
    if (all.length === 0) return;
    const outcomes = all.map(({ entry: { number }, outcome, reason }): EntryEnd => ({ number, outcome, reason }));
    await this.#plan.plans.noteOutcomes({ id: this.#plan.planId, outcomes });
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
}

const PAST: Readonly<Record<PlanAction, string>> = {
  create: 'made',
  update: 'changed',
  move: 'moved',
  delete: 'deleted',
  adopt: 'taken over',
  conflict: 'touched',
};
