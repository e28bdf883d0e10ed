import * as z from 'zod';
import { grouped } from '../../../kit/words/amounts.ts';
import { accountNameSchema } from '../../accounts/operations/show-account.ts';
import { keepHostCounts, pruneHostCounts } from '../../hosts/host-counts.ts';
import { archiveStaleHosts, DAY_MS, staleByConfiguration } from '../../hosts/stale-hosts.ts';
import { forgetAllMovedSecrets } from '../../rules/secrets/moved-secrets.ts';
import { sealClearSecrets } from '../clear-secrets.ts';
import type { MaintenanceServices } from '../services.ts';
import { defineOperation } from '../services.ts';
import { staleByMaintenanceAccount } from '../stale-by-account.ts';
import { maintenanceRows } from '../words.ts';

export const runMaintenance = defineOperation({
  name: 'system/run-maintenance',
  title: 'Maintenance',
  description:
    'Archives stale hosts, permanently deletes old archived ones, and prunes history, logs, audit log, playbook runs, plans and notifications, each as configured.',
  effect: 'destructive',
  roles: ['admin'],
  weight: 'light',
  at: {
    command: {
      words: 'maintenance',
      description:
        'Archive hosts unseen for STALE_DAYS, delete for good what is in the archive for ARCHIVE_DAYS, and prune history, logs, audit, runs of playbooks, plans and notifications. The service does this every hour by itself.',
      json: 'answer the counts as JSON',
      examples: ['muster maintenance', 'SERVICE_ARCHIVE_DAYS=90 muster maintenance'],
      view: (counts, print) =>
        print.table(
          maintenanceRows(counts),
          [
            { header: 'what', value: ({ what }) => what },
            { header: 'count', value: ({ count }) => grouped(count) },
          ],
          'Nothing was done.',
        ),
    },
    page: true,
  },
  input: z.object({
    account: accountNameSchema
      .optional()
      .describe(
        'Account whose delete_hosts_after_days, account_filter and dont_delete_hosts_if_more_then say which hosts are stale',
      ),
  }),
  output: z.looseObject({
    stale: z.number().int().describe('Hosts archived as stale'),
    held_back: z
      .number()
      .int()
      .optional()
      .describe('Stale hosts left alone because they were too many for the account'),
    purged: z.number().int().describe('Archived hosts that were permanently deleted'),
    changes: z.number().int().describe('Changes of hosts pruned'),
    versions: z.number().int().describe('Versions of rules pruned'),
    logs: z.number().int(),
    audit: z.number().int(),
    sessions: z.number().int().describe('Sessions of the admin interface that were over'),
    by_features: z
      .array(z.object({ what: z.string(), count: z.number().int() }))
      .describe('Counts of what features pruned, each also as a member: playbook_runs, plans, notifications'),
  }),
  async run({ account }, { services, caller }) {
    const { config, storage, clock } = services;
    services.clockWatch.requireTrust();
    const which =
      account === undefined
        ? staleByConfiguration(services)
        : await staleByMaintenanceAccount(services, await services.accounts.inScope(account, caller.scope));
    await sealClearSecrets(services);
    await forgetAllMovedSecrets(services);
    const now = clock.now();
    const daysAgo = (days: number): Date => new Date(now.getTime() - days * DAY_MS);
    const { archived, heldBack } = await archiveStaleHosts(services, caller, which);
    const by = { at: now, actor: { kind: 'system', name: 'maintenance' } } as const;
    const purged = config.ARCHIVE_DAYS === 0 ? 0 : await storage.hosts.purgeArchived(daysAgo(config.ARCHIVE_DAYS), by);
    await keepHostCounts(services);
    await pruneHostCounts(services);
    return {
      stale: archived,
      ...(heldBack === 0 ? {} : { held_back: heldBack }),
      purged,
      changes: await storage.history.prune(daysAgo(config.HISTORY_DAYS)),
      versions: await storage.rules.pruneVersions(daysAgo(config.RULE_HISTORY_DAYS)),
      logs: await storage.logs.prune(daysAgo(config.LOG_DAYS)),
      audit: await services.audit.chain.prune(daysAgo(config.AUDIT_DAYS)),
      sessions: await services.sessions.prune(),
      ...(await pruneOfFeatures(services, daysAgo)),
    };
  },
});

async function pruneOfFeatures(services: MaintenanceServices, daysAgo: (days: number) => Date) {
  const counts: Record<string, number> = {};
  const rows: { what: string; count: number }[] = [];
  for (const { figure, what, days, prune } of services.features.flatMap(({ prunes = [] }) => prunes)) {
    const count = await prune(services, daysAgo(days(services.config)));
    counts[figure] = count;
    rows.push({ what, count });
  }
  return { ...counts, by_features: rows };
}
