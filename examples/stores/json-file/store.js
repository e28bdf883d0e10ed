import { storageOf, transferKey } from 'muster/storage-api';
import { beginFeed, changeFeed, historyStore } from './history.js';
import { HOSTS } from './host-reads.js';
import { hostStore } from './hosts.js';
import { JsonFile } from './json-file.js';
import { markStore } from './marks.js';
import { recordStore } from './records.js';
import { relationStore } from './relations.js';
import { ruleStore } from './rules.js';
import { storageTransfer } from './transfer.js';

/** Everything of a storage in one file of JSON, whose path is absolute. */
export const jsonStore = (path, settings, clock) => storageOf(storeOf(path, settings, clock));

/** @returns {import('muster/plugin-api').Store} */
export function storeOf(path, settings, clock) {
  const file = new JsonFile(path, settings);
  const records = recordStore(file, clock);
  return {
    hosts: hostStore(file, clock, settings.maxHostBytes),
    relations: relationStore(file),
    marks: markStore(file),
    history: historyStore(file),
    feed: changeFeed(file),
    rules: ruleStore(file),
    records,
    transfer: storageTransfer(file, records, clock),
    async start() {
      await file.start();
      if (file.table('feed-state').keys().length === 0) await file.change(beginFeed);
    },
    stop: () => file.stop(),
    revisions: () =>
      file.read(() => {
        const counters = file.table('counters');
        const names = counters.keys().filter((name) => name === 'hosts' || name.startsWith('rules/'));
        return new Map(names.map((name) => [name, counters.get(name)]));
      }),
    health: () =>
      file
        .read(() => ({ ok: true, message: `JSON file ${path}, ${file.table(HOSTS).keys().length} hosts` }))
        .catch(({ message }) => ({ ok: false, message })),
    async *check({ only }) {
      // A file that is not as it was written is not opened at all.
      if (only === 'damage') return;
      const isMissing = ({ accountId }) =>
        accountId !== null && file.table('rules').get(transferKey('accounts', accountId)) === undefined;
      const rows = await file.read(() => file.table(HOSTS).values().filter(isMissing));
      for (const id of new Set(rows.map(({ accountId }) => accountId))) {
        const count = rows.filter(({ accountId }) => accountId === id).length;
        yield { subject: `account ${id}`, message: `does not exist, and ${count} hosts belong to it`, fixed: false };
      }
    },
  };
}
