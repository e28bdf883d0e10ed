import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addAccount } from '../../src/app/accounts/operations/add-account.ts';
import { runAutorules } from '../../src/app/autorules/operations/run-autorules.ts';
import { explainHost } from '../../src/app/explain/operations/explain-host.ts';
import { exportAccount } from '../../src/app/exports/operations/export-account.ts';
import { saveHost } from '../../src/app/hosts/operations/save-host.ts';
import { renderInventory } from '../../src/app/inventory/operations/render-inventory.ts';
import { runDoctor } from '../../src/app/maintenance/operations/run-doctor.ts';
import { firePlaybooks } from '../../src/app/playbooks/operations/fire-playbooks.ts';
import { rulesImpact } from '../../src/app/preview/operations/rules-impact.ts';
import { importRules } from '../../src/app/rules/operations/import-rules.ts';
import { StoredJson } from '../../src/ports/index.ts';
import type { OperationsApp } from '../app/operations/operations-app.ts';
import { guardPlugin, guardRule, PluginWorld } from './support/plugin-world.ts';
import { THOROUGH_STORES } from './support/two-stores.ts';

const unavailable = expect.objectContaining({ code: 'unavailable', message: expect.stringContaining('guard') });

/** Ways in which a plugin is not there, each as a module and further configuration. */
const ABSENCES: [how: string, source: string | undefined, config: object][] = [
  ['is named no more', undefined, {}],
  ['has a syntax error', 'export default {', {}],
  ['throws when it is loaded', 'throw new Error("no");', {}],
  ['is too slow', 'await new Promise((resolve) => setTimeout(resolve, 60_000).unref());', {}],
  ['is of another version', guardPlugin().replace(/apiVersion: \d+/, 'apiVersion: 99'), {}],
  ['refuses its options', guardPlugin(), { PLUGIN_OPTIONS: { 'guard-plugin': { colour: 'red' } } }],
  ['does not start', guardPlugin(undefined, 'start() { throw new Error("no licence"); },'), {}],
  ['names a stage that there is not', guardPlugin().replace("stage: 'filter'", "stage: 'filters'"), {}],
];

describe.each(THOROUGH_STORES)('%s: rules whose plugin is not there', (store, create) => {
  // What does not depend on how the store answers.
  const onOneStore = it.runIf(store === 'SQLite');
  let world: PluginWorld;
  let guard: string;
  let out: string;

  beforeEach(async () => {
    world = await PluginWorld.create(create);
    guard = await world.module('guard', guardPlugin());
    out = join(world.folder, 'hosts.json');
  });
  afterEach(() => world.close());

  /** Hosts of which a rule of the plugin hides one, and an export of them. */
  async function guarded(rule = guardRule('secret')): Promise<OperationsApp> {
    const muster = await world.program({ PLUGINS: [guard], FILE_TARGET_DIRS: [world.folder] } as object);
    await muster.addAccounts('crm');
    for (const hostname of ['open', 'secret'])
      await muster.run(saveHost, { hostname, account: 'crm', labels: { a: '1' } });
    await muster.run(addAccount, { name: 'out', type: 'json_file', settings: { path: out } });
    await muster.run(importRules, { rules: { guard: [rule] } });
    return muster;
  }

  const hosts = async (muster: OperationsApp) =>
    ((await muster.read(renderInventory, { provider: 'automation' })) as { all: { hosts: string[] } }).all.hosts;

  it('hide what they are for while the plugin is there', async () => {
    const muster = await guarded();
    expect(await hosts(muster)).toEqual(['open']);
    expect(await muster.run(exportAccount, { account: 'out' })).toMatchObject({ status: 'done' });
    expect(await readFile(out, 'utf8')).not.toContain('secret');
    expect(await (await world.http(muster))('/readyz')).toMatchObject({ status: 200 });
  });

  // How it comes to be absent is the same to every store.
  it.each(store === 'SQLite' ? ABSENCES : ABSENCES.slice(0, 1))(
    'let nothing out when it %s',
    async (_how, source, config) => {
      const sound = await guarded();
      const request = await world.http(sound);
      const PLUGINS = source === undefined ? [] : [await world.module('absent', source)];
      const muster = await world.program({ PLUGINS, FILE_TARGET_DIRS: [world.folder], ...config } as object);
      await expect(muster.read(renderInventory, { provider: 'automation' })).rejects.toEqual(unavailable);
      await expect(muster.read(renderInventory, { provider: 'automation', host: 'secret' })).rejects.toEqual(
        unavailable,
      );
      await expect(muster.run(runAutorules, {})).rejects.toEqual(unavailable);
      await expect(muster.run(rulesImpact, { rules: {} })).rejects.toEqual(unavailable);
      const report = await muster.run(exportAccount, { account: 'out' });
      expect(report).toMatchObject({ status: 'failed', message: expect.stringContaining('"hide secret"') });
      await expect(readFile(out)).rejects.toThrow();
      const { ok, findings } = await muster.run(runDoctor, {});
      expect(ok).toBe(false);
      const finding = findings.find(({ check }) => check === 'rules');
      expect(finding).toMatchObject({ ok: false, message: expect.stringContaining('muster rules remove guard') });
      expect(finding?.message).toContain('"hide secret"');
      // What is there to be seen says of itself that nothing uses it.
      expect(await muster.run(explainHost, { hostname: 'secret' })).toMatchObject({
        obstacle: expect.stringContaining('guard'),
      });
      // The other program, which has the plugin, is not disturbed.
      expect(await hosts(sound)).toEqual(['open']);
      expect((await request('/readyz')).status).toBe(200);
    },
  );

  it('are told of at every entrance: HTTP, commands, readiness', async () => {
    await guarded();
    const muster = await world.program();
    const request = await world.http(muster);
    for (const path of [
      'inventory/automation/automation',
      'inventory/ansible/ansible',
      'inventory/automation/automation?host=secret',
    ]) {
      const answer = await request(`/api/v1/${path}`);
      expect([answer.status, answer.body.includes('secret"]'), JSON.parse(answer.body).code]).toEqual([
        503,
        false,
        'unavailable',
      ]);
      expect(answer.body).not.toContain('hostvars');
    }
    expect((await request('/api/v1/rules/autorules', {})).status).toBe(503);
    const ready = await request('/readyz');
    expect(ready.status).toBe(503);
    expect(JSON.parse(ready.body)).toMatchObject({ status: 'unavailable', message: expect.stringContaining('guard') });
    expect(ready.body).not.toContain('hide secret');
    for (const args of [
      ['inventory', 'automation', '--list'],
      ['inventory', 'automation', '--host=secret'],
      ['export', 'out'],
      ['rules', 'autorules'],
      ['rules', 'test', 'secret'],
      ['doctor'],
    ]) {
      const ran = await world.command(args);
      expect([args, ran.exitCode]).toEqual([args, 1]);
      expect(ran.stdout + ran.stderr).toContain('guard');
      if (args[0] === 'inventory') expect(ran.stdout).toBe('');
    }
  });

  onOneStore('are not missed once they are disabled or removed', async () => {
    await guarded();
    const muster = await world.program();
    await expect(hosts(muster)).rejects.toEqual(unavailable);
    const removed = await world.command(['rules', 'remove', 'guard', 'hide secret']);
    expect(removed.exitCode).toBe(0);
    expect(await hosts(muster)).toEqual(['open', 'secret']);
    expect((await (await world.http(muster))('/readyz')).status).toBe(200);
  });

  onOneStore('are not missed when they are disabled, nor when nobody ever used the broken plugin', async () => {
    await guarded(guardRule('secret', { enabled: false }));
    const broken = await world.module('broken', 'export default {');
    const muster = await world.program({ PLUGINS: [broken] });
    expect(await hosts(muster)).toEqual(['open', 'secret']);
    const ready = await (await world.http(muster))('/readyz');
    expect([ready.status, JSON.parse(ready.body).broken_plugins]).toEqual([200, [broken]]);
    expect((await world.command(['inventory', 'automation', '--list'], { PLUGINS: [broken] })).exitCode).toBe(0);
  });

  onOneStore('are not missed by inventories that use no rules, and fire nothing else meanwhile', async () => {
    const sound = await guarded();
    await sound.run(importRules, {
      rules: {
        automation_playbook_fire: [
          { name: 'fire', enabled: true, condition_typ: 'anyway', conditions: [], outcomes: [{ playbook: 'x.yml' }] },
        ],
      },
    });
    await writeFile(join(world.folder, 'playbooks.yml'), 'playbooks:\n  - file: x.yml\n');
    await writeFile(join(world.folder, 'x.yml'), '[]\n');
    const muster = await world.program({ PLAYBOOK_DIR: world.folder });
    await expect(muster.read(renderInventory, { provider: 'cmk_sites' })).resolves.toMatchObject({
      all: { hosts: [] },
    });
    await expect(muster.run(firePlaybooks, { dry_run: true })).rejects.toEqual(unavailable);
  });

  onOneStore('take the built-in filters of a built-in plugin for no less', async () => {
    const sound = await guarded();
    await sound.run(importRules, {
      rules: {
        automation_filter: [
          {
            name: 'out',
            enabled: true,
            condition_typ: 'anyway',
            conditions: [],
            outcomes: [{ action: 'ignore_hosts', attribute_name: '' }],
          },
        ],
      },
    });
    expect(await hosts(sound)).toEqual([]);
    // Options that it does not take leave a built-in plugin out too.
    const muster = await world.program({ PLUGINS: [guard], PLUGIN_OPTIONS: { 'automation-filter': { x: 1 } } });
    await expect(hosts(muster)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('automation_filter'),
    });
  });

  onOneStore('fail the run as well when the plugin came back in a version that cannot compile them', async () => {
    await guarded();
    const picky = await world.module(
      'picky',
      guardPlugin()
        .replace(
          'compile: (document) =>',
          'compile: (document) => { throw new Error("wants colour"); return'.concat(' '),
        )
        .replace('} },\n    });', '} } },\n    });'),
    );
    const muster = await world.program({ PLUGINS: [picky] });
    await expect(hosts(muster)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('wants colour'),
    });
    const nothing = await world.module(
      'nothing',
      guardPlugin().replace(/compile: .*,\n/, 'compile: () => undefined },\n'),
    );
    await expect(hosts(await world.program({ PLUGINS: [nothing] }))).rejects.toEqual(unavailable);
    expect((await muster.run(runDoctor, {})).findings.find(({ check }) => check === 'rules')).toMatchObject({
      ok: false,
    });
  });

  onOneStore.each([
    ['throws', 'if (host.hostname === "secret") throw new Error("lookup failed"); host.filter.add(ALL);'],
    [
      'works asynchronously',
      'if (host.hostname !== "secret") return host.filter.add(ALL); return Promise.reject(new Error("late"));',
    ],
  ])('leave a host out on which a filter %s, and name it', async (_how, action) => {
    const sound = await guarded();
    const faulty = await world.module('faulty', guardPlugin(action));
    const muster = await world.program({ PLUGINS: [faulty], FILE_TARGET_DIRS: [world.folder] } as object);
    expect(await hosts(muster)).toEqual(['open']);
    await expect(muster.read(renderInventory, { provider: 'automation', host: 'secret' })).rejects.toMatchObject({
      code: 'not_found',
    });
    expect(world.log.find(({ message }) => message.startsWith('hosts are left out'))?.fields).toEqual({
      count: 1,
      hosts: ['secret'],
    });
    const report = await muster.run(exportAccount, { account: 'out' });
    expect(report).toMatchObject({ status: 'partial', summary: { failed: 1, written: 1 } });
    expect(await readFile(out, 'utf8')).not.toContain('secret');
    const { explanation } = await muster.run(explainHost, { hostname: 'secret' });
    expect(explanation).toMatchObject({ included: false, ignoredBy: { name: 'hide secret' } });
    expect(await hosts(sound)).toEqual(['open']);
  });

  it('were there before this version: documents of a plugin that is gone count without a mark', async () => {
    const { storage } = world.opened;
    const document = { _id: { $oid: 'a'.repeat(24) }, name: 'old', enabled: true };
    const entry = {
      type: 'acme_filter',
      id: 'a'.repeat(24),
      name: 'old',
      uniqueName: true,
      document: StoredJson.ofValue(document),
    };
    await storage.rules.write({
      entries: [entry],
      mode: 'skip',
      at: new Date(),
      actor: { kind: 'system', name: 'test' },
    } as never);
    await expect(hosts(await world.program())).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('acme_filter'),
    });
  });

  it('are not forgotten by programs that run on: what another node stores counts at once', async () => {
    const muster = await world.program();
    await muster.addAccounts('crm');
    await muster.run(saveHost, { hostname: 'secret', account: 'crm', labels: {} });
    expect(await hosts(muster)).toEqual(['secret']);
    const sound = await world.program({ PLUGINS: [guard] });
    await sound.run(importRules, { rules: { guard: [guardRule('secret')] } });
    await expect(hosts(muster)).rejects.toEqual(unavailable);
  });
});
