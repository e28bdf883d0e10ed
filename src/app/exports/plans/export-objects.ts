import { messageOf, saidBy, strung, worded } from '../../../kit/worded.ts';
import { shellWord } from '../../../kit/words/escape.ts';
import type { PlanCounts, PlanEntry } from '../../../ports/index.ts';
import type { Account } from '../../accounts/account-directory.ts';
import { appendRunLog, type RunReport } from '../../journal/run-log.ts';
import { exportBreak } from '../export-failure.ts';
import type { ExportReport } from '../export-report.ts';
import type { AppliedPlan } from './apply-plan.ts';
import { changesOf } from './decisions/thresholds.ts';
import { forgetGone, type MadePlan } from './make-plan.ts';
import { openObjectTarget } from './open-object-target.ts';
import { planEntryAnswer } from './plan-answer.ts';
import { planLogDetails } from './plan-log.ts';
import { planMessage, planOf, type RunContext, runPlan, storePlan, withTables } from './plan-run.ts';
import { appliedWording, conflictsWording, countsWording } from './said-counts.ts';

/** Number of changes that a dry run shows; a stored plan has all of them. */
const MAX_SHOWN = 100;

/** A report with the parts of its message. */
type WordedReport = ExportReport & Pick<RunReport, 'wording'>;

const NOTHING = { create: 0, update: 0, move: 0, delete: 0, adopt: 0 };

/** Plans and applies in one go. Never throws for what a target, a rule or the store can do: the report says `failed`. */
export async function exportObjects(context: RunContext, account: Account, part?: string): Promise<WordedReport> {
  const { services } = context;
  const { clock, logger, newId, storage } = services;
  const startedAt = clock.now().getTime();
  const duration = (): number => Math.round(clock.now().getTime() - startedAt);
  let report: WordedReport;
  let applied: AppliedPlan | undefined;
  try {
    ({ report, applied } = await planAndApply(context, account, part, duration));
  } catch (error) {
    report = failedReport(context, account, duration(), error);
  }
  const details = applied === undefined ? [] : planLogDetails(applied, duration());
  await appendRunLog(
    { logs: storage.logs, clock, logger, newId },
    { kind: 'export', account: account.name, report, details },
  );
  return report;
}

async function planAndApply(
  context: RunContext,
  account: Account,
  part: string | undefined,
  duration: () => number,
): Promise<{ readonly report: WordedReport; readonly applied: AppliedPlan | undefined }> {
  const { plans, ownership } = context.services.storage;
  return withTables(context.services, async (tables) => {
    const { id, made, prepared } = await storePlan(context, account, tables, { isExclusive: true, part });
    const { counts, refusal, needsApproval } = made;
    if (refusal !== undefined || needsApproval) {
      if (refusal === undefined) await plans.release(id);
      const waits = worded`plan ${{ id }} waits for approval by another user ("muster plan approve ${{ id }}"): ${{ counts: countsWording(counts) }}`;
      const report = reportOf(account, made, NOTHING, duration());
      const left = {
        plan: id,
        status: 'failed',
        ...messageOf(refusal ?? waits),
        waits: refusal === undefined,
      } as const;
      return { report: { ...report, ...left }, applied: undefined };
    }
    await forgetGone({ ownership, accountId: account.id, tables });
    if (changesOf(counts) + counts.conflict === 0) {
      // Plans without changes would hide the plans that did something.
      await plans.release(id);
      await plans.remove(id);
      return { report: reportOf(account, made, NOTHING, duration()), applied: undefined };
    }
    const applied = await runPlan(context, account, { id, account: account.name, counts }, tables, prepared);
    const { broken } = applied;
    const report: WordedReport = { ...reportOf(account, made, applied.applied, duration(), applied), plan: id };
    if (broken === undefined) return { report, applied };
    const why = worded`${{ broken: saidBy(broken) }}; "muster export ${{ word: shellWord(account.name) }}" or "muster apply ${{ id }}" continues`;
    const cancelled = broken.code === 'cancelled';
    return { report: { ...report, status: 'failed', ...messageOf(why), cancelled }, applied };
  });
}

/** Reports what an export would do, without storing anything. */
export async function previewObjects(context: RunContext, account: Account, part?: string): Promise<WordedReport> {
  const { services } = context;
  const { clock } = services;
  const startedAt = clock.now().getTime();
  const shown: PlanEntry[] = [];
  const duration = (): number => Math.round(clock.now().getTime() - startedAt);
  try {
    return await withTables(services, async (tables) => {
      const opened = await openObjectTarget(services, account, part);
      const made = await planOf(context, account, opened, tables, {
        dryRun: true,
        async onEntries(entries) {
          shown.push(...entries.slice(0, MAX_SHOWN - shown.length));
        },
      });
      const { counts, refusal } = made;
      const report: WordedReport = {
        ...reportOf(account, made, counts, duration()),
        changes: shown.map(planEntryAnswer),
        changes_total: changesOf(counts) + counts.conflict,
      };
      return refusal === undefined ? report : { ...report, status: 'failed', ...messageOf(refusal) };
    });
  } catch (error) {
    return failedReport(context, account, duration(), error);
  }
}

function reportOf(
  account: Account,
  made: MadePlan,
  done: Pick<PlanCounts, keyof typeof NOTHING>,
  duration: number,
  applied?: AppliedPlan,
): WordedReport {
  const { counts } = made;
  const written = done.create + done.update + done.move + done.adopt;
  const failed = counts.conflict + made.failed + (applied?.failed ?? 0);
  const seen =
    counts.unchanged + counts.create + counts.update + counts.move + counts.adopt + counts.conflict + made.failed;
  const isPartial = failed > 0 || made.gaps.said.length > 0;
  const trouble = planMessage(made);
  const conflicts = counts.conflict > 0 ? [conflictsWording(counts.conflict)] : [];
  const said = [
    ...(applied === undefined
      ? [countsWording(counts)]
      : [appliedWording(applied.applied, counts.unchanged), ...conflicts]),
    ...(trouble === undefined ? [] : [trouble]),
  ];
  const failures = [...made.named, ...(applied?.failures ?? [])];
  return {
    account: account.name,
    status: isPartial ? 'partial' : 'done',
    ...messageOf(strung(said) ?? ''),
    cancelled: false,
    summary: { seen, written, unchanged: counts.unchanged, failed, duration_ms: duration },
    failures: failures.map((failure) => ({ ...failure })),
    failures_total: made.failed + (applied?.failed ?? 0),
    objects: { ...counts },
  };
}

function failedReport(
  { services, signal }: RunContext,
  account: Account,
  duration: number,
  error: unknown,
): WordedReport {
  const { said, cancelled } = exportBreak({ logger: services.logger, account: account.name, signal }, error);
  return {
    account: account.name,
    status: 'failed',
    ...messageOf(said),
    cancelled,
    summary: { seen: 0, written: 0, unchanged: 0, failed: 0, duration_ms: duration },
    failures: [],
    failures_total: 0,
  };
}
