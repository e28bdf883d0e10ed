import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { OpenedStorage } from '../../../src/testing/harness.ts';
import { type MusterHarness, musterHarness } from './run-muster.ts';

const SITE = `rule_type: custom_attributes
rules:
  - name: Site from hostname
    enabled: true
    sort_field: 10
    condition_typ: anyway
    conditions: []
    outcomes:
      - attribute_name: site
        attribute_value: fra
---
rule_type: automation_filter
rules:
  - name: Hide templates
    enabled: false
    condition_typ: anyway
    conditions: []
    outcomes:
      - action: ignore_hosts
`;
const ACCOUNTS = JSON.stringify({
  rules: {
    accounts: [
      {
        name: 'api',
        type: 'api',
        enabled: true,
        custom_fields: [{ name: 'api_token', value: { file: '../secrets/token' } }],
      },
      {
        name: 'netbox',
        type: 'netbox',
        enabled: true,
        address: 'https://netbox.example.org',
        username: 'sync',
        password: { env: 'NETBOX_PASSWORD' },
      },
    ],
  },
});
const variables = { NETBOX_PASSWORD: 'hunter-two' };

interface Plan {
  readonly create: number;
  readonly update: number;
  readonly delete: number;
  readonly unchanged: number;
  readonly changes: readonly {
    readonly action: string;
    readonly name: string;
    readonly place: string | null;
    readonly changes: readonly { readonly path: string; readonly before?: unknown; readonly after?: unknown }[];
    readonly drift: { readonly by: string; readonly change: string; readonly changes: readonly object[] } | null;
  }[];
  readonly not_in_folder: readonly { readonly name: string; readonly reason: string }[];
  readonly warnings: readonly { readonly name: string; readonly message: string }[];
}

/** A folder of rules and accounts, applied by the command line to a store. What is refused before a store is asked, one of them tells. */
export function describeRulesFolder(name: string, createStorage: () => Promise<OpenedStorage>): void {
  describe(`${name}: a folder of rules and accounts`, () => {
    const readsFiles = name === 'SQLite' || process.env.THOROUGH === '1';
    let opened: OpenedStorage;
    let muster: MusterHarness;

    beforeEach(async () => {
      opened = await createStorage();
      muster = await musterHarness(opened.storage);
      await put('rules/site.yaml', SITE);
      await put('rules/accounts/accounts.json', ACCOUNTS);
      await put('rules/secrets/token', 'token-of-netbox\n');
    });

    afterEach(async () => {
      await muster.close();
      await opened.close();
    });

    async function put(path: string, text: string): Promise<void> {
      const file = join(muster.directory, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text);
    }

    const diff = (...options: string[]) => muster.json<Plan>(['rules', 'diff', 'rules', ...options], { variables });
    const apply = (...options: string[]) =>
      muster.json<Plan>(['rules', 'apply', '-f', 'rules', ...options], { variables });

    it('is applied once, and the second time there is nothing to do', async () => {
      expect(await diff()).toMatchObject({ create: 4, update: 0, delete: 0, unchanged: 0 });
      const first = await muster.run(['rules', 'apply', '-f', 'rules'], { variables });
      expect([first.exitCode, first.stdout, first.stderr].join('\n')).toMatch(/^0\n\+ accounts api[\s\S]*4 created/);
      expect(first.stdout).toContain('+ custom_attributes Site from hostname  rules/site.yaml:3');
      expect(`${first.stdout}${first.stderr}`).not.toMatch(/hunter-two|token-of-netbox/);
      expect(await apply()).toMatchObject({ create: 0, update: 0, delete: 0, unchanged: 4, changes: [] });
      const second = await muster.run(['rules', 'diff', 'rules', '--exit-code'], { variables });
      expect(second).toEqual({ exitCode: 0, stdout: '', stderr: 'Nothing to do: 4 documents as the folder says.\n' });
      const netbox = await opened.storage.rules.findByName('accounts', 'netbox');
      expect(netbox?.version).toBe(1);
      expect(netbox?.document.text).toContain('password_crypted');
      expect(netbox?.document.text).not.toContain('hunter-two');
      expect((await opened.storage.rules.findByName('accounts', 'api'))?.document.text).toContain('value_crypted');
    });

    it('shows of a changed file exactly its difference', async () => {
      await apply();
      await put('rules/site.yaml', SITE.replace('attribute_value: fra', 'attribute_value: ber'));
      const plan = await diff();
      expect(plan).toMatchObject({ create: 0, update: 1, delete: 0, unchanged: 3 });
      expect(plan.changes).toMatchObject([
        {
          action: 'update',
          name: 'Site from hostname',
          place: 'rules/site.yaml:3',
          changes: [{ path: 'outcomes.0.attribute_value', before: 'fra', after: 'ber' }],
          drift: null,
        },
      ]);
      const { exitCode } = await muster.run(['rules', 'diff', 'rules', '--exit-code'], { variables });
      expect(exitCode).toBe(3);
      expect((await muster.run(['rules', 'diff', 'rules'], { variables })).exitCode).toBe(0);
      await muster.run(['rules', 'apply', 'rules', '--dry-run'], { variables });
      expect(await apply()).toMatchObject({ update: 1 });
      expect(await diff()).toMatchObject({ update: 0, changes: [] });
    });

    it('leaves pauses and requested runs of cron groups as they are', async () => {
      const groupWith = (interval: string, more = '') =>
        put(
          'rules/cron.yaml',
          `rule_type: cron_groups\nrules: [{name: nightly, enabled: true, interval: ${interval}, jobs: [{command: Maintenance}]${more}}]\n`,
        );
      const stored = async () => {
        const value = (await opened.storage.rules.findByName('cron_groups', 'nightly'))?.document.value;
        return [value?.interval, value?.run_once_next, value?.paused_until];
      };
      await groupWith('hour', ', run_once_next: true, paused_until: 2098-01-01T00:00:00Z');
      await apply();
      expect(await stored()).toEqual(['hour', undefined, undefined]);
      await muster.run(['cron', 'pause', 'nightly', '--until', '2099-01-01T00:00Z']);
      await muster.run(['cron', 'trigger', 'nightly']);
      const paused = { $date: Date.parse('2099-01-01T00:00Z') };
      expect(await stored()).toEqual(['hour', true, paused]);
      expect(await apply()).toMatchObject({ update: 0, unchanged: 5 });
      await groupWith('daily', ', run_once_next: false');
      // No person changed it since.
      expect((await apply()).changes).toMatchObject([{ changes: [{ path: 'interval' }], drift: null }]);
      expect(await stored()).toEqual(['daily', true, paused]);
    });

    it('tells that a secret is another one, and not which', async () => {
      await apply();
      const changed = { variables: { NETBOX_PASSWORD: 'hunter-three' } };
      const { stdout, stderr } = await muster.run(['rules', 'diff', 'rules', '--json'], changed);
      expect(JSON.parse(stdout)).toMatchObject({
        update: 1,
        changes: [{ name: 'netbox', changes: [{ path: 'password_crypted', before: '********', after: '********' }] }],
      });
      expect(`${stdout}${stderr}`).not.toMatch(/hunter|token-of/);
      await muster.run(['rules', 'apply', 'rules'], changed);
      const again = await muster.json<Plan>(['rules', 'diff', 'rules'], changed);
      expect(again.changes).toEqual([]);
    });

    it('shows what was changed and removed by hand before it is overwritten', async () => {
      await apply();
      const rule = SITE.split('---')[0]?.replace('attribute_value: fra', 'attribute_value: par') ?? '';
      await put('by-hand.json', JSON.stringify(ruleOf(rule)));
      await muster.run(['rules', 'import', 'by-hand.json', '--override']);
      await muster.run(['rules', 'remove', 'automation_filter', 'Hide templates']);
      const plan = await diff();
      expect(plan.changes).toMatchObject([
        {
          name: 'Site from hostname',
          changes: [{ path: 'outcomes.0.attribute_value', before: 'par', after: 'fra' }],
          drift: { change: 'changed', by: 'olga', changes: [{ before: 'fra', after: 'par' }] },
        },
        { action: 'create', name: 'Hide templates', drift: { change: 'removed', by: 'olga' } },
      ]);
      const { stdout } = await muster.run(['rules', 'diff', 'rules'], { variables });
      expect(stdout).toContain('! changed by hand since the last apply, by olga');
      await apply();
      expect((await diff()).changes).toEqual([]);
    });

    it('removes with --prune what an apply made, and nothing that people made', async () => {
      await put('by-hand.json', JSON.stringify(ruleOf(SITE.split('---')[1] ?? '')));
      await muster.run(['rules', 'import', 'by-hand.json']);
      const other = ruleOf(SITE.replace('Site from hostname', 'Never applied'));
      await muster.run(['rules', 'import', '-'], { stdin: JSON.stringify(other) });
      await apply();
      await put('rules/site.yaml', '# nothing any more\n');
      expect(await diff()).toMatchObject({
        delete: 0,
        not_in_folder: [
          { name: 'Site from hostname', reason: 'needs_prune' },
          { name: 'Hide templates', reason: 'made_by_hand' },
        ],
      });
      expect(await diff('--prune')).toMatchObject({ delete: 1, changes: [{ action: 'delete' }] });
      expect(await apply('--prune')).toMatchObject({ delete: 1 });
      const names = async (type: string) => (await opened.storage.rules.list(type)).map(({ name: own }) => own);
      expect(await names('custom_attributes')).toEqual(['Never applied']);
      expect(await names('automation_filter')).toEqual(['Hide templates']);
    });

    it('removes what it was told to adopt, and nothing of another set', async () => {
      await put('by-hand.json', JSON.stringify(ruleOf(SITE.split('---')[1] ?? '')));
      await muster.run(['rules', 'import', 'by-hand.json']);
      await put(
        'other/rule.yaml',
        SITE.replaceAll(/name: .*/g, (line) => `${line} of others`),
      );
      await muster.run(['rules', 'apply', 'other', '--applyset', 'others']);
      await apply('--adopt');
      await put('rules/site.yaml', '');
      expect(await apply('--prune')).toMatchObject({ delete: 2 });
      expect(await opened.storage.rules.list('automation_filter')).toHaveLength(1);
    });

    it('leaves what another set made to that set until it adopts it', async () => {
      const rules = async () => (await opened.storage.rules.list('custom_attributes')).length;
      await put('other/rule.yaml', SITE);
      await muster.run(['rules', 'apply', 'other', '--applyset', 'others']);
      const { warnings } = await diff();
      expect(warnings.map(({ name: own, message }) => `${own} ${message}`)).toEqual([
        expect.stringMatching(/^Site from hostname belongs to the set others, .* --adopt takes it over$/),
        expect.stringMatching(/^Hide templates belongs to the set others/),
      ]);
      const changed = SITE.replace('attribute_value: fra', 'attribute_value: ber');
      await put('rules/site.yaml', changed);
      expect(await apply()).toMatchObject({ update: 1, changes: [{}, {}, { taken_from: 'others', drift: null }] });
      await put('rules/site.yaml', '# nothing any more\n');
      expect(await apply('--prune')).toMatchObject({ delete: 0, not_in_folder: [] });
      expect(await rules()).toBe(1);
      await put('rules/site.yaml', changed);
      expect((await apply('--adopt')).warnings).toEqual([]);
      await put('other/rule.yaml', SITE.split('---')[1] ?? '');
      const pruned = ['rules', 'apply', 'other', '--applyset', 'others', '--prune'];
      expect(await muster.json<Plan>(pruned)).toMatchObject({ delete: 0 });
      await put('rules/site.yaml', '');
      expect(await apply('--prune')).toMatchObject({ delete: 2 });
      expect(await rules()).toBe(0);
    });

    it('keeps an account that hosts belong to, and says so', async () => {
      await apply();
      await muster.run(['host', 'set', 'web01', '--account', 'api', '--label', 'os=debian']);
      await put('rules/accounts/accounts.json', JSON.stringify({ rule_type: 'accounts', rules: [] }));
      const { exitCode, stderr } = await muster.run(['rules', 'apply', 'rules', '--prune'], { variables });
      expect(exitCode).toBe(1);
      expect(stderr).toContain('1 removed');
      expect(stderr).toContain('not removed: accounts api: account api owns 1 host;');
    });

    it.runIf(readsFiles).each([
      [
        'a secret in clear',
        '{name: x, type: csv, password: hunter2}',
        'accounts/accounts.yaml:3: password: is a secret in clear',
      ],
      [
        'a missing variable',
        '{name: x, type: csv, password: {env: NOWHERE}}',
        'accounts.yaml:3: password: the environment variable NOWHERE',
      ],
      [
        'a secret where none is kept',
        '{name: x, type: csv, address: {env: NETBOX_PASSWORD}}',
        'address: is read as a secret',
      ],
      ['a secret that is not stored', '{name: x, type: csv, password: {stored: true}}', 'there is no stored secret'],
      ['a document twice', '{name: x, type: csv}, {name: x, type: json}', 'is in the folder twice, also in'],
      ['what does not fit', '{name: x, type: csv, custom_fields: 5}', 'accounts.yaml:3: custom_fields: '],
      ['what is no document', '5', 'must be an object'],
    ])('refuses all of it for %s, by file and line', async (_what, documents, message) => {
      await put('rules/accounts/accounts.json', '');
      await put('rules/accounts/accounts.yaml', `rule_type: accounts\nrules:\n  [${documents}]\n`);
      const { exitCode, stdout, stderr } = await muster.run(['rules', 'apply', 'rules'], { variables });
      expect(`${exitCode} ${stdout}${stderr}`).toContain('1 muster: rules/');
      expect(stderr).toContain(message);
      expect(stderr).not.toContain('hunter');
      expect([...(await opened.storage.rules.counts())]).toEqual([]);
    });

    it.runIf(readsFiles).each([
      ['rule_type: custom_atributes\nrules: [{name: x}]', 'there is no rule type custom_atributes'],
      ['rule_type: users\nrules: [{name: x}]', 'users are not kept in a folder'],
      ['name: x', 'must be {rule_type: …, rules: […]}'],
      ['rule_type: [', 'bad.yaml:1: '],
    ])('refuses %j', async (text, message) => {
      await put('rules/bad.yaml', text);
      const { exitCode, stderr } = await muster.run(['rules', 'diff', 'rules'], { variables });
      expect([exitCode, stderr]).toEqual([1, expect.stringContaining(message)]);
    });

    it('takes an empty folder for a mistake', async () => {
      await rm(join(muster.directory, 'rules'), { recursive: true });
      await mkdir(join(muster.directory, 'rules'));
      const { exitCode, stderr } = await muster.run(['rules', 'apply', 'rules', '--prune']);
      expect([exitCode, stderr]).toEqual([1, expect.stringContaining('holds no rules')]);
    });

    it('asks at a terminal, and applies nothing without a yes', async () => {
      const no = await muster.run(['rules', 'apply', 'rules'], { variables, typed: 'n\n' });
      expect([no.exitCode, no.stderr]).toEqual([1, expect.stringContaining('4 to create')]);
      expect([...(await opened.storage.rules.counts())]).toEqual([]);
      expect((await muster.run(['rules', 'apply', 'rules'], { variables, typed: 'y\n' })).exitCode).toBe(0);
    });

    it('is written from what is stored, without a secret, and changes nothing when it is applied', async () => {
      await apply();
      await muster.run(['rules', 'export', '--folder', 'written']);
      const files = (await readdir(join(muster.directory, 'written'), { recursive: true })).filter((file) =>
        file.endsWith('.yaml'),
      );
      expect(files.sort()).toEqual([
        'accounts/api.yaml',
        'accounts/netbox.yaml',
        'automation_filter/hide-templates.yaml',
        'custom_attributes/site-from-hostname.yaml',
      ]);
      const netbox = await readFile(join(muster.directory, 'written/accounts/netbox.yaml'), 'utf8');
      expect(netbox).toContain('password:\n      stored: true');
      expect(netbox).not.toMatch(/hunter|token-of|crypted/);
      const { exitCode, stderr } = await muster.run(['rules', 'diff', 'written', '--exit-code']);
      expect([exitCode, stderr]).toEqual([0, 'Nothing to do: 4 documents as the folder says.\n']);
      expect(await muster.json(['rules', 'apply', 'written'])).toMatchObject({ unchanged: 4, changes: [] });
    });
  });
}

/** A part of a file as JSON. */
function ruleOf(text: string): unknown {
  const [, type] = /rule_type: (\S+)/.exec(text) ?? [];
  const [, name] = /name: (.*)/.exec(text) ?? [];
  const [, value] = /attribute_value: (\S+)/.exec(text) ?? [];
  const outcomes =
    value === undefined ? [{ action: 'ignore_hosts' }] : [{ attribute_name: 'site', attribute_value: value }];
  const rule = { name, enabled: value !== undefined, condition_typ: 'anyway', conditions: [], outcomes };
  return { rule_type: type, rules: [value === undefined ? rule : { ...rule, sort_field: 10 }] };
}
