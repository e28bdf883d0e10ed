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

/** Made by werkzeug 3.1, which an installation of cmdbsyncer uses. */
const IMPORTED = [
  'scrypt:32768:8:1$FSdnleFW83AkD3ts$12d8266d5ab715bdbb7038b026249fab3f926a7aea557c6b7df496b9c35dc5a35845a486b7db3409c140667efa3aa0057507bd6f2775ecda6455cf1315bab2d5',
  'pbkdf2:sha256:1000$WooIkZxp3ZVVnW0u$86cf5ca21d87d609821c099325a64c48156fe0c84cfa95b2a87f56a31304ed58',
  'pbkdf2:sha512:1000$9eK9CoWgmHpNvryg$97cd97df0d760e218790a0bd511bfa0df54b812c043ccaea9a6ba999e119c8556c194ce93aaf3907d758a8adce2f5b403bcc696bb53334d1147b9de4eea7e234',
];

it.each(IMPORTED)('the imported hash %s is checked', async (hash) => {
  const hasher = argon2PasswordHasher();
  expect(await hasher.verify(hash, 'grüße 4.4')).toBe(true);
  expect(await hasher.verify(hash, 'grüße 4.5')).toBe(false);
  expect(
    await hasher.verify(
      hash.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
      'grüße 4.4',
    ),
  ).toBe(false);
});

it.each([
  ['memory', (IMPORTED[0] ?? '').replace('32768:8:1', '1048576:8:1')],
  ['lanes', (IMPORTED[0] ?? '').replace('32768:8:1', '32768:8:64')],
  ['iterations', (IMPORTED[1] ?? '').replace('1000', '900000000')],
])('an imported hash that asks for too much %s is never computed', async (_what, hash) => {
  verify.mockClear();
  expect(await argon2PasswordHasher().verify(hash, 'grüße 4.4')).toBe(false);
  expect(verify.mock.calls).toHaveLength(1);
});
