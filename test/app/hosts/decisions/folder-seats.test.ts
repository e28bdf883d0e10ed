import fc from 'fast-check';
import { expect, it } from 'vitest';
import { seatsGivenBack } from '../../../../src/app/hosts/decisions/folder-seats.ts';

const folder = fc.constantFrom('/east', '/west', '__proto__');

it('takes a seat off the pool of each folder, one by one and never below 0, and leaves other members alone', () => {
  const pools = fc.record({
    folder_name: folder,
    folder_seats_taken: fc.integer({ min: 0, max: 6 }),
    '1': fc.string(),
  });
  fc.assert(
    fc.property(fc.array(folder, { maxLength: 8 }), pools, (folders, pool) => {
      let taken = pool.folder_seats_taken;
      for (const name of folders) if (name === pool.folder_name && taken > 0) taken--;
      const document = seatsGivenBack(folders).change(JSON.stringify(pool));
      const isSame = taken === pool.folder_seats_taken;
      expect(document).toBe(isSame ? undefined : JSON.stringify({ ...pool, folder_seats_taken: taken }));
    }),
  );
});

it.each([
  ['no folder', {}],
  ['a folder that is no text', { folder_name: 1, folder_seats_taken: 2 }],
  ['no seats', { folder_name: '/east' }],
  ['seats that are no number', { folder_name: '/east', folder_seats_taken: 'many' }],
  ['empty seats', { folder_name: '/east', folder_seats_taken: null }],
])('leaves a pool with %s as it is', (_, pool) => {
  expect(seatsGivenBack(['/east', '1']).change(JSON.stringify(pool))).toBeUndefined();
});
