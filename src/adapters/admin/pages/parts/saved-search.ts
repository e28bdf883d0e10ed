import type { OfferedOutput } from '../../offered-operations.ts';

export type SavedSearch = OfferedOutput<'search/list-saved-searches'>['searches'][number];

/** Returns the names of all dashboards that searches are shown on, in their order. */
export function dashboardNames(searches: readonly SavedSearch[]): readonly string[] {
  const names = new Set(searches.flatMap(({ dashboard }) => dashboard ?? []));
  return [...names].sort((a, b) => a.localeCompare(b));
}

/** Returns the page that shows what a saved search finds: the list of hosts, or the report. */
export function pageOfSearch(search: SavedSearch) {
  const { rows, by, columns, sort, account, kind, state, provider } = search;
  const where = search.where === '' ? undefined : search.where;
  if (rows !== undefined) return { to: '/hosts/report', search: { where, rows, columns: by } } as const;
  return {
    to: '/hosts',
    search: {
      where,
      columns: columns.length === 0 ? undefined : columns.join(','),
      sort: sort ?? undefined,
      account,
      kind: kind === 'all' ? undefined : kind,
      state: state === 'active' ? undefined : state,
      provider,
    },
  } as const;
}
