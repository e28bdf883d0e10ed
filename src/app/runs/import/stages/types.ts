import type { WritingAccount } from '../../../../ports/index.ts';
import { shown } from '../../../hosts/decisions/check.ts';
import type { PreparedRecord } from '../decisions/prepare-record.ts';
import type { ImportRun, Stage, WriteOutcome } from '../import-stage.ts';

/**
 * Writes records as the type they name, or else as that of the account. Within the account, one name is one object across types.
 */
export function typedRecords({ account, stores }: ImportRun, next: Stage): Stage {
  async function writeAs(type: string, records: readonly PreparedRecord[]): Promise<readonly WriteOutcome[]> {
    const present = await stores.hosts.findEach(records.map(({ hostname }) => hostname));
    const conflicts = new Map<PreparedRecord, WriteOutcome>();
    for (const [index, record] of records.entries()) {
      const found = present[index];
      // Another account's is a conflict anyway.
      if (found?.accountId !== account.id || found.objectType === type) continue;
      const reason = `the ${shown(found.objectType)} of that name is not of type ${shown(type)}; give one of them another name`;
      conflicts.set(record, { kind: 'conflict', reason, stays: [record.hostname] });
    }
    const as: WritingAccount = { id: account.id, isObject: type !== 'host', objectType: type };
    const fitting = records.filter((record) => !conflicts.has(record));
    const outcomes = await next.write(fitting, as);
    const written = new Map(fitting.map((record, index) => [record, outcomes[index]]));
    return records.map((record) => conflicts.get(record) ?? (written.get(record) as WriteOutcome));
  }

  return {
    ...next,
    async write(records) {
      if (records.every(({ type }) => type === undefined)) return next.write(records);
      const outcomes = new Map<PreparedRecord, WriteOutcome>();
      for (const type of new Set(records.map((record) => record.type))) {
        const same = records.filter((record) => record.type === type);
        const results = type === undefined ? await next.write(same) : await writeAs(type, same);
        for (const [index, record] of same.entries()) outcomes.set(record, results[index] as WriteOutcome);
      }
      return records.map((record) => outcomes.get(record) as WriteOutcome);
    },
  };
}
