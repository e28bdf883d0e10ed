import {
  type Contribution,
  type ContributionOutcome,
  type HostRecord,
  type JsonObject,
  StoredJson,
} from '../../../ports/index.ts';
import { labelChanges } from './decisions/label-changes.ts';
import type { PreparedRecord } from './decisions/prepare-record.ts';
import { withInventory } from './inventory-writes.ts';
import {
  DUPLICATE,
  type HostDiff,
  NO_SUCH_HOST,
  NOTHING_FINISHED,
  TOO_LARGE,
  type WriteMode,
  type WriteModeContext,
  type WriteOutcome,
} from './write-mode.ts';

/** The account adds labels to hosts of other accounts and never creates, owns or archives one. */
export function contributeMode(context: WriteModeContext): WriteMode {
  const { account, actor, runId, startedAt, clock, options, hosts } = context;
  return {
    async write(records) {
      const outcomes = await hosts.contributeLabels({
        accountId: account.id,
        precedence: options.precedence,
        entries: records,
        at: clock.now(),
        actor,
        runId,
      });
      return withInventory(context, records, outcomes.map(outcomeOf));
    },
    async finish(except) {
      const request = {
        accountId: account.id,
        runId,
        seenBefore: startedAt,
        except: [...except],
        at: clock.now(),
        actor,
      };
      return { ...NOTHING_FINISHED, withdrawn: await hosts.withdrawContributions(request) };
    },
  };
}

function outcomeOf(outcome: ContributionOutcome): WriteOutcome {
  if (outcome === 'not_found') return NO_SUCH_HOST;
  if (outcome === 'too_large') return TOO_LARGE;
  return outcome === 'duplicate' ? DUPLICATE : outcome;
}

const NO_LABELS = StoredJson.ofValue<JsonObject>({});

/**
 * What `contributeMode` would do. The store has no preview of contributions, so those of each host are read; differences are those
 * of this account's own contribution, and what would be withdrawn is not counted.
 */
export function contributeDryRun(context: WriteModeContext, onDiff: ((diff: HostDiff) => void) | undefined): WriteMode {
  const { account, options, hosts } = context;
  const seen = new Set<string>();

  async function preview(record: PreparedRecord, host: HostRecord | undefined): Promise<WriteOutcome> {
    if (seen.has(record.hostname)) return DUPLICATE;
    seen.add(record.hostname);
    if (host === undefined || host.archive !== null) return NO_SUCH_HOST;
    const own = ownContribution(await hosts.contributions(record.hostname), account.id);
    const changes = labelChanges((own?.labels ?? NO_LABELS).value, record.labels.value);
    const sameRank = own === undefined || own.precedence === options.precedence;
    if (changes.length === 0 && sameRank) return 'unchanged';
    onDiff?.({ hostname: record.hostname, outcome: 'updated', changes });
    return 'updated';
  }

  return {
    write: async (records) => {
      const present = await hosts.findEach(records.map(({ hostname }) => hostname));
      const outcomes: WriteOutcome[] = [];
      for (const [index, record] of records.entries()) outcomes.push(await preview(record, present[index]));
      return outcomes;
    },
    finish: () => Promise.resolve(NOTHING_FINISHED),
  };
}

function ownContribution(all: readonly Contribution[], accountId: string): Contribution | undefined {
  return all.find((contribution) => contribution.accountId === accountId && !contribution.owner);
}
