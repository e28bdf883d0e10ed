import type { RuleState, RuleVersion } from '../../../ports/index.ts';

/** The places of the versions of one document that tell what counted before a moment: they grow with each version. */
export interface KnownPlaces {
  /** The id of the document. */
  readonly id: string;
  readonly newest: number;
  /** The last one before the moment. */
  readonly earlier: number | null;
  readonly oldest: number;
}

/** The version that shows what was in effect: the one before the moment, or else the oldest that is kept. */
function tellingPlace({ earlier, oldest }: KnownPlaces): number {
  return earlier ?? oldest;
}

/** The places of the versions that have to be read, each once. */
export function placesToRead(known: readonly KnownPlaces[]): number[] {
  return [...new Set(known.flatMap((places) => [places.newest, tellingPlace(places)]))];
}

/** Returns the states of documents before a moment, by document id, from the versions at these places. */
export function statesAt(
  known: readonly KnownPlaces[],
  versions: ReadonlyMap<number, RuleVersion>,
  moment: Date,
): ReadonlyMap<string, RuleState> {
  const states = new Map<string, RuleState>();
  for (const places of known) {
    const [newest, telling] = [versions.get(places.newest), versions.get(tellingPlace(places))];
    if (newest !== undefined && telling !== undefined) states.set(places.id, stateBefore(newest, telling, moment));
  }
  return states;
}

/**
 * Returns the state of one document before a moment, given all its versions that are kept, newest first; `undefined` if there are
 * none.
 */
export function stateOf(versions: readonly RuleVersion[], moment: Date): RuleState | undefined {
  const [newest] = versions;
  const telling = versions.find(({ at }) => at < moment) ?? versions.at(-1);
  return newest === undefined || telling === undefined ? undefined : stateBefore(newest, telling, moment);
}

/** Derives the state from the newest version and the telling one. */
function stateBefore(newest: RuleVersion, telling: RuleVersion, moment: Date): RuleState {
  if (telling.at < moment) return { newest, before: telling.change === 'removed' ? 'absent' : telling };
  return { newest, before: telling.change === 'created' ? 'absent' : 'not_kept' };
}
