import type { ConfirmedBy, RuleDocument, RuleRecord, RuleType } from '../../../ports/index.ts';
import { type Caller, isAdministrator } from '../../kernel/caller.ts';

/** Returns the voucher of a document that this caller writes. Jobs vouch for nothing. */
export function voucherOf(caller: Caller): ConfirmedBy {
  if (caller.entrance === 'cli') return 'operator';
  return caller.entrance !== 'cron' && isAdministrator(caller) ? 'administrator' : null;
}

/**
 * Returns the voucher of a document that replaces another one. The operator still vouches for it if an administrator changed
 * nothing of what it names on the machine.
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
 * Whether a change of one member leaves the document with its present voucher: secrets are not shown, and the author of a partial
 * change has not seen the rest. So a waiting document keeps waiting, and a change of something else does not make the operator
 * vouch for what an administrator named on the machine.
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
