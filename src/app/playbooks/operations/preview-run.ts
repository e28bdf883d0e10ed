import * as z from 'zod';
import { columnNames } from '../../kernel/listing.ts';
import { defineOperation } from '../../runs/services.ts';
import { hostsOfRun, runHostsInput } from '../run-hosts.ts';
import { HOST_COLUMNS, runHostsView } from '../views/run-hosts.ts';

export const previewPlaybookRun = defineOperation({
  name: 'playbooks/preview-run',
  title: 'Hosts of a playbook run',
  description: 'Which hosts a run of a playbook would be for now: how many, and the first by name. Runs nothing.',
  effect: 'read',
  roles: ['admin'],
  weight: 'heavy',
  at: {
    command: {
      words: 'playbook hosts',
      description: 'List the hosts that "muster playbook run" would run a playbook for. Nothing is run.',
      summary: 'list the hosts that a run would be for',
      arguments: { playbook: { shown: '<playbook>', description: 'its file, or its name' } },
      options: {
        host: { flags: '--host <hostname>', description: 'for this host only' },
        search: { flags: '--search <search>', description: 'for the hosts of the inventory that this search finds' },
        group: { flags: '--group <group>', description: 'for the hosts in this group of the inventory' },
        provider: { flags: '--provider <provider>', description: 'with this inventory' },
        limit: { flags: '--limit <n>', description: 'hosts to list', parse: { from: 1, to: 1000 }, default: 100 },
      },
      columns: columnNames(HOST_COLUMNS),
      json: 'answer the hosts and how many they are as JSON',
      examples: ["muster playbook hosts agent.yml --search 'rack:R04 os:debian'"],
      view: runHostsView,
    },
    page: true,
  },
  input: runHostsInput.extend({
    limit: z.number().int().min(1).max(1000).default(20).describe('Hosts to name at most'),
  }),
  output: z.object({
    playbook: z.string().describe('Its file'),
    provider: z.string(),
    hosts: z.number().int().describe('How many hosts it would run for'),
    first: z.array(z.string()).describe('The first of them, by name'),
    total: z.number().int().describe('Hosts of the whole inventory'),
  }),
  subject: ({ playbook }) => playbook,
  async run({ limit, ...input }, { services, caller, signal, progress }) {
    const call = { services, caller, signal, progress, operation: 'playbooks/preview-run' };
    const { playbook, provider, hostnames, total } = await hostsOfRun(input, call);
    return { playbook: playbook.file, provider, hosts: hostnames.length, first: hostnames.slice(0, limit), total };
  },
});
