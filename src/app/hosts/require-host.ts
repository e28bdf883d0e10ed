import type { HostRecord } from '../../ports/index.ts';
import { hostScopeOf, type Limits } from '../kernel/caller.ts';
import { inScope } from './decisions/scope.ts';
import { unknownSpelling } from './operations/get-host.ts';
import type { HostServices } from './services.ts';

/** The host in whatever state, archived too, when it is in the caller's scope; else `not_found`. */
export async function requireHost(
  services: Pick<HostServices, 'storage'>,
  caller: Limits,
  hostname: string,
): Promise<HostRecord> {
  const host = await services.storage.hosts.find(hostname);
  if (host === undefined || !inScope(host, hostScopeOf(caller)))
    throw await unknownSpelling(hostname, services, caller);
  return host;
}
