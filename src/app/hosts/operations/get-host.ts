import * as z from 'zod';
import { AppError, type HostRecord } from '../../../ports/index.ts';
import { hostScopeOf } from '../../kernel/caller.ts';
import type { OperationContext } from '../../kernel/operation.ts';
import { hostAnswer, hostAnswerText, hostnameSchema, hostSchema, sizeOfHost } from '../host-schemas.ts';
import type { HostServices } from '../services.ts';
import { defineOperation } from '../services.ts';
import { hostView } from '../views/host.ts';

export const getHost = defineOperation({
  name: 'hosts/get-host',
  title: 'Get host',
  description: 'Labels, inventory and last-seen timestamps of one host.',
  effect: 'read',
  roles: ['objects'],
  weight: 'light',
  at: {
    command: {
      words: 'host show',
      description: 'Show labels, inventory and times of one host.',
      arguments: { hostname: { shown: '<hostname>', description: 'name of the host' } },
      json: 'answer the host record as JSON',
      examples: ['muster host show web01.example.org', 'muster host show web01.example.org --json'],
      view: hostView,
    },
    rest: { path: 'GET /objects/:hostname', errors: ['not_found'] },
    tool: { name: 'get_host' },
  },
  input: z.object({ hostname: hostnameSchema }),
  output: hostSchema,
  async run({ hostname }, context) {
    return hostAnswer(await findHost(hostname, context));
  },
  async json({ hostname }, context) {
    return hostAnswerText(await findHost(hostname, context));
  },
});

async function findHost(
  hostname: string,
  { services, caller, holds }: OperationContext<HostServices>,
): Promise<HostRecord> {
  const host = await services.storage.hosts.get(hostname, hostScopeOf(caller));
  if (host === undefined) throw unknownHost(hostname);
  holds(sizeOfHost(host));
  return host;
}

/** The same words for hosts that do not exist and hosts that the caller may not know of. */
export function unknownHost(hostname: string): AppError {
  return new AppError('not_found', `there is no host ${hostname}; list the hosts to see which exist`);
}
