import type { HostRecord } from '../../ports/index.ts';
import type { Caller } from '../kernel/caller.ts';
import type { Services } from '../kernel/services.ts';
import { unknownHost } from './operations/get-host.ts';

/** The host in whatever state, archived too, when it is in the caller's scope; else `not_found`. */
export async function requireHost(
  { storage }: Pick<Services, 'storage'>,
  { scope }: Pick<Caller, 'scope'>,
  hostname: string,
): Promise<HostRecord> {
  const host = await storage.hosts.find(hostname);
  const isVisible =
    host !== undefined && (scope === null || (host.accountId !== null && scope.includes(host.accountId)));
  if (!isVisible) throw unknownHost(hostname);
  return host;
}
