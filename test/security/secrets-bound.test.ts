import { createCipheriv, createHmac, randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { getAccount } from '../../src/app/accounts/operations/get-account.ts';
import type { Caller } from '../../src/app/kernel/caller.ts';
import { createRule } from '../../src/app/rules/operations/create-rule.ts';
import { exportRules } from '../../src/app/rules/operations/export-rules.ts';
import { importRules } from '../../src/app/rules/operations/import-rules.ts';
import { importRulesOfType } from '../../src/app/rules/operations/import-rules-of-type.ts';
import { listRules } from '../../src/app/rules/operations/list-rules.ts';
import { revertRule } from '../../src/app/rules/operations/revert-rule.ts';
import { saveRule } from '../../src/app/rules/operations/save-rule.ts';
import { triggerCronWebhook } from '../../src/app/webhooks/operations/trigger-webhook.ts';
import { type RuleDocument, StoredJson } from '../../src/ports/index.ts';
import type { OpenedStorage } from '../../src/testing/harness.ts';
import { OperationsApp } from '../app/operations/operations-app.ts';
import { callerWith } from './support/callers.ts';
import { THOROUGH_STORES } from './support/two-stores.ts';

const SECRET = 'Tr0ub4dor&3-of-the-vault';
const author = callerWith('author', { roles: ['rules'] });
const admin = callerWith('boss', { roles: ['all'] });
const KEY = Buffer.from('11'.repeat(32), 'hex');

/** As secrets were sealed before they had places. */
function unbound(plain: string): string {
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', KEY, iv, { authTagLength: 16 });
  const text = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
  return `aes256gcm:${Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64')}`;
}

describe.each(THOROUGH_STORES)('sealed secrets over %s', (_name, createStorage) => {
  let opened: OpenedStorage;
  let muster: OperationsApp;
  beforeEach(async () => {
    opened = await createStorage();
    muster = await OperationsApp.over(opened.storage);
    const fields = [
      { name: 'api_token', value: `${SECRET}-token` },
      { name: 'other_token', value: 'plain' },
    ];
    await put('accounts', { name: 'vault', type: 'csv', enabled: true, password: SECRET, custom_fields: fields });
  });
  afterEach(async () => {
    await muster.stop();
    await opened.close();
  });

  const put = (type: string, ...documents: RuleDocument[]) => muster.run(importRules, { rules: { [type]: documents } });

  async function stored(type: string, name: string): Promise<RuleDocument> {
    const { rules }: { rules: RuleDocument[] } = await muster.read(listRules, { rule_type: type });
    return rules.find((rule) => rule.name === name) as RuleDocument;
  }

  /** Lays a document into the store as it is, behind every check. */
  async function lay(type: string, document: RuleDocument): Promise<void> {
    const { $oid: id } = document._id as { $oid: string };
    await opened.storage.rules.write({
      entries: [
        {
          type,
          id,
          name: String(document.name),
          uniqueName: true,
          document: StoredJson.ofValue(document),
          confirmedBy: 'operator',
        },
      ],
      mode: 'replace',
      at: new Date(),
      actor: { kind: 'system', name: 'test' },
    });
  }

  async function passwordOf(name: string): Promise<string> {
    const { accounts } = muster.app.services;
    const account = await accounts.byName(name);
    if (account === undefined) throw new Error(`no account ${name}`);
    return accounts.password(account);
  }

  async function tokenOf(name: string, field: string): Promise<string | undefined> {
    const { accounts } = muster.app.services;
    const account = await accounts.byName(name);
    return account && (await accounts.options(account))[field];
  }

  it('do not open in another document, or at another member, wherever they were copied to', async () => {
    const vault = await stored('accounts', 'vault');
    const [token, other] = vault.custom_fields as RuleDocument[];
    const text = vault.password_crypted ?? null;
    await lay('accounts', { _id: { $oid: 'a'.repeat(24) }, name: 'thief', type: 'csv', password_crypted: text });
    await expect(passwordOf('thief')).rejects.toMatchObject({ code: 'failed' });
    const fields = [{ ...token, value_crypted: other?.value_crypted ?? null }, other ?? null];
    await lay('accounts', { ...vault, password_crypted: token?.value_crypted ?? null, custom_fields: fields });
    await expect(passwordOf('vault')).rejects.toMatchObject({ code: 'failed' });
    await expect(tokenOf('vault', 'api_token')).rejects.toMatchObject({ code: 'failed' });
    await lay('accounts', vault);
    expect(await passwordOf('vault')).toBe(SECRET);
    expect(await tokenOf('vault', 'api_token')).toBe(`${SECRET}-token`);
  });

  it('are not brought into other documents by who is no administrator, whichever way', async () => {
    const { password_crypted: text } = await stored('accounts', 'vault');
    for (const sealed of [String(text), unbound('somebody else gave it')]) {
      const password = { name: 'p', password_crypted: sealed };
      const group = { name: 'g', webhook_enabled: true, webhook_policy: { secret_crypted: sealed }, jobs: [] };
      const parts: [string, RuleDocument][] = [
        ['cmk_passwords', password],
        ['cron_groups', group],
      ];
      for (const [rule_type, rule] of parts) {
        const forbidden = expect.objectContaining({ code: 'forbidden' });
        const tool: Caller = { ...author, roles: ['mcp'], entrance: 'mcp' };
        await expect(muster.run(importRules, { rules: { [rule_type]: [rule] } }, author)).rejects.toEqual(forbidden);
        await expect(muster.run(importRulesOfType, { rule_type, rules: [rule] }, author)).rejects.toEqual(forbidden);
        await expect(muster.run(saveRule, { rule_type, document: rule }, author)).rejects.toEqual(forbidden);
        await expect(muster.run(createRule, { rule_type, rule, override: true }, tool)).rejects.toEqual(forbidden);
        const lines = `{"rule_type":"${rule_type}"}\n${JSON.stringify(rule)}`;
        await expect(muster.run(importRules, { lines }, author)).rejects.toEqual(forbidden);
        expect(await stored(rule_type, String(rule.name))).toBeUndefined();
      }
    }
  });

  it('are copied by an administrator, and open where they stand then', async () => {
    const vault = await stored('accounts', 'vault');
    const { _id, ...copy } = vault;
    await muster.run(importRules, { rules: { accounts: [{ ...copy, name: 'copy' }] } }, admin);
    expect(await passwordOf('copy')).toBe(SECRET);
    expect(await tokenOf('copy', 'api_token')).toBe(`${SECRET}-token`);
    expect((await stored('accounts', 'copy')).password_crypted).not.toBe(vault.password_crypted);
  });

  it('stay when an administrator renames the account or an option, or brings it by name under another id', async () => {
    const vault = await stored('accounts', 'vault');
    const [token, other] = vault.custom_fields as RuleDocument[];
    const renamed = { ...vault, name: 'safe', custom_fields: [{ ...token, name: 'new_token' }, other ?? null] };
    await muster.run(importRules, { rules: { accounts: [renamed] }, override: true }, admin);
    expect(await passwordOf('safe')).toBe(SECRET);
    expect(await tokenOf('safe', 'new_token')).toBe(`${SECRET}-token`);
    const moved = { ...(await stored('accounts', 'safe')), _id: { $oid: 'b'.repeat(24) } };
    await muster.run(importRules, { rules: { accounts: [moved] }, override: true }, admin);
    expect((await stored('accounts', 'safe'))._id).toEqual(vault._id);
    expect(await passwordOf('safe')).toBe(SECRET);
  });

  it('come back with an export of everything, of today and from before', async () => {
    const flags = { include_accounts: true, include_passwords: true };
    await put('cmk_passwords', { name: 'monitoring', password: 'm0nitor' });
    const { rules }: { rules: Record<string, RuleDocument[]> } = await muster.read(exportRules, flags);
    await opened.storage.transfer.clear();
    await muster.run(importRules, { rules });
    expect(await passwordOf('vault')).toBe(SECRET);
    await opened.storage.transfer.clear();
    const [account = {}] = rules.accounts ?? [];
    const before = { ...rules, accounts: [{ ...account, password_crypted: unbound('older'), custom_fields: [] }] };
    await muster.run(importRules, { rules: before });
    expect(await passwordOf('vault')).toBe('older');
    expect(String((await stored('accounts', 'vault')).password_crypted)).toMatch(/^aes256gcm:[^:]+:/);
  });

  it('that were sealed before open where they stand, and come back unchanged from who may write them', async () => {
    const id = { $oid: 'c'.repeat(24) };
    const old = { _id: id, name: 'old', type: 'csv', enabled: true, password_crypted: unbound('older') };
    await lay('accounts', old);
    expect(await passwordOf('old')).toBe('older');
    await lay('cmk_passwords', { _id: id, name: 'p', password_crypted: unbound('monitor') });
    const before = await opened.storage.rules.get('cmk_passwords', id.$oid);
    const again = { cmk_passwords: [before?.document.value] };
    await muster.run(importRules, { rules: again, override: true }, author);
    const after = await opened.storage.rules.get('cmk_passwords', id.$oid);
    expect(after).toEqual(before);
    await muster.run(importRules, { rules: { accounts: [old] }, override: true }, admin);
    expect((await stored('accounts', 'old')).password_crypted).not.toBe(old.password_crypted);
    expect(await passwordOf('old')).toBe('older');
  });

  it('of a past version are taken again by who may write the document', async () => {
    for (const password of ['first', 'second']) {
      const rules = { cmk_passwords: [{ name: 'p', password, title: password }] };
      await muster.run(importRules, { rules, override: true }, author);
    }
    const reverted = await muster.run(revertRule, { rule_type: 'cmk_passwords', rule: 'p', version: 1 }, author);
    expect(reverted.status).toBe('reverted');
    expect(await stored('cmk_passwords', 'p')).toMatchObject({ title: 'first' });
  });

  it('of two documents of one name in one import open in the one that stays', async () => {
    const twice = ['first', 'second'].map((password) => ({ name: 'twice', type: 'csv', enabled: true, password }));
    await muster.run(importRules, { rules: { accounts: twice }, override: true }, admin);
    expect(await passwordOf('twice')).toBe('second');
  });

  it('still serve: the tool shows an account, a webhook checks its signature', async () => {
    const tool: Caller = { ...admin, entrance: 'mcp' };
    expect(await muster.run(getAccount, { name: 'vault' }, tool)).toMatchObject({ password: SECRET });
    const group = {
      name: 'g',
      enabled: true,
      webhook_enabled: true,
      webhook_policy: { secret: 's'.repeat(20) },
      jobs: [],
    };
    await put('cron_groups', group);
    const anonymous = callerWith('anonymous', { path: '/api/v1/syncer/cron/trigger/g' });
    const timestamp = String(Math.floor(Date.now() / 1000));
    const signature = `sha256=${createHmac('sha256', 's'.repeat(20)).update(`${timestamp}.`).digest('hex')}`;
    const call = { group_name: 'g', timestamp, signature, body: new Uint8Array() };
    expect(await muster.run(triggerCronWebhook, call, anonymous)).toMatchObject({ status: 'triggered' });
  });
});
