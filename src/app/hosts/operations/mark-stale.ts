import * as z from 'zod';
import { defineOperation } from '../services.ts';
import { archiveStaleHosts } from '../stale-hosts.ts';

export const markStale = defineOperation({
  name: 'hosts/mark-stale',
  title: 'Archive stale hosts',
  description: 'Archives the hosts that no import or client has seen for STALE_DAYS; with 0 none.',
  effect: 'destructive',
  roles: ['admin'],
  weight: 'light',
  at: {},
  input: z.object({}),
  output: z.object({ archived: z.number().int(), days: z.number().int().describe('STALE_DAYS') }),
  async run(_input, { services, caller }) {
    return { archived: await archiveStaleHosts(services, caller), days: services.config.STALE_DAYS };
  },
});
