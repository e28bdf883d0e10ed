import { worded } from '../../kit/worded.ts';
import { grouped } from '../../kit/words/amounts.ts';
import { AppError, type HostRecord, type HostStore } from '../../ports/index.ts';
import { fieldOf } from './decisions/host-test.ts';
import { comparePlaces, FirstPlaces, type SortPlace, sortPlace } from './decisions/sorted-hosts.ts';
import { MOST_LOOKED, type OpenedSearch } from './open-search.ts';

interface SortRequest {
  /** A field, with a minus in front for the other direction. */
  readonly sort: string;
  /** Only what comes behind this place. */
  readonly from?: SortPlace | undefined;
  readonly most: number;
}

/** Fields that are answered, and the one that is sorted by. */
export function fieldsOf(columns: readonly string[], sort: string | undefined): readonly string[] {
  return sort === undefined ? columns : [...columns, sortField(sort)];
}

function sortField(sort: string): string {
  return sort.startsWith('-') ? sort.slice(1) : sort;
}

/** The first hosts in the order of a field. All are looked at for it; only places are kept, since records may be large. */
export async function firstSorted(
  search: OpenedSearch,
  { sort, from, most }: SortRequest,
): Promise<{ readonly places: readonly SortPlace[]; readonly size: number }> {
  const compare = comparePlaces(sort.startsWith('-'));
  const valuesOf = fieldOf(sortField(sort), search.known);
  const first = new FirstPlaces(most, compare);
  let left = MOST_LOOKED;
  let size = 0;
  for await (const step of search.found(undefined)) {
    left -= step.looked;
    if (left < 0) throw tooMany();
    size += step.hosts.length;
    const places = step.hosts.map((host) => sortPlace(host.hostname, valuesOf(host)[0]));
    first.add(from === undefined ? places : places.filter((place) => compare(place, from) > 0));
  }
  return { places: first.places, size };
}

/** Hosts whose records are in memory at a time. */
const HOSTS_AT_ONCE = 16;

/** The hosts of places in their order; one that was deleted meanwhile is `undefined`. */
export async function* hostsAt(
  places: readonly SortPlace[],
  store: Pick<HostStore, 'findEach'>,
): AsyncGenerator<HostRecord | undefined> {
  for (let start = 0; start < places.length; start += HOSTS_AT_ONCE) {
    yield* await store.findEach(places.slice(start, start + HOSTS_AT_ONCE).map(({ hostname }) => hostname));
  }
}

function tooMany(): AppError {
  const most = grouped(MOST_LOOKED);
  return new AppError(
    'invalid_input',
    worded`there are more than ${{ most }} hosts to sort; ask for fewer by an account or a label, or leave out sort`,
  );
}
