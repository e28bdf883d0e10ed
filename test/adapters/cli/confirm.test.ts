import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type RuleDocument, StoredJson } from '../../../src/ports/index.ts';
import { type MusterHarness, musterHarness } from './run-muster.ts';

const ID = '65f000000000000000000001';
const CONFIRM = ['rules', 'confirm', 'cron_groups', 'nightly'];

describe('muster rules confirm', () => {
  let muster: MusterHarness;

  beforeEach(async () => {
    muster = await musterHarness();
    await write({ jobs: [{ command: 'Maintenance' }], webhook_token_hash: 'a hash' });
  });
  afterEach(async () => {
    await muster.close();
  });

  /** As somebody over HTTP who is no administrator. */
  async function write(members: RuleDocument): Promise<void> {
    const document = { _id: { $oid: ID }, name: 'nightly', enabled: true, ...members };
    await muster.storage.rules.write({
      entries: [
        {
          type: 'cron_groups',
          id: ID,
          name: 'nightly',
          uniqueName: true,
          document: StoredJson.ofValue<RuleDocument>(document),
          confirmedBy: null,
        },
      ],
      mode: 'replace',
      at: new Date('2026-11-22T10:00:00Z'),
      actor: { kind: 'user', name: 'mallory' },
    });
  }

  async function isConfirmed(): Promise<boolean> {
    return (await muster.storage.rules.get('cron_groups', ID))?.confirmedBy === 'operator';
  }

  it('shows who wrote what, masks secrets, and asks', async () => {
    const { exitCode, stdout, stderr } = await muster.run(CONFIRM, { typed: 'y\n' });
    expect(exitCode, stderr).toBe(0);
    expect(stdout).toBe('');
    expect(stderr).toMatch(
      /^cron_groups nightly, version 1\nwritten 2026-11-22 10:00:00 UTC by mallory\n[\s\S]*command: Maintenance\n[\s\S]*It runs the job Maintenance, lets a webhook start it\.\nConfirm cron_groups nightly, version 1\? \[y\/N\] cron_groups nightly, version 1 is confirmed\.\n$/,
    );
    expect(stderr).not.toContain('a hash');
    expect(await isConfirmed()).toBe(true);
  });

  it.each(['n\n', '\n', 'perhaps\n', ''])('confirms nothing when somebody answers "%s"', async (typed) => {
    const { exitCode, stderr } = await muster.run(CONFIRM, { typed });
    expect(exitCode).toBe(1);
    expect(stderr).toContain('nothing was confirmed');
    expect(await isConfirmed()).toBe(false);
  });

  it('asks nobody in a pipe or with --yes, and shows what it confirmed', async () => {
    for (const [args, options] of [
      [CONFIRM, {}],
      [[...CONFIRM, '--yes'], { typed: '' }],
    ] as const) {
      await write({ jobs: [{ command: 'Maintenance' }], sort_field: Math.random() });
      const { exitCode, stderr } = await muster.run(args, options);
      expect(exitCode, stderr).toBe(0);
      expect(stderr).not.toContain('[y/N]');
      expect(stderr).toMatch(/command: Maintenance\n[\s\S]*It runs the job Maintenance\.\n.* is confirmed\.\n$/);
      expect(await isConfirmed()).toBe(true);
    }
    expect(await muster.json(CONFIRM)).toMatchObject({
      status: 'confirmed',
      acts: ['runs the job Maintenance'],
      document: { jobs: [{ command: 'Maintenance' }] },
    });
  });

  it('confirms no other version than the one that was read', async () => {
    await write({ jobs: [{ command: 'Fire Playbooks' }] });
    for (const options of [{}, { typed: 'y\n' }]) {
      const { exitCode, stderr } = await muster.run([...CONFIRM, '--if-version', '1'], options);
      expect(exitCode).toBe(1);
      expect(stderr).toContain('is version 2 now, and not 1');
    }
    expect(await isConfirmed()).toBe(false);
    const byName = await muster.run([...CONFIRM, '--if-version', '2']);
    expect(byName.stderr).toContain('name the document by its id');
    expect(await isConfirmed()).toBe(false);
    expect((await muster.run(['rules', 'confirm', 'cron_groups', ID, '--if-version', '2'])).exitCode).toBe(0);
    expect(await isConfirmed()).toBe(true);
  });

  it('tells which documents an account fills that waits because of them', async () => {
    const account = { _id: { $oid: ID }, name: 'jump', type: 'api', enabled: true, address: 'gate.example.org' };
    await muster.storage.rules.write({
      entries: [
        {
          type: 'accounts',
          id: ID,
          name: 'jump',
          uniqueName: true,
          document: StoredJson.ofValue<RuleDocument>(account),
          confirmedBy: null,
        },
      ],
      mode: 'replace',
      at: new Date('2026-11-22T10:00:00Z'),
      actor: { kind: 'user', name: 'mallory' },
    });
    const outcomes = [{ attribute_name: 'ansible_ssh_common_args', attribute_value: '-J {{ACCOUNT:jump:address}}' }];
    const rule = { name: 'via', enabled: true, condition_typ: 'anyway', outcomes };
    const bundle = JSON.stringify({ rule_type: 'automation_customvars', rules: [rule] });
    expect(await muster.run(['rules', 'import', '-'], { stdin: bundle })).toMatchObject({ exitCode: 0 });
    const { stderr } = await muster.run(['rules', 'confirm', 'accounts', 'jump']);
    expect(stderr).toContain('It fills automation_customvars via.');
  });

  it('takes a document that was made anew for another version', async () => {
    await muster.storage.rules.remove({
      type: 'cron_groups',
      id: ID,
      at: new Date('2026-11-22T11:00:00Z'),
      actor: { kind: 'user', name: 'mallory' },
    });
    await write({ jobs: [{ command: 'Fire Playbooks' }] });
    const refused = await muster.run(['rules', 'confirm', 'cron_groups', ID, '--if-version', '1']);
    expect(refused.exitCode).toBe(1);
    expect(refused.stderr).toContain('and not 1');
    expect(await isConfirmed()).toBe(false);
    expect((await muster.run(CONFIRM)).exitCode).toBe(0);
    expect(await isConfirmed()).toBe(true);
  });
});
