import type { HostStore } from '../../../ports/index.ts';
import { archive, archiveStale, archiveUnseen, restore } from './host-archive.ts';
import { contributeLabels, withdrawContributions } from './host-contributions.ts';
import { putDocuments } from './host-documents.ts';
import { saveInventory } from './host-inventory.ts';
import { previewLabels, saveLabels } from './host-labels.ts';
import { purgeArchived } from './host-purge.ts';
import {
  contributionsOf,
  countersOf,
  countHosts,
  findEachHost,
  findHost,
  getHost,
  pageOfHosts,
  scanHosts,
  visibleHosts,
} from './host-reads.ts';
import type { Session } from './session.ts';

/** Hosts in MongoDB. */
export function mongodbHosts(session: Session): HostStore {
  return {
    get: (hostname, scope) => session.run((context) => getHost(context, hostname, scope)),
    find: (hostname) => session.run((context) => findHost(context, hostname)),
    findEach: (hostnames) => session.run((context) => findEachHost(context, hostnames)),
    visible: (hostnames, scope) => session.run((context) => visibleHosts(context, hostnames, scope)),
    saveLabels: (write) => session.run((context) => saveLabels(context, write)),
    previewLabels: (write) => session.run((context) => previewLabels(context, write)),
    contributeLabels: (write) => session.run((context) => contributeLabels(context, write)),
    withdrawContributions: (request) => session.run((context) => withdrawContributions(context, request)),
    contributions: (hostname) => session.run((context) => contributionsOf(context, hostname)),
    saveInventory: (write) => session.run((context) => saveInventory(context, write)),
    archive: (request) => session.run((context) => archive(context, request)),
    restore: (request) => session.run((context) => restore(context, request)),
    archiveUnseen: (sweep) => session.run((context) => archiveUnseen(context, sweep)),
    archiveStale: (request) => session.run((context) => archiveStale(context, request)),
    purgeArchived: (before) => session.run((context) => purgeArchived(context, before)),
    count: (filter) => session.run((context) => countHosts(context, filter)),
    countOwned: (accountId) =>
      session.run(({ database }) =>
        database.hosts.countDocuments({ account: accountId, archived: false, isObject: { $in: [false, true] } }),
      ),
    countOwnedByAccount: () =>
      session.run(async ({ database }) => {
        const groups = await database.hosts
          .aggregate<{ _id: string; count: number }>([
            { $match: { account: { $ne: null }, archived: false } },
            { $group: { _id: '$account', count: { $sum: 1 } } },
          ])
          .toArray();
        return new Map(groups.map(({ _id, count }) => [_id, count]));
      }),
    page: (request) => session.run((context) => pageOfHosts(context, request)),
    scan: (filter, batchSize, after) => session.stream((context) => scanHosts(context, filter, batchSize, after)),
    counters: (request) => session.run((context) => countersOf(context, request)),
    putDocuments: (writes, actor) => session.run((context) => putDocuments(context, writes, actor)),
  };
}
