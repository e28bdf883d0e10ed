import type { ConfirmedBy, RuleDocument, RuleRecord, RuleType } from '../../../ports/index.ts';
import { type Caller, isAdministrator } from '../../kernel/caller.ts';

/** For whom a document counts as confirmed that this caller writes. Jobs write in nobody's name. */
export function voucherOf(caller: Caller): ConfirmedBy {
  if (caller.entrance === 'cli') return 'operator';
  return caller.entrance !== 'cron' && isAdministrator(caller) ? 'administrator' : null;
}

/**
 * Who vouches for a document that replaces another one. The operator still does where an administrator changed nothing of what
 * it names on the machine.
 */
export function voucherOfReplacement(
  type: RuleType,
  before: RuleRecord | undefined,
  document: RuleDocument,
  caller: Caller,
): ConfirmedBy | 'keep' {
  const voucher = voucherOf(caller);
  const isKept =
    voucher === 'administrator' && before?.confirmedBy === 'operator' && namesTheSame(type, before, document);
  return isKept ? 'keep' : voucher;
}

/**
 * Whether a change of one thing of a document leaves it to whoever vouches for it: secrets are not shown, and whoever changes one
 * thing has not seen the others. So one that waits waits on, and what an administrator named on the machine is not the operator's
 * word by a change of something else.
 */
export function keepsVoucher(type: RuleType, before: RuleRecord, document: RuleDocument, caller: Caller): boolean {
  const voucher = voucherOf(caller);
  if (voucher === null) return false;
  return before.confirmedBy === null || (voucher === 'operator' && namesTheSame(type, before, document));
}

/** Whether the document names on the machine what it named before. */
function namesTheSame(type: RuleType, before: Pick<RuleRecord, 'document'>, document: RuleDocument): boolean {
  return type.onMachine !== undefined && type.onMachine(before.document.value) === type.onMachine(document);
}
