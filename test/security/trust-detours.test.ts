import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { saveHost } from '../../src/app/hosts/operations/save-host.ts';
import { renderInventory } from '../../src/app/inventory/operations/render-inventory.ts';
import { runDoctor } from '../../src/app/maintenance/operations/run-doctor.ts';
import { firePlaybooks } from '../../src/app/playbooks/operations/fire-playbooks.ts';
import { confirmRule } from '../../src/app/rules/operations/confirm-rule.ts';
import { importRules } from '../../src/app/rules/operations/import-rules.ts';
import { listWaiting } from '../../src/app/rules/operations/list-waiting.ts';
import { removeRule } from '../../src/app/rules/operations/remove-rules.ts';
import { showRule } from '../../src/app/rules/operations/show-rule.ts';
import { actingRecords } from '../../src/app/rules/trust/held-versions.ts';
import type { RuleDocument, Storage } from '../../src/ports/index.ts';
import type { OpenedStorage } from '../../src/testing/harness.ts';
import { OperationsApp } from '../app/operations/operations-app.ts';
import { FakeRunner } from '../app/playbooks/fake-runner.ts';
import { callerWith } from './support/callers.ts';
import { THOROUGH_STORES } from './support/two-stores.ts';

const author = callerWith('author', { roles: ['rules'] });
const boss = callerWith('boss', { roles: ['all'] });
const SECRET = 'Tr0ub4dor&3-of-production';

/** What another node sees of the same store. Its previews stop at the first host until `open` is called. */
function gatedNode(storage: Storage): { readonly storage: Storage; reached: Promise<void>; open(): void } {
  let open = () => {};
  let reach = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const reached = new Promise<void>((resolve) => {
    reach = resolve;
  });
  async function* scan(...given: Parameters<Storage['hosts']['scan']>) {
    reach();
    await gate;
    yield* storage.hosts.scan(...given);
  }
  return {
    storage: { ...storage, rules: { ...storage.rules }, hosts: { ...storage.hosts, scan } },
    ...{ reached, open },
  };
}

describe.each(THOROUGH_STORES)('detours around what waits, over %s', (_name, createStorage) => {
  let opened: OpenedStorage;
  let muster: OperationsApp;
  let folder: string;
  let runner: FakeRunner;
  beforeEach(async () => {
    opened = await createStorage();
    folder = await mkdtemp(join(tmpdir(), 'muster-detours-'));
    await writeFile(join(folder, 'playbooks.yml'), 'playbooks:\n  - {file: agent.yml}\n');
    await writeFile(join(folder, 'agent.yml'), '');
    runner = new FakeRunner();
    muster = await OperationsApp.over(opened.storage, { PLAYBOOK_DIR: folder, DATA_DIR: folder }, undefined, runner);
    await muster.addAccounts('red');
    await muster.run(saveHost, { hostname: 'web1', account: 'red', labels: {} });
  });
  afterEach(async () => {
    await muster.stop();
    await opened.close();
    await rm(folder, { recursive: true });
  });

  const load = (caller: typeof boss | undefined, rules: Record<string, RuleDocument[]>) =>
    muster.run(importRules, { rules, override: true }, caller);
  const variables = () =>
    muster.read(renderInventory, { provider: 'automation', host: 'web1' }) as Promise<RuleDocument>;

  describe('a firing rule that is compiled and then swapped before it is looked at', () => {
    const rule = { name: 'strike', enabled: true, condition_typ: 'anyway', conditions: [] };
    const fire = { ...rule, outcomes: [{ playbook: 'agent.yml' }] };
    const type = 'automation_playbook_fire';
    /** Does it right after the rules were compiled, as somebody does who tries often enough. */
    const afterCompiling = (swap: () => Promise<unknown>) => {
      const { evaluators } = muster.app.services;
      const forProject = evaluators.forProject.bind(evaluators);
      evaluators.forProject = async (project) => {
        const program = await forProject(project);
        await swap();
        return program;
      };
    };

    it.each([
      ['removed', () => muster.run(removeRule, { rule_type: type, rule: 'strike' }, author)],
      ['made harmless', () => load(author, { [type]: [{ ...rule, outcomes: [] }] })],
    ])('starts nothing when it is %s', async (_what, swap) => {
      await load(author, { [type]: [fire] });
      afterCompiling(swap);
      expect(await muster.run(firePlaybooks, {})).toMatchObject({ started: 0 });
      expect(runner.calls).toEqual([]);
    });

    it('starts when an administrator wrote it', async () => {
      await load(boss, { [type]: [fire] });
      afterCompiling(async () => undefined);
      expect(await muster.run(firePlaybooks, {})).toMatchObject({ started: 1 });
    });
  });

  it('a document that is removed and made anew is not confirmed as the version that was read', async () => {
    const made = (command: string, id = 'a') => ({
      _id: { $oid: id.repeat(24) },
      name: 'now',
      enabled: true,
      jobs: [{ command }],
    });
    const group = { rule_type: 'cron_groups', rule: 'now' };
    const confirmed = (request: { rule: string; version: number }) =>
      muster.run(confirmRule, { rule_type: 'cron_groups', ...request }, boss);
    await load(author, { cron_groups: [made('Maintenance')] });
    const { id, version } = await muster.run(showRule, group, boss);
    await muster.run(removeRule, group, author);
    await load(author, { cron_groups: [made('Fire Playbooks')] });
    await expect(confirmed({ rule: id, version })).rejects.toMatchObject({ code: 'conflict' });
    await muster.run(removeRule, group, author);
    // Under another id, the number is another document's.
    await load(author, { cron_groups: [made('Fire Playbooks', 'b')] });
    await expect(confirmed({ rule: id, version })).rejects.toMatchObject({ code: 'not_found' });
    await expect(confirmed({ rule: 'now', version })).rejects.toMatchObject({ code: 'invalid_input' });
    expect(await muster.run(listWaiting, {}, boss)).toMatchObject({ waiting: [{ name: 'now' }] });
    const { id: read, version: first } = await muster.run(showRule, group, boss);
    expect(await confirmed({ rule: read, version: first })).toMatchObject({ status: 'confirmed', version: 1 });
  });

  describe('what is settled while another node stores something else', () => {
    const FILTER = 'automation_filter';
    const MAPPINGS = 'sign_in_groups';
    const filter = (name: string, more: RuleDocument = {}) => ({
      ...{ name, enabled: true, sort_field: 5, condition_typ: 'anyway', conditions: [] },
      outcomes: [{ action: 'ignore_hosts' }],
      ...more,
    });
    /** Hides nothing and shows nothing: it makes the import look at the hosts. */
    const none = { match_type: 'host', hostname_match: 'equal', hostname: 'none' };
    const harmless = filter('harmless', { condition_typ: 'all', conditions: [none] });
    const hosts = async () =>
      JSON.stringify(await muster.read(renderInventory, { provider: 'automation' })).match(/web1/g) ?? [];
    const waiting = async () => (await muster.run(listWaiting, {}, boss)).waiting.map(({ name }) => name).sort();
    const acting = async (type: string) =>
      (await actingRecords(opened.storage.rules, requireType(type))).map(({ name, document: { value } }) => [
        name,
        value.enabled,
      ]);
    const requireType = (type: string) => {
      const found = muster.app.services.plugins.ruleType(type);
      if (found === undefined) throw new Error(type);
      return found;
    };
    const nodes: OperationsApp[] = [];
    afterEach(async () => {
      for (const node of nodes.splice(0)) await node.stop();
    });
    const gated = async () => {
      const { storage, reached, open } = gatedNode(opened.storage);
      const node = await OperationsApp.over(storage, { DATA_DIR: folder });
      nodes.push(node);
      return { node, reached, open };
    };

    it('is settled anew: two filters that hide the same are not taken away by two nodes', async () => {
      await load(boss, { [FILTER]: [filter('X11'), filter('X22')] });
      const [one, two] = [await gated(), await gated()];
      const changes = [
        one.node.run(importRules, { rules: { [FILTER]: [filter('X11', { enabled: false })] }, override: true }, author),
        two.node.run(removeRule, { rule_type: FILTER, rule: 'X22' }, author),
      ];
      await Promise.all([one.reached, two.reached]);
      one.open();
      two.open();
      await Promise.all(changes);
      expect(await waiting()).toHaveLength(1);
      expect(await hosts()).toEqual([]);
    });

    it.each<readonly [string, string, RuleDocument, RuleDocument, RuleDocument | 'removed']>([
      [
        'a mapping that is imported as it was stays as an administrator disabled it meanwhile',
        MAPPINGS,
        { name: 'helpdesk', enabled: true, groups: ['desk'], api_roles: ['rules'] },
        { enabled: false },
        {},
      ],
      [
        'a filter that is imported as it was stays as an administrator enabled it meanwhile',
        FILTER,
        filter('H', { enabled: false }),
        { enabled: true },
        {},
      ],
      [
        'a filter that is removed acts as an administrator enabled it meanwhile',
        FILTER,
        filter('H', { enabled: false }),
        { enabled: true },
        'removed',
      ],
    ])('is settled anew: %s', async (_what, type, document, tightened, change) => {
      await load(boss, { [type]: [document] });
      const { node, reached, open } = await gated();
      const name = document.name as string;
      const changed =
        change === 'removed'
          ? node.run(removeRule, { rule_type: type, rule: name }, author)
          : node.run(
              importRules,
              {
                rules: { [type]: [document], [FILTER]: type === FILTER ? [document, harmless] : [harmless] },
                override: true,
              },
              author,
            );
      await reached;
      await load(boss, { [type]: [{ ...document, ...tightened }] });
      open();
      await changed;
      expect(await acting(type)).toContainEqual([name, tightened.enabled]);
      expect(await waiting()).toContain(name);
    });

    it('goes on for a change that comes while the confirmation of an earlier one ends', async () => {
      const mapping = { name: 'helpdesk', enabled: true, groups: ['desk'], api_roles: ['rules'] };
      const change = (groups: string[]) => load(author, { [MAPPINGS]: [{ ...mapping, groups }] });
      await load(boss, { [MAPPINGS]: [mapping] });
      await change(['second']);
      const { rules } = opened.storage;
      const write: typeof rules.write = async (request) => {
        if (request.entries.every((entry) => 'removes' in entry)) await change(['third']);
        return rules.write(request);
      };
      const node = await OperationsApp.over({ ...opened.storage, rules: { ...rules, write } }, { DATA_DIR: folder });
      nodes.push(node);
      await node.run(confirmRule, { rule_type: MAPPINGS, rule: 'helpdesk' }, boss);
      const [acts] = await actingRecords(rules, requireType(MAPPINGS));
      expect(acts?.document.value.groups).toEqual(['second']);
      expect(await waiting()).toEqual(['helpdesk']);
    });
  });

  describe('accounts whose fields the rules of administrators show', () => {
    const jump = { name: 'jump', type: 'api', enabled: true, address: 'gate.example.org' };
    const outcome = {
      attribute_name: 'ansible_ssh_common_args',
      attribute_value: '-J {{ACCOUNT:jump:address}}',
    };
    const rule = { name: 'via', enabled: true, condition_typ: 'anyway', outcomes: [outcome] };

    it('say how Ansible connects as far as an administrator vouches for them', async () => {
      await load(boss, { accounts: [jump], automation_customvars: [rule] });
      expect(await variables()).toMatchObject({ ansible_ssh_common_args: '-J gate.example.org' });
      await load(author, { accounts: [{ ...jump, address: 'x -oProxyCommand=id' }] });
      expect(await variables()).not.toHaveProperty('ansible_ssh_common_args');
      const { inventories } = muster.app.services;
      expect(await inventories.waiting('automation')).toEqual([{ type: 'accounts', name: 'jump' }]);
      expect((await muster.run(listWaiting, {}, boss)).waiting).toMatchObject([
        { rule_type: 'accounts', name: 'jump', acts: ['fills automation_customvars via'], changed_by: 'author' },
      ]);
      const { findings } = await muster.run(runDoctor, {});
      const told = findings.find(({ message }) => message.includes('accounts jump waits for an administrator'));
      expect(told).toMatchObject({ ok: false });
      await muster.run(confirmRule, { rule_type: 'accounts', rule: 'jump' }, boss);
      expect(await variables()).toMatchObject({ ansible_ssh_common_args: '-J x -oProxyCommand=id' });
      expect(await inventories.waiting('automation')).toEqual([]);
      expect((await muster.run(listWaiting, {}, boss)).waiting).toEqual([]);
    });

    it('wait with the one that they inherit from, and not where nothing that acts shows them', async () => {
      await load(boss, { accounts: [{ ...jump, is_child: true, parent: 'gate' }], automation_customvars: [rule] });
      await load(author, {
        accounts: [
          { name: 'gate', type: 'api', enabled: true },
          { ...jump, name: 'other' },
        ],
      });
      expect((await muster.run(listWaiting, {}, boss)).waiting).toMatchObject([
        { rule_type: 'accounts', name: 'gate' },
      ]);
      await load(boss, { automation_customvars: [{ ...rule, enabled: false }] });
      expect((await muster.run(listWaiting, {}, boss)).waiting).toEqual([]);
    });

    it('show no secret that somebody else lets them inherit', async () => {
      const lab = { name: 'lab', type: 'api', enabled: true, password: 'of-the-lab' };
      const value = { attribute_name: 'login', attribute_value: '{{ACCOUNT:lab:password}}' };
      await load(boss, {
        accounts: [{ name: 'production', type: 'api', enabled: true, password: SECRET }, lab],
        automation_customvars: [{ ...rule, outcomes: [value] }],
      });
      expect(await variables()).toMatchObject({ login: 'of-the-lab' });
      const child = { name: 'lab', type: 'api', enabled: true, is_child: true, parent: 'production' };
      await load(author, { accounts: [child] });
      expect(JSON.stringify(await variables())).not.toContain(SECRET);
      await load(boss, { accounts: [child] });
      expect(await variables()).toMatchObject({ login: SECRET });
    });
  });
});
