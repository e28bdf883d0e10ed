import { describe, expect, it } from 'vitest';
import type { PasswordHasher, SecretBox } from '../../src/ports/index.ts';

const SECRETS = ['', 'hunter2', 'ä\u{1f600}\u0000\n', 'x'.repeat(100_000)];

/** Each call of `create` answers a box under another key. */
export function describeSecretBoxContract(create: () => SecretBox): void {
  describe('SecretBox', () => {
    it.each(SECRETS)('opens what it sealed', async (plain) => {
      const box = create();
      const sealed = await box.seal(plain);
      if (plain !== '') expect(sealed).not.toContain(plain);
      expect(await box.open(sealed)).toBe(plain);
    });

    it('seals the same text differently each time', async () => {
      const box = create();
      expect(await box.seal('hunter2')).not.toBe(await box.seal('hunter2'));
    });

    it('does not open what was sealed under another key', async () => {
      const sealed = await create().seal('hunter2');
      await expect(create().open(sealed)).rejects.toMatchObject({ code: 'failed' });
    });

    it('does not open what was cut, changed or never sealed', async () => {
      const box = create();
      const sealed = await box.seal('hunter2');
      for (const text of [sealed, await box.seal('')]) {
        // The last characters may be padding, which says nothing.
        for (let length = 0; length <= text.length - 4; length++) {
          const cut = text.slice(0, length);
          await expect(box.open(cut), cut).rejects.toMatchObject({ code: 'failed' });
        }
      }
      const middle = sealed.length - 12;
      const changed = sealed.slice(0, middle) + (sealed[middle] === 'A' ? 'B' : 'A') + sealed.slice(middle + 1);
      await expect(box.open(changed)).rejects.toMatchObject({ code: 'failed' });
      await expect(box.open('hunter2')).rejects.toMatchObject({ code: 'failed' });
    });
  });
}

export function describePasswordHasherContract(create: () => PasswordHasher): void {
  describe('PasswordHasher', () => {
    it('knows the password again, and no other', async () => {
      const hasher = create();
      const hash = await hasher.hash('correct horse');
      expect(hash).not.toContain('correct horse');
      expect(await hasher.verify(hash, 'correct horse')).toBe(true);
      for (const wrong of ['', 'Correct horse', 'correct horse ', 'x'.repeat(100_000)]) {
        expect(await hasher.verify(hash, wrong), wrong.slice(0, 20)).toBe(false);
      }
    });

    it('answers false for a hash that cannot be read', async () => {
      const hasher = create();
      for (const hash of ['', 'plain', '$argon2id$v=19$', '$2b$10$abcdefghijklmnopqrstuv']) {
        expect(await hasher.verify(hash, 'correct horse'), hash).toBe(false);
      }
    });
  });
}
