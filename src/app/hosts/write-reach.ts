import { worded } from '../../kit/worded.ts';
import { AppError } from '../../ports/index.ts';
import { type Caller, hostScopeOf } from '../kernel/caller.ts';
import { inScope } from './decisions/scope.ts';
import type { HostServices } from './services.ts';

/**
 * The hosts among these whose labels the caller may not write. The store refuses hosts of other accounts by itself; this returns
 * those outside of the caller's templates. A host that does not exist has no template yet, so it is among them and gets the same
 * answer: the caller cannot find out which hosts exist.
 */
export async function outOfReach(
  { storage }: Pick<HostServices, 'storage'>,
  caller: Caller,
  hostnames: readonly string[],
): Promise<ReadonlySet<string>> {
  if (caller.templates === null) return new Set();
  const scope = hostScopeOf({ scope: null, templates: caller.templates });
  const out = new Set<string>();
  for (let start = 0; start < hostnames.length; start += AT_ONCE) {
    const names = hostnames.slice(start, start + AT_ONCE);
    const hosts = await storage.hosts.findEach(names);
    for (const [index, name] of names.entries()) {
      const host = hosts[index];
      if (host === undefined || !inScope(host, scope)) out.add(name);
    }
  }
  return out;
}

const AT_ONCE = 250;

/** The status equals that of a host of another account: both are outside of the caller's reach. */
export function notOfTemplates(hostname: string): AppError {
  return new AppError(
    'account_conflict',
    worded`host ${{ hostname }} is not of a template of yours; ask an unrestricted user to create it, or to give it one of them`,
    { members: { status: 'account_conflict' } },
  );
}
