import { expect, it } from 'vitest';
import { PluginRegistry } from '../../../src/app/kernel/plugin-host/registry.ts';
import { autorulesJob } from '../../../src/plugins/jobs/autorules.ts';
import { backupJob } from '../../../src/plugins/jobs/backup.ts';
import { firePlaybooksJob } from '../../../src/plugins/jobs/fire-playbooks.ts';
import { importJob } from '../../../src/plugins/jobs/import.ts';
import jobs from '../../../src/plugins/jobs/index.ts';
import { inventorizeJob } from '../../../src/plugins/jobs/inventorize.ts';
import { maintenanceJob } from '../../../src/plugins/jobs/maintenance.ts';
import { markStaleJob } from '../../../src/plugins/jobs/mark-stale.ts';
import { recountSeatsJob } from '../../../src/plugins/jobs/recount-seats.ts';
import type { JobOutcome, JobType, JsonValue, Logger } from '../../../src/ports/index.ts';
import { describeJobContract } from '../../../src/testing/job.contract.ts';

const logger: Logger = { debug() {}, info() {}, warn() {}, error() {}, child: () => logger };

const imported = (status: string, summary: Record<string, number> = {}, message = '') => ({
  'imports/import-account': { status, message, summary },
});

describeJobContract('Import', { job: importJob, answers: imported('success', { seen: 3, created: 3 }) });
describeJobContract('Inventorize', { job: inventorizeJob, answers: imported('success', { seen: 3, updated: 2 }) });
describeJobContract('Autorules', { job: autorulesJob, answers: { 'rules/run-autorules': { status: 'ok' } } });
describeJobContract('Fire Playbooks', {
  job: firePlaybooksJob,
  answers: { 'playbooks/fire-playbooks': { status: 'done', message: '3 hosts, 0 runs' } },
});
describeJobContract('Maintenance', {
  job: maintenanceJob,
  answers: { 'system/run-maintenance': { stale: 1, purged: 2 } },
});
describeJobContract('Backup', {
  job: backupJob,
  answers: { 'storage/keep-backup': { file: 'a', bytes: 1, kept: 2, removed: [] } },
});
describeJobContract('Mark Stale', { job: markStaleJob, answers: { 'hosts/mark-stale': { days: 30, archived: 4 } } });
describeJobContract('Recount Seats', {
  job: recountSeatsJob,
  answers: { 'system/recount-seats': { pools: 2, corrected: 1, unsettled: 0 } },
});

function registry(): PluginRegistry {
  const plugins = new PluginRegistry();
  jobs.register(plugins.door('jobs', logger, []), undefined);
  return plugins;
}

it.each([
  ['Import', 'Import'],
  ['import', 'Import'],
  [' IMPORT ', 'Import'],
  ['CSV: Import Hosts', 'Import'],
  ['i-doit: Import hosts', 'Import'],
  ['VMware Vcenter:import', 'Import'],
  ['Import: hosts', undefined],
  ['CSV: Important', undefined],
  ['Autorules', 'Autorules'],
  ['Syncer: Autocreate Rules', 'Autorules'],
  ['syncer: autorules', 'Autorules'],
  ['Syncer: Maintenence', 'Maintenance'],
  ['Syncer: Maintenance', 'Maintenance'],
  ['mark stale', 'Mark Stale'],
  ['fire playbooks', 'Fire Playbooks'],
  ['Ansible: Fire Playbook Rules', 'Fire Playbooks'],
  ['', undefined],
  ['constructor', undefined],
])('the command "%s" means %s', (command, id) => {
  expect(registry().job(command)?.id).toBe(id);
});

it('a plugin cannot take the command of another one, in whatever case', () => {
  const plugins = registry();
  const thief = (id: string, aliases: readonly string[] = []): JobType => ({ ...markStaleJob, id, aliases });
  const door = plugins.door('thief', logger, []);
  for (const job of [
    thief('import'),
    thief('MAINTENANCE'),
    thief('Mine', ['AUTORULES']),
    thief('syncer: maintenence'),
  ]) {
    expect(() => door.job(job)).toThrow(expect.objectContaining({ code: 'conflict' }));
  }
  expect(plugins.job('import')).toBe(importJob);
  door.job(thief('CSV: Import Hosts'));
  expect(plugins.job('csv: import hosts')?.id).toBe('CSV: Import Hosts');
});

const run = (job: JobType, answer: JsonValue, more: { account?: string } = { account: 'crm' }): Promise<JobOutcome> =>
  job.run({ ...more, signal: new AbortController().signal, logger, operation: async () => answer });

it('an import says what it counted, and what failed it', async () => {
  const counts = { seen: 5, created: 1, updated: 2, unchanged: 0, archived: 0, conflicts: 0, skipped: 2, failed: 0 };
  expect(await run(importJob, { status: 'success', summary: counts })).toMatchObject({
    message: '5 records, 1 created, 2 updated, 2 skipped',
  });
  expect((await run(importJob, { status: 'success', summary: { seen: 1, created: 1 } })).message).toBe(
    '1 record, 1 created',
  );
  expect(await run(importJob, { status: 'failed', message: 'the file is gone', summary: counts })).toEqual({
    failed: true,
    message: 'the file is gone',
  });
  expect((await run(importJob, { status: 'partial', message: '2 failed', summary: counts })).details).toEqual([
    {
      level: 'warning',
      message: 'Import of crm: 2 failed',
      wording: { template: 'Import of {account}: {said}', values: { account: 'crm', said: '2 failed' } },
    },
  ]);
});

it('stale hosts are not looked for where none can be', async () => {
  const answer = { days: 0, archived: 0 };
  expect((await run(markStaleJob, answer, {})).message).toContain('STALE_DAYS');
  expect((await run(markStaleJob, answer)).message).toBe(
    'crm has no stale_after_days, so none of its hosts is ever stale',
  );
  expect((await run(markStaleJob, { days: 7, archived: 0, stale: 3 })).message).toBe(
    '3 hosts of crm not seen for 7 days; its auto_archive_when_stale is off, so none was archived',
  );
});

it('maintenance that found too many stale hosts for its account failed, and says what it did all the same', async () => {
  const outcome = await run(maintenanceJob, { stale: 0, held_back: 12, purged: 1 });
  expect(outcome).toEqual({
    failed: true,
    message:
      '12 hosts are stale, which is not fewer than dont_delete_hosts_if_more_then of crm allows, so none was archived; 0 stale hosts archived, 1 permanently deleted, 0 old entries pruned',
  });
});
