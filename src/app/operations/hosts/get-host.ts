import * as z from 'zod';
import { AppError } from '../../../ports/index.ts';
import { defineOperation } from '../../execution/operation.ts';
import { hostAnswer, hostnameSchema, hostSchema } from '../../schemas.ts';

export const getHost = defineOperation({
  name: 'hosts/get-host',
  title: 'Get host',
  description: 'Labels, inventory and last-seen timestamps of one host.',
  effect: 'read',
  roles: ['objects'],
  tool: true,
  weight: 'light',
  input: z.object({ hostname: hostnameSchema }),
  output: hostSchema,
  async run({ hostname }, { services, caller }) {
    const host = await services.storage.hosts.get(hostname, caller.scope);
    if (host === undefined) throw unknownHost(hostname);
    return hostAnswer(host);
  },
});

/** The same words for hosts that do not exist and hosts that the caller may not know of. */
export function unknownHost(hostname: string): AppError {
  return new AppError('not_found', `there is no host ${hostname}; list the hosts to see which there are`);
}
