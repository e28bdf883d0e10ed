import { memberInteger, memberText } from '../../../kit/document/members.ts';
import { isJsonObject } from '../../../kit/json/json-object.ts';
import {
  AppError,
  type JsonObject,
  type Storage,
  TRANSFER_PARTS,
  type TransferPart,
  type TransferRecord,
} from '../../../ports/index.ts';

/**
 * The mark of a migration or a restore in the store that it fills: the source of the copy and the progress. It exists from before
 * the first change until everything was compared, so a store that carries it is known to be half filled, and the same call
 * continues from the place in the mark.
 *
 * It is an audit entry of the beginning of time, because a store can keep that with its own means, and pruning removes it again.
 */
export interface UnfinishedTransfer {
  readonly kind: 'migration' | 'restore';
  /** The source of the copy: the address of a storage, or the checksum of a backup. */
  readonly source: string;
  /** `clearing`: what was there before is being deleted. `different`: all was copied and then was not equal. */
  readonly state: 'clearing' | 'copying' | 'different';
  /** The last record that is known to be stored. */
  readonly part: TransferPart | null;
  readonly key: string;
  /** How many records are known to be stored. */
  readonly done: number;
}

const MARKER_ID = '0'.repeat(24);
const MARKER_OPERATION = 'storage/unfinished-transfer';
const MARKED_AT = new Date(0);

export function isMarkerRecord(part: TransferPart, record: TransferRecord): boolean {
  return part === 'audit' && record.key === MARKER_ID;
}

export async function readMarker({ audit }: Storage): Promise<UnfinishedTransfer | undefined> {
  const [entry] = await audit.latest({ limit: 1, operation: MARKER_OPERATION });
  if (entry?.id !== MARKER_ID) return undefined;
  const value: unknown = JSON.parse(entry.outcome);
  return isJsonObject(value as JsonObject) ? markerOf(value as JsonObject) : undefined;
}

function markerOf(value: JsonObject): UnfinishedTransfer {
  const part = memberText(value, 'part');
  const state = memberText(value, 'state');
  return {
    kind: memberText(value, 'kind') === 'restore' ? 'restore' : 'migration',
    source: memberText(value, 'source'),
    state: state === 'copying' || state === 'different' ? state : 'clearing',
    part: TRANSFER_PARTS.find((known) => known === part) ?? null,
    key: memberText(value, 'key'),
    done: memberInteger(value, 'done') ?? 0,
  };
}

export async function writeMarker({ transfer }: Storage, marker: UnfinishedTransfer): Promise<void> {
  const value = {
    id: MARKER_ID,
    at: MARKED_AT.toISOString(),
    actor: '',
    entrance: 'cli',
    address: '',
    operation: MARKER_OPERATION,
    subject: marker.source,
    outcome: JSON.stringify(marker),
    requestId: '',
  };
  await transfer.write('audit', [{ key: MARKER_ID, value }]);
}

export async function removeMarker({ audit }: Storage): Promise<void> {
  await audit.pruneUnlinked(new Date(MARKED_AT.getTime() + 1));
}

/** Refuses to copy from a store that was only half filled. */
export async function refuseUnfinished(storage: Storage): Promise<void> {
  const marker = await readMarker(storage);
  if (marker !== undefined) throw new AppError('conflict', `this storage is not complete: ${describeMarker(marker)}`);
}

export function describeMarker({ kind, source }: UnfinishedTransfer): string {
  return kind === 'migration'
    ? `a migration from ${source} into it was not finished; run the same migration again`
    : `a restore of the backup ${source} into it was not finished; run the same restore again`;
}
