import type { HostMark, MarkStore } from '../../../../../ports/index.ts';
import { keyOfText } from '../../../../hosts/decisions/host-keys.ts';
import type { PreparedRecord } from '../../decisions/prepare-record.ts';
import { DUPLICATE, OTHER_MACHINE, type WriteOutcome } from '../../import-stage.ts';

type ByKey = ReadonlyMap<string, readonly HostMark[]>;

/** Whether the account knows the host of the record's name by one of its keys. */
export function isKnownMachine({ hostname, keys }: PreparedRecord, byKey: ByKey, accountId: string): boolean {
  const isOfHost = (mark: HostMark): boolean => mark.hostname === hostname && mark.accountId === accountId;
  return keys?.texts.some((key) => byKey.get(key)?.some(isOfHost) === true) === true;
}

/**
 * Returns the outcomes of records that lose their name to another one: if several have the same name, the known machine counts,
 * or else the first.
 */
export function namesakes(
  records: readonly PreparedRecord[],
  byKey: ByKey,
  accountId: string,
): ReadonlyMap<PreparedRecord, WriteOutcome> {
  const chosen = new Map<string, PreparedRecord>();
  for (const record of records) {
    const one = chosen.get(record.hostname);
    if (one === undefined || (!isKnownMachine(one, byKey, accountId) && isKnownMachine(record, byKey, accountId)))
      chosen.set(record.hostname, record);
  }
  const outcomes = new Map<PreparedRecord, WriteOutcome>();
  if (chosen.size === records.length) return outcomes;
  for (const record of records) {
    const one = chosen.get(record.hostname);
    if (one === undefined || one === record) continue;
    const isOther = isKnownMachine(one, byKey, accountId) && !isKnownMachine(record, byKey, accountId);
    outcomes.set(record, isOther ? OTHER_MACHINE : DUPLICATE);
  }
  return outcomes;
}

/** Records whose name is that of a host that the account knows by other values of the same keys. */
export async function strangers(
  records: readonly PreparedRecord[],
  {
    byKey,
    marks,
    accountId,
  }: { readonly byKey: ByKey; readonly marks: Pick<MarkStore, 'of'>; readonly accountId: string },
): Promise<ReadonlySet<PreparedRecord>> {
  const unknown = records.filter(
    (record) => (record.keys?.texts.length ?? 0) > 0 && !isKnownMachine(record, byKey, accountId),
  );
  if (unknown.length === 0) return new Set();
  const stored = new Map<string, Set<string>>();
  for (const { hostname, accountId: by, kind, value } of await marks.of(unknown.map(({ hostname }) => hostname))) {
    if (kind !== 'key' || by !== accountId) continue;
    stored.set(hostname, (stored.get(hostname) ?? new Set()).add(keyOfText(value).name));
  }
  return new Set(
    unknown.filter(({ hostname, keys }) => keys?.texts.some((key) => stored.get(hostname)?.has(keyOfText(key).name))),
  );
}
