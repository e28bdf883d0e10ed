import { worded } from '../../../../kit/worded.ts';
import type { MarkedBy, MarkStore, Wording } from '../../../../ports/index.ts';
import { isAboveThreshold } from '../../../hosts/decisions/threshold.ts';
import type { ImportRun } from '../import-stage.ts';

const NAMES_A_BATCH = 500;
/** Number of names in a report. */
const SAMPLE = 20;

/** Hosts that an account marked in earlier runs, at the end of a run that read everything. */
export interface MarkedHosts {
  readonly marks: Pick<MarkStore, 'unrenewed'>;
  readonly mark: MarkedBy;
  /** How many were marked before the run. */
  readonly before: number;
  /** When the run began. */
  readonly since: Date;
  /** Hosts that the run named although it could not write them. */
  spares(hostname: string): boolean;
  /** Returns those of the hosts from which the account may withdraw something; absent: all. */
  concerned?(hostnames: readonly string[]): Promise<readonly string[]>;
}

export interface UnnamedHosts {
  readonly count: number;
  readonly sample: readonly string[];
  /** How many of a hundred that are, rounded. */
  readonly share: number;
  /** True if they are more than the threshold allows, so that nothing may be withdrawn from them. */
  readonly refused: boolean;
}

/** How many hosts the run no longer named. */
export async function countUnnamed(hosts: MarkedHosts, limit: SweepLimit): Promise<UnnamedHosts> {
  const sample: string[] = [];
  let count = 0;
  for await (const names of unnamedHosts(hosts)) {
    count += names.length;
    sample.push(...names.slice(0, SAMPLE - sample.length));
  }
  const share = hosts.before === 0 ? 0 : Math.round((count / hosts.before) * 100);
  return { count, sample, share, refused: isAboveThreshold(count, limit.activeBefore, limit.thresholdPercent) };
}

/** Their names, in batches; what is done with one may take its marks back. */
export async function* unnamedHosts(hosts: MarkedHosts): AsyncGenerator<readonly string[]> {
  const { marks, mark, since } = hosts;
  for await (const batch of marks.unrenewed({ ...mark, since, batchSize: NAMES_A_BATCH })) {
    const unnamed = batch.filter((hostname) => !hosts.spares(hostname));
    const names = unnamed.length === 0 ? unnamed : ((await hosts.concerned?.(unnamed)) ?? unnamed);
    if (names.length > 0) yield names;
  }
}

/** Limit on the hosts that a run may sweep: `thresholdPercent` of `activeBefore`. */
export interface SweepLimit {
  readonly activeBefore: number;
  readonly thresholdPercent: number;
}

/** Returns the limit: the threshold's share of what existed before the run, or the number that a person allowed for this run. */
export function sweepLimit(
  { archiveUpTo, options }: Pick<ImportRun, 'archiveUpTo' | 'options'>,
  before: number,
): SweepLimit {
  return archiveUpTo === undefined
    ? { activeBefore: before, thresholdPercent: options.delete_threshold_percent }
    : { activeBefore: archiveUpTo, thresholdPercent: 100 };
}

/** Says why this number of hosts is not archived, and what to do. */
export function archiveRefusal(
  { archiveUpTo, options }: Pick<ImportRun, 'archiveUpTo' | 'options'>,
  { count, share }: Pick<UnnamedHosts, 'count' | 'share'>,
): Wording {
  const advice = worded`If they are really gone, import once with --archive-up-to ${{ count }}, or by the button on the page of the account`;
  return archiveUpTo === undefined
    ? worded`(${{ share }} %), and the threshold is ${{ threshold: options.delete_threshold_percent }} %; nothing was archived. ${{ advice }}`
    : worded`(${{ share }} %), and this run may archive ${{ most: archiveUpTo }} at most; nothing was archived. ${{ advice }}`;
}

/** Says what to do if the threshold stopped a run. */
export function thresholdAdvice({ share }: Pick<UnnamedHosts, 'share'>, thresholdPercent: number): Wording {
  const enough = Math.min(100, Math.max(share, thresholdPercent) + 1);
  return worded`If they are really gone, set delete_threshold_percent of the account to ${{ enough }}, import again, and set it back`;
}
