import { worded } from '../../../kit/worded.ts';
import type { MarkedBy, MarkStore } from '../../../ports/index.ts';
import { emptySection } from '../../hosts/empty-section.ts';
import { suffixesOf } from './decisions/section-match.ts';
import { countUnnamed, type MarkedHosts, thresholdAdvice, unnamedHosts } from './unnamed-hosts.ts';
import { type FinishResult, NOTHING_FINISHED, type WriteModeContext } from './write-mode.ts';

/** Remembers the hosts of which the account fills a section, and empties it on those that a complete run no longer names. */
export class FilledSections {
  readonly #context: WriteModeContext;
  readonly #marks: MarkStore;
  readonly #mark: MarkedBy;
  readonly #before: number;
  /** Dry runs: what would have been marked. */
  readonly #seen: Set<string> | undefined;

  private constructor(context: WriteModeContext, marks: MarkStore, mark: MarkedBy, before: number, dryRun: boolean) {
    this.#context = context;
    this.#marks = marks;
    this.#mark = mark;
    this.#before = before;
    this.#seen = dryRun ? new Set() : undefined;
  }

  /** Must be opened before the run fills anything. */
  static async open(
    context: WriteModeContext,
    marks: MarkStore,
    { key, dryRun }: { readonly key: string; readonly dryRun: boolean },
  ): Promise<FilledSections> {
    const mark: MarkedBy = { accountId: context.account.id, kind: 'section', value: key };
    return new FilledSections(context, marks, mark, await marks.count(mark), dryRun);
  }

  /** Before the sections of these hosts are written, so that none is ever filled and forgotten. */
  async filling(hostnames: readonly string[]): Promise<void> {
    if (this.#seen === undefined) {
      await this.#marks.put({ ...this.#mark, hostnames, at: this.#context.clock.now() });
    } else for (const hostname of hostnames) this.#seen.add(hostname);
  }

  /** After a complete read. `except` are the names of records that could not be used: hosts that end with one are spared. */
  async finish(except: ReadonlySet<string>): Promise<FinishResult> {
    if (this.#before === 0) return NOTHING_FINISHED;
    const { startedAt, options } = this.#context;
    const seen = this.#seen;
    const hosts: MarkedHosts = {
      marks: this.#marks,
      mark: this.#mark,
      before: this.#before,
      since: startedAt,
      spares: (hostname) => seen?.has(hostname) === true || isExcept(except, hostname),
    };
    const unnamed = await countUnnamed(hosts, options.delete_threshold_percent);
    if (unnamed.refused) {
      const { count, share } = unnamed;
      const threshold = options.delete_threshold_percent;
      const advice = thresholdAdvice(unnamed, threshold);
      const refusal = worded`the source no longer names ${{ count }} of ${{ all: this.#before }} hosts whose section ${{ section: this.#mark.value }} it filled (${{ share }} %), and the threshold is ${{ threshold }} %; no section was emptied. ${{ advice }}`;
      return { ...NOTHING_FINISHED, refusal };
    }
    if (seen !== undefined) return { ...NOTHING_FINISHED, emptied: unnamed.count };
    const { hosts: store, clock, actor } = this.#context;
    const { marks, mark, since } = hosts;
    let emptied = 0;
    for await (const names of unnamedHosts(hosts)) {
      emptied += await emptySection({ hosts: store, marks, mark, since, at: clock.now(), actor }, names);
    }
    return { ...NOTHING_FINISHED, emptied };
  }
}

function isExcept(except: ReadonlySet<string>, hostname: string): boolean {
  if (except.size === 0) return false;
  for (const ending of suffixesOf(hostname)) if (except.has(ending)) return true;
  return false;
}
