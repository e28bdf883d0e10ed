import { TRANSFER_PARTS } from 'muster/plugin-api';
import {
  compareUtf8,
  isRecordPart,
  itemOf,
  recordOf,
  refuseOtherVersion,
  TransferredRecords,
} from 'muster/storage-api';
import { beginFeed, CHANGES, changeKey } from './history.js';
import { CONTRIBUTIONS, HOSTS } from './host-reads.js';
import { RECORDS, recordsOf } from './records.js';
import { VERSIONS, versionKey, versionsOf } from './rules.js';

/** Parts that are no records are tables of the same names. @param {import('./json-file.js').JsonFile} file @returns {import('muster/plugin-api').StorageTransfer} */
export function storageTransfer(file, records, clock) {
  async function* batches(table, part, batchSize, after = '') {
    if (isRecordPart(part)) {
      const transferred = new TransferredRecords(recordsOf(table, clock));
      let batch = await transferred.read(part, after, batchSize);
      for (; batch.length > 0; batch = await transferred.read(part, batch.at(-1).key, batchSize)) yield batch;
      return;
    }
    const rows = part === VERSIONS ? placed(table(part).values()) : table(part).values({ after });
    const all = rows.map((row) => recordOf(part, row));
    const first = part === VERSIONS ? all.filter(({ key }) => compareUtf8(key, after) <= 0).length : 0;
    for (let start = first; start < all.length; start += batchSize) yield all.slice(start, start + batchSize);
  }

  return {
    async *read(part, { after, batchSize }) {
      yield* batches(await file.read(() => file.copies()), part, batchSize, after);
    },
    async *snapshot(batchSize) {
      const table = await file.read(() => file.copies());
      for (const part of TRANSFER_PARTS) {
        for await (const batch of batches(table, part, batchSize)) yield { part, records: batch };
      }
    },
    write: (part, given) => {
      if (isRecordPart(part)) return new TransferredRecords(records).write(part, given);
      return file.change((writing) => {
        for (const record of given) writeRecord(writing, part, itemOf(part, record), record.key);
        if (part !== 'rules' && part !== VERSIONS) writing.next('hosts');
        beginFeed(writing);
      });
    },
    count: (part) =>
      isRecordPart(part)
        ? new TransferredRecords(records).count(part)
        : file.read(() => file.table(part).keys().length),
    clear: () =>
      file.change((writing) => {
        for (const { type } of file.table('rules').values()) writing.next(`rules/${type}`);
        const isCleared = (name) => TRANSFER_PARTS.includes(name) || name.startsWith(RECORDS);
        for (const name of [...file.tables.keys()].filter(isCleared)) {
          for (const key of file.table(name).keys()) writing.put(name, key, undefined);
        }
        writing.next('hosts');
        beginFeed(writing);
      }),
  };
}

/** Versions with their places among those of their documents. */
function placed(rows) {
  let first = 0;
  return rows.map((row, index) => {
    if (row.id !== rows[first].id || row.type !== rows[first].type) first = index;
    return { ...row, place: index - first };
  });
}

function writeRecord(writing, part, item, key) {
  const { table } = writing;
  if ((part === CONTRIBUTIONS || part === CHANGES) && table(HOSTS).get(item.hostname) === undefined) return;
  if (part === VERSIONS) {
    const { place, ...version } = item;
    const present = versionsOf(table, item.type, item.id)[place];
    if (present !== undefined) refuseOtherVersion(present, item);
    const number = present?.number ?? writing.next('version');
    writing.put(part, versionKey({ ...version, number }), { ...version, number });
  } else if (part === CHANGES) {
    const reference = table(part).get(changeKey(item))?.reference ?? writing.next('change');
    writing.put(part, changeKey(item), { ...item, reference });
  } else {
    writing.put(part, key, item);
  }
  if (part === 'rules') writing.next(`rules/${item.type}`);
}
