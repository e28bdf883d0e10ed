import type {
  ContributionOutcome,
  ContributionWrite,
  HostRecord,
  HostStore,
  LabelOutcome,
  LabelWrite,
  LogStore,
  MarkStore,
  RelationStore,
} from '../../../ports/index.ts';
import { Outage } from '../../kernel/outage.ts';

/** How long an import waits for a storage that is away: more than twice what a replica set takes to elect a primary. */
export const LONGEST_OUTAGE_MS = 30_000;

type ImportedHosts = Pick<
  HostStore,
  | 'findEach'
  | 'contributions'
  | 'count'
  | 'scan'
  | 'previewLabels'
  | 'saveLabels'
  | 'contributeLabels'
  | 'saveInventory'
  | 'rename'
  | 'archive'
  | 'archiveUnseen'
  | 'withdrawContributions'
>;

type ImportedMarks = Omit<MarkStore, 'values' | 'clear'>;

/** The store methods that an import uses. */
export interface ImportStores {
  readonly hosts: ImportedHosts;
  readonly relations: Pick<RelationStore, 'name' | 'prune' | 'of'>;
  readonly marks: ImportedMarks;
  readonly logs: Pick<LogStore, 'latest'>;
}

/**
 * Returns the same stores, repeating calls while they do not answer. Every call may be repeated: a host that is already stored is
 * not changed again, and its outcome is reported as before. For calls about hosts that are not named (those that are archived or
 * lose a contribution, and edges), counts cover what was left to do for the try that was answered.
 */
export function waitingStores(
  { hosts, relations, marks, logs }: ImportStores,
  signal: AbortSignal,
  longestMs: number,
): ImportStores {
  const outage = new Outage({ longestMs, signal });
  return {
    hosts: waitingHosts(hosts, outage),
    relations: {
      name: (request) => outage.through(() => relations.name(request)),
      prune: (request) => outage.through(() => relations.prune(request)),
      of: (hostnames) => outage.through(() => relations.of(hostnames)),
    },
    marks: waitingMarks(marks, outage),
    logs: { latest: (request) => outage.through(() => logs.latest(request)) },
  };
}

function waitingMarks(marks: ImportedMarks, outage: Outage): ImportedMarks {
  return {
    put: (request) => outage.through(() => marks.put(request)),
    putKeys: (request) => outage.through(() => marks.putKeys(request)),
    count: (mark) => outage.through(() => marks.count(mark)),
    of: (hostnames) => outage.through(() => marks.of(hostnames)),
    holders: (values) => outage.through(() => marks.holders(values)),
    remove: (request) => outage.through(() => marks.remove(request)),
    removeKeys: (request) => outage.through(() => marks.removeKeys(request)),
    // A read cannot resume after a batch, whose hosts may be removed by now.
    unrenewed: (request) => outage.read((last) => (last === undefined ? marks.unrenewed(request) : undefined)),
    unrenewedKeys: (request) => outage.read((last) => (last === undefined ? marks.unrenewedKeys(request) : undefined)),
  };
}

function waitingHosts(hosts: ImportedHosts, outage: Outage): ImportedHosts {
  const reads: StoredHosts = {
    findEach: (hostnames) => outage.through(() => hosts.findEach(hostnames)),
    contributions: (hostname) => outage.through(() => hosts.contributions(hostname)),
  };
  /** Repeats a write that a try may have done although its answer was lost: outcomes are reported as that try had them. */
  const done = <Outcome>(
    write: () => Promise<readonly Outcome[]>,
    before: (outcomes: readonly Outcome[]) => Promise<readonly Outcome[]>,
  ) =>
    outage.through(async (isAgain) => {
      const outcomes = await write();
      return isAgain ? before(outcomes) : outcomes;
    });
  return {
    ...reads,
    count: (filter) => outage.through(() => hosts.count(filter)),
    previewLabels: (request) => outage.through(() => hosts.previewLabels(request)),
    scan: (filter, batchSize, after) =>
      outage.read((last?: readonly HostRecord[]) => hosts.scan(filter, batchSize, last?.at(-1)?.hostname ?? after)),
    saveLabels: (write) =>
      done(
        () => hosts.saveLabels(write),
        (outcomes) => labelsAsBefore(reads, write, outcomes),
      ),
    contributeLabels: (write) =>
      done(
        () => hosts.contributeLabels(write),
        (outcomes) => contributionsAsBefore(reads, write, outcomes),
      ),
    saveInventory: (write) =>
      done(
        () => hosts.saveInventory(write),
        (outcomes) => {
          const names = write.entries.map(({ hostname }) => hostname);
          return asBefore(reads, { names, outcomes, unclear: 'unchanged' }, (host, outcome) =>
            isMoment(host.lastUpdate, write.at) ? 'updated' : outcome,
          );
        },
      ),
    archive: (request) =>
      done(
        () => hosts.archive(request),
        (outcomes) => {
          const { hostnames: names, at, by } = request;
          return asBefore(reads, { names, outcomes, unclear: 'not_found' }, ({ archive }, outcome) =>
            archive?.by === by && isMoment(archive.at, at) ? 'archived' : outcome,
          );
        },
      ),
    rename: (request) =>
      done(
        () => hosts.rename(request),
        (outcomes) => {
          const names = request.hosts.map(({ to }) => to);
          return asBefore(reads, { names, outcomes, unclear: 'not_found' }, (host, outcome) =>
            isMoment(host.lastUpdate, request.at) ? 'renamed' : outcome,
          );
        },
      ),
    archiveUnseen: (sweep) => outage.through(() => hosts.archiveUnseen(sweep)),
    withdrawContributions: (request) => outage.through(() => hosts.withdrawContributions(request)),
  };
}

type StoredHosts = Pick<HostStore, 'findEach' | 'contributions'>;

/** A host that an earlier try stored has its time, and those which earlier records of the run brought have an older one. */
function labelsAsBefore(
  reads: StoredHosts,
  { entries, at }: LabelWrite,
  outcomes: readonly LabelOutcome[],
): Promise<readonly LabelOutcome[]> {
  const names = entries.map(({ hostname }) => hostname);
  return asBefore(reads, { names, outcomes, unclear: 'duplicate' }, ({ createdAt, lastUpdate, lastSeen }, outcome) => {
    if (lastSeen === null || lastSeen < at) return outcome;
    if (isMoment(createdAt, at)) return 'created';
    return isMoment(lastUpdate, at) ? 'updated' : 'unchanged';
  });
}

async function contributionsAsBefore(
  reads: StoredHosts,
  { entries, accountId, at }: ContributionWrite,
  outcomes: readonly ContributionOutcome[],
): Promise<readonly ContributionOutcome[]> {
  const names = entries.map(({ hostname }) => hostname);
  const given = new Set<string>();
  for (const [index, name] of names.entries()) {
    if (outcomes[index] !== 'duplicate') continue;
    const own = (await reads.contributions(name)).find((each) => each.accountId === accountId && !each.owner);
    if (own !== undefined && isMoment(own.at, at)) given.add(name);
  }
  return asBefore(reads, { names, outcomes, unclear: 'duplicate' }, ({ hostname, lastUpdate }, outcome) => {
    if (isMoment(lastUpdate, at)) return 'updated';
    return given.has(hostname) ? 'unchanged' : outcome;
  });
}

interface Unclear<Outcome> {
  readonly names: readonly string[];
  readonly outcomes: readonly Outcome[];
  /** The outcome that is returned for a host that an earlier try may have handled. */
  readonly unclear: Outcome;
}

/** The outcomes as the try had them that did the work, by what is stored. */
async function asBefore<Outcome>(
  reads: StoredHosts,
  { names, outcomes, unclear }: Unclear<Outcome>,
  outcomeOf: (host: HostRecord, outcome: Outcome) => Outcome,
): Promise<readonly Outcome[]> {
  const asked = [...new Set(names.filter((_, index) => outcomes[index] === unclear))];
  if (asked.length === 0) return outcomes;
  const found = await reads.findEach(asked);
  const byName = new Map(asked.map((name, index) => [name, found[index]]));
  return outcomes.map((outcome, index) => {
    const host = outcome === unclear ? byName.get(names[index] ?? '') : undefined;
    return host === undefined ? outcome : outcomeOf(host, outcome);
  });
}

function isMoment(moment: Date | null, at: Date): boolean {
  return moment !== null && moment.getTime() === at.getTime();
}
