import { matchByKeys, severalText } from '../decisions/key-match.ts';
import type { PreparedRecord } from '../decisions/prepare-record.ts';
import type { WriteOutcome } from '../write-mode.ts';
import type { KeyedWriter } from './keyed-writer.ts';
import { namesakes } from './known-machines.ts';

/** Records that add to hosts: one of the name of none goes to the host that its keys lead to. */
export async function writeAdded(
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
      outcomes.set(record, { kind: 'conflict', reason: severalText(match) });
      continue;
    }
    given.push(record);
    placed.push(match?.kind === 'one' ? writer.renamed(record, match.holder.hostname, known) : record);
  }
  const results = await writer.write(placed);
  for (const [index, record] of given.entries()) outcomes.set(record, results[index] as WriteOutcome);
  return records.map((record) => outcomes.get(record) as WriteOutcome);
}
