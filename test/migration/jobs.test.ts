import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { missingJob } from '../../src/app/kernel/jobs/job-of.ts';
import { importRules } from '../../src/app/rules/operations/import-rules.ts';
import { runCronPass } from '../../src/app/runs/cron/operations/run-pass.ts';
import { ROOT } from '../docs/support/markdown.ts';
import { exportedDocuments, recordedAnswers, referenceFacts } from '../oracle/fixtures.ts';
import { STORES } from '../security/support/two-stores.ts';
import { BUILTIN_JOB_NAMES } from '../support/builtin-registry.ts';
import { MovedInstallation } from './support/moved-installation.ts';

/** What the jobs say that do something here without further plugins; the others wait for a connector. */
const SAY: Readonly<Record<string, RegExp>> = {
  'Ansible: Build Cache': /^nothing to do: /,
  'Ansible: Fire Playbook Rules': /^113 hosts, 0 runs$/,
  'Syncer: Autocreate Rules': /^done; /,
  'Syncer: Mark Stale Hosts': /^csv has no stale_after_days, /,
  // As many as its account says are too many.
  'Syncer: Maintenence': /^12 hosts are stale, .* dont_delete_hosts_if_more_then of maintenance allows/,
  'YML FILE: Import Hosts': /needs an account/,
  'YML FILE: Inventorize Objects': /needs an account/,
  'YML HTTP: Import Hosts': /needs an account/,
  'YML HTTP: Inventorize Objects': /needs an account/,
  // The files are on the other machine.
  'CSV: Import Hosts': /nodes\.csv/,
  // That option is missing there too.
  'CSV: Inventorize Hosts': /^set inventorize_key of account csv/,
  'JSON FILE: Import Hosts': /devices\.json/,
};

interface Entry {
  readonly status: number;
  readonly result: { readonly has_error: boolean; readonly details: readonly object[] };
}

/** All that the special agent and the checks of Checkmk read. */
const MOMENT = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
const READ_OF_SERVICE = { message: expect.any(String), has_error: expect.any(Boolean), details: expect.any(Array) };
const READ_OF_GROUP = {
  name: expect.any(String),
  last_start: MOMENT,
  next_run: MOMENT,
  is_running: false,
  last_message: expect.any(String),
  has_error: expect.any(Boolean),
};

/** The groups of the export, each switched on: together they have every job. `job-names.test.ts` says what each of them calls. */
describe('the cron groups of an installation that moved in', () => {
  const groups = (exportedDocuments('everything/export.jsonl').get('cron_groups') ?? []).map((group) => ({
    ...group,
    enabled: true,
    continue_on_error: true,
    run_once_next: true,
  }));
  const outcomes = new Map<string, { readonly failed: boolean; readonly message: string }>();
  let moved: MovedInstallation;

  beforeAll(async () => {
    moved = await MovedInstallation.over(STORES[0][1], { PLAYBOOK_DIR: join(ROOT, 'ansible') });
    // Nothing here may look for their systems, whichever of them a connector is there for.
    const accounts = (exportedDocuments('everything/export.jsonl').get('accounts') ?? [])
      .filter(({ typ }) => !['csv', 'json', 'maintenance'].includes(String(typ)))
      .map((account) => ({ ...account, enabled: false }));
    await moved.muster.run(importRules, { rules: { accounts, cron_groups: groups }, override: true });
    const { groups: ran } = await moved.muster.run(runCronPass, {});
    const jobs = groups.flatMap((group) => (group as { jobs?: { name: string; command: string }[] }).jobs ?? []);
    const commandOf = new Map(jobs.map(({ name, command }) => [name, command]));
    for (const { jobs } of ran) {
      for (const { name, ...outcome } of jobs) outcomes.set(commandOf.get(name) ?? name, outcome);
    }
  });
  afterAll(() => moved.stop());

  async function service(ident: string): Promise<Entry> {
    const response = await moved.ask({ user: 'only-syncer', path: `/syncer/services/${encodeURIComponent(ident)}` });
    return { status: response.statusCode, result: response.json().result };
  }

  it('have the jobs of the reference, and all of them ran', () => {
    const names = Object.keys(referenceFacts().jobs);
    expect(BUILTIN_JOB_NAMES.map(({ name }) => name).toSorted()).toEqual(names.toSorted());
    expect([...outcomes.keys()].sort()).toEqual(names.toSorted());
  });

  it.each(BUILTIN_JOB_NAMES.map(({ name }) => name))('%s is done, or fails with one sentence', (name) => {
    const said = SAY[name];
    const missing = missingJob(moved.muster.app.services.plugins, name);
    if (said !== undefined) expect(outcomes.get(name)?.message).toMatch(said);
    else if (missing !== undefined) expect(outcomes.get(name)).toEqual({ failed: true, message: missing });
    // A connector is there: its own tests say what it does.
    else expect(outcomes.get(name)?.message).toMatch(/^\S[^\n]*$/);
  });

  it.each(BUILTIN_JOB_NAMES.flatMap(({ name, logsAs }) => logsAs.slice(0, 1).map((ident) => [ident, name] as const)))(
    'are found by monitoring as %s (%s)',
    async (ident, name) => {
      const { status, result } = await service(ident);
      expect(status).toBe(200);
      expect(result).toMatchObject(READ_OF_SERVICE);
      for (const detail of result.details) {
        expect(detail).toEqual({ name: expect.any(String), message: expect.any(String) });
      }
      // Two jobs may log as one: the newer entry is what a check sees.
      const shared = BUILTIN_JOB_NAMES.filter(({ logsAs }) => logsAs.includes(ident)).map(
        (job) => outcomes.get(job.name)?.failed,
      );
      expect(shared).toContain(result.has_error);
      if (shared.length === 1) expect([name, result.has_error]).toEqual([name, outcomes.get(name)?.failed]);
    },
  );

  it('are listed with what a check reads of them', async () => {
    const { result } = (await moved.ask({ user: 'only-syncer', path: '/syncer/cron/' })).json();
    expect(result).toEqual(groups.map(() => expect.objectContaining(READ_OF_GROUP)));
    const recorded = recordedAnswers('everything/syncer.json').filter(({ path }) => path === '/syncer/cron/');
    const [before] = recorded.flatMap(({ answer }) => (answer as { result: object[] }).result);
    expect(Object.keys(READ_OF_GROUP)).toEqual(Object.keys(before ?? {}));
  });

  it('are found under what the reference logged them as', async () => {
    const logged = recordedAnswers('everything/syncer.json')
      .filter(({ path, status }) => path.startsWith('/syncer/services/') && status === 200)
      .map(({ path }) => decodeURIComponent(path.slice('/syncer/services/'.length)));
    // Refused requests are in the audit log, and a job that an account does not allow is its own entry.
    for (const ident of logged.filter((each) => !['API', 'account_restriction'].includes(each))) {
      expect([ident, (await service(ident)).status]).toEqual([ident, 200]);
    }
  });
});
