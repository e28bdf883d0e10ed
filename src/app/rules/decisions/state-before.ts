import type { RuleState, RuleVersion } from '../../../ports/index.ts';

/** The places of the versions of one document that tell what counted before a moment: they grow with each version. */
export interface KnownPlaces {
  readonly newest: number;
  /** The last one before the moment. */
  readonly earlier: number | null;
  readonly oldest: number;
}

/** The version that tells what counted: the one before the moment, else the oldest that is kept. */
export function tellingPlace({ earlier, oldest }: KnownPlaces): number {
  return earlier ?? oldest;
}

/** What counted of a document before a moment, by its newest version and the one that tells. */
export function stateBefore(newest: RuleVersion, telling: RuleVersion, moment: Date): RuleState {
  if (telling.at < moment) return { newest, before: telling.change === 'removed' ? 'absent' : telling };
  return { newest, before: telling.change === 'created' ? 'absent' : 'not_kept' };
}
