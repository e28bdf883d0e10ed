import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { argon2PasswordHasher } from '../../src/adapters/passwords/argon2-password-hasher.ts';
import { memoryStorage } from '../../src/adapters/storage/memory/storage.ts';
import { runDoctor } from '../../src/app/maintenance/operations/run-doctor.ts';
import { importRules } from '../../src/app/rules/operations/import-rules.ts';
import { StoredJson } from '../../src/ports/index.ts';
import { OperationsApp } from '../app/operations/operations-app.ts';
import { callerWith } from './support/callers.ts';

const PASSWORD = 'correct horse battery';
const TAIL = 'c29tZXNhbHRzb21lc2FsdA$gb1sHh4pAz2pyBhlD4Eh7LuNAoAcg0mUmxk4vLPwnLs';

const COSTLY: Readonly<Record<string, string>> = {
  'four gigabytes': `$argon2id$v=19$m=4194304,t=1,p=1$${TAIL}`,
  'a million passes': `$argon2id$v=19$m=8192,t=1000000,p=1$${TAIL}`,
  'many passes over much memory': `$argon2id$v=19$m=131072,t=10,p=1$${TAIL}`,
  'many lanes': `$argon2id$v=19$m=65536,t=2,p=255$${TAIL}`,
  'another kind': `$argon2d$v=19$m=19456,t=2,p=1$${TAIL}`,
  'another version': `$argon2id$v=99$m=19456,t=2,p=1$${TAIL}`,
  'a long salt': `$argon2id$v=19$m=19456,t=2,p=1$${'A'.repeat(2000)}$AAAAAAAAAAAAAAAAAAAAAAAA`,
  'a long hash': `$argon2id$v=19$m=19456,t=2,p=1$c29tZXNhbHRzb21lc2FsdA$${'A'.repeat(20000)}`,
};
/** What libraries of today write by default. */
const USUAL: Readonly<Record<string, string>> = {
  ours: `$argon2id$v=19$m=19456,t=2,p=1$${TAIL}`,
  'argon2-cffi': `$argon2id$v=19$m=65536,t=3,p=4$${TAIL}`,
  'an older passlib': `$argon2i$v=19$m=102400,t=2,p=8$${TAIL}`,
};

describe('hashes of passwords that others bring', () => {
  let muster: OperationsApp;
  beforeAll(async () => {
    const storage = memoryStorage()({ clock: { now: () => new Date() } });
    await storage.start();
    muster = await OperationsApp.over(storage);
  });
  afterAll(() => muster.stop());

  it.each(Object.entries(COSTLY))(
    'with %s are not taken, and not computed where they are stored',
    async (_name, pwdhash) => {
      for (const caller of [
        callerWith('rules', { roles: ['rules'] }),
        callerWith('boss', { roles: ['all'], globalAdmin: true }),
      ]) {
        const answer = await muster.run(importRules, { rules: { users: [{ name: 'eve', pwdhash }] } }, caller);
        expect(answer).toMatchObject({ invalid: { users: 1 }, details: [{ path: 'pwdhash' }] });
        expect(JSON.stringify(answer)).not.toContain(pwdhash);
      }
      const begun = performance.now();
      // Neither the hash, nor one that says the same in a form that only some libraries read.
      const other = pwdhash.replace(',p=', ',data=AAAA,p=');
      expect(await argon2PasswordHasher().verify(other, PASSWORD)).toBe(false);
      expect(await argon2PasswordHasher().verify(pwdhash, PASSWORD)).toBe(false);
      expect(performance.now() - begun).toBeLessThan(2000);
    },
  );

  it.each(Object.entries(USUAL))('of %s are', async (name, pwdhash) => {
    const answer = await muster.run(importRules, { rules: { users: [{ name, pwdhash }] } });
    expect(answer).toMatchObject({ imported: { users: 1 }, details: [] });
  });

  it('open for the right password, also with the parameters of others', async () => {
    const argon2 = await import('@node-rs/argon2');
    const hasher = argon2PasswordHasher();
    const usual = await argon2.hash(PASSWORD, { memoryCost: 65_536, timeCost: 3, parallelism: 4 });
    expect(await hasher.verify(usual, PASSWORD)).toBe(true);
    expect(await hasher.verify(usual, `${PASSWORD}!`)).toBe(false);
    expect(await hasher.verify(await hasher.hash(PASSWORD), PASSWORD)).toBe(true);
  });

  it('are named by the doctor, with whom they keep out, and four logins with one hold up nobody', async () => {
    const pwdhash = COSTLY['four gigabytes'] ?? '';
    const id = 'e'.repeat(24);
    const document = StoredJson.ofValue({ _id: { $oid: id }, name: 'eve', pwdhash, api_roles: ['all'] });
    await muster.storage.rules.write({
      entries: [{ type: 'users', id, name: 'eve', uniqueName: true, document, confirmedBy: 'operator' }],
      mode: 'replace',
      at: new Date(),
      actor: { kind: 'system', name: 'test' },
    });
    const { users } = muster.app.services;
    const begun = performance.now();
    const logins = Array.from({ length: 4 }, (_, index) =>
      users.authenticate({ kind: 'password', name: 'eve', password: `guess ${index}` }),
    );
    expect(await Promise.all(logins)).toEqual([undefined, undefined, undefined, undefined]);
    expect(performance.now() - begun).toBeLessThan(5000);
    const { findings } = await muster.run(runDoctor, {});
    const finding = findings.find(({ check }) => check === 'users');
    expect(finding).toMatchObject({ ok: false, message: expect.stringContaining('user eve') });
    expect(finding?.message).not.toContain(pwdhash);
  });
});
