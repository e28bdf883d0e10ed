import { describe, expect, it } from 'vitest';
import type { ProcessedRecord, RecordProcessor, SourceRecord } from '../ports/index.ts';
import { LONG_TIMEOUT } from './timeouts.ts';

export interface RecordProcessorHarness {
  /** Called again for each test. */
  open(): RecordProcessor | Promise<RecordProcessor>;
  /** Records that it changes, leaves out or refuses, and one that it leaves as it is. */
  readonly records: readonly SourceRecord[];
}

/** Tests what an import relies on between a source and the store. */
export function describeRecordProcessorContract(name: string, harness: RecordProcessorHarness): void {
  describe(`${name}: record processor`, LONG_TIMEOUT, () => {
    async function processed(records: readonly SourceRecord[]): Promise<readonly ProcessedRecord[]> {
      const processor = await harness.open();
      // Its own, so that one test does not see what another one did to them.
      return processor.process(structuredClone(records), { signal: new AbortController().signal });
    }

    it('answers one for each record, in their order', async () => {
      const together = await processed(harness.records);
      expect(together.length).toBe(harness.records.length);
      const alone: ProcessedRecord[] = [];
      for (const record of harness.records) alone.push(...(await processed([record])));
      expect(together).toEqual(alone);
    });

    it('answers records with a name and labels, or why they are none', async () => {
      for (const outcome of await processed(harness.records)) {
        expect(['record', 'left_out', 'skipped']).toContain(outcome.kind);
        if (outcome.kind === 'skipped') expect(outcome.reason).not.toBe('');
        if (outcome.kind === 'record') {
          expect(typeof outcome.hostname).toBe('string');
          expect(typeof outcome.labels).toBe('object');
        }
      }
    });

    it('takes no record at all', async () => {
      expect(await processed([])).toEqual([]);
    });

    it('does not change the records that it is given', async () => {
      const given = structuredClone(harness.records);
      const processor = await harness.open();
      await processor.process(given, { signal: new AbortController().signal });
      expect(given).toEqual(harness.records);
    });

    it('does the same for the same records again', async () => {
      expect(await processed(harness.records)).toEqual(await processed(harness.records));
    });
  });
}
