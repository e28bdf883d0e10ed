import { expect, it, vi } from 'vitest';
import { argon2PasswordHasher } from '../../../src/adapters/passwords/argon2-password-hasher.ts';
import { describePasswordHasherContract } from '../../contracts/secrets.contract.ts';

const verify = vi.hoisted(() => vi.fn());
vi.mock('@node-rs/argon2', async (original) => {
  const real = await original<typeof import('@node-rs/argon2')>();
  verify.mockImplementation(real.verify);
  return { ...real, verify };
});

describePasswordHasherContract(argon2PasswordHasher);

it.each(['', 'pbkdf2:sha256:1$x$y', '$argon2id$v=19$m=19456,t=2,p=1$broken'])(
  'the hash %j cannot be read, and another one is verified in its place',
  async (hash) => {
    verify.mockClear();
    expect(await argon2PasswordHasher().verify(hash, 'a password')).toBe(false);
    const [last] = verify.mock.calls.at(-1) ?? [];
    expect(last).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(last).not.toBe(hash);
  },
);
