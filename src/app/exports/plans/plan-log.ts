import { messageOf, worded } from '../../../kit/worded.ts';
import type { LogDetail, Plan } from '../../../ports/index.ts';
import { shown } from '../../hosts/decisions/check.ts';
import type { RunReport } from '../../journal/run-log.ts';
import type { AppliedPlan } from './apply-plan.ts';
import { appliedWording } from './said-counts.ts';

/** Number of changes that a log entry names; the plan has all of them. */
const MAX_LOGGED = 100;

/** How applying a plan ended, for the log. */
export function planLogReport({ id, status, message }: Plan, applied: AppliedPlan): RunReport {
  const ended = status === 'done' || status === 'partial' ? status : 'failed';
  const counts = appliedWording(applied.applied);
  const said = message === '' ? counts : worded`${{ counts }}; ${{ message }} (plan ${{ id }})`;
  return { status: ended, ...messageOf(said) };
}

/** Returns the log details of an applied plan in addition to its outcome. */
export function planLogDetails({ applied, failures, failed }: AppliedPlan, duration: number): LogDetail[] {
  const milliseconds = Math.round(duration);
  const took = worded`${{ summary: appliedWording(applied) }} in ${{ milliseconds }} ms`;
  const details: LogDetail[] = [{ level: 'info', ...messageOf(took), counts: { ...applied, failed }, milliseconds }];
  const named = failures.slice(0, MAX_LOGGED);
  for (const { hostname, reason } of named) details.push({ level: 'error', message: `${shown(hostname)}: ${reason}` });
  const more = failed - named.length;
  if (more > 0) {
    const said =
      more === 1 ? worded`1 more change could not be made` : worded`${{ count: more }} more changes could not be made`;
    details.push({ level: 'error', ...messageOf(said) });
  }
  return details;
}
