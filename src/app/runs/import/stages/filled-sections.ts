import { worded } from '../../../../kit/worded.ts';
import type { MarkedBy } from '../../../../ports/index.ts';
import { emptySection } from '../../../hosts/empty-section.ts';
import { suffixesOf } from '../decisions/section-match.ts';
import { type FinishResult, type ImportRun, NOTHING_FINISHED } from '../import-stage.ts';
import { countUnnamed, type MarkedHosts, thresholdAdvice, unnamedHosts } from './unnamed-hosts.ts';

/** Remembers the hosts of which the account fills a section, and empties it on those that a complete run no longer names. */
export class FilledSections {
  readonly #run: ImportRun;
  readonly #mark: MarkedBy;
  readonly #before: number;

  private constructor(run: ImportRun, mark: MarkedBy, before: number) {
    this.#run = run;
    this.#mark = mark;
    this.#before = before;
  }

  /** Must be opened before the run fills anything. */
  static async open(run: ImportRun, key: string): Promise<FilledSections> {
    const mark: MarkedBy = { accountId: run.account.id, kind: 'section', value: key };
    return new FilledSections(run, mark, await run.stores.marks.count(mark));
  }

  /** Before the sections of these hosts are written, so that none is ever filled and forgotten. */
  async filling(hostnames: readonly string[]): Promise<void> {
    const { stores, clock } = this.#run;
    await stores.marks.put({ ...this.#mark, hostnames, at: clock.now() });
  }

  /** After a complete read. `except` are the names of records that could not be used: hosts that end with one are spared. */
  async finish(except: ReadonlySet<string>): Promise<FinishResult> {
    if (this.#before === 0) return NOTHING_FINISHED;
    const { stores, startedAt: since, options, clock, actor } = this.#run;
    const { hosts, marks } = stores;
    const mark = this.#mark;
    const marked: MarkedHosts = {
      marks,
      mark,
      before: this.#before,
      since,
      spares: (hostname) => isExcept(except, hostname),
    };
    const limit = { activeBefore: this.#before, thresholdPercent: options.delete_threshold_percent };
    const unnamed = await countUnnamed(marked, limit);
    if (unnamed.refused) {
      const { count, share } = unnamed;
      const threshold = options.delete_threshold_percent;
      const advice = thresholdAdvice(unnamed, threshold);
      const refusal = worded`the source no longer names ${{ count }} of ${{ all: this.#before }} hosts whose section ${{ section: mark.value }} it filled (${{ share }} %), and the threshold is ${{ threshold }} %; no section was emptied. ${{ advice }}`;
      return { ...NOTHING_FINISHED, refusal };
    }
    let emptied = 0;
    for await (const names of unnamedHosts(marked)) {
      emptied += await emptySection({ hosts, marks, mark, since, at: clock.now(), actor }, names);
    }
    return { ...NOTHING_FINISHED, emptied };
  }
}

function isExcept(except: ReadonlySet<string>, hostname: string): boolean {
  if (except.size === 0) return false;
  for (const ending of suffixesOf(hostname)) if (except.has(ending)) return true;
  return false;
}
