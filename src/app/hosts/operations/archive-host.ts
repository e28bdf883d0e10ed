import * as z from 'zod';
import { hostScopeOf } from '../../kernel/caller.ts';
import { hostnameSchema } from '../host-schemas.ts';
import { defineOperation } from '../services.ts';
import { unknownHost } from './get-host.ts';

export const archiveHost = defineOperation({
  name: 'hosts/archive-host',
  title: 'Archive host as operator',
  description: 'Archives a host so that no import or API write brings it back; only an operator restores it.',
  effect: 'destructive',
  roles: ['objects'],
  weight: 'light',
  at: {
    command: {
      words: 'host archive',
      description: 'Archive a host, so that no import and no API write brings it back. Only "host restore" does.',
      summary: 'archive a host for good',
      arguments: { hostname: { shown: '<hostname>', description: 'name of the host' } },
      json: 'answer the outcome as JSON',
      examples: ['muster host archive web01.example.org'],
      view: (_, print, { hostname }) =>
        print.note(`Archived ${hostname}. To bring it back: muster host restore ${hostname}`),
    },
    page: true,
  },
  input: z.object({ hostname: hostnameSchema }),
  output: z.object({ status: z.literal('archived'), hostname: z.string() }),
  subject: (input) => input.hostname,
  async run({ hostname }, { services, caller }) {
    const [outcome] = await services.storage.hosts.archive({
      hostnames: [hostname],
      by: 'operator',
      at: services.clock.now(),
      scope: hostScopeOf(caller),
      actor: { kind: 'user', name: caller.name },
    });
    if (outcome !== 'archived') throw unknownHost(hostname);
    return { status: 'archived' as const, hostname };
  },
});
