import { describe, expect, it } from 'vitest';
import type { Source, SourceItem } from '../ports/index.ts';
import { LONG_TIMEOUT } from './timeouts.ts';

/** How a source shows itself to its contract. Each call opens a source for one run. */
export interface SourceHarness {
  /**
   * A source with at least two records, among them one of this hostname; `keys` are those of one of its records, if it gives
   * keys; `nameless` are those of one of its records without a name.
   */
  healthy(): Promise<{
    readonly source: Source;
    readonly hostname: string;
    readonly keys?: { readonly hostname: string; readonly values: Readonly<Record<string, readonly string[]>> };
    readonly nameless?: Readonly<Record<string, readonly string[]>>;
  }>;
  /** A source that is missing, refuses, or ends in the middle. */
  broken(): Promise<Source>;
}

/** Everything that a source promises. */
export function describeSourceContract(name: string, harness: SourceHarness): void {
  describe(`${name}: source contract`, LONG_TIMEOUT, () => {
    it('gives records in batches, each with a position and a hostname', async () => {
      const { source, hostname } = await harness.healthy();
      const items = await readAll(source);
      expect(items.length).toBeGreaterThanOrEqual(2);
      for (const item of items) {
        if (item.kind === 'gap') expect(item.what).not.toBe('');
        else if (item.kind === 'left_out') expect(item.count).toBeGreaterThan(0);
        else if (item.kind === 'bookmark') expect(item.changesOnly, 'nothing to go on from was given').toBe(false);
        else expect(item.position).not.toBe('');
      }
      expect(items.some((item) => item.kind === 'record' && item.hostname === hostname)).toBe(true);
    });

    it('gives the same records again when it is opened again', async () => {
      const [first, second] = await Promise.all([harness.healthy(), harness.healthy()]);
      expect(await readAll(second.source)).toEqual(await readAll(first.source));
    });

    it('gives keys as texts under names of lower-case letters, digits and _', async () => {
      const { source, keys } = await harness.healthy();
      const items = await readAll(source);
      for (const item of items) {
        if (item.kind !== 'record' || item.keys === undefined) continue;
        for (const [name, values] of Object.entries(item.keys)) {
          expect(name, item.position).toMatch(/^[a-z][a-z0-9_]{0,63}$/);
          expect(Array.isArray(values) && values.every((value) => typeof value === 'string'), item.position).toBe(true);
        }
      }
      if (keys === undefined) return;
      const named = items.flatMap((item) =>
        item.kind === 'record' && item.hostname === keys.hostname ? [item.keys] : [],
      );
      expect(named).toEqual([keys.values]);
    });

    it('gives the keys of a record without a name, so that its host is not taken for gone', async () => {
      const { source, nameless } = await harness.healthy();
      if (nameless === undefined) return;
      const skipped = (await readAll(source)).filter(({ kind }) => kind === 'skipped');
      expect(skipped.flatMap((item) => ('keys' in item ? [item.keys] : []))).toContainEqual(nameless);
    });

    it('names the members of its records, each once, where it says them before', async () => {
      const { source } = await harness.healthy();
      const columns = await source.columns?.({ signal: new AbortController().signal, progress: () => undefined });
      if (columns === undefined) return;
      expect(columns.filter((column) => column.trim() === '')).toEqual([]);
      expect([...new Set(columns)]).toEqual(columns);
      const labels = (await readAll(source)).flatMap((item) =>
        item.kind === 'record' ? Object.keys(item.labels) : [],
      );
      expect(columns).toEqual(expect.arrayContaining([...new Set(labels)]));
    });

    it('names why it skips a record', async () => {
      const { source } = await harness.healthy();
      for (const item of await readAll(source)) {
        if (item.kind === 'skipped' || item.kind === 'gap') expect(item.reason).not.toBe('');
      }
    });

    it('throws an error that callers can show when it cannot give everything', async () => {
      const source = await harness.broken();
      await expect(readAll(source)).rejects.toMatchObject({
        name: 'AppError',
        code: expect.stringMatching(/^(failed|invalid_input|unavailable)$/),
      });
    });

    it('ends early when its signal aborts', async () => {
      const { source } = await harness.healthy();
      await expect(readAll(source, AbortSignal.abort(new Error('stop')))).rejects.toThrow();
    });
  });
}

async function readAll(source: Source, signal = new AbortController().signal): Promise<SourceItem[]> {
  const items: SourceItem[] = [];
  for await (const batch of source.read({ signal, progress: () => undefined })) items.push(...batch);
  return items;
}
