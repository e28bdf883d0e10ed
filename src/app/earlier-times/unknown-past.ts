import { counted } from '../../kit/words/amounts.ts';
import type { InventoryServices } from '../inventory/services.ts';
import type { EarlierRules } from '../rules/earlier-rules.ts';
import type { PreviewProgram } from '../rules/engine/program-input.ts';

const DAY = 86_400_000;
const NAMED = 20;
const MOST_ENTRIES = 1000;
/** Operations that delete hosts for good. */
const DELETIONS = ['hosts/delete-host', 'search/purge-hosts', 'accounts/delete-account'];

interface Past {
  readonly since: Date;
  readonly now: Date;
  /** Changed rules that the caller may see. */
  readonly changed: EarlierRules['changed'];
  readonly programs: readonly PreviewProgram[];
  /** True for a restricted caller: deleted hosts and documents may belong to any account. */
  readonly isRestricted: boolean;
}

/** Returns in words the limits of a comparison with an earlier time. */
export async function unknownPast(
  { config, storage }: Pick<InventoryServices, 'config' | 'storage'>,
  { since, now, changed, programs, isRestricted }: Past,
): Promise<string[]> {
  const unknown: string[] = [];
  const days = (now.getTime() - since.getTime()) / DAY;
  if (days > config.HISTORY_DAYS) {
    unknown.push(`changes of hosts older than ${counted(config.HISTORY_DAYS, 'day')} (HISTORY_DAYS) are not kept`);
  }
  if (days > config.RULE_HISTORY_DAYS) {
    unknown.push(
      `rules removed more than ${counted(config.RULE_HISTORY_DAYS, 'day')} ago (RULE_HISTORY_DAYS) are not kept`,
    );
  }
  if (days > config.AUDIT_DAYS) {
    unknown.push(`hosts deleted for good more than ${counted(config.AUDIT_DAYS, 'day')} ago (AUDIT_DAYS)`);
  }
  for (const { version } of changed.filter(({ isKnown }) => !isKnown).slice(0, NAMED)) {
    unknown.push(`rule ${version.type} ${version.name} counts as it is today: its version of that time is not kept`);
  }
  for (const { version } of changed.filter(({ version: { type } }) => type === 'automation_groups').slice(0, NAMED)) {
    unknown.push(`rule ${version.type} ${version.name} counts as it is today: groups of groups are not compared`);
  }
  const accounts = changed.filter(({ version: { type } }) => type === 'accounts').length;
  if (accounts > 0) unknown.push('accounts were changed: rules that show their fields count with those of today');
  if (programs.some(({ volatile }) => volatile)) {
    unknown.push('rules depend on the time of day: both sides are rendered as of now');
  }
  if (isRestricted) unknown.push('hosts that were deleted for good since then, or moved out of your accounts');
  else unknown.push(...(await deletions(storage, since)));
  if (config.ARCHIVE_DAYS > 0 && days > config.ARCHIVE_DAYS) {
    unknown.push(`hosts that were deleted after ${counted(config.ARCHIVE_DAYS, 'day')} in the archive (ARCHIVE_DAYS)`);
  }
  return unknown;
}

async function deletions({ audit }: InventoryServices['storage'], since: Date): Promise<string[]> {
  const entries = await Promise.all(DELETIONS.map((operation) => audit.latest({ operation, limit: MOST_ENTRIES })));
  const deleted = entries.flat().filter(({ at, outcome }) => at >= since && outcome === 'done');
  if (deleted.length === 0) return [];
  const names = [...new Set(deleted.flatMap(({ subject }) => (subject === '' ? [] : [subject])))];
  const first = names.slice(0, NAMED).join(', ');
  const rest = names.length > NAMED ? ` and ${names.length - NAMED} more` : '';
  return [`what was deleted for good since then${names.length === 0 ? '' : `: ${first}${rest}`}`];
}
