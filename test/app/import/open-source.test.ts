import { expect, it } from 'vitest';
import { checkedBatches } from '../../../src/app/runs/import/open-source.ts';
import type { SourceItem } from '../../../src/ports/index.ts';

async function read(...batches: unknown[]): Promise<number> {
  let items = 0;
  const given = (async function* () {
    yield* batches as SourceItem[][];
  })();
  for await (const batch of checkedBatches(given)) items += batch.length;
  return items;
}

it.each([
  ['an item instead of a batch', { kind: 'record', hostname: 'a', labels: {} }, /one item where a batch belongs/],
  ['a text', 'abc', /one item where a batch belongs/],
  ['no item', [null], /without a kind/],
  ['an item without a kind', [{ hostname: 'a', labels: {} }], /without a kind, such as "record"/],
  ['no hostname', [{ kind: 'record', position: 'line 7', labels: {} }], /without a hostname that is a text, at line 7/],
  ['a number as hostname', [{ kind: 'record', hostname: 7, labels: {} }], /without a hostname that is a text/],
  ['no labels', [{ kind: 'record', hostname: 'a' }], /the record a without labels/],
])('a source that gives %s is told which it was', async (_what, batch, message) => {
  await expect(read(batch)).rejects.toMatchObject({ code: 'failed', message: expect.stringMatching(message) });
});

it('lets other items through', async () => {
  const record = { kind: 'record', position: 'line 2', hostname: 'a', labels: {} };
  expect(await read([record, { kind: 'skipped', position: 'line 3', reason: 'no name' }], [])).toBe(2);
});
