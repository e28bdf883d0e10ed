import { expect, test } from 'vitest';
import type { RenderMode } from '../../../src/app/inventory/render.ts';
import { ServedValuesReading } from '../../../src/app/inventory/served-values.ts';
import { type InventoryHost, StoredJson } from '../../../src/ports/index.ts';

const RENDER = { names: 'keep', templateText: 'serve' } as RenderMode;
const SIGNAL = new AbortController().signal;

function host(hostname: string): InventoryHost {
  return { hostname, variables: StoredJson.ofValue({ tier: hostname }), groups: [] };
}

/** Batches of one host each, and how many were requested. */
function hosts(names: readonly string[], failsAt = Number.POSITIVE_INFINITY) {
  const made = { batches: 0 };
  async function* batches(): AsyncGenerator<readonly InventoryHost[]> {
    for (const name of names) {
      if (made.batches === failsAt) throw new Error('broken');
      made.batches++;
      yield [host(name)];
    }
  }
  return { made, reading: new ServedValuesReading(batches(), RENDER, [['tier']]) };
}

const patience = (seconds: number) => ({ seconds, signal: SIGNAL, progress: () => undefined });

test('a caller without patience gets the known values, and the next one continues from there', async () => {
  const { made, reading } = hosts(['a', 'b', 'c']);
  const first = await reading.known(patience(0));
  expect([...(first.values[0] ?? [])]).toEqual([['a', ['a']]]);
  expect(first.until).toEqual({ hostname: 'a', looked: 1 });
  const all = await reading.known(patience(Number.POSITIVE_INFINITY));
  expect([...(all.values[0]?.keys() ?? [])]).toEqual(['a', 'b', 'c']);
  expect(all.until).toBeUndefined();
  expect(made.batches).toBe(3);
});

test('callers at the same time share each batch, and one who leaves ends nothing for the others', async () => {
  const { made, reading } = hosts(['a', 'b', 'c']);
  const leaving = new AbortController();
  const left = reading.known({ ...patience(Number.POSITIVE_INFINITY), signal: leaving.signal });
  const staying = reading.known(patience(Number.POSITIVE_INFINITY));
  leaving.abort(new Error('left'));
  await expect(left).rejects.toThrow('left');
  expect((await staying).values[0]?.size).toBe(3);
  expect(made.batches).toBe(3);
});

test('a reading that breaks off says so', async () => {
  const { reading } = hosts(['a', 'b'], 1);
  await expect(reading.known(patience(Number.POSITIVE_INFINITY))).rejects.toThrow('broken');
  expect(reading.hasFailed).toBe(true);
});
