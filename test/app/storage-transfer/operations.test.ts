import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { addAccount } from '../../../src/app/accounts/operations/add-account.ts';
import { setAccount } from '../../../src/app/accounts/operations/set-account.ts';
import { backUp } from '../../../src/app/backups/operations/back-up.ts';
import { restoreBackup } from '../../../src/app/backups/operations/restore-backup.ts';
import { rotateKey } from '../../../src/app/maintenance/operations/rotate-key.ts';
import { importRules } from '../../../src/app/rules/operations/import-rules.ts';
import { saveSearch } from '../../../src/app/search/operations/save-search.ts';
import { checkStorage } from '../../../src/app/storage-tools/operations/check-storage.ts';
import { migrateStorage } from '../../../src/app/storage-tools/operations/migrate-storage.ts';
import { documentPlace, type RuleRecord, type Storage } from '../../../src/ports/index.ts';
import { ruleWrite, saveNames, writeRules } from '../../../src/testing/samples.ts';
import { storedParts } from '../../../src/testing/stored-samples.ts';
import { openSqlite } from '../../adapters/sqlite/sqlite-harness.ts';
import { OperationsApp } from '../operations/operations-app.ts';
import { freshFolder, freshSqlite } from './support.ts';

let storage: Storage;
let app: OperationsApp;
let folder: string;

async function open(config: Record<string, string> = {}): Promise<OperationsApp> {
  const opened = await OperationsApp.over(storage, { INSTANCE_KEY: '', DATA_DIR: folder, ...config });
  onTestFinished(() => opened.stop());
  return opened;
}

beforeEach(async () => {
  storage = await freshSqlite();
  folder = await freshFolder();
  app = await open();
});

async function passwordOf(name: string, by = app): Promise<string> {
  const { accounts } = by.app.services;
  const account = await accounts.byName(name);
  return account === undefined ? 'no account' : accounts.password(account);
}

async function rule(type: string, name: string): Promise<RuleRecord> {
  const found = await storage.rules.findByName(type, name);
  if (found === undefined) throw new Error(`no ${type} ${name}`);
  return found;
}

describe('rotating the key', () => {
  it('seals every secret anew, past versions too, and changes nothing else', async () => {
    await app.run(addAccount, { name: 'vcenter', type: 'csv', password: 'first', settings: { path: 'x.csv' } });
    await app.run(setAccount, { name: 'vcenter', password: 'second' });
    await app.run(addAccount, { name: 'plain', type: 'api' });
    const documents = { cmk_passwords: [{ name: 'monitoring', password: 'third', '10': 'ten', a: 1 }] };
    await app.run(importRules, { rules: documents });
    const untouched = await rule('accounts', 'plain');
    const before = await rule('cmk_passwords', 'monitoring');
    expect(await app.run(rotateKey, {})).toMatchObject({ unreadable: [] });
    expect(await passwordOf('vcenter')).toBe('second');
    expect((await rule('accounts', 'plain')).version).toBe(untouched.version);
    const after = await rule('cmk_passwords', 'monitoring');
    const sealed = (record: RuleRecord) => String(record.document.value.password_crypted);
    expect(sealed(after)).not.toBe(sealed(before));
    expect(after.document.text.replace(sealed(after), '')).toBe(before.document.text.replace(sealed(before), ''));
    const { secrets } = (await open()).app.services;
    expect(await secrets.open(sealed(after), documentPlace('cmk_passwords', after.id, 'password_crypted'))).toBe(
      'third',
    );
    const { id } = await rule('accounts', 'vcenter');
    const versions = await storage.rules.versions('accounts', id, 10);
    const place = documentPlace('accounts', id, 'password_crypted');
    const passwords = versions.map(({ document }) => secrets.open(String(document.value.password_crypted), place));
    expect(await Promise.all(passwords)).toEqual(['second', 'second', 'first']);
    await expect(secrets.open(sealed(before), place)).rejects.toMatchObject({ code: 'failed' });
  });

  it('finishes a rotation that was cut off, with secrets under both keys', async () => {
    await app.run(addAccount, { name: 'one', type: 'api', password: 'first' });
    await app.run(addAccount, { name: 'two', type: 'api', password: 'second' });
    const { rules } = storage;
    let replaced = 0;
    const replace = rules.replace.bind(rules);
    rules.replace = async (request) => {
      if (++replaced === 2) throw new Error('cut off');
      return replace(request);
    };
    await expect(app.run(rotateKey, {})).rejects.toThrow('cut off');
    rules.replace = replace;
    const other = await open();
    for (const by of [app, other]) {
      expect(await Promise.all([passwordOf('one', by), passwordOf('two', by)])).toEqual(['first', 'second']);
    }
    await other.run(rotateKey, {});
    for (const by of [app, other, await open()]) {
      expect(await Promise.all([passwordOf('one', by), passwordOf('two', by)])).toEqual(['first', 'second']);
    }
  });

  it('names secrets that were lost before, and is not stopped by them', async () => {
    await app.run(addAccount, { name: 'good', type: 'api', password: 'first' });
    const lost = { name: 'bad', type: 'csv', password_crypted: 'aes256gcm:AAAA' };
    await writeRules(storage.rules, [ruleWrite(5, 'bad', lost, { type: 'accounts' })]);
    const answer = await app.run(rotateKey, {});
    expect(answer.unreadable).toEqual(['accounts bad', 'accounts bad (version 1)']);
    expect(await passwordOf('good')).toBe('first');
  });

  it('says what to do when the key comes from the environment', async () => {
    const fixed = await open({ INSTANCE_KEY: '22'.repeat(32) });
    await expect(fixed.run(rotateKey, {})).rejects.toMatchObject({
      code: 'failed',
      message: expect.stringContaining('INSTANCE_KEY'),
    });
  });
});

interface Answer {
  readonly problems: readonly { readonly subject: string; readonly message: string }[];
  readonly found: number;
  readonly fixed: number;
}

describe('checking the storage', () => {
  it('finds nothing in what the program wrote', async () => {
    await app.addAccounts('a');
    await app.run(saveSearch, { name: 'hosts in Frankfurt', where: 'site:fra' });
    const answer: Answer = await app.read(checkStorage, { fix: true });
    expect(answer).toEqual({ problems: [], found: 0, fixed: 0 });
  });

  it('names broken documents, unknown types and references to nothing', async () => {
    await saveNames(storage.hosts, ['orphan']);
    await writeRules(storage.rules, [
      ruleWrite(1, 'x', {}, { type: 'of_no_plugin' }),
      ruleWrite(2, 'filter', { project: 'missing' }, { type: 'automation_filter' }),
      ruleWrite(3, 'odd', { conditions: 'none' }, { type: 'automation_customvars' }),
    ]);
    const answer: Answer = await app.read(checkStorage, {});
    const found = answer.problems.map(({ subject, message }) => `${subject}: ${message}`).join('\n');
    expect(found).toContain('1 host belongs to an account that does not exist');
    expect(found).toContain('rule type of_no_plugin: 1 document is');
    expect(found).toContain('refers to automation_projects missing, which does not exist');
    expect(found).toContain('automation_customvars odd: conditions');
    expect(answer.found).toBe(answer.problems.length);
  });
});

describe('moving the storage', () => {
  it('migrates to another address, and says so in the audit log without the password', async () => {
    await app.addAccounts('a');
    await saveNames(storage.hosts, ['one', 'two']);
    const path = join(folder, 'target.db');
    const report = await app.run(migrateStorage, { to: `sqlite:${path}` });
    expect(report.parts.find(({ part }) => part === 'hosts')).toMatchObject({ count: 2 });
    const target = await openSqlite(path);
    expect((await storedParts(target)).hosts).toEqual((await storedParts(storage)).hosts);
    await target.stop();
    const unreachable = 'mongodb://user:geheim@127.0.0.1:1/x?serverSelectionTimeoutMS=50';
    await expect(app.run(migrateStorage, { to: unreachable })).rejects.toMatchObject({ code: 'unavailable' });
    await app.app.services.audit.settled();
    const entries = await storage.audit.latest({ limit: 10, operation: 'storage/migrate-storage' });
    expect(entries.map(({ outcome }) => outcome)).toEqual(['unavailable', 'done']);
    expect(JSON.stringify(entries)).not.toContain('geheim');
  });

  it('backs up and restores, logins and secrets included', async () => {
    await app.run(addAccount, { name: 'vcenter', type: 'api', password: 'first' });
    const caller = await app.addCaller('olga', { roles: ['objects'] });
    const file = join(folder, 'backup.gz');
    const { counts } = await app.run(backUp, { file });
    expect(counts.rules).toBe(2);
    const target = await freshSqlite();
    const other = await OperationsApp.over(target, { INSTANCE_KEY: '', DATA_DIR: folder });
    onTestFinished(() => other.stop());
    await other.run(restoreBackup, { file });
    expect(await passwordOf('vcenter', other)).toBe('first');
    expect(await other.callerOf('olga')).toEqual(caller);
  });

  it('is for administrators', async () => {
    const caller = await app.addCaller('olga', { roles: ['all'] });
    for (const operation of [backUp, restoreBackup, migrateStorage, rotateKey]) {
      await expect(app.run(operation as typeof backUp, { file: 'x' }, caller)).rejects.toMatchObject({
        code: 'role_missing',
      });
    }
  });
});
