import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FakeRunner, untilStopped } from '../../app/playbooks/fake-runner.ts';
import { type MusterHarness, musterHarness, type RunMusterOptions } from './run-muster.ts';

let muster: MusterHarness;
let runner: FakeRunner;

beforeEach(async () => {
  muster = await musterHarness();
  runner = new FakeRunner();
  const folder = join(muster.directory, 'books');
  await mkdir(folder);
  await writeFile(join(folder, 'playbooks.yml'), 'playbooks: [{file: agent.yml, name: Agent}, {file: gone.yml}]');
  await writeFile(join(folder, 'agent.yml'), '');
  await writeFile(join(muster.directory, 'hosts.csv'), 'host,os\nweb01,debian\nweb02,debian\n');
  await succeed('account', 'add', 'lab', '--type', 'csv', '--set', `path=${join(muster.directory, 'hosts.csv')}`);
  await succeed('import', 'lab');
});

afterEach(() => muster.close());

function run(args: readonly string[], more: RunMusterOptions = {}) {
  return muster.run(args, { environment: { SERVICE_PLAYBOOK_DIR: 'books' }, playbookRunner: runner, ...more });
}

async function succeed(...args: string[]) {
  const result = await run(args);
  expect(`${result.exitCode} ${result.stderr}`, args.join(' ')).toMatch(/^0 /);
  return result;
}

async function importRules(type: string, rule: object): Promise<void> {
  const file = join(muster.directory, 'rules.json');
  await writeFile(file, JSON.stringify({ rule_type: type, rules: [rule] }));
  await succeed('rules', 'import', file);
}

async function addRule(): Promise<void> {
  const rule = {
    name: 'agent on all',
    enabled: true,
    condition_typ: 'anyway',
    outcomes: [{ playbook: 'agent.yml' }],
  };
  await importRules('automation_playbook_fire', rule);
}

/** As the installation exports it where it fired. */
async function addOldRule(...options: readonly string[]) {
  const file = join(muster.directory, 'old.json');
  const rule = { _id: { $oid: 'a1'.repeat(12) }, name: 'old agent', enabled: true, condition_typ: 'anyway' };
  const rules = { ansible_playbook_fire: [{ ...rule, outcomes: [{ playbook: 'agent.yml' }] }] };
  await writeFile(file, JSON.stringify({ rules }));
  return succeed('rules', 'import', file, ...options);
}

async function runIds(): Promise<string[]> {
  const { stdout } = await succeed('playbook', 'runs', '--json');
  return (JSON.parse(stdout) as { id: string }[]).map(({ id }) => id);
}

describe('muster playbook', () => {
  it('lists what can be run, and says what cannot', async () => {
    const listed = await run(['playbook', 'list']);
    expect(listed.stdout).toBe('FILE       NAME   INVENTORY   DESCRIPTION\nagent.yml  Agent  automation\n');
    expect(listed.stderr).toBe('playbooks.yml: gone.yml: file does not exist\n');
    expect(listed.exitCode).toBe(1);
    const json = await run(['playbook', 'list', '--json']);
    expect(JSON.parse(json.stdout)).toEqual([
      { file: 'agent.yml', name: 'Agent', inventory: 'automation', description: '' },
    ]);
  });

  it('runs a playbook and shows what it prints, harmless, and fails when it fails', async () => {
    runner.act = async (_call, { onOutput }) => {
      onOutput('ok: [web01]\u001b[31m\n');
      return 0;
    };
    const args = ['playbook', 'run', 'Agent', '--host', 'web01', '--check', '--extra-vars', 'a=1'];
    const done = await succeed(...args);
    expect(done.stdout).toBe('PLAY agent.yml\nok: [web01]\\x1b[31m\n');
    expect(done.stderr).toBe('');
    expect(runner.calls).toMatchObject([
      { hostname: 'web01', checkMode: true, extraVariables: { values: { a: '1' } } },
    ]);
    runner.act = async () => 2;
    const failed = await run(['playbook', 'run', 'agent.yml', '--json']);
    expect(failed.exitCode).toBe(1);
    expect(JSON.parse(failed.stdout)).toMatchObject({ status: 'failed', exit_code: 2, hostname: null });
    expect(failed.stderr).toMatch(
      /^PLAY agent.yml\n\{"message":"agent.yml failed: it ended with exit code 2; run [0-9a-f]{24}","code":"failed",.*\}\n$/,
    );
    for (const wrong of [
      ['nothing.yml'],
      ['agent.yml', '--extra-vars', '@/etc/passwd'],
      ['agent.yml', '--provider', 'x'],
    ]) {
      const refused = await run(['playbook', 'run', ...wrong]);
      expect(refused.exitCode, wrong.join(' ')).toBe(1);
      expect(refused.stdout).toBe('');
    }
    expect(runner.calls).toHaveLength(2);
  });

  it('runs a playbook for the hosts of a search or a group, and says before which', async () => {
    const listed = await succeed('playbook', 'hosts', 'agent.yml', '--search', 'os:debian -name:web02');
    expect(`${listed.stdout}${listed.stderr}`).toBe('HOST\nweb01\n1 host\n');
    await succeed('playbook', 'run', 'agent.yml', '--search', 'os:debian -name:web02', '--extra-vars', 'a=1');
    expect(runner.calls).toMatchObject([{ hostname: null, hostnames: ['web01'] }]);
    expect((await succeed('playbook', 'runs')).stdout).toContain('  1 host of automation  ');
    const [id = ''] = await runIds();
    const shown = (await succeed('playbook', 'show', id)).stdout;
    expect(shown).toContain('\nhosts      1 host: web01\nsearch     os:debian -name:web02\nvariables  a\n');
    const none = await run(['playbook', 'run', 'agent.yml', '--search', 'os:aix']);
    expect([none.exitCode, none.stderr]).toEqual([1, expect.stringContaining('nothing is run')]);
    const group = await run(['playbook', 'run', 'agent.yml', '--group', 'web']);
    expect([group.exitCode, group.stderr]).toEqual([1, expect.stringContaining('nothing is run')]);
    expect(runner.calls).toHaveLength(1);
  });

  it('prints the inventory of the hosts that a file names, and none where it cannot be read', async () => {
    const file = join(muster.directory, 'hosts.json');
    await writeFile(file, '["web02"]');
    const listed = await run(['inventory', '--list'], { inventoryHosts: file });
    expect(JSON.parse(listed.stdout).all.hosts).toEqual(['web02']);
    for (const names of ['["web02", "web09"]', '[]', '"web02"', 'web02', '']) {
      await writeFile(file, names);
      expect((await run(['inventory', '--list'], { inventoryHosts: file })).exitCode, names).toBe(1);
    }
    expect((await run(['inventory', '--list'], { inventoryHosts: `${file}.gone` })).exitCode).toBe(1);
  });

  it('fires rules, and says before what it would do', async () => {
    await addRule();
    const dry = await succeed('playbook', 'fire', '--dry-run');
    expect(dry.stdout).toContain('web01  agent.yml  agent on all  automation  would run');
    expect(dry.stdout).toMatch(/\n2 hosts, 2 runs would begin\n$/);
    runner.act = async ({ hostname }) => (hostname === 'web02' ? 4 : 0);
    const fired = await run(['playbook', 'fire']);
    expect(fired.exitCode).toBe(1);
    expect(fired.stdout).toMatch(/web02 .* failed .*exit code 4/);
    expect(fired.stdout).toMatch(/\n2 hosts, 2 runs, 1 failed\n$/);
    expect((await succeed('playbook', 'fire')).stdout).toBe('2 hosts, 0 runs\n');
    expect(JSON.parse((await succeed('playbook', 'fire', '--json')).stdout)).toMatchObject({
      status: 'done',
      runs: [],
    });
  });

  it('says of rules of another installation that what they match counts as fired, before it does', async () => {
    expect((await addOldRule('--dry-run')).stderr).toMatch(/"old agent": .*counts as fired/);
    expect((await addOldRule()).stderr).toContain(`muster playbook fire-existing 'old agent'`);
    const listed = await succeed('rules', 'list', 'automation_playbook_fire');
    expect(listed.stderr).toMatch(/^rule "old agent" comes from another installation: .*counts as fired/);
    const dry = await succeed('playbook', 'fire', '--dry-run');
    expect(dry.stdout).toBe('2 hosts, 0 runs would begin, 2 matches of today count as fired\n');
    expect(dry.stderr).toMatch(/^rule old agent .*: 2 matches of today count as fired and nothing runs\n$/);
    await succeed('playbook', 'fire');
    expect((await succeed('playbook', 'fire')).stdout).toBe('2 hosts, 0 runs\n');
    expect((await succeed('rules', 'list', 'automation_playbook_fire')).stderr).toBe('');
    const late = await run(['playbook', 'fire-existing', 'old agent']);
    expect(late.exitCode).toBe(1);
    expect(late.stderr).toContain('muster playbook run');
    expect(runner.calls).toEqual([]);
  });

  it('runs them where that is asked for', async () => {
    await addOldRule();
    expect((await succeed('playbook', 'fire-existing', 'old agent')).stderr).toContain('The next pass runs');
    expect((await succeed('playbook', 'fire')).stdout).toMatch(/\n2 hosts, 2 runs\n$/);
    await succeed('rules', 'remove', 'automation_playbook_fire', 'old agent');
    await succeed('playbook', 'fire');
    await addOldRule();
    await succeed('rules', 'remove', 'automation_playbook_fire', 'old agent');
    expect((await addOldRule('--fire-existing')).stderr).toBe('');
    expect((await succeed('playbook', 'fire')).stdout).toMatch(/\n2 hosts, 2 runs/);
  });

  it('lists and shows runs, and cancels none that is over', async () => {
    expect((await succeed('playbook', 'runs')).stderr).toBe('No playbook was run yet.\n');
    await succeed('playbook', 'run', 'agent.yml', '--host', 'web01');
    runner.act = async () => 2;
    await run(['playbook', 'run', 'agent.yml', '--check']);
    const listed = await succeed('playbook', 'runs');
    const [, failed, done] = listed.stdout.split('\n');
    expect(failed).toMatch(
      /^[0-9a-f]{24} {2}.* failed +agent.yml \(check\) +all of automation .* it ended with exit code 2$/,
    );
    expect(done).toMatch(/ succeeded +agent.yml +web01 /);
    expect(
      (await succeed('playbook', 'runs', '--host', 'web01', '--limit', '5')).stdout.trim().split('\n'),
    ).toHaveLength(2);
    const [id = ''] = await runIds();
    const shown = await succeed('playbook', 'show', id);
    expect(shown.stdout).toMatch(/^status {5}failed: it ended with exit code 2\nplaybook {3}agent.yml \(check mode/);
    expect(shown.stdout).toMatch(/\n\nPLAY agent.yml\n$/);
    expect(JSON.parse((await succeed('playbook', 'show', id, '--json')).stdout)).toMatchObject({ id, exit_code: 2 });
    for (const wrong of [
      ['show', '0'],
      ['cancel', '0'],
      ['cancel', id],
    ]) {
      expect((await run(['playbook', ...wrong])).exitCode, wrong.join(' ')).toBe(1);
    }
  });

  it('cancels a run that goes on elsewhere', async () => {
    let started: () => void = () => undefined;
    const running = new Promise<void>((resolve) => {
      started = resolve;
    });
    runner.act = async (_call, options) => {
      started();
      return untilStopped(options);
    };
    const run1 = run(['playbook', 'run', 'agent.yml']);
    await running;
    const [id = ''] = await runIds();
    expect((await succeed('playbook', 'cancel', id)).stderr).toContain(`Asked to end ${id}.`);
    const ended = await run1;
    expect(ended.exitCode).toBe(1);
    expect(ended.stderr).toContain('agent.yml cancelled: cancelled on request');
  });

  it('prints the inventory of one host with its groups when the environment names one', async () => {
    const groups = {
      name: 'groups',
      enabled: true,
      condition_typ: 'anyway',
      outcomes: [{ attribute_name: 'ansible_groups', attribute_value: 'os_{{ os }}' }],
    };
    await importRules('automation_customvars', groups);
    const one = JSON.parse((await run(['inventory', '--list'], { inventoryHost: 'web02' })).stdout);
    const whole = JSON.parse((await run(['inventory', '--list'])).stdout);
    expect(one).toEqual({
      _meta: { hostvars: { web02: whole._meta.hostvars.web02 } },
      all: { hosts: ['web02'], children: ['os_debian'] },
      os_debian: { hosts: ['web02'] },
    });
    const variables = await run(['inventory', '--host', 'web01'], { inventoryHost: 'web02' });
    expect(JSON.parse(variables.stdout)).toEqual(whole._meta.hostvars.web01);
    expect((await run(['inventory', '--list'], { inventoryHost: 'nobody' })).exitCode).toBe(1);
  });
});
