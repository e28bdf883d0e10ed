import { describe, expect, it } from 'vitest';
import { documentPlace, type PasswordHasher, type SecretBox } from '../../src/ports/index.ts';

const PLACE = documentPlace('accounts', '0123456789abcdef01234567', 'password_crypted');
const OTHER_PLACES = [
  documentPlace('accounts', '0123456789abcdef01234568', 'password_crypted'),
  documentPlace('cmk_passwords', '0123456789abcdef01234567', 'password_crypted'),
  documentPlace('accounts', '0123456789abcdef01234567', 'custom_fields.a:b%.value_crypted'),
  'admin session',
  '',
];
const SECRETS = ['', 'hunter2', 'ä\u{1f600}\u0000\n', 'x'.repeat(100_000)];

/** Each call of `create` answers a box under another key. */
export function describeSecretBoxContract(create: () => SecretBox): void {
  describe('SecretBox', () => {
    it.each(SECRETS)('opens what it sealed', async (plain) => {
      const box = create();
      const sealed = await box.seal(plain, PLACE);
      if (plain !== '') expect(sealed).not.toContain(plain);
      expect(await box.open(sealed, PLACE)).toBe(plain);
    });

    it('seals the same text differently each time', async () => {
      const box = create();
      expect(await box.seal('hunter2', PLACE)).not.toBe(await box.seal('hunter2', PLACE));
    });

    it('opens what it sealed at its place and at no other, and says which that is', async () => {
      const box = create();
      const places = [PLACE, ...OTHER_PLACES];
      for (const place of places) {
        const sealed = await box.seal('hunter2', place);
        expect(box.placeOf(sealed)).toBe(place);
        for (const asked of places) {
          const opened = box.open(sealed, asked);
          if (asked === place) expect(await opened).toBe('hunter2');
          else await expect(opened, `${place} at ${asked}`).rejects.toMatchObject({ code: 'failed' });
        }
      }
      expect(box.placeOf('hunter2')).toBeUndefined();
    });

    it('does not open a text that was given another place', async () => {
      const box = create();
      const [other = ''] = OTHER_PLACES;
      const moved = (await box.seal('hunter2', PLACE)).replace('4567/', '4568/');
      expect(box.placeOf(moved)).toBe(other);
      for (const place of [PLACE, other])
        await expect(box.open(moved, place)).rejects.toMatchObject({ code: 'failed' });
    });

    it('does not open what was sealed under another key', async () => {
      const sealed = await create().seal('hunter2', PLACE);
      await expect(create().open(sealed, PLACE)).rejects.toMatchObject({ code: 'failed' });
    });

    it('does not open what was cut, changed or never sealed', async () => {
      const box = create();
      const sealed = await box.seal('hunter2', PLACE);
      for (const text of [sealed, await box.seal('', PLACE)]) {
        // The last characters may be padding, which says nothing.
        for (let length = 0; length <= text.length - 4; length++) {
          const cut = text.slice(0, length);
          await expect(box.open(cut, PLACE), cut).rejects.toMatchObject({ code: 'failed' });
        }
      }
      const middle = sealed.length - 12;
      const changed = sealed.slice(0, middle) + (sealed[middle] === 'A' ? 'B' : 'A') + sealed.slice(middle + 1);
      await expect(box.open(changed, PLACE)).rejects.toMatchObject({ code: 'failed' });
      await expect(box.open('hunter2', PLACE)).rejects.toMatchObject({ code: 'failed' });
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
