import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addAccount } from '../../src/app/accounts/operations/add-account.ts';
import { getAccount } from '../../src/app/accounts/operations/get-account.ts';
import { setAccount } from '../../src/app/accounts/operations/set-account.ts';
import { showAccount } from '../../src/app/accounts/operations/show-account.ts';
import { saveHost } from '../../src/app/hosts/operations/save-host.ts';
import { renderInventory } from '../../src/app/inventory/operations/render-inventory.ts';
import { runDoctor } from '../../src/app/maintenance/operations/run-doctor.ts';
import { runMaintenance } from '../../src/app/maintenance/operations/run-maintenance.ts';
import { confirmRule } from '../../src/app/rules/operations/confirm-rule.ts';
import { exportRules } from '../../src/app/rules/operations/export-rules.ts';
import { importRules } from '../../src/app/rules/operations/import-rules.ts';
import { revertRule } from '../../src/app/rules/operations/revert-rule.ts';
import { importAccount } from '../../src/app/runs/import/operations/import-account.ts';
import { memberObjects, memberText } from '../../src/kit/document/members.ts';
import { createSqlite } from '../adapters/sqlite/sqlite-harness.ts';
import type { OperationsApp } from '../app/operations/operations-app.ts';
import { PluginWorld } from './support/plugin-world.ts';

const SECRET = 'sesame-0815';

let world: PluginWorld;
let folder: string;
let muster: OperationsApp;

/** A source that names its host after the password that it was given, so that a test sees it, and throws it when told so. */
const SOURCE = `export default { id: 'teller', apiVersion: 2, register(host) {
  const options = { safeParse: (data) => ({ success: true, data }) };
  host.source({ id: 'teller', title: 'Teller', description: '', options, open: ({ fails, token }, { password }) => ({
    async *read() {
      if (fails) throw new Error('it does not like ' + password + ' and ' + token);
      yield [{ kind: 'record', position: '1', hostname: 'web01', labels: { length: password.length } }];
    } }) });
} };`;

beforeEach(async () => {
  world = await PluginWorld.create(createSqlite);
  folder = join(world.folder, 'secrets');
  await mkdir(folder);
  await writeFile(join(folder, 'crm'), `${SECRET}\n`);
  const PLUGINS = [await world.module('teller', SOURCE)];
  muster = await world.program({ PLUGINS, SECRET_DIRS: [folder], SECRET_CACHE_SECONDS: 0 });
});
afterEach(() => world.close());

const stored = async () => (await muster.storage.rules.list('accounts'))[0]?.document.text;

const idOfAccount = async () => (await muster.storage.rules.list('accounts'))[0]?.id ?? '';

/** Which secrets each version of the account holds, newest first. */
async function past() {
  const versions = await muster.storage.rules.versions('accounts', await idOfAccount(), 99);
  return versions.map(({ version, document }) => {
    const fields = memberObjects(document.value, 'custom_fields').filter((field) => 'value_crypted' in field);
    const ofOptions = fields.map((field) => memberText(field, 'name'));
    return { version, secrets: [...('password_crypted' in document.value ? ['password'] : []), ...ofOptions] };
  });
}

async function account(values: object = {}): Promise<void> {
  await muster.run(addAccount, { name: 'crm', type: 'teller', secrets_from: { password: 'file:crm' }, ...values });
}

describe('an account whose secrets are kept elsewhere', () => {
  it('stores the reference and never the secret, and is imported with the secret of that moment', async () => {
    await account();
    expect(await muster.run(importAccount, { account: 'crm' })).toMatchObject({ summary: { created: 1 } });
    expect(await stored()).toContain('"password_from":"file:crm"');
    expect(await stored()).not.toContain('crypted');
    await writeFile(join(folder, 'crm'), 'longer-than-before');
    expect(await muster.run(importAccount, { account: 'crm' })).toMatchObject({ summary: { updated: 1 } });
    expect((await muster.storage.hosts.get('web01', { accounts: null, templates: null }))?.labels.value).toEqual({
      length: 'longer-than-before'.length,
    });
    expect(inspect(await muster.run(showAccount, { name: 'crm' }))).not.toContain('longer-than-before');
    expect(await muster.run(showAccount, { name: 'crm' })).toMatchObject({
      has_password: true,
      secrets_from: { password: 'file:crm' },
    });
  });

  it('fails closed and says what is wrong, in runs and in the doctor', async () => {
    await account();
    await writeFile(join(folder, 'crm'), '');
    await expect(muster.run(importAccount, { account: 'crm' })).rejects.toThrow('an empty secret');
    const { ok, findings } = await muster.run(runDoctor, {});
    expect(ok).toBe(false);
    expect(findings.find(({ check }) => check === 'secret of account crm')).toMatchObject({
      ok: false,
      message: expect.stringContaining('the secret file:crm cannot be read'),
    });
  });

  it('hides the secret in what its source says', async () => {
    await account({ settings: { fails: 'yes' }, secrets_from: { password: 'file:crm', token: 'file:crm' } });
    const error = await muster.run(importAccount, { account: 'crm' }).catch((thrown: unknown) => thrown);
    expect(inspect(error, { depth: 9 })).toContain('it does not like');
    expect(inspect(error, { depth: 9 })).not.toContain(SECRET);
    expect(inspect(await muster.storage.logs.latest({ limit: 9 }), { depth: 9 })).not.toContain(SECRET);
    expect(inspect(world.log, { depth: 9 })).not.toContain(SECRET);
  });

  it('shows no secret to tools and exports, only where it is kept', async () => {
    await account();
    const shown = [
      await muster.run(getAccount, { name: 'crm' }),
      await muster.text(exportRules, { include_accounts: true, include_passwords: true }),
    ];
    expect(inspect(shown, { depth: 9 })).not.toContain(SECRET);
    expect(inspect(shown, { depth: 9 })).toContain('file:crm');
  });

  it('changes between a reference and a password, and has never both', async () => {
    await account();
    await muster.run(setAccount, { name: 'crm', password: 'typed-in' });
    expect(await stored()).not.toContain('password_from');
    expect(await muster.run(importAccount, { account: 'crm' })).toMatchObject({ summary: { created: 1 } });
    await muster.run(setAccount, { name: 'crm', secrets_from: { password: 'file:crm' } });
    expect(await stored()).not.toContain('password_crypted');
    await muster.run(setAccount, { name: 'crm', secrets_from: { password: '' } });
    expect(await muster.run(showAccount, { name: 'crm' })).toMatchObject({ has_password: false, secrets_from: {} });
  });

  it('leaves no sealed secret in the history once it is kept elsewhere', async () => {
    await muster.run(addAccount, { name: 'crm', type: 'teller', password: 'typed-in', settings: { token: 'of-old' } });
    await muster.run(setAccount, { name: 'crm', settings: { url: 'https://crm.example.org', token: 'of-late' } });
    await muster.run(setAccount, { name: 'crm', secrets_from: { password: 'file:crm' } });
    expect(await past()).toEqual([
      { version: 3, secrets: ['token'] },
      { version: 2, secrets: ['token'] },
      { version: 1, secrets: ['token'] },
    ]);
    await muster.run(setAccount, { name: 'crm', secrets_from: { token: 'file:crm' } });
    expect((await past()).flatMap(({ secrets }) => secrets)).toEqual([]);
    await muster.run(revertRule, { rule_type: 'accounts', rule: 'crm', version: 2 });
    expect(await muster.run(showAccount, { name: 'crm' })).toMatchObject({ has_password: false, secrets_from: {} });
    expect(await stored()).toContain('https://crm.example.org');
  });

  it('is rid of them by the next maintenance where a change was cut off', async () => {
    await muster.run(addAccount, { name: 'crm', type: 'teller', password: 'typed-in' });
    const [version] = await muster.storage.rules.versions('accounts', await idOfAccount(), 1);
    await muster.run(setAccount, { name: 'crm', secrets_from: { password: 'file:crm' } });
    if (version === undefined) throw new Error('the account has a first version');
    const documents = new Map([[version.version, version.document]]);
    await muster.storage.rules.rewriteVersions({ type: 'accounts', id: version.id, documents });
    expect((await past()).flatMap(({ secrets }) => secrets)).toEqual(['password']);
    await muster.run(runMaintenance, {});
    expect((await past()).flatMap(({ secrets }) => secrets)).toEqual([]);
  });

  it.each([
    ['nowhere:x', 'there are env, file, vault'],
    ['plain', 'must name a source'],
    ['vault:secret/data/x', 'names no field'],
    ['file:../crm', 'leads out of its folder'],
  ])('refuses the reference %j before it is stored', async (reference, message) => {
    await expect(account({ secrets_from: { password: reference } })).rejects.toThrow(message);
    expect(await stored()).toBeUndefined();
  });
});

describe('who may name a secret', () => {
  const document = { name: 'crm', type: 'teller', enabled: true, password_from: 'file:crm' };

  it('a document of others waits, and its secret is not read', async () => {
    const writer = await muster.addCaller('writer', { roles: ['rules', 'objects'] });
    await muster.run(importRules, { rules: { accounts: [document] } }, writer);
    await expect(muster.run(importAccount, { account: 'crm' })).rejects.toThrow('waits for an administrator');
  });

  it('a document of others that waits takes nothing from the history, until it is confirmed', async () => {
    await muster.run(addAccount, { name: 'crm', type: 'teller', password: 'typed-in' });
    const writer = await muster.addCaller('writer', { roles: ['rules', 'objects'] });
    await muster.run(importRules, { override: true, rules: { accounts: [document] } }, writer);
    await muster.run(runMaintenance, {});
    expect((await past()).flatMap(({ secrets }) => secrets)).toEqual(['password']);
    await muster.run(confirmRule, { rule_type: 'accounts', rule: 'crm' });
    await muster.run(runMaintenance, {});
    expect((await past()).flatMap(({ secrets }) => secrets)).toEqual([]);
  });

  it('a document that was changed by others waits again, for macros too', async () => {
    const api = { ...document, type: 'api' };
    await muster.run(importRules, { rules: { accounts: [api], automation_customvars: [rule] } });
    await muster.run(saveHost, { hostname: 'web01', account: 'crm', labels: {} });
    expect(await served()).toMatchObject({ secret: SECRET });
    const writer = await muster.addCaller('writer', { roles: ['rules', 'objects'] });
    await muster.run(importRules, { override: true, rules: { accounts: [{ ...api, address: 'there' }] } }, writer);
    expect(JSON.stringify(await served())).not.toContain(SECRET);
  });
});

const rule = {
  name: 'shows',
  enabled: true,
  condition_typ: 'anyway',
  outcomes: [{ attribute_name: 'secret', attribute_value: '{{ACCOUNT:crm:password}}' }],
};
const served = (): Promise<unknown> => muster.read(renderInventory, { provider: 'automation', host: 'web01' });

describe('rules that show such a secret', () => {
  beforeEach(async () => {
    await muster.run(addAccount, { name: 'crm', type: 'api', secrets_from: { password: 'file:crm' } });
    await muster.run(importRules, { rules: { automation_customvars: [rule] } });
    await muster.run(saveHost, { hostname: 'web01', account: 'crm', labels: {} });
  });

  it('show it as it is now, and fail the inventory when it cannot be read', async () => {
    expect(await served()).toMatchObject({ secret: SECRET });
    await writeFile(join(folder, 'crm'), 'rotated-4711');
    await expect.poll(served, { timeout: 5000 }).toMatchObject({ secret: 'rotated-4711' });
    await writeFile(join(folder, 'crm'), '');
    await expect
      .poll(() => served().catch((error: Error) => error.message), { timeout: 5000 })
      .toContain('account crm: the secret file:crm cannot be read');
  });

  it('do not read those of accounts that no rule shows', async () => {
    await muster.run(addAccount, { name: 'other', type: 'api', secrets_from: { password: 'file:nothing' } });
    expect(await served()).toMatchObject({ secret: SECRET });
  });
});
