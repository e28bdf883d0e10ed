import { choiceParam, textParam } from '../parts/search-params.ts';
import { HOST_TABS, type HostTab } from './host-tabs.ts';

type Search = Readonly<Record<string, unknown>>;

/** Search and filters of the list of hosts. */
export interface HostsSearch {
  readonly where?: string | undefined;
  readonly account?: string | undefined;
  readonly kind?: 'hosts' | 'objects' | undefined;
  readonly state?: 'archived' | 'any' | undefined;
  /** The inventory whose groups are requested and counted; the default one when absent. */
  readonly provider?: string | undefined;
  /** The fields shown next to the hostname, separated by commas. */
  readonly columns?: string | undefined;
  /** A field, with a minus in front for the other direction. */
  readonly sort?: string | undefined;
  /** Cursor of the previous page, after which this one begins. */
  readonly after?: string | undefined;
  /** Number of rows of a page, if it is not the usual one. */
  readonly rows?: PageSize | undefined;
}

/** How many hosts a page may have; the first is the usual number. */
export const PAGE_SIZES = [50, 100, 250, 1000] as const;

type PageSize = (typeof PAGE_SIZES)[number];

export function hostsSearch(search: Search): HostsSearch {
  return {
    where: textParam(search.where) ?? textParam(search.search),
    account: textParam(search.account),
    kind: choiceParam(search.kind, ['hosts', 'objects']),
    state: choiceParam(search.state, ['archived', 'any']),
    provider: textParam(search.provider),
    columns: textParam(search.columns),
    sort: textParam(search.sort),
    after: textParam(search.after),
    rows: PAGE_SIZES.find((size) => size === Number(search.rows)),
  };
}

export interface HostSearch {
  readonly tab?: HostTab | undefined;
  /** Text to search for in Explain. */
  readonly find?: string | undefined;
  /** The rules that Explain shows. */
  readonly rules?: 'hit' | 'missed' | undefined;
  /** The project that Explain is about. */
  readonly project?: string | undefined;
  /** The account that Explain is about, when it is about an export. */
  readonly target?: string | undefined;
  /** The provider whose variables are shown; `-` for none. */
  readonly provider?: string | undefined;
}

export function hostSearch(search: Search): HostSearch {
  return {
    tab: choiceParam(search.tab, HOST_TABS),
    find: textParam(search.find),
    rules: choiceParam(search.rules, ['hit', 'missed']),
    project: textParam(search.project),
    target: textParam(search.target),
    provider: textParam(search.provider),
  };
}

export interface NewHostSearch {
  /** The account that is chosen at first. */
  readonly account?: string | undefined;
}

export function newHostSearch(search: Search): NewHostSearch {
  return { account: textParam(search.account) };
}

/** Hosts to compare. */
interface CompareSearch {
  readonly left?: string | undefined;
  readonly right?: string | undefined;
  /** `times`: the left one with itself at another time. */
  readonly with?: 'times' | undefined;
}

export function compareSearch(search: Search): CompareSearch {
  return {
    left: textParam(search.left),
    right: textParam(search.right),
    with: choiceParam(search.with, ['times']),
  };
}

export interface ReportSearch {
  readonly where?: string | undefined;
  /** The field of the rows. */
  readonly rows?: string | undefined;
  readonly columns?: string | undefined;
}

export function reportSearch(search: Search): ReportSearch {
  return { where: textParam(search.where), rows: textParam(search.rows), columns: textParam(search.columns) };
}

interface QualitySearch {
  /** Days after which a host counts as unseen. */
  readonly unseen?: number | undefined;
}

export function qualitySearch(search: Search): QualitySearch {
  const days = Number(search.unseen);
  return { unseen: Number.isInteger(days) && days >= 1 && days <= 3650 ? days : undefined };
}
