import { archivedTypeOf } from '../../../../kit/account-options/import-options.ts';
import { worded } from '../../../../kit/worded.ts';
import type { HostMark, MarkedBy } from '../../../../ports/index.ts';
import { type FinishResult, type ImportRun, isStored, NOTHING_FINISHED, type Stage } from '../import-stage.ts';
import { archiveRefusal, countUnnamed, type MarkedHosts, sweepLimit, unnamedHosts } from './unnamed-hosts.ts';

const A_DAY = 24 * 60 * 60 * 1000;
const NAMES_A_BATCH = 1000;
const MOST_UNREAD = 200_000;
const TOO_MANY_UNREAD = worded`parts that this run does not read brought more than ${{ most: MOST_UNREAD }} objects, so nothing was archived; import each part by itself`;

/** Which of these hosts were brought by parts of the source that this run does not read, so that they are not gone. */
export async function broughtByOthers(
  { stores, account, part, unread }: Pick<ImportRun, 'stores' | 'account' | 'part' | 'unread'>,
  hostnames: readonly string[],
): Promise<ReadonlySet<string>> {
  if (part === undefined && unread.length === 0) return new Set();
  const isOther = ({ kind, accountId, value }: HostMark): boolean =>
    kind === 'part' && accountId === account.id && (part === undefined ? unread.includes(value) : value !== part);
  return new Set((await stores.marks.of(hostnames)).filter(isOther).map(({ hostname }) => hostname));
}

/**
 * Remembers which part of the source named which host. A run of one part archives only hosts that this part named and no other
 * part has; only runs of the whole source remove relations and contributions.
 */
export async function recordsOfParts(run: ImportRun, next: Stage): Promise<Stage> {
  const { account, clock, options, startedAt, actor, parts, unread, part } = run;
  const { hosts, marks } = run.stores;
  const archives = run.owns && options.delete_host_if_not_found_on_import;
  /** Such a run takes nothing away from hosts, and brings none. */
  const inventorizes = run.inventorize && options.fills !== 'section';
  const markOf = (value: string): MarkedBy => ({ accountId: account.id, kind: 'part', value });
  const before = part === undefined ? 0 : await marks.count(markOf(part));
  const archivedType = archivedTypeOf(options);

  /** Those that are active, the account's own, and brought by no other part. */
  async function ownAlone(hostnames: readonly string[]): Promise<readonly string[]> {
    const elsewhere = await broughtByOthers(run, hostnames);
    const present = await hosts.findEach(hostnames);
    return hostnames.filter((hostname, index) => {
      const host = present[index];
      if (host === undefined || (archivedType !== undefined && host.objectType !== archivedType)) return false;
      return host.accountId === account.id && host.archive === null && !elsewhere.has(hostname);
    });
  }

  async function sweepPart(value: string, except: ReadonlySet<string>): Promise<FinishResult> {
    if (!archives || before === 0) return NOTHING_FINISHED;
    const marked: MarkedHosts = {
      marks,
      mark: markOf(value),
      before,
      since: startedAt,
      spares: (hostname) => except.has(hostname),
      concerned: ownAlone,
    };
    const unnamed = await countUnnamed(marked, sweepLimit(run, before));
    const { count, sample } = unnamed;
    if (unnamed.refused) {
      const refusal = worded`the part ${{ part: value }} of the source no longer has ${{ count }} of ${{ all: before }} hosts ${{ why: archiveRefusal(run, unnamed) }}`;
      return { ...NOTHING_FINISHED, sample, refused: count, refusal };
    }
    let archived = 0;
    const scope = { accounts: [account.id], templates: null };
    for await (const hostnames of unnamedHosts(marked)) {
      const outcomes = await hosts.archive({ hostnames, by: 'import', at: clock.now(), scope, actor });
      archived += outcomes.filter((outcome) => outcome === 'archived').length;
    }
    await forget(value, except);
    return { ...NOTHING_FINISHED, archived, sample };
  }

  /** The hosts of parts that were not read, which are not gone. `undefined` for too many to be held in memory. */
  async function ofUnread(): Promise<ReadonlySet<string> | undefined> {
    const names = new Set<string>();
    if (inventorizes) return names;
    for (const value of unread) {
      const all = { ...markOf(value), since: new Date(clock.now().getTime() + A_DAY), batchSize: NAMES_A_BATCH };
      for await (const hostnames of marks.unrenewed(all)) {
        for (const hostname of hostnames) names.add(hostname);
        if (names.size > MOST_UNREAD) return undefined;
      }
    }
    return names;
  }

  /** Marks of hosts that the part no longer has. */
  async function forget(value: string, except: ReadonlySet<string>): Promise<void> {
    const mark = markOf(value);
    const spares = (hostname: string): boolean => except.has(hostname);
    for await (const hostnames of unnamedHosts({ marks, mark, before: 0, since: startedAt, spares })) {
      await marks.remove({ ...mark, hostnames, since: startedAt });
    }
  }

  return {
    ...next,
    async write(records) {
      const outcomes = await next.write(records);
      if (inventorizes) return outcomes;
      const names = new Map<string, string[]>();
      for (const [index, record] of records.entries()) {
        if (record.part === undefined || !isStored(outcomes[index])) continue;
        names.set(record.part, [...(names.get(record.part) ?? []), record.hostname]);
      }
      for (const [value, hostnames] of names) await marks.put({ ...markOf(value), hostnames, at: clock.now() });
      return outcomes;
    },
    async finish(except) {
      if (part !== undefined) return sweepPart(part, except);
      const spared = await ofUnread();
      if (spared === undefined) return { ...NOTHING_FINISHED, ...(archives ? { refusal: TOO_MANY_UNREAD } : {}) };
      const finished = await next.finish(new Set([...except, ...spared]));
      if (finished.refusal !== undefined) return finished;
      for (const value of parts) if (!unread.includes(value)) await forget(value, except);
      return finished;
    },
  };
}
