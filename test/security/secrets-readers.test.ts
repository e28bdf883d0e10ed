import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { memoryStorage } from '../../src/adapters/storage/memory/storage.ts';
import { getAccount } from '../../src/app/accounts/operations/get-account.ts';
import type { Caller } from '../../src/app/kernel/caller.ts';
import { exportRules } from '../../src/app/rules/operations/export-rules.ts';
import { importRules } from '../../src/app/rules/operations/import-rules.ts';
import { listRules } from '../../src/app/rules/operations/list-rules.ts';
import { createToken } from '../../src/app/users/operations/create-token.ts';
import type { RuleDocument } from '../../src/ports/index.ts';
import { OperationsApp } from '../app/operations/operations-app.ts';
import { callerWith } from './support/callers.ts';

const FLAGS = { include_accounts: true, include_users: true, include_passwords: true, include_hosts: true };
const SECRET_TYPES = ['users', 'accounts', 'cron_groups', 'cmk_passwords', 'cmk_site_settings'];
/** Hashes of passwords and tokens, and sealed texts. */
const SECRETS = /\$argon2|aes256gcm:|"(?:hash|webhook_token_hash)":"[0-9a-f]{64}"/;

describe('hashes and encrypted secrets', () => {
  let muster: OperationsApp;
  let reader: Caller;
  let scoped: Caller;
  const writer = callerWith('writer', { roles: ['rules'] });
  beforeAll(async () => {
    const storage = memoryStorage()({ clock: { now: () => new Date() } });
    await storage.start();
    muster = await OperationsApp.over(storage);
    const group = {
      name: 'g',
      webhook_enabled: true,
      webhook_token_hash: 'a'.repeat(64),
      jobs: [{ command: 'Import', account: 'own' }],
    };
    await muster.run(importRules, {
      rules: {
        accounts: [{ name: 'own', type: 'api', enabled: true, password: 'hidden' }],
        cmk_passwords: [{ name: 'p', password: 'hidden' }],
        cmk_site_settings: [{ name: 's', cmk_secret: 'hidden' }],
        cron_groups: [{ ...group, webhook_policy: { secret: 'hidden-hidden-hidden' } }],
        users: [
          {
            name: 'kim',
            password: 'correct horse battery',
            api_roles: ['rules'],
            restrict_to_accounts: ['own'],
            tfa_secret: 'hidden',
          },
        ],
      },
    });
    await muster.run(createToken, { name: 'kim', label: 'x' });
    const [id = ''] = await muster.app.services.accounts.scopeOf(['own']);
    reader = callerWith('reader', { roles: ['all'], globalAdmin: true, readOnly: true });
    scoped = callerWith('scoped', { roles: ['rules'], scope: [id], scopeNames: ['own'] });
  });
  afterAll(() => muster.stop());

  it('are not for who may only read, and not for who is restricted to accounts: export, lists and tools', async () => {
    for (const caller of [reader, scoped]) {
      for (const asked of [caller, { ...caller, roles: [...caller.roles, 'mcp'], entrance: 'mcp' } as const]) {
        expect(JSON.stringify(await muster.read(exportRules, FLAGS, asked))).not.toMatch(SECRETS);
        for (const rule_type of SECRET_TYPES) {
          const answer = JSON.stringify(await muster.read(listRules, { rule_type }, asked));
          expect(answer, rule_type).not.toMatch(SECRETS);
        }
      }
    }
    const tool: Caller = { ...reader, roles: ['mcp'], entrance: 'mcp' };
    await expect(muster.run(getAccount, { name: 'own' }, tool)).rejects.toMatchObject({ code: 'read_only' });
  });

  it('are for others with the role, as the interface says, and kept in the audit log with what was read', async () => {
    expect(JSON.stringify(await muster.read(exportRules, FLAGS, writer))).toMatch(SECRETS);
    for (const rule_type of SECRET_TYPES) {
      expect(JSON.stringify(await muster.read(listRules, { rule_type }, writer)), rule_type).toMatch(SECRETS);
    }
    await muster.read(listRules, { rule_type: 'custom_attributes' }, writer);
    await muster.app.services.audit.settled();
    const entries = (await muster.storage.audit.latest({ limit: 100 })).filter(({ actor }) => actor === 'writer');
    expect(entries.map(({ operation, subject }) => `${operation} ${subject}`).sort()).toEqual(
      [
        'rules/export-rules rules, hosts, accounts, users, passwords',
        ...SECRET_TYPES.map((type) => `rules/list-rules ${type}`),
      ].sort(),
    );
  });

  it('stay as they are when a document comes back as it was shown', async () => {
    const before = await muster.read(exportRules, FLAGS);
    const { rules: shown }: { rules: Record<string, RuleDocument[]> } = await muster.read(exportRules, FLAGS, reader);
    const answer = await muster.run(importRules, { rules: shown, override: true });
    expect(answer.details).toEqual([]);
    const after = await muster.read(exportRules, FLAGS);
    expect({ ...(after as object), exported_at: '' }).toEqual({ ...(before as object), exported_at: '' });
  });

  it('are never made of a mask', async () => {
    const masked = { name: 'new', type: 'api', password_crypted: '********' };
    const answer = await muster.run(importRules, { rules: { accounts: [masked] } });
    expect(answer).toMatchObject({ invalid: { accounts: 1 }, details: [{ path: 'password_crypted' }] });
  });
});
