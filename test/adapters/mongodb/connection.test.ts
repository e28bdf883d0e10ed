import { expect, it } from 'vitest';
import { createClient } from '../../../src/adapters/storage/mongodb/connection.ts';

it.each([
  ['', 15_000],
  ['?wtimeoutMS=5000', 5_000],
  ['?w=1', 15_000],
])('a write over an address that ends in %j is with most members of a set, or answered after %d ms', (more, wait) => {
  const { writeConcern } = createClient(`mongodb://127.0.0.1:27017/muster${more}`);
  expect(writeConcern).toMatchObject({ w: 'majority', j: true, wtimeout: wait });
});
