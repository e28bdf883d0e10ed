import { worded } from '../../../../kit/worded.ts';
import type { Scratch } from '../../../../ports/index.ts';
import type { PreparedRecord } from '../decisions/prepare-record.ts';
import type { FinishResult, WriteMode, WriteModeContext, WriteOutcome } from '../write-mode.ts';
import { writeAdded } from './added-records.ts';
import { KeyedWriter, type KeyedWriterSettings } from './keyed-writer.ts';
import { OwnRecords, type OwnRecordsSettings } from './own-records.ts';
import { PutAside } from './put-aside.ts';
import { pruneKeys } from './stale-keys.ts';

export interface KeyedModeSettings extends Omit<KeyedWriterSettings & OwnRecordsSettings, 'aside'> {
  openScratch(): Promise<Scratch>;
}

/**
 * A mode that also keeps what records are known by, and finds hosts by it. A record of the name of a host is that host; keys are asked
 * where there is none.
 */
export function keyedMode(context: WriteModeContext, mode: WriteMode, settings: KeyedModeSettings): WriteMode {
  const { marks, dryRun, owns, keeps, part, changes } = settings;
  const aside = new PutAside(() => settings.openScratch());
  const writer = new KeyedWriter(context, mode, { ...settings, aside });
  const own = new OwnRecords(context, mode, writer, { ...settings, aside });
  // Of several records for one section the mode decides.
  const namesakesOf = mode.repeatsCount === true ? undefined : context.account.id;
  let before: Promise<unknown> = Promise.resolve();

  /** Of several records for one host the last counts, so that none may overtake another. */
  function writeInOrder(records: readonly PreparedRecord[]): Promise<readonly WriteOutcome[]> {
    const next = before.then(() => writeAdded(writer, namesakesOf, records));
    before = next.catch(() => undefined);
    return next;
  }

  /** No keys to ask for, and no record that waits: as imports are whose source knows nothing of keys. */
  function isPlain(records: readonly PreparedRecord[]): boolean {
    if (!owns || dryRun || changes.changesOnly || !aside.isEmpty) return false;
    return records.every(({ keys }) => keys === undefined);
  }

  return {
    ...mode,
    write(records) {
      if (isPlain(records)) return mode.write(records);
      for (const record of records) {
        for (const refusal of record.keys?.refusals ?? [])
          writer.conflict(record, worded`${{ refusal }}; the key is not kept`);
      }
      if (owns) return own.write(records);
      return mode.repeatsCount === true ? writeInOrder(records) : writeAdded(writer, namesakesOf, records);
    },
    async *settle(isWhole, named) {
      yield* own.settle(isWhole, named);
      yield* mode.settle?.(isWhole, named) ?? [];
    },
    async finish(except): Promise<FinishResult> {
      const finished = await mode.finish(except);
      if (finished.refusal === undefined && keeps && !dryRun && part === undefined) {
        await pruneKeys(context, { marks, owns, except, named: writer.named });
      }
      return finished;
    },
  };
}
