import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addAccount } from '../../../src/app/accounts/operations/add-account.ts';
import { explainHost } from '../../../src/app/explain/operations/explain-host.ts';
import { archiveHost } from '../../../src/app/hosts/operations/archive-hosts.ts';
import { restoreHost } from '../../../src/app/hosts/operations/restore-hosts.ts';
import { saveHost } from '../../../src/app/hosts/operations/save-host.ts';
import { renderInventory } from '../../../src/app/inventory/operations/render-inventory.ts';
import { listAudit } from '../../../src/app/journal/operations/list-audit.ts';
import { runMaintenance } from '../../../src/app/maintenance/operations/run-maintenance.ts';
import { cancelPlaybookRun } from '../../../src/app/playbooks/operations/cancel-run.ts';
import { fireExistingMatches } from '../../../src/app/playbooks/operations/fire-existing.ts';
import { firePlaybooks } from '../../../src/app/playbooks/operations/fire-playbooks.ts';
import { listPlaybooks } from '../../../src/app/playbooks/operations/list-playbooks.ts';
import { listPlaybookRuns } from '../../../src/app/playbooks/operations/list-runs.ts';
import { previewPlaybookRun } from '../../../src/app/playbooks/operations/preview-run.ts';
import { runPlaybook } from '../../../src/app/playbooks/operations/run-playbook.ts';
import { showPlaybookRun } from '../../../src/app/playbooks/operations/show-run.ts';
import { confirmRule } from '../../../src/app/rules/operations/confirm-rule.ts';
import { createRule } from '../../../src/app/rules/operations/create-rule.ts';
import { importRules } from '../../../src/app/rules/operations/import-rules.ts';
import { listCountedRules } from '../../../src/app/rules/operations/list-counted-rules.ts';
import { listRuleTypes } from '../../../src/app/rules/operations/list-rule-types.ts';
import { removeRule } from '../../../src/app/rules/operations/remove-rules.ts';
import { showRule } from '../../../src/app/rules/operations/show-rule.ts';
import { runCronPass } from '../../../src/app/runs/cron/operations/run-pass.ts';
import { listRuns } from '../../../src/app/runs/past/operations/list-runs.ts';
import { type RememberedMatch, StoredJson } from '../../../src/ports/index.ts';
import type { OpenedStorage, StorageHarness } from '../../../src/testing/harness.ts';
import { FakeRunner, untilStopped } from '../playbooks/fake-runner.ts';
import { OperationsApp } from './operations-app.ts';

const code = (expected: string) => expect.objectContaining({ code: expected });

const MANIFEST = `playbooks:
  - {file: agent.yml, name: Agent, description: installs the agent}
  - {file: other.yml, inventory: lab}
  - {file: gone.yml}
`;

function tag(name: string, value: string) {
  return { match_type: 'tag', tag: name, tag_match: 'equal', value, value_match: 'equal' };
}

function fireRule(name: string, conditions: readonly object[], outcomes: readonly object[], more: object = {}) {
  return { name, enabled: true, condition_typ: 'all', conditions, outcomes, ...more };
}

const agentOnDebian = fireRule('agent', [tag('os', 'debian')], [{ playbook: 'agent.yml' }]);

/** Playbooks and the rules that fire them, whatever is stored where. Run over every storage adapter. */
export function describePlaybooks(name: string, create: StorageHarness['create']): void {
  describe(`${name}: playbooks`, () => {
    let opened: OpenedStorage;
    let muster: OperationsApp;
    let folder: string;
    let runner: FakeRunner;
    const limits = { PLAYBOOK_PARALLEL: 2, PLAYBOOK_FIRE_LIMIT: 5 };
    beforeEach(async () => {
      opened = await create();
      folder = await mkdtemp(join(tmpdir(), 'muster-playbooks-'));
      await writeFile(join(folder, 'playbooks.yml'), MANIFEST);
      for (const file of ['agent.yml', 'other.yml']) await writeFile(join(folder, file), '');
      runner = new FakeRunner();
      muster = await OperationsApp.over(opened.storage, { PLAYBOOK_DIR: folder, ...limits }, undefined, runner);
      await muster.addAccounts('red', 'blue');
    });
    afterEach(async () => {
      await muster.stop();
      await opened.close();
      await rm(folder, { recursive: true });
    });

    function save(hostname: string, labels: object = {}, account = 'red') {
      return muster.run(saveHost, { hostname, account, labels });
    }

    function rules(...documents: readonly object[]) {
      return muster.run(importRules, { rules: { automation_playbook_fire: documents }, override: true });
    }

    const fire = (input: object = {}) => muster.run(firePlaybooks, input);

    async function remembered(): Promise<RememberedMatch[]> {
      const all: RememberedMatch[] = [];
      for await (const batch of muster.storage.playbooks.matches(100)) all.push(...batch);
      return all;
    }

    describe('firing', () => {
      it('runs a playbook when a rule begins to match, once, and again when it begins again', async () => {
        await save('web2', { os: 'debian' });
        await save('web1', { os: 'debian' });
        await save('db1', { os: 'rocky' });
        await rules(agentOnDebian);
        const first = await fire();
        expect(first).toMatchObject({ status: 'done', hosts: 3, started: 2, succeeded: 2, failed: 0, forgotten: 0 });
        expect(first.message).toBe('3 hosts, 2 runs');
        expect(runner.take().sort()).toEqual(['web1 agent.yml', 'web2 agent.yml']);
        expect(await fire()).toMatchObject({ status: 'done', started: 0, forgotten: 0 });
        await save('web1', { os: 'rocky' });
        await save('db1', { os: 'debian' });
        expect(await fire()).toMatchObject({ started: 1, forgotten: 1 });
        expect(runner.take()).toEqual(['db1 agent.yml']);
        await save('web1', { os: 'debian', changed: true });
        await fire();
        expect(runner.take()).toEqual(['web1 agent.yml']);
        expect(await muster.run(listPlaybookRuns, {})).toMatchObject({
          runs: [
            { hostname: 'web1', source: 'rule', started_by: 'agent', status: 'succeeded', provider: 'automation' },
            { hostname: 'db1' },
            {},
            {},
          ],
        });
      });

      it('forgets a host that is archived, and fires when it is back', async () => {
        for (const host of ['a', 'b', 'c']) await save(host, { os: 'debian' });
        await rules(agentOnDebian);
        await fire();
        runner.take();
        await muster.run(archiveHost, { hostname: 'b' });
        expect(await fire()).toMatchObject({ started: 0, forgotten: 1 });
        await muster.run(restoreHost, { hostname: 'b' });
        await fire();
        expect(runner.take()).toEqual(['b agent.yml']);
      });

      it('keeps what a disabled rule fired, and forgets what a deleted one did', async () => {
        await save('a', { os: 'debian' });
        await save('b', { os: 'debian' });
        await rules(agentOnDebian);
        await fire();
        await rules({ ...agentOnDebian, enabled: false });
        await save('b', { os: 'rocky' });
        expect(await fire()).toMatchObject({ forgotten: 0 });
        expect((await remembered()).map(({ hostname }) => hostname)).toEqual(['a', 'b']);
        await rules(agentOnDebian);
        expect(await fire()).toMatchObject({ started: 0, forgotten: 1 });
        await rules({ ...agentOnDebian, enabled: false });
        await muster.run(archiveHost, { hostname: 'a' });
        expect(await fire()).toMatchObject({ forgotten: 0 });
        await muster.run(restoreHost, { hostname: 'a' });
        await rules(agentOnDebian);
        expect(await fire()).toMatchObject({ started: 0, forgotten: 0 });
        const [match] = await remembered();
        await muster.run(removeRule, { rule_type: 'automation_playbook_fire', rule: match?.ruleId });
        expect(await fire()).toMatchObject({ forgotten: 1 });
        expect(await remembered()).toEqual([]);
      });

      it('forgets nothing that was remembered while the pass went on', async () => {
        await save('a', { os: 'debian' });
        await save('b', { os: 'rocky' });
        await rules(agentOnDebian);
        await fire();
        const [match] = await remembered();
        const since = new Date(Date.now() + 60_000);
        for (const hostname of ['b', 'c']) {
          await muster.storage.playbooks.remember({ ...(match as RememberedMatch), hostname, since });
        }
        expect(await fire()).toMatchObject({ forgotten: 0 });
        expect((await remembered()).map(({ hostname }) => hostname)).toEqual(['a', 'b', 'c']);
      });

      it('changes nothing when there is no host at all', async () => {
        expect(await fire()).toMatchObject({ status: 'done', hosts: 0 });
        await save('a', { os: 'debian' });
        await rules(agentOnDebian);
        await fire();
        runner.take();
        await muster.run(archiveHost, { hostname: 'a' });
        await expect(fire()).rejects.toEqual(code('failed'));
        expect(await remembered()).toHaveLength(1);
        await muster.run(restoreHost, { hostname: 'a' });
        expect(await fire()).toMatchObject({ started: 0 });
      });

      it('remembers nothing when the program cannot be started', async () => {
        await save('a', { os: 'debian' });
        await rules(agentOnDebian);
        runner.installed = false;
        await expect(fire()).rejects.toEqual(code('failed'));
        expect(await remembered()).toEqual([]);
        expect(await muster.run(listPlaybookRuns, {})).toEqual({ runs: [] });
        runner.installed = true;
        expect(await fire()).toMatchObject({ succeeded: 1 });
        expect(runner.checks).toBe(2);
        await fire();
        expect(runner.checks).toBe(2);
      });

      it('remembers no match whose run it could not begin, so that the next pass begins it', async () => {
        for (const host of ['a', 'b', 'c']) await save(host, { os: 'debian' });
        await rules(agentOnDebian);
        const store = async (enabled: boolean) => {
          const entry = { type: 'custom_attributes', id: 'b'.repeat(24), name: 'unworkable', uniqueName: true };
          const outcomes = [{ attribute_name: 'x', attribute_value: '{{ x' }];
          const members = { name: entry.name, enabled, condition_typ: 'anyway', conditions: [], outcomes };
          const document = { _id: { $oid: entry.id }, ...members };
          await muster.storage.rules.write({
            entries: [{ ...entry, document: StoredJson.ofValue(document), confirmedBy: 'operator' }],
            ...{ mode: 'replace', actor: { kind: 'system', name: 'test' }, at: new Date() },
          });
        };
        let meet: (code: number) => void = () => undefined;
        const met = new Promise<number>((resolve) => {
          meet = resolve;
        });
        runner.act = async () => {
          if (runner.calls.length < 2) return met;
          await store(true);
          meet(0);
          return met;
        };
        await expect(fire()).rejects.toThrow('unworkable');
        expect((await remembered()).map(({ hostname }) => hostname)).toEqual(['a', 'b']);
        runner.take();
        runner.act = async () => 0;
        await store(false);
        expect(await fire()).toMatchObject({ started: 1, succeeded: 1 });
        expect(runner.take()).toEqual(['c agent.yml']);
      });

      it('says what it would run, and runs and remembers nothing', async () => {
        await save('a', { os: 'debian' });
        await rules(agentOnDebian);
        const dry = await fire({ dry_run: true });
        expect(dry).toMatchObject({ status: 'done', message: '1 host, 1 run would begin', started: 1, succeeded: 0 });
        const told = { rule: 'agent', playbook: 'agent.yml', hostname: 'a', provider: 'automation' };
        expect(dry.runs).toEqual([{ ...told, id: null, status: null, message: '' }]);
        expect(runner.calls).toEqual([]);
        await fire();
        await save('a', {});
        // What was remembered in the millisecond in which a pass begins is not its to forget.
        await setTimeout(2);
        expect(await fire({ dry_run: true })).toMatchObject({ started: 0, forgotten: 1 });
        expect(await remembered()).toHaveLength(1);
      });

      it('fires at most this many in a pass and runs at most this many at once', async () => {
        for (let n = 0; n < 7; n++) await save(`h${n}`, { os: 'debian' });
        await rules(agentOnDebian);
        // The first one waits for a second beside it.
        let meet: (code: number) => void = () => undefined;
        const met = new Promise<number>((resolve) => {
          meet = resolve;
        });
        runner.act = async () => {
          if (runner.calls.length === 2) meet(0);
          return met;
        };
        expect(await fire()).toMatchObject({ started: 5, waiting: 2 });
        expect(runner.take().sort()).toEqual([0, 1, 2, 3, 4].map((n) => `h${n} agent.yml`));
        expect(runner.peak).toBe(2);
        expect(await fire()).toMatchObject({ started: 2, waiting: 0 });
        expect(await fire()).toMatchObject({ started: 0, waiting: 0 });
      });

      it('lets one of several passes at once have each run', async () => {
        for (let n = 0; n < 5; n++) await save(`h${n}`, { os: 'debian' });
        await rules(agentOnDebian);
        const passes = await Promise.all([fire(), fire(), fire()]);
        expect(passes.reduce((sum, { started }) => sum + started, 0)).toBe(5);
        expect(runner.take().sort()).toEqual([0, 1, 2, 3, 4].map((n) => `h${n} agent.yml`));
      });

      it('reports a run that failed, and runs the others', async () => {
        for (const host of ['a', 'b']) await save(host, { os: 'debian' });
        await rules(agentOnDebian);
        runner.act = async ({ hostname }) => (hostname === 'a' ? 2 : 0);
        const report = await fire();
        expect(report).toMatchObject({
          status: 'failed',
          message: '2 hosts, 2 runs, 1 failed',
          succeeded: 1,
          failed: 1,
        });
        const failed = report.runs.find(({ hostname }) => hostname === 'a');
        expect(failed).toMatchObject({ status: 'failed', message: 'it ended with exit code 2' });
        expect(await muster.run(showPlaybookRun, { run: failed?.id })).toMatchObject({
          exit_code: 2,
          output: 'PLAY agent.yml\n',
        });
        expect(await fire()).toMatchObject({ started: 0 });
      });

      it('names a playbook that the manifest does not name, with its rule, and runs the others', async () => {
        await save('a', { os: 'debian' });
        const outcomes = ['nothing.yml', 'gone.yml', 'Agent'].map((playbook) => ({ playbook }));
        await rules(fireRule('several', [tag('os', 'debian')], outcomes));
        const report = await fire();
        expect(report).toMatchObject({ status: 'failed', succeeded: 1 });
        expect(runner.take()).toEqual(['a agent.yml']);
        expect(report.problems.map(({ rule, message }) => `${rule}: ${message}`)).toEqual([
          expect.stringMatching(/^several: the manifest names no playbook nothing.yml/),
          expect.stringMatching(/^several: the playbook gone.yml cannot be run: .*does not exist/),
        ]);
        await writeFile(join(folder, 'playbooks.yml'), MANIFEST.replace('agent.yml', 'renamed.yml'));
        await fire();
        await writeFile(join(folder, 'playbooks.yml'), `${MANIFEST}  - {file: nothing.yml}\n`);
        await writeFile(join(folder, 'nothing.yml'), '');
        expect(await fire()).toMatchObject({ started: 1 });
        expect(runner.take()).toEqual(['a nothing.yml']);
      });

      it('fails a run whose host is not in the inventory, and starts nothing', async () => {
        await save('a', { os: 'debian' });
        await rules(fireRule('far', [tag('os', 'debian')], [{ playbook: 'agent.yml', inventory: 'cmk_sites' }]));
        const report = await fire();
        expect(report.runs).toMatchObject([
          { status: 'failed', provider: 'cmk_sites', message: 'inventory provider cmk_sites has no host a' },
        ]);
        expect(runner.calls).toEqual([]);
      });

      it('changes nothing on a host where the rule itself fails', async () => {
        const site = { playbook: 'agent.yml', extra_vars: 'site={{ site }}' };
        await save('a', { os: 'debian', site: 'x' });
        await save('b', { os: 'debian' });
        await rules(fireRule('agent', [tag('os', 'debian')], [site]));
        const first = await fire();
        expect(first).toMatchObject({ status: 'done', started: 1 });
        expect(first.problems).toEqual([{ rule: 'agent', message: expect.stringMatching(/^failed on b, .*site/) }]);
        expect(runner.take()).toEqual(['a agent.yml']);
        await save('a', { os: 'debian' });
        await save('b', { os: 'debian', site: 'y' });
        expect(await fire()).toMatchObject({ started: 1, forgotten: 0 });
        expect(runner.take()).toEqual(['b agent.yml']);
        await save('a', { os: 'debian', site: 'x' });
        expect(await fire()).toMatchObject({ started: 0 });
      });

      it('hands over variables whose values come from the host, and nothing of the host decides which', async () => {
        const evil = `x", "ansible_connection": "local", "y": "{{ lookup('pipe', 'id') }}`;
        await save('a', { os: 'debian', site: evil, n: 5 });
        const extra = '{"site": "{{ site }}", "deep": {"list": ["{{ n }}", 7, true, null]}}';
        await rules(
          fireRule('json', [tag('os', 'debian')], [{ playbook: 'agent.yml', extra_vars: extra }]),
          fireRule('pairs', [tag('os', 'debian')], [{ playbook: 'Agent', extra_vars: 'a={{ site }} b="x y"' }]),
        );
        await fire();
        const values = runner.calls.map(({ extraVariables }) => extraVariables);
        expect(values).toEqual(
          expect.arrayContaining([
            { templates: false, values: { site: evil, deep: { list: ['5', 7, true, null] } } },
            { templates: false, values: { a: evil, b: 'x y' } },
          ]),
        );
      });

      it('hides the secrets of accounts in what it keeps', async () => {
        await muster.run(addAccount, { name: 'vault', type: 'api', password: 'very-secret-word' });
        await save('a', { os: 'debian' });
        const extra_vars = 'token={{ACCOUNT:vault:password}}';
        await rules(fireRule('secret', [tag('os', 'debian')], [{ playbook: 'agent.yml', extra_vars }]));
        runner.act = async ({ extraVariables }, { onOutput }) => {
          onOutput(`token is ${JSON.stringify(extraVariables?.values)}\n`);
          return 0;
        };
        const { runs } = await fire();
        expect(runner.calls[0]?.extraVariables?.values).toEqual({ token: 'very-secret-word' });
        const shown = await muster.run(showPlaybookRun, { run: runs[0]?.id });
        expect(shown.output).toContain('token is');
        expect(shown.output).not.toContain('very-secret-word');
      });

      it('sees what the rules of a project see, runs with its inventory, and leaves out what its filter does', async () => {
        await muster.run(importRules, {
          rules: {
            automation_projects: [
              { name: 'lab', enabled: true },
              { name: 'off', enabled: false },
            ],
            automation_rewrite: [
              {
                name: 'zone',
                project: 'lab',
                enabled: true,
                condition_typ: 'anyway',
                outcomes: [{ old_attribute_name: 'site', new_attribute_name: 'zone', overwrite_name: 'string' }],
              },
            ],
            automation_filter: [
              {
                name: 'no b',
                project: 'lab',
                enabled: true,
                condition_typ: 'all',
                conditions: [{ match_type: 'host', hostname: 'b', hostname_match: 'equal' }],
                outcomes: [{ action: 'ignore_hosts' }],
              },
            ],
          },
        });
        await save('a', { site: 'x' });
        await save('b', { site: 'x' });
        const zone = [tag('zone', 'x')];
        await rules(
          fireRule('of lab', zone, [{ playbook: 'agent.yml' }], { project: 'lab' }),
          fireRule('of off', [], [{ playbook: 'agent.yml' }], { project: 'off' }),
          fireRule('of none', zone, [{ playbook: 'agent.yml' }]),
          fireRule('by manifest', [tag('site', 'x')], [{ playbook: 'other.yml' }]),
        );
        const { runs } = await fire();
        expect(runs.map(({ rule, hostname, provider }) => `${rule} ${hostname} ${provider}`).sort()).toEqual([
          'by manifest a lab',
          'by manifest b lab',
          'of lab a lab',
        ]);
        const { explanation } = await muster.run(explainHost, { hostname: 'b', project: 'lab' });
        expect(explanation.rules.find(({ name }) => name === 'of lab')).toMatchObject({ outcome: 'left' });
        const shown = await muster.run(explainHost, { hostname: 'a', project: 'lab' });
        expect(shown.explanation.rules.find(({ name }) => name === 'of lab')).toMatchObject({
          outcome: 'hit',
          changes: [{ what: 'playbook', name: 'agent.yml' }],
        });
      });

      it('stops with whoever called, begins nothing more, and keeps what it fired', async () => {
        for (let n = 0; n < 4; n++) await save(`h${n}`, { os: 'debian' });
        await rules(agentOnDebian);
        const stop = new AbortController();
        runner.act = async (_call, options) => {
          if (runner.calls.length === 2) stop.abort(new Error('the service stops'));
          return untilStopped(options);
        };
        await expect(muster.run(firePlaybooks, {}, undefined, { signal: stop.signal })).rejects.toThrow();
        const { runs } = await muster.run(listPlaybookRuns, {});
        expect(runs.map(({ status }) => status)).toEqual(['cancelled', 'cancelled']);
        runner.act = async () => 0;
        runner.take();
        await fire();
        expect(runner.take().sort()).toEqual(['h2 agent.yml', 'h3 agent.yml']);
      });

      it('is a job of cron groups that fails when a run failed', async () => {
        await save('a', { os: 'debian' });
        await rules(agentOnDebian);
        const group = {
          name: 'fire',
          enabled: true,
          jobs: [{ name: 'fire', command: 'Ansible: Fire Playbook Rules' }],
        };
        await muster.run(importRules, { rules: { cron_groups: [{ ...group, run_once_next: true }] } });
        runner.act = async () => 4;
        expect((await muster.run(runCronPass, {})).groups).toMatchObject([
          { name: 'fire', state: 'failed', jobs: [{ failed: true, message: '1 host, 1 run, 1 failed' }] },
        ]);
        const [entry] = await muster.storage.logs.latest({ limit: 1 });
        expect(entry?.details.map(({ message }) => message)).toContainEqual(
          expect.stringMatching(/^agent.yml for a by rule agent failed: it ended with exit code 4; run [0-9a-f]{24}$/),
        );
      });
    });

    describe('rules of another installation', () => {
      const imported = { ...agentOnDebian, _id: { $oid: 'a1'.repeat(12) } };

      function importAs(type: string, documents: readonly object[], more: object = {}) {
        return muster.run(importRules, { rules: { [type]: documents }, ...more });
      }

      const marks = async () => (await muster.storage.rules.list('playbook_baselines')).map(({ id }) => id);

      it('count what they match in their first pass as fired, however many hosts, and fire for later ones', async () => {
        for (let n = 0; n < 120; n++) await save(`h${n}`, { os: n % 10 === 9 ? 'rocky' : 'debian' });
        const { warnings } = await importAs('automation_playbook_fire', [imported]);
        expect(warnings).toMatchObject([{ name: 'agent', message: expect.stringContaining('counts as fired') }]);
        expect(await marks()).toEqual(['a1'.repeat(12)]);
        const dry = await fire({ dry_run: true });
        const told = { id: 'a1'.repeat(12), rule: 'agent', matches: 108, open: 0, evaluated: true };
        expect(dry).toMatchObject({ status: 'done', started: 0, waiting: 0, baselines: [told] });
        expect(dry.message).toBe('120 hosts, 0 runs would begin, 108 matches of today count as fired');
        expect(await remembered()).toEqual([]);
        expect(await fire()).toMatchObject({ started: 0, waiting: 0, baselines: [told] });
        expect(await remembered()).toHaveLength(108);
        expect(await marks()).toEqual([]);
        await save('h9', { os: 'debian' });
        await save('h1', { os: 'rocky' });
        expect(await fire()).toMatchObject({ started: 1, forgotten: 1, baselines: [] });
        await save('h1', { os: 'debian' });
        expect(await fire()).toMatchObject({ started: 1 });
        expect(runner.take()).toEqual(['h9 agent.yml', 'h1 agent.yml']);
      });

      it('are told by an id that is new here, or by the name of their type there; others fire', async () => {
        await save('a', { os: 'debian' });
        await importAs('automation_playbook_fire', [agentOnDebian]);
        expect(await marks()).toEqual([]);
        // It is here already, by its name.
        await importAs('automation_playbook_fire', [imported]);
        await importAs('automation_playbook_fire', [imported], { override: true });
        await importAs('ansible_playbook_fire', [agentOnDebian], { override: true });
        expect(await marks()).toEqual([]);
        const twin = { ...imported, name: 'twin', _id: { $oid: 'a2'.repeat(12) } };
        await importAs('ansible_playbook_fire', [
          { ...agentOnDebian, name: 'old' },
          twin,
          { ...twin, _id: 'a3'.repeat(12) },
        ]);
        const old = await muster.storage.rules.findByName('automation_playbook_fire', 'old');
        expect(await marks()).toEqual([old?.id, 'a2'.repeat(12)].sort());
        const ids = async () => (await muster.run(listCountedRules, { rule_type: 'ansible_playbook_fire' })).ids;
        const before = await marks();
        expect(await ids()).toEqual(before);
        await importAs('ansible_playbook_fire', [{ ...twin, name: 'dry', _id: 'a4'.repeat(12) }], { dry_run: true });
        await muster.run(createRule, {
          rule_type: 'automation_playbook_fire',
          rule: { ...twin, name: 'own', _id: 'a5'.repeat(12) },
        });
        expect(await marks()).toEqual(before);
        await fire();
        expect(runner.take().sort()).toEqual(['a agent.yml', 'a agent.yml']);
      });

      it('fire for what they match where somebody chose so, at the import or later', async () => {
        await save('a', { os: 'debian' });
        await importAs('automation_playbook_fire', [imported], { fire_existing_matches: true });
        expect(await marks()).toEqual([]);
        await fire();
        expect(runner.take()).toEqual(['a agent.yml']);
        await importAs('automation_playbook_fire', [{ ...imported, name: 'later', _id: 'a2'.repeat(12) }]);
        const shown = () => muster.run(showRule, { rule_type: 'automation_playbook_fire', rule: 'later' });
        expect(await shown()).toMatchObject({ counts_as_fired: true });
        expect(await muster.run(fireExistingMatches, { rule: 'later' })).toMatchObject({
          rule: 'later',
          status: 'fires',
        });
        expect(await shown()).toMatchObject({ counts_as_fired: false });
        await expect(muster.run(fireExistingMatches, { rule: 'later' })).rejects.toEqual(code('conflict'));
        await expect(muster.run(fireExistingMatches, { rule: 'nobody' })).rejects.toEqual(code('not_found'));
        const user = await muster.addCaller('rules-only', { roles: ['rules'] });
        await expect(muster.run(fireExistingMatches, { rule: 'later' }, user)).rejects.toEqual(code('role_missing'));
        await fire();
        expect(runner.take()).toEqual(['a agent.yml']);
      });

      it('keep their mark while there is no host, while they are disabled, and while they wait', async () => {
        const user = await muster.addCaller('editor', { roles: ['rules'] });
        await muster.run(importRules, { rules: { automation_playbook_fire: [imported] } }, user);
        const off = { ...imported, name: 'off', enabled: false, _id: 'a2'.repeat(12) };
        await importAs('automation_playbook_fire', [off]);
        expect(await fire()).toMatchObject({ hosts: 0 });
        expect(await marks()).toHaveLength(2);
        await save('a', { os: 'debian' });
        const first = await fire();
        expect(first).toMatchObject({ started: 0, baselines: [{ evaluated: false }, { evaluated: false }] });
        expect(await marks()).toHaveLength(2);
        expect(await remembered()).toEqual([]);
        await muster.run(confirmRule, { rule_type: 'automation_playbook_fire', rule: 'agent' });
        await save('b', { os: 'debian' });
        expect(await fire()).toMatchObject({ started: 0, baselines: [{ rule: 'agent', matches: 2 }, { rule: 'off' }] });
        await importAs('automation_playbook_fire', [{ ...off, enabled: true }], { override: true });
        expect(await fire()).toMatchObject({ started: 0, baselines: [{ rule: 'off', matches: 2, evaluated: true }] });
        expect(await marks()).toEqual([]);
        expect(runner.calls).toEqual([]);
      });

      it('count as fired later what could not be told on a host, and fire where it turned out not to match', async () => {
        const site = { playbook: 'agent.yml', extra_vars: 'site={{ site }}' };
        for (const host of ['a', 'b']) await save(host, { os: 'debian' });
        await save('c', { os: 'debian', site: 'x' });
        await importAs('automation_playbook_fire', [{ ...imported, outcomes: [site, { playbook: 'nothing.yml' }] }]);
        expect(await fire()).toMatchObject({ started: 0, baselines: [{ matches: 1, open: 3, evaluated: true }] });
        expect(await marks()).toEqual([]);
        await writeFile(join(folder, 'playbooks.yml'), `${MANIFEST}  - {file: nothing.yml}\n`);
        await writeFile(join(folder, 'nothing.yml'), '');
        await save('a', { os: 'debian', site: 'x' });
        await save('b', { os: 'rocky' });
        // What was remembered in the millisecond in which a pass begins is not its to forget.
        await setTimeout(2);
        expect(await fire()).toMatchObject({ started: 0 });
        expect((await remembered()).map(({ hostname, playbook }) => `${hostname} ${playbook}`)).toEqual([
          'a agent.yml',
          'a nothing.yml',
          'c agent.yml',
          'c nothing.yml',
        ]);
        await save('b', { os: 'debian', site: 'x' });
        await fire();
        expect(runner.take().sort()).toEqual(['b agent.yml', 'b nothing.yml']);
      });

      it('take their mark with them, and it is nothing that anybody exports or lists', async () => {
        await save('a', { os: 'debian' });
        await importAs('automation_playbook_fire', [imported]);
        expect(JSON.stringify(await muster.run(listRuleTypes, {}))).not.toContain('playbook_baselines');
        const own = muster.run(importRules, { rules: { playbook_baselines: [{ name: 'x' }] } });
        expect(await own).toMatchObject({ total: 0, invalid: { playbook_baselines: 1 } });
        await muster.run(removeRule, { rule_type: 'automation_playbook_fire', rule: 'agent' });
        await fire({ dry_run: true });
        expect(await marks()).toHaveLength(1);
        await fire();
        expect(await marks()).toEqual([]);
      });

      it('run no playbook for a match that there was before their first pass', async () => {
        const labels = fc.constantFrom('debian', 'rocky');
        const host = fc.record({ before: labels, after: labels });
        const hosts = fc.array(host, { minLength: 1, maxLength: 4 });
        await fc.assert(
          fc.asyncProperty(hosts, fc.boolean(), async (drawn, dryFirst) => {
            for (const [n, { before }] of drawn.entries()) await save(`p${n}`, { os: before });
            const _id = { $oid: randomBytes(12).toString('hex') };
            await importAs('automation_playbook_fire', [{ ...agentOnDebian, name: 'drawn', _id }]);
            if (dryFirst) await fire({ dry_run: true });
            await Promise.all([fire(), fire()]);
            expect(runner.take()).toEqual([]);
            for (const [n, { after }] of drawn.entries()) await save(`p${n}`, { os: after });
            await fire();
            const begun = drawn.flatMap(({ before, after }, n) =>
              before === 'rocky' && after === 'debian' ? [`p${n} agent.yml`] : [],
            );
            expect(runner.take().sort()).toEqual(begun);
            await muster.run(removeRule, { rule_type: 'automation_playbook_fire', rule: 'drawn' });
            for (const n of drawn.keys()) await muster.run(archiveHost, { hostname: `p${n}` });
            for (const n of drawn.keys()) await muster.run(restoreHost, { hostname: `p${n}` });
          }),
          { numRuns: 4 },
        );
      });
    });

    describe('running', () => {
      it('runs a playbook of the manifest by file or name, and nothing else', async () => {
        await save('a');
        const run = await muster.run(runPlaybook, {
          playbook: 'Agent',
          host: 'a',
          extra_vars: 'a="{{ 1 }}"',
          check_mode: true,
        });
        expect(run).toMatchObject({ playbook: 'agent.yml', status: 'succeeded', exit_code: 0, check_mode: true });
        expect(run).toMatchObject({ source: 'user', started_by: 'operator', message: '', hostname: 'a' });
        const extraVariables = { templates: true, values: { a: '{{ 1 }}' } };
        expect(runner.calls).toEqual([
          { playbook: 'agent.yml', provider: 'automation', hostname: 'a', checkMode: true, extraVariables },
        ]);
        for (const playbook of ['../agent.yml', 'gone.yml', '/etc/passwd', 'agent']) {
          await expect(muster.run(runPlaybook, { playbook })).rejects.toEqual(code('not_found'));
        }
        await expect(muster.run(runPlaybook, { playbook: 'agent.yml', provider: 'x' })).rejects.toEqual(
          code('not_found'),
        );
        for (const extra_vars of ['@/etc/passwd', 'nothing']) {
          await expect(muster.run(runPlaybook, { playbook: 'agent.yml', extra_vars })).rejects.toEqual(
            code('invalid_input'),
          );
        }
        expect(runner.calls).toHaveLength(1);
        const missing = await muster.run(runPlaybook, { playbook: 'agent.yml', host: 'nobody' });
        expect(missing).toMatchObject({ status: 'failed', exit_code: null });
        expect(runner.calls).toHaveLength(1);
      });

      it('lists the manifest with what is wrong in it', async () => {
        expect(await muster.run(listPlaybooks, {})).toEqual({
          playbooks: [
            { file: 'agent.yml', name: 'Agent', inventory: 'automation', description: 'installs the agent' },
            { file: 'other.yml', name: 'other.yml', inventory: 'lab', description: '' },
          ],
          problems: [{ path: 'playbooks.yml: gone.yml', message: expect.any(String) }],
        });
      });

      it('streams what is printed, and is cancelled on request from anywhere', async () => {
        let cancelled: Promise<unknown> | undefined;
        const printed: string[] = [];
        runner.act = async (_call, options) => {
          const [run] = (await muster.run(listPlaybookRuns, {})).runs;
          expect(run).toMatchObject({ status: 'running', ended_at: null });
          cancelled = muster.run(cancelPlaybookRun, { run: run?.id });
          return untilStopped(options);
        };
        const progress = ({ output = '' }) => void printed.push(output);
        const run = await muster.run(runPlaybook, { playbook: 'agent.yml' }, undefined, { progress });
        expect(await cancelled).toEqual({ run: run.id, status: 'requested' });
        expect(run).toMatchObject({ status: 'cancelled', hostname: null, exit_code: null });
        expect(printed.join('')).toBe('PLAY agent.yml\n');
        expect((await muster.run(listRuns, { kind: 'playbook' })).runs).toMatchObject([{ outcome: 'cancelled' }]);
        await expect(muster.run(cancelPlaybookRun, { run: run.id })).rejects.toEqual(code('conflict'));
        await expect(muster.run(cancelPlaybookRun, { run: '0'.repeat(24) })).rejects.toEqual(code('not_found'));
        await expect(muster.run(showPlaybookRun, { run: '0'.repeat(24) })).rejects.toEqual(code('not_found'));
      });

      it('is for administrators, who may write; reading is for the role automation', async () => {
        await save('a');
        const admin = await muster.addCaller('admin', { roles: ['all'], admin: true });
        const reader = await muster.addCaller('reader', { roles: ['all'], admin: true, read_only: true });
        const user = await muster.addCaller('user', { roles: ['automation'] });
        const other = await muster.addCaller('other', { roles: ['objects'] });
        const { id } = await muster.run(runPlaybook, { playbook: 'agent.yml' }, admin);
        for (const [operation, input] of [
          [runPlaybook, { playbook: 'agent.yml' }],
          [firePlaybooks, { dry_run: true }],
          [cancelPlaybookRun, { run: id }],
        ] as const) {
          await expect(muster.run(operation as never, input, reader)).rejects.toEqual(code('read_only'));
          await expect(muster.run(operation as never, input, user)).rejects.toEqual(code('role_missing'));
        }
        for (const [operation, input] of [
          [listPlaybooks, {}],
          [listPlaybookRuns, {}],
          [showPlaybookRun, { run: id }],
        ] as const) {
          await muster.run(operation as never, input, reader);
          await muster.run(operation as never, input, user);
          await expect(muster.run(operation as never, input, other)).rejects.toEqual(code('role_missing'));
        }
      });

      it('shows to who is restricted to accounts the runs for hosts of these accounts only, and begins none', async () => {
        await save('mine', {}, 'red');
        await save('theirs', {}, 'blue');
        const scoped = await muster.addCaller('scoped', { roles: ['all'], accounts: ['red'] });
        const theirs = await muster.run(runPlaybook, { playbook: 'agent.yml', host: 'theirs' });
        const all = await muster.run(runPlaybook, { playbook: 'agent.yml' });
        const mine = await muster.run(runPlaybook, { playbook: 'agent.yml', host: 'mine' });
        expect(mine.status).toBe('succeeded');
        expect((await muster.run(listPlaybookRuns, {}, scoped)).runs.map(({ id }) => id)).toEqual([mine.id]);
        expect((await muster.run(listPlaybookRuns, { host: 'theirs' })).runs.map(({ id }) => id)).toEqual([theirs.id]);
        for (const { id } of [theirs, all]) {
          await expect(muster.run(showPlaybookRun, { run: id }, scoped)).rejects.toEqual(code('not_found'));
          await expect(muster.run(cancelPlaybookRun, { run: id }, scoped)).rejects.toEqual(code('role_missing'));
        }
        for (const host of [undefined, 'theirs', 'mine']) {
          const run = { playbook: 'agent.yml', ...(host === undefined ? {} : { host }) };
          await expect(muster.run(runPlaybook, run, scoped)).rejects.toEqual(code('role_missing'));
        }
        await expect(muster.run(firePlaybooks, {}, scoped)).rejects.toEqual(code('role_missing'));
        expect(runner.calls).toHaveLength(3);
      });

      describe('limited', () => {
        const groupsOf = (value: string, more: object = {}) => ({
          ...{ name: 'groups', enabled: true, condition_typ: 'anyway', conditions: [], ...more },
          outcomes: [{ attribute_name: 'ansible_groups', attribute_value: value }],
        });

        function variables(...documents: readonly object[]) {
          return muster.run(importRules, { rules: { automation_customvars: documents }, override: true });
        }

        beforeEach(async () => {
          await save('web1', { rack: 'R04', os: 'debian' });
          await save('web2', { rack: 'R04', os: 'rocky' });
          await save('db1', { rack: 'R05', os: 'debian' }, 'blue');
          await variables(groupsOf('os_{{ os }}'));
        });

        it('to a search or a group runs for exactly these hosts, and keeps and audits them', async () => {
          const search = { playbook: 'agent.yml', search: 'rack:R04 state:active', extra_vars: 'release=2' };
          expect(await muster.run(previewPlaybookRun, search)).toEqual({
            ...{ playbook: 'agent.yml', provider: 'automation', hosts: 2, first: ['web1', 'web2'], total: 3 },
          });
          const run = await muster.run(runPlaybook, search);
          const kept = { hostname: null, search: search.search, group: null, hosts: 2, first_hosts: ['web1', 'web2'] };
          expect(run).toMatchObject({ ...kept, status: 'succeeded', variables: ['release'] });
          expect(await muster.run(showPlaybookRun, { run: run.id })).toMatchObject(kept);
          expect(runner.calls.splice(0)).toMatchObject([{ hostname: null, hostnames: ['web1', 'web2'] }]);
          await muster.run(runPlaybook, { playbook: 'agent.yml', group: 'os_debian' });
          await muster.run(runPlaybook, { playbook: 'agent.yml', group: 'os_debian', search: 'rack:R04' });
          await muster.run(runPlaybook, { playbook: 'agent.yml', search: 'NOT group:os_debian' });
          expect(runner.calls.map(({ hostnames }) => hostnames)).toEqual([['db1', 'web1'], ['web1'], ['web2']]);
          const { entries } = await muster.run(listAudit, { limit: 100 });
          expect(entries.filter(({ operation }) => operation.startsWith('playbooks/'))).toMatchObject([
            { subject: 'agent.yml NOT group:os_debian: 1 host: web2' },
            { subject: 'agent.yml rack:R04 group os_debian: 1 host: web1' },
            { subject: 'agent.yml group os_debian: 2 hosts: db1, web1' },
            { subject: 'agent.yml rack:R04 state:active: 2 hosts: web1, web2', outcome: 'done' },
          ]);
        });

        it('is refused where no host is found, or it is not known which', async () => {
          const missing = { code: 'not_found' };
          const refused = async (more: object, error: object) => {
            const input = { playbook: 'agent.yml', ...more };
            await expect(muster.run(previewPlaybookRun, input)).rejects.toMatchObject(error);
            await expect(muster.run(runPlaybook, input)).rejects.toMatchObject(error);
          };
          const at = (path: string) => ({ code: 'invalid_input', details: [{ path }] });
          const ofNone = { playbook: 'agent.yml', provider: 'cmk_sites' };
          await expect(muster.run(previewPlaybookRun, ofNone)).rejects.toMatchObject({ code: 'conflict' });
          await refused({ search: 'rack:R99' }, at('search'));
          await refused({ search: 'state:archived' }, at('search'));
          await refused({ search: 'rack:(' }, at('search'));
          await refused({ search: ' ' }, at('search'));
          await refused({ group: 'os_*' }, at('group'));
          await refused({ group: 'all_of_them' }, at('group'));
          await refused({ host: 'web1', search: 'rack:R04' }, at('host'));
          await refused({ search: 'rack:R04', provider: 'lab' }, missing);
          await refused({ search: 'group:os_debian', provider: 'lab' }, missing);
          // It fails on one host only, which for all that is known is a Debian too.
          await variables(groupsOf('os_{{ os }}'), {
            ...groupsOf('{{ 1 / (rack | length - 3) }}', { name: 'fails', condition_typ: 'all' }),
            conditions: [tag('os', 'rocky')],
          });
          const undecided = { code: 'failed', message: expect.stringContaining('the rule fails fails on web2') };
          for (const search of ['group:os_debian', 'NOT group:os_debian', 'served.x:1', 'rack:R04 OR -served.x:1'])
            await refused({ search }, undecided);
          expect(runner.calls).toEqual([]);
          expect((await muster.run(listPlaybookRuns, {})).runs).toEqual([]);
          // What is stored decides, whatever rules make of it, and a group is what the inventory says.
          await muster.run(runPlaybook, { playbook: 'agent.yml', search: 'rack:R04' });
          await muster.run(runPlaybook, { playbook: 'agent.yml', group: 'os_debian' });
          expect(runner.calls.map(({ hostnames }) => hostnames)).toEqual([
            ['web1', 'web2'],
            ['db1', 'web1'],
          ]);
        });

        function inventory(more: object = {}): Promise<{ _meta: { hostvars: object }; all: { hosts: string[] } }> {
          return muster.read(renderInventory, { provider: 'automation', ...more });
        }

        it('addresses hosts by their names, whatever pattern these would be elsewhere', async () => {
          const sign = fc.constantFrom(...':,!~*@&?[]()|/.$"\'- aAé');
          const names = fc.uniqueArray(fc.string({ unit: sign, minLength: 1, maxLength: 8 }), {
            minLength: 2,
            maxLength: 6,
          });
          const nasty = ['all', 'ungrouped', 'web*', 'web1:!web2', '~web.*', '@web1', '!web1', 'web1,web2', 'web[1:2]'];
          for (const hostname of nasty) await save(hostname, { rack: 'nasty' });
          let round = 0;
          await fc.assert(
            fc.asyncProperty(names, fc.nat(), async (given, pick) => {
              const rack = `of round ${++round}`;
              const wanted: string[] = [];
              for (const [index, hostname] of [...given, ...nasty].entries()) {
                if ((pick + index) % 3 !== 0) continue;
                const saved = await save(hostname, { rack }).catch(() => undefined);
                if (saved !== undefined) wanted.push(hostname.trim());
              }
              const whole = (await inventory()).all.hosts;
              const expected = new Set(wanted.filter((hostname) => whole.includes(hostname)));
              if (expected.size === 0) return;
              await muster.run(runPlaybook, { playbook: 'agent.yml', search: `rack:"${rack}"` });
              const [call] = runner.calls.splice(0);
              const { all, _meta } = await inventory({ hosts: call?.hostnames });
              expect(new Set(all.hosts)).toEqual(expected);
              expect(new Set(Object.keys(_meta.hostvars))).toEqual(expected);
            }),
            { numRuns: 15 },
          );
        });

        it('has no host that is gone, and no group of others', async () => {
          const one = await inventory({ hosts: ['web1'] });
          const whole = await inventory();
          expect(one).toEqual({
            _meta: { hostvars: { web1: Reflect.get(whole._meta.hostvars, 'web1') } },
            all: { hosts: ['web1'], children: ['os_debian'] },
            os_debian: { hosts: ['web1'] },
          });
          const gone = muster.text(renderInventory, { provider: 'automation', hosts: ['web1', 'web9'] });
          await expect(gone).rejects.toEqual(code('not_found'));
        });

        it('is for administrators, and its runs are not shown to who is restricted to accounts', async () => {
          const user = await muster.addCaller('user', { roles: ['automation'] });
          const scoped = await muster.addCaller('scoped', { roles: ['all'], accounts: ['red'] });
          const input = { playbook: 'agent.yml', search: 'rack:R04' };
          for (const caller of [user, scoped])
            await expect(muster.run(previewPlaybookRun, input, caller)).rejects.toEqual(code('role_missing'));
          const { id } = await muster.run(runPlaybook, input);
          expect((await muster.run(listPlaybookRuns, {}, scoped)).runs).toEqual([]);
          await expect(muster.run(showPlaybookRun, { run: id }, scoped)).rejects.toEqual(code('not_found'));
          expect((await muster.run(listRuns, { kind: 'playbook' })).runs).toMatchObject([{ message: 'for 2 hosts' }]);
        });
      });

      it('prunes old runs with the maintenance', async () => {
        const start = { playbook: 'agent.yml', provider: 'automation', hostname: null, checkMode: false };
        const by = { source: 'user', startedBy: 'ada', leaseMs: 1000 } as const;
        await muster.storage.playbooks.begin({ ...start, ...by, id: '1'.repeat(24), startedAt: new Date(0) });
        const end = { at: new Date(1), status: 'succeeded', exitCode: 0, message: '', output: '' } as const;
        await muster.storage.playbooks.end({ ...end, id: '1'.repeat(24) });
        const { id } = await muster.run(runPlaybook, { playbook: 'agent.yml' });
        expect(await muster.run(runMaintenance, {})).toMatchObject({ playbook_runs: 1 });
        expect((await muster.run(listPlaybookRuns, {})).runs).toMatchObject([{ id }]);
      });
    });
  });
}
