import type { AccountHosts } from '../../../ports/index.ts';

const FIGURES = ['hosts', 'objects', 'archived'] as const;
type Figures = Record<(typeof FIGURES)[number], number>;

interface CountedDay {
  readonly day: string;
  readonly accounts: readonly AccountHosts[];
}

interface AccountSeries {
  /** `null` for hosts whose account has no name. */
  readonly account: string | null;
  /** One number for each of the days. */
  readonly hosts: number[];
  readonly objects: number[];
  readonly archived: number[];
}

/** Returns the counts, in all and by account, from the first day with any. `names` are of accounts by id. */
export function daySeries(
  counted: readonly CountedDay[],
  names: ReadonlyMap<string, string>,
): { readonly days: (Figures & { readonly day: string })[]; readonly accounts: AccountSeries[] } {
  const first = counted.findIndex(({ accounts }) => accounts.length > 0);
  const shown = first < 0 ? [] : counted.slice(first);
  const byAccount = new Map<string | null, Figures[]>();
  const days = shown.map(({ day, accounts }, place) => {
    const sum = noFigures();
    for (const figures of accounts) {
      const name = names.get(figures.accountId ?? '') ?? null;
      const own = byAccount.get(name) ?? shown.map(noFigures);
      byAccount.set(name, own);
      add(sum, figures);
      add(own[place], figures);
    }
    return { day, ...sum };
  });
  return {
    days,
    accounts: [...byAccount].sort(([a], [b]) => byName(a, b)).map(([account, own]) => ({ account, ...seriesOf(own) })),
  };
}

function noFigures(): Figures {
  return { hosts: 0, objects: 0, archived: 0 };
}

function add(sum: Figures | undefined, figures: Readonly<Figures>): void {
  if (sum !== undefined) for (const figure of FIGURES) sum[figure] += figures[figure];
}

function seriesOf(days: readonly Figures[]): Omit<AccountSeries, 'account'> {
  return {
    hosts: days.map(({ hosts }) => hosts),
    objects: days.map(({ objects }) => objects),
    archived: days.map(({ archived }) => archived),
  };
}

/** Sorts entries without a name last. */
function byName(a: string | null, b: string | null): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
  return a < b ? -1 : 1;
}
