import { expect, it } from 'vitest';
import { kindOf } from '../../../src/adapters/storage/mongodb/session.ts';

it.each([
  [{ isWritablePrimary: true, msg: 'isdbgrid' }, 'sharded cluster (mongos)'],
  [{ isWritablePrimary: true, setName: 'rs0' }, 'replica set rs0'],
  [{ isWritablePrimary: true }, 'standalone'],
])('a server that answers %j is a %s', (hello, kind) => {
  expect(kindOf(hello)).toBe(kind);
});
