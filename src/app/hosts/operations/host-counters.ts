import * as z from 'zod';
import { secondsOf } from '../../../kit/words/moment.ts';
import { hostScopeOf } from '../../kernel/caller.ts';
import { defineOperation } from '../services.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

export const hostCounters = defineOperation({
  name: 'hosts/host-counters',
  title: 'Host counters',
  description: 'How many hosts and objects there are, and how many no import has seen for 24 hours.',
  effect: 'read',
  roles: ['syncer'],
  weight: 'light',
  at: { rest: { path: 'GET /syncer/hosts' }, tool: { name: 'host_stats' }, page: true },
  input: z.object({}),
  output: z.object({
    '24h_checkpoint': z.string(),
    num_hosts: z.number().int(),
    num_objects: z.number().int(),
    not_updated_last_24h: z.number().int(),
  }),
  async run(_input, { services, caller }) {
    const checkpoint = new Date(services.clock.now().getTime() - DAY_MS);
    const counters = await services.storage.hosts.counters({ scope: hostScopeOf(caller), checkpoint });
    return {
      '24h_checkpoint': secondsOf(checkpoint),
      num_hosts: counters.hosts,
      num_objects: counters.objects,
      not_updated_last_24h: counters.notSeenSince,
    };
  },
});
