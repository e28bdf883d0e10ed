import { AppError, type HostRecord } from '../../ports/index.ts';
import { worded } from '../kernel/worded.ts';
import { grouped } from '../words/amounts.ts';
import { fieldOf } from './decisions/host-test.ts';
import { comparePlaces, FirstPlaces, type SortPlace } from './decisions/sorted-hosts.ts';
import { MOST_LOOKED, type OpenedSearch } from './open-search.ts';

interface KeptHost<Kept> extends SortPlace {
  readonly kept: Kept;
}

interface SortRequest<Kept> {
  /** A field, with a minus in front for the other direction. */
  readonly sort: string;
  /** Only what comes behind this place. */
  readonly from?: SortPlace | undefined;
  readonly most: number;
  /** What of a host is needed later: no more stays in memory. */
  keep(host: HostRecord): Kept;
}

/** Fields that are answered, and the one that is sorted by. */
export function fieldsOf(columns: readonly string[], sort: string | undefined): readonly string[] {
  return sort === undefined ? columns : [...columns, sortField(sort)];
}

function sortField(sort: string): string {
  return sort.startsWith('-') ? sort.slice(1) : sort;
}

/** The first hosts in the order of a field. All are looked at for it, and as many kept as are asked for. */
export async function firstSorted<Kept>(
  search: OpenedSearch,
  { sort, from, most, keep }: SortRequest<Kept>,
): Promise<{ readonly places: readonly KeptHost<Kept>[]; readonly size: number }> {
  const descending = sort.startsWith('-');
  const compare = comparePlaces(descending);
  const valuesOf = fieldOf(sortField(sort), search.known);
  const first = new FirstPlaces<SortPlace & { readonly host: HostRecord }, KeptHost<Kept>>(
    most,
    compare,
    ({ host, ...place }) => ({
      ...place,
      kept: keep(host),
    }),
  );
  let left = MOST_LOOKED;
  let size = 0;
  for await (const step of search.found(undefined)) {
    left -= step.looked;
    if (left < 0) throw tooMany();
    size += step.hosts.length;
    const places = step.hosts.map((host) => ({ host, hostname: host.hostname, value: valuesOf(host)[0] }));
    first.add(from === undefined ? places : places.filter((place) => compare(place, from) > 0));
  }
  return { places: first.places, size };
}

function tooMany(): AppError {
  const most = grouped(MOST_LOOKED);
  return new AppError(
    'invalid_input',
    worded`there are more than ${{ most }} hosts to sort; ask for fewer by an account or a label, or leave out sort`,
  );
}
