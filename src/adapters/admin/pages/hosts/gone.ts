import type { QueryKey } from '@tanstack/react-query';
import { isAbout } from '../calls/use-call.ts';

/** Operations that answer for archived hosts too. */
const OF_ARCHIVE: ReadonlySet<unknown> = new Set(['hosts/show-host', 'hosts/host-history']);

/** Answers about a host that do not exist while it is in the archive. */
export function goneByArchive(query: QueryKey, hostname: string): boolean {
  return isOfHost(query, hostname) && !OF_ARCHIVE.has(query[0]);
}

/** Answers about one host. */
export function isOfHost(query: QueryKey, hostname: string): boolean {
  return isAbout(query, ['hostname', 'host'], hostname);
}
