import { Secret, TOTP } from 'otpauth';
import { describe, expect, it, onTestFinished } from 'vitest';
import { recoveryCodeHash } from '../../../src/app/logins/second-factor/decisions/recovery-codes.ts';
import { finishSecondStep, secondStepOf } from '../../../src/app/logins/second-factor/log-in.ts';
import { addUser } from '../../../src/app/users/operations/add-user.ts';
import { documentPlace } from '../../../src/ports/index.ts';
import { STORES } from '../../security/support/two-stores.ts';
import { OperationsApp, PASSWORD } from '../operations/operations-app.ts';

const FROM = { entrance: 'admin', address: '127.0.0.1', requestId: 'test', path: '/admin' } as const;
const ROUNDS = 5;

/** The code of this period, or of the one before: both count, and none was shown before. */
function codeOf(secret: string, periodsAgo: number): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() - periodsAgo * 30_000 });
}

describe.each(STORES)('two at once over %s', (_store, create) => {
  async function open(policy: 'everybody' | 'nobody'): Promise<OperationsApp> {
    const { storage, close } = await create();
    const app = await OperationsApp.over(storage, { REQUIRE_SECOND_FACTOR: policy });
    onTestFinished(async () => {
      await app.stop();
      await close();
    });
    return app;
  }

  it('who log in for the first time with one password: one sets the second factor up, the other is told', async () => {
    const muster = await open('everybody');
    const { services } = muster.app;
    for (let round = 0; round < ROUNDS; round++) {
      const name = `root${round}`;
      await muster.run(addUser, { name, password: PASSWORD, admin: true });
      const user = await services.users.byName(name);
      if (user === undefined) throw new Error('no user');
      const steps = [await secondStepOf(services, user), await secondStepOf(services, user)];
      const secrets = steps.map((step) => step?.setup?.secret ?? '');
      const ended = await Promise.allSettled(
        steps.map((step, index) =>
          finishSecondStep(services, { ticket: step?.ticket ?? '', code: codeOf(secrets[index] ?? '', index) }, FROM),
        ),
      );
      const won = ended.findIndex(({ status }) => status === 'fulfilled');
      expect(ended.map((one) => (one.status === 'rejected' ? one.reason.code : 'in')).sort()).toEqual([
        'conflict',
        'in',
      ]);
      const stored = await services.users.byName(name);
      const place = documentPlace('users', user.id, 'tfa_secret_crypted');
      expect(await services.secrets.open(stored?.secondFactor.authenticator ?? '', place)).toBe(secrets[won]);
      const [login] = ended.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
      const hashes = login?.recoveryCodes.map(recoveryCodeHash);
      expect(stored?.secondFactor.recoveryCodes.map(String)).toEqual(hashes);
    }
  });

  it('who make the first administrator: one user comes out of it, with one of the two passwords', async () => {
    const muster = await open('nobody');
    for (let round = 0; round < ROUNDS; round++) {
      const name = `admin${round}`;
      const passwords = [`${PASSWORD} one`, `${PASSWORD} two`];
      const ended = await Promise.allSettled(
        passwords.map((password) => muster.run(addUser, { name, password, admin: true })),
      );
      const won = ended.findIndex(({ status }) => status === 'fulfilled');
      expect(ended.map((one) => (one.status === 'rejected' ? one.reason.code : 'added')).sort()).toEqual([
        'added',
        'conflict',
      ]);
      expect((await muster.app.services.users.list()).filter((user) => user.name === name)).toHaveLength(1);
      await muster.callerOf(name, passwords[won]);
      await expect(muster.callerOf(name, passwords[1 - won])).rejects.toThrow();
    }
  });
});
