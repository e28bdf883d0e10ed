import { worded } from '../../../../../kit/worded.ts';
import type { KeyedHost } from '../../../../../ports/index.ts';
import { matchByKeys, severalText } from '../../decisions/key-match.ts';
import type { PreparedRecord } from '../../decisions/prepare-record.ts';
import { type FinishResult, type ImportRun, type Stage, type WriteOutcome, wasSeen } from '../../import-stage.ts';
import { broughtByOthers } from '../parts.ts';
import { DeferredRecords } from './deferred-records.ts';
import type { NamedKeys } from './keyed-writer.ts';
import { KeyedWriter } from './keyed-writer.ts';
import { namesakes } from './known-machines.ts';
import { OwnRecords } from './own-records.ts';

const KEYS_A_BATCH = 500;

/**
 * Keeps the keys of records, and finds hosts by them. A record with the name of a host is that host; keys are looked up only if
 * there is none.
 */
export function keyedRecords(run: ImportRun, next: Stage): Stage {
  const { owns, options, part, changes } = run;
  /** An installation that is inventorized keeps its own keys. */
  const keeps = options.fills === 'section' || !run.inventorize;
  const deferred = new DeferredRecords(() => run.openScratch());
  const writer = new KeyedWriter(run, next, { deferred, keeps });
  const own = new OwnRecords(run, writer, deferred);
  // If several records are for one section, the next stage decides.
  const namesakesOf = next.repeatsCount === true ? undefined : run.account.id;
  let before: Promise<unknown> = Promise.resolve();

  /** The last of several records for one host counts, so none may overtake another. */
  function writeInOrder(records: readonly PreparedRecord[]): Promise<readonly WriteOutcome[]> {
    const written = before.then(() => writeAdded(writer, namesakesOf, records));
    before = written.catch(() => undefined);
    return written;
  }

  /** No keys to ask for, and no record that waits: as imports are whose source knows nothing of keys. */
  function isPlain(records: readonly PreparedRecord[]): boolean {
    if (!owns || changes.changesOnly || !deferred.isEmpty) return false;
    return records.every(({ keys }) => keys === undefined);
  }

  return {
    ...next,
    write(records) {
      if (isPlain(records)) return next.write(records);
      for (const record of records) {
        for (const refusal of record.keys?.refusals ?? [])
          writer.conflict(record, worded`${{ refusal }}; the key is not kept`);
      }
      if (owns) return own.write(records);
      return next.repeatsCount === true ? writeInOrder(records) : writeAdded(writer, namesakesOf, records);
    },
    async *finishDeferred(isWhole, named) {
      yield* own.finishDeferred(isWhole, named);
      yield* next.finishDeferred?.(isWhole, named) ?? [];
    },
    async finish(except): Promise<FinishResult> {
      const finished = await next.finish(except);
      if (finished.refusal === undefined && keeps && part === undefined) await pruneKeys(run, writer.named, except);
      return finished;
    },
  };
}

/** Records that add to hosts: one of the name of none goes to the host that its keys lead to. */
async function writeAdded(
  writer: KeyedWriter,
  /** The account whose keys tell records of one name apart; absent: all of them count. */
  namesakesOf: string | undefined,
  records: readonly PreparedRecord[],
): Promise<readonly WriteOutcome[]> {
  const known = await writer.known(records);
  const outcomes = new Map<PreparedRecord, WriteOutcome>(
    namesakesOf === undefined ? [] : namesakes(records, known.byKey, namesakesOf),
  );
  const placed: PreparedRecord[] = [];
  const given: PreparedRecord[] = [];
  for (const record of records) {
    if (outcomes.has(record)) continue;
    const found = known.found.get(record);
    const match = found?.host?.archive === null ? undefined : matchByKeys(found?.holders ?? new Map());
    if (match?.kind === 'several') {
      outcomes.set(record, { kind: 'conflict', reason: severalText(match, true), stays: match.hostnames });
      continue;
    }
    given.push(record);
    placed.push(match?.kind === 'one' ? writer.renamed(record, match.holder.hostname, known) : record);
  }
  const results = await writer.write(placed);
  for (const [index, record] of given.entries()) outcomes.set(record, results[index] as WriteOutcome);
  return records.map((record) => outcomes.get(record) as WriteOutcome);
}

/**
 * Takes back the keys that were there before a run which read everything, and that it did not name. Hosts that the account owns and
 * that the source no longer has keep theirs, as they keep their labels: by them they are found when they come back.
 */
async function pruneKeys(run: ImportRun, named: NamedKeys, except: ReadonlySet<string>): Promise<void> {
  const { account, owns, startedAt: since } = run;
  const { hosts, marks } = run.stores;
  for await (const batch of marks.unrenewedKeys({ accountId: account.id, since, batchSize: KEYS_A_BATCH })) {
    const unnamed = batch.filter(({ hostname, value }) => !named.has(hostname, value));
    if (unnamed.length === 0) continue;
    const names = [...new Set(unnamed.map(({ hostname }) => hostname))];
    const present = await hosts.findEach(names);
    const kept = new Set<string>([...except, ...(await broughtByOthers(run, names))]);
    for (const host of present) {
      if (owns && host?.accountId === account.id && !wasSeen(host, run)) kept.add(host.hostname);
    }
    const gone: KeyedHost[] = unnamed.filter(({ hostname }) => !kept.has(hostname));
    await marks.removeKeys({ accountId: account.id, keys: gone, since });
  }
}
