import type { QueryKey } from '@tanstack/react-query';
import type { OfferedOutput } from '../../offered-operations.ts';
import { isAbout } from '../calls/use-call.ts';

/** One host as an operator sees it. */
export type Host = OfferedOutput<'hosts/show-host'>;
export type FoundHost = OfferedOutput<'search/search-hosts'>['hosts'][number];
export type Labels = Host['labels'];

/** What host lists, pages of hosts and inventories show is asked for again after a host changed. */
export const HOST_CHANGES = ['hosts', 'inventory', 'relations'] as const;

/** What is told of hosts in the archive too. */
const OF_ARCHIVE: ReadonlySet<unknown> = new Set(['hosts/show-host', 'hosts/host-history']);

/** Answers about a host that there are none of while it is in the archive. */
export function goneByArchive(query: QueryKey, hostname: string): boolean {
  return isOfHost(query, hostname) && !OF_ARCHIVE.has(query[0]);
}

/** Answers about one host. */
export function isOfHost(query: QueryKey, hostname: string): boolean {
  return isAbout(query, ['hostname', 'host'], hostname);
}
