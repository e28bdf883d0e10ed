import { archivedTypeOf } from '../../../kit/account-options/import-options.ts';
import { worded } from '../../../kit/worded.ts';
import type { LabelOutcome, SweepResult, Wording, WritingAccount } from '../../../ports/index.ts';
import type { PreparedRecord } from './decisions/prepare-record.ts';
import { withInventory } from './inventory-writes.ts';
import { thresholdAdvice } from './unnamed-hosts.ts';
import {
  DUPLICATE,
  type FinishResult,
  NOTHING_FINISHED,
  OPERATOR_ARCHIVED,
  OTHER_ACCOUNT,
  TOO_LARGE,
  type WriteMode,
  type WriteModeContext,
  type WriteOutcome,
} from './write-mode.ts';

/** The account owns the hosts it writes. */
export function ownMode(context: WriteModeContext): WriteMode {
  return {
    async write(records: readonly PreparedRecord[], as?: WritingAccount) {
      const { account, actor, runId, clock } = context;
      const write = {
        account: as ?? account,
        entries: records,
        at: clock.now(),
        actor,
        runId,
        takeOver: account.isMaster,
      };
      const outcomes = await context.hosts.saveLabels(write);
      const written = outcomes.map(outcomeOf);
      return records.some(({ inventory }) => inventory.length > 0) ? withInventory(context, records, written) : written;
    },
    finish: (except) => sweep(context, except, false),
  };
}

export function outcomeOf(outcome: LabelOutcome): WriteOutcome {
  switch (outcome) {
    case 'duplicate':
      return DUPLICATE;
    case 'account_conflict':
      return OTHER_ACCOUNT;
    case 'archived':
      return OPERATOR_ARCHIVED;
    case 'too_large':
      return TOO_LARGE;
    // Only of writes that say what they have seen, which imports do not.
    case 'changed':
      return OTHER_ACCOUNT;
    default:
      return outcome;
  }
}

/** Archives the account's hosts that this run did not see, when the account wants that; otherwise says how many stay. */
export async function sweep(
  context: WriteModeContext,
  except: ReadonlySet<string>,
  preview: boolean,
): Promise<FinishResult> {
  const { account, options, runId, startedAt, activeBefore, actor, clock } = context;
  if (activeBefore === 0) return NOTHING_FINISHED;
  const archives = options.delete_host_if_not_found_on_import;
  const objectType = archivedTypeOf(options);
  const result = await context.hosts.archiveUnseen({
    accountId: account.id,
    runId,
    seenBefore: startedAt,
    except: [...except],
    thresholdPercent: archives ? options.delete_threshold_percent : 100,
    activeBefore,
    ...(objectType === undefined ? {} : { objectType }),
    at: clock.now(),
    actor,
    preview: preview || !archives,
  });
  if (!archives) return { ...NOTHING_FINISHED, unseen: { count: result.candidates, sample: result.sample } };
  if (result.refused) {
    return { ...NOTHING_FINISHED, sample: result.sample, refusal: refusalWording(result, context) };
  }
  // A preview only counts: what would be archived are its candidates.
  return { archived: preview ? result.candidates : result.archived, sample: result.sample, withdrawn: 0 };
}

function refusalWording(result: SweepResult, { activeBefore, options }: WriteModeContext): Wording {
  const share = Math.round((result.candidates / activeBefore) * 100);
  const threshold = options.delete_threshold_percent;
  return worded`the source no longer has ${{ count: result.candidates }} of ${{ all: activeBefore }} hosts (${{ share }} %), and the threshold is ${{ threshold }} %; nothing was archived. ${{ advice: thresholdAdvice({ share }, threshold) }}`;
}
