import type { ConfirmedBy, RuleDocument, RuleRecord, RuleType } from '../../ports/index.ts';
import { type Caller, isAdministrator } from '../execution/caller.ts';

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

/** Whether the document names on the machine what it named before. */
export function namesTheSame(type: RuleType, before: Pick<RuleRecord, 'document'>, document: RuleDocument): boolean {
  return type.onMachine !== undefined && type.onMachine(before.document.value) === type.onMachine(document);
}
