import type { Clock, HostStore } from '../../../ports/index.ts';
import { hostWrites } from '../shared/host-writes.ts';
import { purgeArchived, purgeNamed } from './host-purge.ts';
import {
  contributionsOf,
  countersOf,
  countHosts,
  countsByAccount,
  findEachHost,
  findHost,
  getHost,
  pageOfHosts,
  scanHosts,
  searchHosts,
  visibleHosts,
} from './host-reads.ts';
import { renameHosts } from './host-renames.ts';
import { sweepStale, sweepUnseen, withdraw } from './host-sweeps.ts';
import { changeHosts } from './host-writer.ts';
import type { Session } from './session.ts';

/** Hosts in MongoDB. */
export function mongodbHosts(session: Session, clock: Clock): HostStore {
  return {
    ...hostWrites((change, request) => session.run((context) => changeHosts(context, change, request)), clock),
    get: (hostname, scope) => session.run((context) => getHost(context, hostname, scope)),
    find: (hostname) => session.run((context) => findHost(context, hostname)),
    findEach: (hostnames) => session.run((context) => findEachHost(context, hostnames)),
    visible: (hostnames, scope) => session.run((context) => visibleHosts(context, hostnames, scope)),
    withdrawContributions: (request) => session.run((context) => withdraw(context, request)),
    contributions: (hostname) => session.run((context) => contributionsOf(context, hostname)),
    rename: (request) => session.run((context) => renameHosts(context, request)),
    archiveUnseen: (sweep) => session.run((context) => sweepUnseen(context, sweep)),
    archiveStale: (request) => session.run((context) => sweepStale(context, request)),
    purgeArchived: (before, by) => session.run((context) => purgeArchived(context, before, by)),
    purge: (request) => session.run((context) => purgeNamed(context, request)),
    count: (filter) => session.run((context) => countHosts(context, filter)),
    countByAccount: () => session.run(countsByAccount),
    page: (request) => session.run((context) => pageOfHosts(context, request)),
    scan: (filter, batchSize, after) => session.stream((context) => scanHosts(context, filter, batchSize, after)),
    search: (request) => session.stream((context) => searchHosts(context, request)),
    counters: (request) => session.run((context) => countersOf(context, request)),
  };
}
