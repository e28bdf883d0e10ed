import * as z from 'zod';
import { archiveStaleHosts, DAY_MS } from '../../hosts/stale-hosts.ts';
import { sealClearSecrets } from '../clear-secrets.ts';
import { defineOperation } from '../services.ts';
import { maintenanceRows } from '../words.ts';

export const runMaintenance = defineOperation({
  name: 'system/run-maintenance',
  title: 'Maintenance',
  description:
    'Archives stale hosts, permanently deletes old archived ones, and prunes history, logs, audit log and playbook runs, each as configured.',
  effect: 'destructive',
  roles: ['admin'],
  weight: 'light',
  at: {
    command: {
      words: 'maintenance',
      description:
        'Archive hosts unseen for STALE_DAYS, delete for good what is in the archive for ARCHIVE_DAYS, and prune history, logs, audit and runs of playbooks. The service does this every hour by itself.',
      json: 'answer the counts as JSON',
      examples: ['muster maintenance', 'SERVICE_ARCHIVE_DAYS=90 muster maintenance'],
      view: (counts, print) =>
        print.table(
          maintenanceRows(counts),
          [
            { header: 'what', value: ({ what }) => what },
            { header: 'count', value: ({ count }) => count.toLocaleString('en-US') },
          ],
          'Nothing was done.',
        ),
    },
    page: true,
  },
  input: z.object({}),
  output: z.object({
    stale: z.number().int().describe('Hosts archived as stale'),
    purged: z.number().int().describe('Archived hosts that were permanently deleted'),
    changes: z.number().int().describe('Changes of hosts pruned'),
    versions: z.number().int().describe('Versions of rules pruned'),
    logs: z.number().int(),
    audit: z.number().int(),
    sessions: z.number().int().describe('Sessions of the admin interface that were over'),
    playbook_runs: z.number().int().describe('Runs of playbooks pruned'),
  }),
  async run(_input, { services, caller }) {
    const { config, storage, clock } = services;
    await sealClearSecrets(services);
    const now = clock.now();
    const daysAgo = (days: number): Date => new Date(now.getTime() - days * DAY_MS);
    return {
      stale: await archiveStaleHosts(services, caller),
      purged: config.ARCHIVE_DAYS === 0 ? 0 : await storage.hosts.purgeArchived(daysAgo(config.ARCHIVE_DAYS)),
      changes: await storage.history.prune(daysAgo(config.HISTORY_DAYS)),
      versions: await storage.rules.pruneVersions(daysAgo(config.RULE_HISTORY_DAYS)),
      logs: await storage.logs.prune(daysAgo(config.LOG_DAYS)),
      audit: await services.audit.chain.prune(daysAgo(config.AUDIT_DAYS)),
      sessions: await services.sessions.prune(),
      playbook_runs: await storage.playbooks.prune(daysAgo(config.PLAYBOOK_RUN_DAYS)),
    };
  },
});
